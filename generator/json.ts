// Plain data as it comes out of a JSON or YAML file, and JSON Pointers into it (RFC 6901).

export { equal } from "./suite/json.ts"; // the suite stands alone, so that what both need stands there

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function escapeToken(token: string): string {
  return /[~/]/.test(token) ? token.replaceAll("~", "~0").replaceAll("/", "~1") : token;
}

export function unescapeToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}

export function pointerTokens(pointer: string): string[] {
  return pointer === "" ? [] : pointer.slice(1).split("/").map(unescapeToken);
}

/** A JSON Pointer as the fragment of a URI reference (RFC 6901 section 6). */
export function fragmentOf(pointer: string): string {
  return `#${encodeURI(pointer).replaceAll("#", "%23")}`;
}

export function at(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const token of pointerTokens(pointer)) {
    if (Array.isArray(value))
      value = /^(0|[1-9][0-9]*)$/.test(token) ? value[Number(token)] : undefined;
    else if (isObject(value)) value = Object.hasOwn(value, token) ? value[token] : undefined;
    else return undefined;
  }
  return value;
}

/** The entries of an object, none for anything else. */
export function entriesOf(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

export function itemsOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Sets a property without ever reaching a prototype setter. */
export function put(target: JsonObject, name: string, value: Json): void {
  if (name !== "__proto__") {
    target[name] = value; // it is the only one that plain objects have
    return;
  }
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}

/** A property called `__proto__` is copied as any other. */
export function copyEntries(from: JsonObject): JsonObject {
  return { ...from };
}
