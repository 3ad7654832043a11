// What a runner says of a test file: whether anything of it ran, and whether it noticed a fault.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunOrder } from "../../scripts/mutate/messages.ts";
import { titleFor } from "../../scripts/mutate/nearest.ts";
import { Pool } from "../../scripts/mutate/pool.ts";

const root = join(import.meta.dirname, "..", "..");
const asked = "test/sending/fate.test.ts";
const path = "service/sending/fate.ts";
const title = "addresses";

let pool: Pool;
beforeAll(() => {
  pool = new Pool(root, { isRecording: false });
});
afterAll(() => pool.close());

const run = (order: Partial<RunOrder>) =>
  pool.run({ tests: [asked], mutant: null, milliseconds: 300_000, ...order });

test("a title that no test has shows nothing: it did not pass", async () => {
  expect(await run({ title: "no such room" })).toMatchObject({
    isPassed: false,
    failure: "nothing ran",
  });
  expect(await run({ title })).toMatchObject({ isPassed: true });
});

test("a fault is noticed by the tests of the title that look at it, and by no others", async () => {
  const right = readFileSync(join(root, path), "utf8");
  const source = right.replace("one?.toLowerCase() ===", "one?.toLowerCase() !==");
  expect(source).not.toBe(right);
  const mutant = { path, source };
  expect(await run({ mutant, title })).toMatchObject({ isPassed: false, failedTest: asked });
  expect(await run({ mutant, title: "fees" })).toMatchObject({ isPassed: true });
});

test("what every statement decides by is asked of its own room, which has a test of its name", () => {
  const decisions = "test/database/decisions.test.ts";
  const title = titleFor(decisions, "service/x402/arrivals.sql.ts");
  expect(title).toBe("x402");
  expect(titleFor(asked, path)).toBeUndefined();
  expect(readFileSync(join(root, decisions), "utf8")).toContain('test.each(rooms)("%s", ');
});
