// Numbers between bounds, in steps.

import type { Dice } from "./dice.ts";
import type { Flat } from "./flat.ts";

const integerMost = Number.MAX_SAFE_INTEGER;
/** Values are drawn near the lower end: people read them. */
const stepsMost = 1_000;

export function drawNumber({ rules, format }: Flat, dice: Dice, isWhole: boolean): number {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity } = rules;
  const { maximum = Infinity, exclusiveMaximum = Infinity } = rules;
  const most = format === "int32" ? 2 ** 31 - 1 : integerMost;
  const least = Math.max(minimum, exclusiveMinimum);
  const greatest = Math.min(maximum, exclusiveMaximum, most);
  const from = least === -Infinity ? Math.min(1, greatest) : least;
  const step = stepOf(rules["multipleOf"], greatest - from, isWhole);
  const low = Math.ceil(from / step);
  const high = Math.floor(greatest / step);
  const last = exclusiveMaximum === high * step ? high - 1 : high;
  const above = exclusiveMinimum === low * step ? low + 1 : low;
  const first = least === -Infinity ? Math.min(above, last) : above;
  const count = Math.min(last - first + 1, stepsMost);
  return (first + dice.below(Math.max(1, count))) * step;
}

function stepOf(multiple: number | undefined, room: number, isWhole: boolean): number {
  if (multiple === undefined) {
    if (isWhole) return 1;
    // a fraction that a double holds exactly, with several of them in the room there is
    return room > 0 ? Math.min(0.5, 2 ** Math.floor(Math.log2(room / 4))) : 0.5;
  }
  if (!isWhole || Number.isInteger(multiple)) return multiple;
  const times = Array.from({ length: stepsMost }, (_, at) => at + 1);
  return multiple * (times.find((one) => Number.isInteger(one * multiple)) ?? 1);
}
