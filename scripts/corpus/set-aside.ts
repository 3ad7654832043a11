// Values of which the two validators are known to think differently: each place is asserted for both in
// test/generator/validation/deviations.test.ts, or told in docs/generator.md ("Where it differs, on purpose").

import { isObject, type Json } from "../../generator/suite/json.ts";

export function isSetAside(value: Json): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value === "string") return isOddTime(value);
  if (Array.isArray(value)) return value.some(isSetAside);
  if (!isObject(value)) return false;
  // Ajv takes inherited names for properties that it has looked at, and calls them when it compares
  return Object.entries(value).some(([name, one]) => name in Object.prototype || isSetAside(one));
}

/** A leap second; and what is no date-time but to Ajv, which takes a space for "T". */
function isOddTime(text: string): boolean {
  return /:60/.test(text) || /^\d{4}-\d\d-\d\d\s/.test(text);
}
