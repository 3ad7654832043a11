// Names that have to be there and cannot: nearly always a slip of the pen, and no object passes.

import type { JsonObject } from "../json.ts";
import { isObject, itemsOf } from "../json.ts";
import type { Report } from "../read/origins.ts";
import type { Version } from "../read/fields.ts";
import { closest } from "../read/similar.ts";
import { typesOf } from "./types.ts";

export function checkRequired(node: JsonObject, version: Version, report: Report): void {
  const { required, properties = {}, patternProperties = {} } = node;
  if (node["additionalProperties"] !== false || !Array.isArray(required)) return;
  // What stands beside a reference counts from 3.1 on.
  if (node["$ref"] !== undefined && version === "3.0") return;
  const types = typesOf(node);
  if (types.length > 0 && !types.includes("object")) return;
  if (!isObject(properties) || !isObject(patternProperties)) return;
  // A pattern may fit the name; those of a document are not run without a need.
  if (Object.keys(patternProperties).length > 0) return;
  const described = Object.keys(properties);
  for (const [index, name] of itemsOf(required).entries()) {
    if (typeof name !== "string" || described.includes(name)) continue;
    const guess = closest(name, described);
    const question = guess === undefined ? "" : `did you mean "${guess}"? Otherwise `;
    report.warning(
      "OAG427",
      [required, index],
      [
        `"${name}" is required, and "additionalProperties" false refuses it: no object can pass`,
        `${question}describe "${name}" in "properties"`,
      ],
    );
  }
}
