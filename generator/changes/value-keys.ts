// Values by what they are: the order of the names in an object says nothing.

import { isObject, type Json } from "../json.ts";

/** Equal values have the same key, and no others. */
export function keyOf(value: Json): string {
  return JSON.stringify(value, (_name, inner: Json) => (isObject(inner) ? ordered(inner) : inner));
}

function ordered(value: Readonly<Record<string, Json>>): object {
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

/** Those of the one list that the other one has not. */
export function missingIn(list: readonly Json[], other: readonly Json[]): readonly Json[] {
  const keys = new Set(other.map(keyOf));
  return list.filter((value) => !keys.has(keyOf(value)));
}
