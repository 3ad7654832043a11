// Changes of a part: JSON Merge Patch (RFC 7396), and JSON Patch (RFC 6902).

import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, textOf } from "../suite/json.ts";

/** What is no thing any more afterwards, and what fails a `test`, changes nothing at all (RFC 6902, section 5). */
export function patched(value: Json, patch: Json): Json {
  if (!Array.isArray(patch)) return merged(value, patch);
  let result = value;
  for (const operation of patch) {
    if (isObject(operation) && operation["op"] === "test") {
      const found = at(result, stepsOf(operation["path"]));
      if (!isDeepStrictEqual(found, operation["value"] ?? null)) return value;
    } else result = applied(result, operation);
  }
  return isObject(result) ? result : value;
}

function merged(value: Json, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const members = new Map(Object.entries(isObject(value) ? value : {}));
  for (const [name, one] of Object.entries(patch)) {
    if (one === null) members.delete(name);
    else members.set(name, merged(members.get(name) ?? null, one));
  }
  return Object.fromEntries(members);
}

/** One operation; what does not fit the value changes nothing. */
function applied(value: Json, operation: Json): Json {
  if (!isObject(operation)) return value;
  const path = stepsOf(operation["path"]);
  const from = stepsOf(operation["from"]);
  const given = operation["value"] ?? null;
  switch (operation["op"]) {
    case "add":
      return changed(value, path, { add: given });
    case "replace":
      return changed(value, path, { replace: given });
    case "remove":
      return changed(value, path, {});
    case "copy":
      return changed(value, path, { add: at(value, from) });
    case "move":
      return changed(changed(value, from, {}), path, { add: at(value, from) });
    default:
      return value;
  }
}

function stepsOf(pointer: Json | undefined): readonly string[] {
  const steps = textOf(pointer).split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function at(value: Json, path: readonly string[]): Json {
  let here: Json | undefined = value;
  for (const step of path) {
    if (Array.isArray(here)) here = here[Number(step)];
    else here = isObject(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return here ?? null;
}

/** Neither: it is removed. */
interface Change {
  readonly add?: Json;
  readonly replace?: Json;
}

function changed(value: Json, [step, ...rest]: readonly string[], change: Change): Json {
  const given = "add" in change ? change.add : change.replace;
  if (step === undefined) return given ?? value;
  if (Array.isArray(value)) {
    const index = step === "-" ? value.length : Number(step);
    if (!(index >= 0 && index <= value.length)) return value;
    if (rest.length > 0) {
      return value.map((one, place) => (place === index ? changed(one, rest, change) : one));
    }
    const isKept = "add" in change;
    return value.toSpliced(index, isKept ? 0 : 1, ...(given === undefined ? [] : [given]));
  }
  if (!isObject(value)) return value;
  const members = new Map(Object.entries(value));
  if (rest.length > 0) {
    if (members.has(step)) members.set(step, changed(members.get(step) ?? null, rest, change));
  } else if (given === undefined) members.delete(step);
  else members.set(step, given);
  const object: JsonObject = Object.fromEntries(members);
  return object;
}
