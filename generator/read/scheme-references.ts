// Security requirements that name a scheme by its URI (OpenAPI 3.2.0, section 4.30).

import type { Json, JsonObject } from "../json.ts";
import { at, fragmentOf, isObject, itemsOf, put, escapeToken } from "../json.ts";
import type { Origins } from "./origins.ts";

const folder = "/components/securitySchemes";

/** What a component is called is a name, also where it reads like a URI. */
export function isSchemeReference(document: Json, name: string): boolean {
  const isName = at(document, `${folder}/${escapeToken(name)}`) !== undefined;
  return !isName && /[#/:]/.test(name);
}

interface Renaming {
  readonly origins: Origins;
  /** undefined: it stays as it is */
  readonly rename: (requirement: JsonObject, name: string) => string | undefined;
}

/** The requirements of a document or an operation with other names, in the order of before. */
export function renameSchemes(node: JsonObject, { origins, rename }: Renaming): void {
  const list = node["security"];
  if (!Array.isArray(list)) return;
  const renamed = itemsOf(list).map((requirement): Json => {
    if (!isObject(requirement)) return requirement;
    const copy = origins.copy<JsonObject>(requirement, {});
    for (const [name, scopes] of Object.entries(requirement))
      put(copy, rename(requirement, name) ?? name, scopes);
    return copy;
  });
  put(node, "security", origins.copy(list, renamed));
}

/** By its name, a reference to a component of the document; undefined for any other. */
export function schemeOf(document: JsonObject, reference: string): string | undefined {
  const schemes = at(document, folder);
  const names = isObject(schemes) ? Object.keys(schemes) : [];
  return names.find((name) => fragmentOf(`${folder}/${escapeToken(name)}`) === reference);
}
