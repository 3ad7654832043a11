// Where something of a converted document stands in the document of Swagger 2.0 that it was made of.

import type { Json, JsonObject } from "../json.ts";
import { isObject, itemsOf } from "../json.ts";
import { isInBody } from "./straighten.ts";

export interface Original {
  readonly node: JsonObject;
  /** a property of it */
  readonly name: string | undefined;
}

const folders: Readonly<Record<string, string>> = {
  schemas: "definitions",
  securitySchemes: "securityDefinitions",
  parameters: "parameters",
  responses: "responses",
};

/** The closest place that there is; `tokens`: a pointer into the converted document. */
export function originalOf(document: JsonObject, tokens: readonly string[]): Original {
  return down(document, moved(document, tokens));
}

function moved(document: JsonObject, tokens: readonly string[]): readonly string[] {
  const [first = "", second = "", third = "", fourth = "", ...inner] = tokens;
  if (first === "openapi") return ["swagger"];
  if (first === "servers") return [document["host"] === undefined ? "basePath" : "host"];
  if (first === "components") {
    const part = [folders[second] ?? second, third];
    return [...part, ...(second === "responses" ? answered([fourth, ...inner]) : tokens.slice(3))];
  }
  if (first !== "paths") return tokens;
  const operation = [first, second, third];
  const list = itemsOf(child(down(document, operation), "parameters"));
  if (fourth === "parameters") {
    // those of the body stand elsewhere
    const [index = "", ...deeper] = inner;
    const others = list.flatMap((one, at) => (isInBody(one) ? [] : [at]));
    const at = others[Number(index)];
    return at === undefined ? operation : [...operation, fourth, String(at), ...deeper];
  }
  if (fourth === "requestBody") return [...operation, ...sent(list, inner)];
  if (fourth !== "responses") return tokens;
  const [status = "", ...deeper] = inner;
  return [...operation, fourth, status, ...answered(deeper)];
}

/** Of `content` with a media type nothing was written; what is below it was. */
function answered(tokens: readonly string[]): readonly string[] {
  const [first, mediaType = "", ...inner] = tokens;
  if (first !== "content") return tokens;
  return inner[0] === "example" ? ["examples", mediaType, ...inner.slice(1)] : inner;
}

/** A body by itself, or a field of a form by its name. */
function sent(list: readonly Json[], tokens: readonly string[]): readonly string[] {
  const [keyword, , ...below] = tokens;
  const inner = keyword === "content" ? below : tokens;
  const find = (is: (one: JsonObject) => boolean): number =>
    list.findIndex((one) => isObject(one) && is(one));
  const whole = find((one) => one["in"] === "body");
  if (whole !== -1) return ["parameters", String(whole), ...inner];
  const [first, second, third, ...deeper] = inner;
  const name = first === "encoding" ? second : second === "properties" ? third : undefined;
  const field = find((one) => one["in"] === "formData" && one["name"] === name);
  if (field !== -1) return ["parameters", String(field), ...(first === "schema" ? deeper : [])];
  return ["parameters", String(find(isInBody))];
}

function child({ node, name }: Original, next: string): Json | undefined {
  const value = name === undefined ? node : node[name];
  return isObject(value) ? value[next] : undefined;
}

/** As far as the way goes. Schemas of parameters and headers are written beside their names in 2.0. */
function down(document: JsonObject, tokens: readonly string[]): Original {
  let node: JsonObject = document;
  let name: string | undefined;
  let value: Json = document;
  for (const token of tokens) {
    const next: Json | undefined = Array.isArray(value)
      ? value[Number(token)]
      : isObject(value) && Object.hasOwn(value, token)
        ? value[token]
        : undefined;
    if (next === undefined) {
      if (token === "schema" || token === "example") continue;
      break;
    }
    if (isObject(value)) name = token;
    if (isObject(next)) {
      node = next;
      name = undefined;
    }
    value = next;
  }
  return { node, name };
}
