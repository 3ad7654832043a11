// What is counted in place reads as the library's own does, whatever is observed.

import fc from "fast-check";
import { Counter, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";
import { CounterInPlace, HistogramInPlace } from "../../adapters/metrics/in-place.ts";

const buckets = [0.001, 0.5, 1, 10];
const value = fc.oneof(
  fc.constantFrom(...buckets, 0, -1),
  fc.double({ min: 0, max: 20, noNaN: true }),
);
const word = fc.constantFrom("one", "two", 'a "quoted" one', "");

/** Lines of a text in an order of their own: that of labels is nobody's promise. */
function linesOf(text: string): readonly string[] {
  const sortLabels = (labels: string) => labels.split(/,(?=[a-z]+=")/).toSorted(byText);
  return text
    .split("\n")
    .map((line) => line.replace(/\{(.*)\}/, (_, labels: string) => sortLabels(labels).join()))
    .toSorted(byText);
}

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

test.each([
  ["of no cell", {}],
  ["of a cell", { cell: "eu" }],
])("a histogram with a label, %s", async (_, cell) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(value, word)), async (observed) => {
      const [ours, theirs] = [new Registry(), new Registry()];
      for (const registry of [ours, theirs]) registry.setDefaultLabels(cell);
      const named = { name: "waited_seconds", help: "How long." };
      const one = new HistogramInPlace({ ...named, label: "kind", buckets, registry: ours });
      const labelNames = ["kind"] as const;
      const other = new Histogram({ ...named, labelNames, buckets, registers: [theirs] });
      for (const [seconds, kind] of observed) {
        one.observe(seconds, kind);
        other.observe({ kind }, seconds);
      }
      expect(linesOf(await ours.metrics())).toEqual(linesOf(await theirs.metrics()));
    }),
  );
});

test("a histogram without a label, before anything is observed and after it", async () => {
  const [ours, theirs] = [new Registry(), new Registry()];
  const named = { name: "batch_size", help: "How many." };
  const one = new HistogramInPlace({ ...named, buckets, registry: ours });
  const other = new Histogram({ ...named, buckets, registers: [theirs] });
  expect(await ours.metrics()).toContain("batch_size_count 0");
  for (const size of [0, 1, 1, 7, 11]) {
    expect(linesOf(await ours.metrics())).toEqual(linesOf(await theirs.metrics()));
    one.observe(size);
    other.observe(size);
  }
  expect(linesOf(await ours.metrics())).toEqual(linesOf(await theirs.metrics()));
});

test("a counter of two labels", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(word, fc.constantFrom(200, 404, "none"))),
      async (counted) => {
        const [ours, theirs] = [new Registry(), new Registry()];
        const labelNames = ["what", "status"] as const;
        const named = { name: "answers_total", help: "How many.", labelNames };
        const one = new CounterInPlace({ ...named, registry: ours });
        const other = new Counter({ ...named, registers: [theirs] });
        for (const [what, status] of counted) {
          one.inc(what, status);
          other.inc({ what, status });
          expect(await ours.metrics()).toContain("answers_total{");
        }
        expect(linesOf(await ours.metrics())).toEqual(linesOf(await theirs.metrics()));
      },
    ),
  );
});
