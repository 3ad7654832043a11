// Values of JSON, and how to look into them.

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function objectAt(parent: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
  return isObject(value) ? value : {};
}

export function listAt(parent: JsonObject, name: string): readonly Json[] {
  const value = parent[name];
  return Array.isArray(value) ? value : [];
}

/** A text as it is, anything else as JSON. */
export function textOf(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** JSON Schema equality: objects without regard to the order of their names. */
export function equal(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return (
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((item, index) => equal(item, b[index] ?? null))
    );
  }
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && equal(a[name] ?? null, b[name] ?? null))
  );
}

/** One step of a JSON Pointer. */
export function escapeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

export function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The value with one place replaced, or left out when there is no replacement. */
export function replaceAt(
  value: Json,
  path: readonly string[],
  replacement: Json | undefined,
): Json {
  const [step, ...rest] = path;
  if (step === undefined) return replacement ?? null;
  if (Array.isArray(value)) {
    return value.map((item, index) =>
      index === Number(step) ? replaceAt(item, rest, replacement) : item,
    );
  }
  const entries = Object.entries(isObject(value) ? value : {});
  if (rest.length === 0 && replacement === undefined) {
    return Object.fromEntries(entries.filter(([name]) => name !== step));
  }
  const changed = entries.map(([name, item]) =>
    name === step ? ([name, replaceAt(item, rest, replacement)] as const) : ([name, item] as const),
  );
  const isNew = !entries.some(([name]) => name === step);
  return Object.fromEntries(isNew ? [...changed, [step, replacement ?? null]] : changed);
}
