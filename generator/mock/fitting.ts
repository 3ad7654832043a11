// A value with other members, as far as its schema takes them.

import { isObject, type Json, type JsonObject } from "../suite/json.ts";

/** Where a member belongs, and what may stand there: the first that fits is taken. */
export type Member = readonly [path: readonly string[], values: readonly (Json | undefined)[]];

/** One member after the other; what does not fit is left as it was. */
export function fitting(
  value: Json,
  members: Iterable<Member>,
  isValid: (value: Json) => boolean,
): Json {
  let best = value;
  for (const [path, values] of members) {
    const found = values
      .filter((one) => one !== undefined)
      .map((one) => withMember(best, path, one))
      .find((one) => one !== undefined && isValid(one));
    if (found !== undefined) best = found;
  }
  return best;
}

/** Undefined: there is nothing to put it in. */
function withMember(
  value: Json,
  [step, ...rest]: readonly string[],
  member: Json,
): Json | undefined {
  if (step === undefined) return member;
  if (Array.isArray(value)) {
    const item = value[Number(step)];
    const changed = item === undefined ? undefined : withMember(item, rest, member);
    return changed === undefined ? undefined : value.with(Number(step), changed);
  }
  if (!isObject(value)) return undefined;
  const inner = withMember(Object.hasOwn(value, step) ? (value[step] ?? null) : null, rest, member);
  if (inner === undefined) return undefined;
  const copy: JsonObject = { ...value };
  // `__proto__` is a name like any other
  const property = { value: inner, enumerable: true, configurable: true, writable: true };
  return Object.defineProperty(copy, step, property);
}
