// npm run suite:trial on a small contract: nothing is found where nothing is planted, and every fault is noticed.

import { join } from "node:path";
import { expect, test } from "vitest";
import { trial } from "../../scripts/suite-trial/trial.ts";

const path = join(import.meta.dirname, "..", "suite", "sample.yaml");
const seed = Number(process.env["SEED"] ?? 1) % 1_000_003;

test("the suite of a new project notices what is planted", async () => {
  const survivors: string[] = [];
  const found = await trial({ path, seed, faults: 40, say: (line) => survivors.push(line) });
  expect(found.problems, `seed ${seed}`).toEqual([]);
  expect(found.untried).toEqual([]);
  expect(found.tries).toBeGreaterThan(100);
  expect(survivors, `seed ${seed}`).toEqual([]);
  const kinds = ["answer", "document", "protocol"].map(
    (kind) => found.planted.filter((one) => one.kind === kind).length,
  );
  expect(kinds[0]).toBe(40);
  expect(kinds[1]).toBeGreaterThan(30);
  expect(kinds[2]).toBe(10);
});
