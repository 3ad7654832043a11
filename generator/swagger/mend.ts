// What the converter leaves undone: it looks at each parameter and each answer by itself.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, put } from "../json.ts";
import { codecOf } from "../normalise/codecs.ts";

/** `data`: what became of `straight`, changed in place and with its version in front. */
export function mended(data: JsonObject, straight: JsonObject): JsonObject {
  for (const [path, item] of entriesOf(data["paths"])) {
    for (const [method, operation] of entriesOf(item)) {
      if (!isObject(operation)) continue;
      const written = below(straight, "paths", path, method);
      requireForm(operation["requestBody"], below(written, "parameters"));
      for (const [status, response] of entriesOf(operation["responses"]))
        nameFile(response, below(written, "responses", status));
    }
  }
  const answers = below(data, "components", "responses");
  for (const [name, response] of entriesOf(answers))
    nameFile(response, below(straight, "responses", name));
  const { openapi = "", ...others } = data;
  return { openapi, ...others };
}

function below(value: Json | undefined, ...names: readonly string[]): Json | undefined {
  return names.reduce<Json | undefined>(
    (found, name) => (isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  );
}

/** A form with a field that has to be there has to be there. */
function requireForm(body: Json | undefined, parameters: Json | undefined): void {
  const isNeeded = itemsOf(parameters).some(
    (one) => isObject(one) && one["in"] === "formData" && one["required"] === true,
  );
  if (isNeeded && isObject(body)) put(body, "required", true);
}

/** A file is bytes, also where an operation says of nothing else than JSON that it makes it. */
function nameFile(response: Json, written: Json | undefined): void {
  if (below(written, "schema", "type") !== "file" || !isObject(response)) return;
  const entries = entriesOf(response["content"]).map(([type, media]): [string, Json] => [
    codecOf(type) === "json" ? "application/octet-stream" : type,
    media,
  ]);
  put(response, "content", Object.fromEntries(entries));
}
