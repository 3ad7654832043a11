// What is left of a body when the parts that break the contract are taken out of it.

import { isObject, problemsMax, type Problem } from "./checking.ts";

/**
 * A body of which any part may be missing. What was not sent has no property; what was sent and
 * breaks the contract has one that is undefined. What is there follows its schema.
 */
export type ValidParts<T> = T extends readonly (infer Item)[]
  ? readonly (ValidParts<Item> | undefined)[]
  : T extends object
    ? { readonly [Name in keyof T]?: ValidParts<T[Name]> | undefined }
    : T;

/** Undefined: nothing of it can be relied on. */
export function validParts(value: unknown, problems: readonly Problem[]): unknown {
  // More may be broken than was listed.
  if (problems.length >= problemsMax) return undefined;
  const parts: unknown = structuredClone(value);
  for (const { path } of problems) {
    const last = path.at(-1);
    if (last === undefined) return undefined;
    const holder = path.slice(0, -1).reduce(memberOf, parts);
    if (!Array.isArray(holder) && !isObject(holder)) continue;
    // Defined anew, because an assignment to "__proto__" makes no property.
    if (Object.hasOwn(holder, last)) Object.defineProperty(holder, last, { value: undefined });
  }
  return parts;
}

function memberOf(holder: unknown, step: string | number): unknown {
  const isThere = typeof holder === "object" && holder !== null && Object.hasOwn(holder, step);
  return isThere ? (Reflect.get(holder, step) as unknown) : undefined;
}
