// Security requirements name schemes that exist. A requirement nobody has described would protect
// an operation with a word.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, textOf } from "../json.ts";
import type { Report } from "../read/origins.ts";
import { closest } from "../read/similar.ts";
import { walk } from "../read/walk.ts";

export function checkSecurity(document: JsonObject, report: Report): void {
  const components = document["components"];
  const schemes = isObject(components) ? entriesOf(components["securitySchemes"]) : [];
  const names = schemes.map(([name]) => name);
  for (const [, scheme] of schemes) checkScheme(scheme, report);
  walk(document, "Document", (node, kind) => {
    if (kind !== "Document" && kind !== "Operation") return;
    for (const requirement of itemsOf(node["security"])) {
      if (!isObject(requirement)) continue; // reported by the shape check
      checkScopes(requirement, report);
      for (const name of Object.keys(requirement).filter((one) => !names.includes(one))) {
        const guess = closest(name, names);
        report.error(
          "OAG701",
          [requirement, name, "key"],
          [
            `there is no security scheme "${name}"`,
            guess === undefined
              ? `describe it at "#/components/securitySchemes/${name}"`
              : `did you mean "${guess}"?`,
          ],
        );
      }
    }
  });
}

function checkScopes(requirement: JsonObject, report: Report): void {
  for (const [name, scopes] of Object.entries(requirement)) {
    if (Array.isArray(scopes) && scopes.every((one) => typeof one === "string")) continue;
    const message = `what "${name}" asks for must be a list of texts`;
    report.error(
      "OAG704",
      [requirement, name],
      [message, "write [] where no scopes are asked for"],
    );
  }
}

/** What each type cannot do without (OpenAPI 3.1.1, section 4.8.27.1). */
const needed: Readonly<Record<string, readonly string[]>> = {
  apiKey: ["name", "in"],
  http: ["scheme"],
  oauth2: ["flows"],
  openIdConnect: ["openIdConnectUrl"],
};

function checkScheme(scheme: Json, report: Report): void {
  if (!isObject(scheme)) return;
  const type = textOf(scheme["type"]) ?? "";
  for (const name of Object.hasOwn(needed, type) ? (needed[type] ?? []) : []) {
    if (scheme[name] !== undefined) continue;
    report.error(
      "OAG702",
      [scheme],
      [`a security scheme of type ${type} needs "${name}"`, `add "${name}"`],
    );
  }
}
