// The contract suite finds nothing in a mock: every answer is one of its contract's, and every request that breaks
// a rule is refused.

import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { rawTries, runRaw } from "../../../generator/suite/protocol.ts";
import { ContractSuite, readViolations } from "../../../generator/suite/suite.ts";
import { type Serving, serve } from "./serving.ts";

const seed = Number(process.env["SEED"] ?? 1);
const examples = "node_modules/@readme/oas-examples";

const contracts: readonly (readonly [name: string, path: string])[] = [
  ["our own contract", "spec/openapi.yaml"],
  ["petstore", join(examples, "3.0/json/petstore.json")],
  ["petstore, 3.1", join(examples, "3.1/json/petstore.json")],
  ["train-travel", join(examples, "3.1/json/train-travel.json")],
  ["star-trek", join(examples, "3.0/json/star-trek.json")],
];

const servings: Serving[] = [];
afterAll(() => Promise.all(servings.map((one) => one.close())));

async function problemsOf(path: string, isDynamic: boolean, hasState: boolean) {
  const serving = await serve(path, { seed, isDynamic, hasState });
  servings.push(serving);
  const { url, reading } = serving;
  const suite = new ContractSuite({
    document: reading.bundled,
    seed,
    draws: 3,
    saidWrong: readViolations,
    send: ({ method, target, headers, body = null }) =>
      fetch(url + target, { method, headers, body, redirect: "manual" }),
  });
  const problems: string[] = [];
  let count = 0;
  for (const operation of suite.operations) {
    for (const one of suite.triesOf(operation).tries) {
      const { problem } = await suite.run(operation, one);
      count += 1;
      if (problem !== undefined) problems.push(`${operation.operationId}: ${one.name}: ${problem}`);
    }
  }
  return { problems, count, url };
}

describe.each(contracts)("%s", (_, path) => {
  test.each([
    ["by its examples", false, false],
    ["with drawn values", true, false],
    ["with what callers have made", false, true],
  ] as const)("answers %s", async (...[, isDynamic, hasState]) => {
    const { problems, count } = await problemsOf(path, isDynamic, hasState);
    expect(problems, `SEED=${seed}`).toEqual([]);
    expect(count).toBeGreaterThan(20);
  });
});

test.each(rawTries("localhost"))("HTTP: $name", async (one) => {
  const [first = await serve(contracts[1]?.[1] ?? "")] = servings;
  expect(await runRaw(first.url, one)).toBeUndefined();
});
