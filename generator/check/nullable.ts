// `nullable: true` of OpenAPI 3.0 that makes nothing nullable. It adds null to the type beside it and
// to nothing else: an enum lists null itself, and members of a combination go on refusing it (OpenAPI
// 3.0.3, and the proposal that clarified the word).

import type { Json, JsonObject } from "../json.ts";
import { isObject, itemsOf, textOf } from "../json.ts";
import { targetOf } from "../normalise/references.ts";
import type { Report } from "../read/origins.ts";
import type { Version } from "../read/fields.ts";

interface Spot {
  readonly document: JsonObject;
  readonly node: JsonObject;
  readonly version: Version;
}

export function checkNullable({ document, node, version }: Spot, report: Report): void {
  if (version !== "3.0" && node["nullable"] !== undefined) {
    report.warning(
      "OAG418",
      [node, "nullable", "key"],
      [
        '"nullable" belongs to OpenAPI 3.0, and is read as there',
        'write the type as a list with null, for example type: [string, "null"]',
      ],
    );
  }
  if (node["nullable"] !== true || node["$ref"] !== undefined) return;
  const keyword = refusing(document, node, new Set());
  if (keyword === undefined) return;
  const advice =
    keyword === "enum"
      ? "add null to the enum"
      : 'write "anyOf" with the schema and "{ type: object, nullable: true, enum: [null] }"';
  const message = `"nullable" changes nothing here: null is refused by "${keyword}"`;
  report.warning("OAG419", [node, "nullable", "key"], [message, advice]);
}

/** The keyword by which a schema of 3.0 certainly refuses null; undefined: none is certain. */
function refusing(document: JsonObject, schema: Json, seen: ReadonlySet<Json>): string | undefined {
  if (!isObject(schema) || seen.has(schema)) return undefined;
  const now = new Set([...seen, schema]);
  const refuses = (member: Json): boolean => refusing(document, member, now) !== undefined;
  const reference = textOf(schema["$ref"]);
  if (reference !== undefined) {
    const target = targetOf(document, reference);
    return target !== undefined && refuses(target) ? "$ref" : undefined;
  }
  if (schema["type"] !== undefined && schema["nullable"] !== true) return "type";
  const values = schema["enum"];
  if (Array.isArray(values) && !values.includes(null)) return "enum";
  if (itemsOf(schema["allOf"]).some(refuses)) return "allOf";
  return ["anyOf", "oneOf"].find((name) => {
    const members = itemsOf(schema[name]);
    return members.length > 0 && members.every(refuses);
  });
}
