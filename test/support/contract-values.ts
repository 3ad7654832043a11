// Values made of a schema of the document, by its pointer: complete ones, ones on each bound, and ones that break
// exactly one keyword at one place. The suite's library makes them, from a seed that stays the same.

import { boundsIn, type OnBound } from "../../generator/suite/bounds.ts";
import { breaksIn, type BreakWish, type Broken as Break } from "../../generator/suite/breaking.ts";
import { Dice } from "../../generator/suite/dice.ts";
import { Drawing } from "../../generator/suite/drawing.ts";
import { schemaPlace } from "../../generator/suite/flat.ts";
import { wholesAt } from "../../generator/suite/wholes.ts";
import { boundOf } from "./contract-bounds.ts";
import { contract, type Json } from "./contract-document.ts";
import { judges } from "./contract-schemas.ts";

const drawing = new Drawing(contract, judges);
const seed = 20_260_101;

function wishFor(pointer: string): BreakWish {
  return { drawing, pointer, dice: new Dice(seed), isRequest: true };
}

/** With every optional member; so many that every alternative of a `oneOf` is met. */
export function completeValues(pointer: string): readonly Json[] {
  return wholesAt(pointer, wishFor(pointer));
}

export interface Broken extends Break {
  /** what the schema says of the rule, such as 200 of maxLength; empty where that is the pointer alone */
  readonly bound: string;
}

/** One value for each keyword of each place below the schema, broken there. Throws where nothing breaks one. */
export function brokenValues(pointer: string, whole: Json): readonly Broken[] {
  const { broken, unbroken } = breaksIn(wishFor(pointer), whole);
  if (unbroken.length > 0) throw new Error(`${pointer}: nothing breaks ${unbroken.join()}`);
  return broken.map((one) => ({ ...one, bound: saidOf(one) }));
}

function saidOf({ rule, from }: Break): string {
  if (rule === "required" || rule === "additionalProperties") return "";
  const said = from.map((pointer) => boundOf(schemaPlace(contract, pointer).node, rule));
  return [...new Set(said)].filter((text) => text !== "").join(", ");
}

/** One value for each bound of each place, still within it. */
export function boundaryValues(pointer: string, whole: Json): readonly OnBound[] {
  return boundsIn(wishFor(pointer), whole);
}
