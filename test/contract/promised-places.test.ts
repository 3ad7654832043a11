import { expect, test } from "vitest";
import { listPromisedPlaces } from "./promised-places.ts";

// After a change that is meant: vitest run test/contract/promised-places.test.ts -u
test("no promise of an answer or an event was loosened without being seen", async () => {
  const lines = listPromisedPlaces();
  expect(new Set(lines).size).toBe(lines.length);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("promised-places.txt");
});
