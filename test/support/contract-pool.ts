// What is known of values beyond their schemas: those that the document shows as examples, with the ids of
// things that are there in place of its own.

import fc from "fast-check";
import type { Known, KnownValues, Values } from "./contract-arbitraries.ts";
import { spotsIn } from "./contract-breaks.ts";
import { examplesOf, isObject, type Json, operations } from "./contract-document.ts";
import { exampleOf } from "./contract-requests.ts";

/** By the prefix of an id, such as `pay`: those of things that are there. */
export type LiveIds = ReadonlyMap<string, readonly string[]>;

const ownId = /^([a-z]{3})_[0-9A-Z]{26}$/;

/** @param worded what the document says in words of a place, by the pointer of its schema */
export function knownValues(live: LiveIds, worded: ReadonlyMap<string, Values>): Known {
  const pool = new Map<string, Json[]>();
  const note = (pointer: string, value: Json): void => {
    const prefix = typeof value === "string" ? ownId.exec(value)?.[1] : undefined;
    const values = prefix === undefined ? [value] : (live.get(prefix) ?? []);
    pool.set(pointer, [...(pool.get(pointer) ?? []), ...values]);
  };
  for (const { body, parameters } of operations) {
    for (const one of parameters) {
      if (one.in !== "path" && one.in !== "query") continue;
      noteAll(note, `${one.pointer}/schema`, exampleOf(one));
    }
    if (body === undefined) continue;
    for (const value of examplesOf(body).values()) noteAll(note, `${body.pointer}/schema`, value);
  }
  return (pointer): KnownValues | undefined => {
    const said = worded.get(pointer);
    if (said !== undefined) return { values: said, isAll: true };
    const values = pool.get(pointer) ?? [];
    return values.length === 0 ? undefined : { values: fc.constantFrom(...values), isAll: false };
  };
}

/** The example, and all that is in it, each at its schema. */
function noteAll(note: (pointer: string, value: Json) => void, pointer: string, value: Json): void {
  for (const spot of spotsIn({ pointer, path: [], value })) {
    if (isObject(spot.value) && isObject(spot.node["additionalProperties"])) {
      for (const name of Object.keys(spot.value)) note(`${spot.pointer}/*`, name);
    } else if (!isObject(spot.value) && !Array.isArray(spot.value)) {
      note(spot.from, spot.value);
    }
  }
}
