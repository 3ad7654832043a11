// Security requirements name schemes that exist. A requirement nobody has described would protect
// an operation with a word.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, put, textOf } from "../json.ts";
import { targetOf } from "../normalise/references.ts";
import { isSince, type Version } from "../read/fields.ts";
import type { Report } from "../read/origins.ts";
import { isSchemeReference, schemeOf } from "../read/scheme-references.ts";
import { closest } from "../read/similar.ts";
import { walk } from "../read/walk.ts";

export function checkSecurity(document: JsonObject, version: Version, report: Report): void {
  const components = document["components"];
  const schemes = isObject(components) ? entriesOf(components["securitySchemes"]) : [];
  for (const [, scheme] of schemes) checkScheme(scheme, report);
  const names = schemes.map(([name]) => name);
  const judging = { document, names, hasReferences: isSince(version, "3.2"), report };
  walk(document, "Document", (node, kind) => {
    if (kind !== "Document" && kind !== "Operation") return;
    for (const requirement of itemsOf(node["security"])) {
      if (!isObject(requirement)) continue; // reported by the shape check
      checkScopes(requirement, report);
      for (const name of Object.keys(requirement)) checkName(requirement, name, judging);
    }
  });
}

function checkScopes(requirement: JsonObject, report: Report): void {
  for (const [name, scopes] of Object.entries(requirement)) {
    if (Array.isArray(scopes) && scopes.every((one) => typeof one === "string")) continue;
    const isEmpty = scopes === null;
    const message = isEmpty
      ? `nothing stands where the scopes of "${name}" belong`
      : `what "${name}" asks for must be a list of texts`;
    const said = [message, "write [] where no scopes are asked for"] as const;
    report.error(isEmpty ? "OAG707" : "OAG704", [requirement, name], said);
    if (isEmpty && report.allows("OAG707")) put(requirement, name, []);
  }
}

interface Judging {
  readonly document: JsonObject;
  readonly names: readonly string[];
  /** whether a name may be a URI */
  readonly hasReferences: boolean;
  readonly report: Report;
}

function checkName(requirement: JsonObject, name: string, judging: Judging): void {
  const { document, names, hasReferences, report } = judging;
  if (names.includes(name)) return;
  const where = [requirement, name, "key"] as const;
  if (hasReferences && isSchemeReference(document, name)) {
    // of one that leads nowhere it was said when it was followed
    if (schemeOf(document, name) !== undefined || targetOf(document, name) === undefined) return;
    const advice = 'refer to something below "#/components/securitySchemes"';
    report.error("OAG705", where, [`"${name}" is no security scheme`, advice]);
    return;
  }
  const guess = closest(name, names);
  const advice =
    guess === undefined
      ? `describe it at "#/components/securitySchemes/${name}"`
      : `did you mean "${guess}"?`;
  report.error("OAG701", where, [`there is no security scheme "${name}"`, advice]);
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
