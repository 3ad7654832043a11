// Who may call an operation, as the contract says it: schemes, and which of them an operation asks for.

import type { Json, JsonObject } from "../json.ts";
import { entriesOf, isObject, itemsOf, put, textOf } from "../json.ts";
import { follow } from "../normalise/references.ts";
import type { SecurityScheme } from "../runtime/runtime.ts";
import type { NamedScheme, Operation, Requirement } from "./model.ts";
import { identifier, Names } from "./names.ts";
import { defaultStatuses } from "./responses.ts";

/** By the name that requirements use. */
export function namedSchemes(document: JsonObject): ReadonlyMap<string, NamedScheme> {
  const components = isObject(document["components"]) ? document["components"] : {};
  const names = new Names();
  const found = new Map<string, NamedScheme>();
  for (const [name, value] of entriesOf(components["securitySchemes"])) {
    const node = follow(document, value);
    const scheme = node === undefined ? undefined : schemeOf(name, node);
    if (scheme !== undefined)
      found.set(name, { identifier: names.assign(identifier(name)), scheme });
  }
  return found;
}

function schemeOf(name: string, node: JsonObject): SecurityScheme | undefined {
  const type = textOf(node["type"]);
  if (type === "apiKey") {
    const place = (["query", "header", "cookie"] as const).find((one) => one === node["in"]);
    const parameter = textOf(node["name"]);
    if (place === undefined || parameter === undefined) return undefined;
    return { name, type, in: place, parameter };
  }
  if (type === "http") {
    // names of schemes are the same in any case (RFC 9110, section 11.1)
    const scheme = textOf(node["scheme"])?.toLowerCase();
    const bearerFormat = textOf(node["bearerFormat"]);
    if (scheme === undefined) return undefined;
    return { name, type, scheme, ...(bearerFormat === undefined ? {} : { bearerFormat }) };
  }
  if (type === "openIdConnect")
    return { name, type, openIdConnectUrl: textOf(node["openIdConnectUrl"]) ?? "" };
  return type === "oauth2" || type === "mutualTLS" ? { name, type } : undefined;
}

/**
 * An operation's own requirements stand in the place of the document's (OpenAPI 3.1.1, section 4.8.10). Nobody
 * can meet one that names a scheme that is nowhere.
 */
export function requirementsOf(
  document: JsonObject,
  operation: JsonObject,
  schemes: ReadonlyMap<string, NamedScheme>,
): Operation["security"] {
  const list = itemsOf(operation["security"] ?? document["security"]);
  if (list.length === 0) return undefined;
  return list.flatMap((alternative) => {
    if (!isObject(alternative)) return []; // reported by the shape check
    const parts = Object.entries(alternative).flatMap(([name, scopes]): Requirement[] => {
      const identifier = schemes.get(name)?.identifier;
      const texts = itemsOf(scopes).filter((one) => typeof one === "string");
      return identifier === undefined ? [] : [{ identifier, scopes: texts }];
    });
    return parts.length === Object.keys(alternative).length ? [parts] : [];
  });
}

/** Those that say something in a word or in a list of words; ours are read already. */
export function plainExtensions(node: JsonObject): JsonObject {
  const isPlain = (value: Json): boolean => typeof value !== "object" || value === null;
  const found: JsonObject = {};
  for (const [name, value] of entriesOf(node)) {
    if (!name.startsWith("x-") || name === defaultStatuses) continue;
    if (Array.isArray(value) ? value.every(isPlain) : isPlain(value)) put(found, name, value);
  }
  return found;
}
