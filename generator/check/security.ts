// Security requirements name schemes that exist. A requirement nobody has described would protect
// an operation with a word.

import type { JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf } from "../json.ts";
import type { Report } from "../read/origins.ts";
import { closest } from "../read/similar.ts";
import { walk } from "../read/walk.ts";

export function checkSecurity(document: JsonObject, report: Report): void {
  const components = document["components"];
  const schemes = isObject(components) ? entriesOf(components["securitySchemes"]) : [];
  const names = schemes.map(([name]) => name);
  walk(document, "Document", (node, kind) => {
    if (kind !== "Document" && kind !== "Operation") return;
    for (const requirement of itemsOf(node["security"])) {
      if (!isObject(requirement)) continue; // reported by the shape check
      for (const name of Object.keys(requirement).filter((one) => !names.includes(one))) {
        const guess = closest(name, names);
        report.error(
          [requirement, name, "key"],
          `there is no security scheme "${name}"`,
          guess === undefined
            ? `describe it at "#/components/securitySchemes/${name}"`
            : `did you mean "${guess}"?`,
        );
      }
    }
  });
}
