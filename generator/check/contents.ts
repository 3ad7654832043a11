// Where the words about what is inside of a text are heard: in the data of events, and in files of forms.

import type { JsonObject } from "../json.ts";
import { entriesOf, isObject } from "../json.ts";
import { expand } from "../model/kinds.ts";
import { codecOf, essenceOf } from "../normalise/codecs.ts";
import { isFile } from "../normalise/files.ts";
import { endOf } from "../normalise/properties.ts";
import { walk } from "../read/walk.ts";
import { itemFormat } from "../runtime/media-types.ts";

/** The schemas with those words. */
export function heardContents(document: JsonObject): ReadonlySet<unknown> {
  const heard = new Set<unknown>();
  walk(document, "Document", (node, kind) => {
    if (kind !== "Response" && kind !== "RequestBody") return;
    for (const [mediaType, media] of entriesOf(node["content"])) {
      if (!isObject(media)) continue;
      const essence = essenceOf(mediaType);
      const isForm = kind === "RequestBody" && codecOf(essence) === "multipart";
      const isEvents = kind === "Response" && itemFormat(essence) === "events";
      if (isForm) for (const one of filesIn(document, media)) heard.add(one);
      if (isEvents) for (const one of dataIn(document, media)) heard.add(one);
    }
  });
  return heard;
}

function filesIn(document: JsonObject, { schema = true }: JsonObject): readonly unknown[] {
  return expand(document, schema)
    .filter(isObject)
    .flatMap((member) => entriesOf(member["properties"]))
    .flatMap(([, property]) => {
      const target = endOf(document, property);
      return isObject(target) ? [target, endOf(document, target["items"] ?? true)] : [];
    })
    .filter((one) => isObject(one) && isFile(one));
}

/** The schema of the events may be that of their data. */
function dataIn(document: JsonObject, { schema, itemSchema }: JsonObject): readonly unknown[] {
  const event = itemSchema ?? schema ?? true;
  const target = endOf(document, event);
  const items = isObject(target) ? (target["items"] ?? true) : true;
  const members = [event, items].flatMap((one) => expand(document, one)).filter(isObject);
  const data = members.flatMap((member) =>
    entriesOf(member["properties"]).flatMap(([name, one]) => (name === "data" ? [one] : [])),
  );
  return [event, items, ...data].map((one) => endOf(document, one));
}
