// Values for a schema: those that the document shows, some that are drawn, and of each of them some with one fault.

import { breaksIn } from "../../generator/suite/breaking.ts";
import type { Dice } from "../../generator/suite/dice.ts";
import type { Drawing } from "../../generator/suite/drawing.ts";
import { isObject, type Json, replaceAt } from "../../generator/suite/json.ts";
import type { Target } from "./targets.ts";

/** Larger values would only say the same again. */
const spotsMax = 60;
const breaksMax = 30;
const faultsMax = 12;
const examplesMax = 5;

export function* valuesFor(target: Target, drawing: Drawing, dice: Dice): Generator<Json> {
  const { pointer, examples } = target;
  const drawn = (["some", "all", "none"] as const).flatMap((optional) => {
    const found = drawing.valueAt(pointer, optional, dice);
    return found === undefined ? [] : [found.value];
  });
  const whole = [...drawn, ...examples.slice(0, examplesMax)];
  yield* whole;
  const [small] = drawn
    .map((value) => ({ value, size: spotsIn(value).length }))
    .filter(({ size }) => size <= spotsMax)
    .toSorted((one, other) => other.size - one.size);
  if (small !== undefined) {
    const { broken } = breaksIn({ drawing, pointer, dice, isRequest: false }, small.value);
    for (const { value } of picked(broken, breaksMax, dice)) yield value;
  }
  for (const value of whole) yield* faultsIn(value, dice);
}

/** One change at one place, whatever the schema says of it. */
function* faultsIn(value: Json, dice: Dice): Generator<Json> {
  for (const path of picked(spotsIn(value), faultsMax, dice)) {
    const here = path.reduce<Json>((one, step) => memberOf(one, step), value);
    yield replaceAt(value, path, dice.pick(changesOf(here)));
  }
}

/** Undefined: without it. */
function changesOf(value: Json): readonly (Json | undefined)[] {
  const others: readonly (Json | undefined)[] = [undefined, null, 1, "text", true, [], {}];
  if (typeof value === "string") return [...others, "", `${value}x`, value.slice(1), `${value}\n`];
  if (typeof value === "number") return [...others, value + 1, -value, value + 0.5, 2 ** 31, 1e12];
  if (Array.isArray(value))
    return [...others, [...value, ...value], value.slice(1), [...value, null]];
  if (isObject(value)) return [...others, { ...value, another: 1 }];
  return others;
}

/** Paths of all places, the outermost first. */
function spotsIn(value: Json): readonly (readonly string[])[] {
  const inner =
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([step, one]) => spotsIn(one).map((path) => [step, ...path]))
      : [];
  return [[], ...inner];
}

function memberOf(value: Json, step: string): Json {
  if (Array.isArray(value)) return value[Number(step)] ?? null;
  return isObject(value) ? (value[step] ?? null) : null;
}

/** At most so many, in their order; the same ones for the same seed. */
export function picked<Item>(list: readonly Item[], most: number, dice: Dice): readonly Item[] {
  if (list.length <= most) return list;
  const chosen = new Set<number>();
  while (chosen.size < most) chosen.add(dice.below(list.length));
  return list.filter((_, at) => chosen.has(at));
}
