// What a limit of 24 hours counts: never less than what was used in them, and no more than ten minutes longer.

import { expect, test } from "vitest";
import { SlidingSums } from "../../adapters/signer/sliding-sums.ts";

const minute = 60_000;
const day = 1_440 * minute;
/** Not at the beginning of its ten minutes. */
const then = 1_000 * day + 13 * minute;
const slot = 1_000 * day + 10 * minute;

function sums() {
  return new SlidingSums<{ readonly name: string }>(({ name }) => name);
}
const hot = { name: "hot" };
const other = { name: "other" };

test("an amount counts for the 24 hours after it, and until its ten minutes are over", () => {
  const used = sums();
  used.add(hot, then, 5n);
  const at = (milliseconds: number) => used.sum({ ...hot }, milliseconds);
  expect([at(then), at(then + day), at(slot + day + 10 * minute - 1)]).toEqual([5n, 5n, 5n]);
  expect(at(slot + day + 10 * minute)).toBe(0n);
  expect(used.sum(other, then)).toBe(0n);
});

test("what was used in the same ten minutes is one entry, and what was used later is another", () => {
  const used = sums();
  used.add(hot, slot, 1n);
  used.add({ ...hot }, slot + 10 * minute - 1, 2n);
  used.add(hot, slot + 10 * minute, 4n);
  used.add(other, then, 8n);
  used.add(other, then + day, 0n);
  expect(used.entries()).toEqual([
    { subject: hot, at: slot, sum: 3n },
    { subject: hot, at: slot + 10 * minute, sum: 4n },
    { subject: other, at: slot, sum: 8n },
  ]);
  expect(used.sum(hot, slot)).toBe(7n);
  expect(used.sum(hot, slot + day + 10 * minute)).toBe(4n);
});

test("only what no window has any more is forgotten", () => {
  const used = sums();
  used.add(hot, then, 1n);
  used.add(hot, then + 10 * minute, 2n);
  used.add(other, then, 4n);
  used.forgetBefore(slot + day + 10 * minute - 1);
  expect(used.entries()).toHaveLength(3);
  used.forgetBefore(slot + day + 10 * minute);
  expect(used.entries()).toEqual([{ subject: hot, at: slot + 10 * minute, sum: 2n }]);
});

test("what a clock that was ahead has counted, counts now", () => {
  const used = sums();
  used.add(hot, then, 1n);
  used.add(hot, then + 3 * day, 2n);
  used.add(other, slot - 30 * minute, 4n);
  used.bringBackTo(slot);
  // What was used before stays where it was: no window gets longer.
  expect(used.entries()).toEqual([
    { subject: hot, at: slot, sum: 3n },
    { subject: other, at: slot - 30 * minute, sum: 4n },
  ]);
});
