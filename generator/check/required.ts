// Names that have to be there and cannot: nearly always a slip of the pen, and no object passes.

import type { JsonObject } from "../json.ts";
import { isObject, itemsOf } from "../json.ts";
import type { Report } from "../read/origins.ts";
import { closest } from "../read/similar.ts";

export function checkRequired(node: JsonObject, report: Report): void {
  const { required, properties, patternProperties } = node;
  if (node["additionalProperties"] !== false || !Array.isArray(required)) return;
  const described = Object.keys(isObject(properties) ? properties : {});
  const patterns = Object.keys(isObject(patternProperties) ? patternProperties : {});
  for (const [index, name] of itemsOf(required).entries()) {
    if (typeof name !== "string" || described.includes(name)) continue;
    if (patterns.some((pattern) => mayMatch(pattern, name))) continue;
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

/** What is no pattern is told of elsewhere. */
function mayMatch(pattern: string, name: string): boolean {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(pattern, flags).test(name);
    } catch {
      continue;
    }
  }
  return true;
}
