// npm run mutate as a program: real tests, with real faults in the code that they test.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { applied, type Mutant } from "../../scripts/mutate/mutant.ts";
import { DocumentTrial } from "../../scripts/mutate/document-trial.ts";
import { mutantsIn } from "../../scripts/mutate/find.ts";
import { Pool } from "../../scripts/mutate/pool.ts";
import { Trial } from "../../scripts/mutate/trial.ts";
import { TypeCheck } from "../../scripts/mutate/types.ts";

const root = join(import.meta.dirname, "..", "..");
const path = "service/amounts.ts";
const near = "test/ledger/amounts.test.ts";
const source = readFileSync(join(root, path), "utf8");
const pool = new Pool(root, { isRecording: false });
const types = new TypeCheck(root);

afterAll(() => pool.close());

/** With one test file that is near all mutants. */
function trialWith(tests: readonly string[], more = 0) {
  const nearest = { of: () => ({ tests, more, isCovered: tests.length > 0 }) };
  const hasTypeErrors = types.hasErrors.bind(types);
  const warnings: string[] = [];
  const warn = (line: string): void => void warnings.push(line);
  return { trial: new Trial({ root, pool, nearest, hasTypeErrors, warn }), warnings };
}

function mutant(before: string, after: string): Mutant {
  const start = source.indexOf(before);
  expect(start).toBeGreaterThan(0);
  const edit = { start, end: start + before.length, text: after, rule: "by hand" };
  return { ...edit, id: "0123456789ab", path, line: 1, original: before, within: "" };
}

describe("a mutant", () => {
  test("is not noticed by a test because another one has failed before", async () => {
    const fault = mutant("raw < 0n", "raw < 1n");
    const faulty = { path, source: applied(source, fault) };
    const order = { mutant: faulty, milliseconds: 60_000 };
    expect(await pool.run({ ...order, tests: [near] })).toMatchObject({ isPassed: false });
    const other = "test/service/evm-address.test.ts";
    expect(await pool.run({ ...order, tests: [other] })).toMatchObject({ isPassed: true });
  });

  test("is noticed by the test that fails, and the file on the disk stays as it is", async () => {
    const { trial } = trialWith([near]);
    const result = await trial.of(mutant("raw < 0n", "raw < 1n"));
    expect(result).toMatchObject({ verdict: "noticed", by: near, asked: 1 });
    expect(result.failure).toContain("0n units with");
    expect(readFileSync(join(root, path), "utf8")).toBe(source);
  });

  test("is noticed among several that share a process by the one that also fails alone", async () => {
    const others = [
      "service/cursor",
      "service/evm-address",
      "service/promised-numbers",
      "x402/networks",
    ].map((name) => `test/${name}.test.ts`);
    const { trial, warnings } = trialWith([...others, near]);
    const result = await trial.of(mutant("raw < 0n", "raw < 1n"));
    expect(result).toMatchObject({ verdict: "noticed", by: near, asked: 5 });
    expect((await trial.of(mutant("raw < 0n", "0n > raw"))).verdict).toBe("survived");
    expect(warnings).toEqual([]);
  });

  test("that nobody can see survives, and so does the code as it is", async () => {
    const { trial, warnings } = trialWith([near], 3);
    const result = await trial.of(mutant("raw < 0n", "0n > raw"));
    expect(result).toMatchObject({ verdict: "survived", asked: 1, more: 3 });
    expect(warnings).toEqual([]);
  });

  test("that the compiler refuses is noticed by it", async () => {
    const { trial } = trialWith([]);
    const result = await trial.of(mutant("raw < 0n", 'raw.startsWith("-")'));
    expect(result).toMatchObject({ verdict: "noticed", by: "types" });
  });

  test("that no test runs is said to be so", async () => {
    const { trial } = trialWith([]);
    const result = await trial.of(mutant("raw < 0n", "raw < 1n"));
    expect(result.verdict).toBe("not run");
  });
});

describe("a mutant of the contract", () => {
  const contract = "spec/openapi.yaml";
  const document = readFileSync(join(root, contract), "utf8");
  const warnings: string[] = [];
  const trial = new DocumentTrial(root, (line) => void warnings.push(line));
  afterAll(() => {
    trial.close();
  });

  /** The first of its kind, whichever it is. */
  function first(rule: string): Mutant {
    const found = mutantsIn(contract, document).find((one) => one.rule === rule);
    if (found === undefined) throw new Error(`there is no ${rule}`);
    return found;
  }

  test.each([
    ["property", "contract lint"],
    ["path", "contract:diff"],
  ])("(%s) is noticed by the %s, and no file of the project is changed", async (rule, by) => {
    expect(await trial.of(first(rule))).toMatchObject({ verdict: "noticed", by });
    expect(warnings).toEqual([]);
    expect(readFileSync(join(root, contract), "utf8")).toBe(document);
  });
});

test("a process that loops for ever is ended, and the next test runs as ever", async () => {
  const [loop] = [mutant("if (raw < 0n)", "while (true); if (raw < 0n)")];
  const endless = { path, source: applied(source, loop) };
  const milliseconds = 5_000;
  const first = await pool.run({ tests: [near], mutant: endless, milliseconds });
  expect(first).toMatchObject({ isPassed: false, failure: "its process ended" });
  const second = await pool.run({ tests: [near], mutant: null, milliseconds: 60_000 });
  expect(second.isPassed).toBe(true);
});

test("what ran is recorded by file", async () => {
  const recording = new Pool(root, { isRecording: true });
  try {
    const answer = await recording.run({ tests: [near], mutant: null, milliseconds: 60_000 });
    const [ranges = []] = answer.ranges[path] ?? [];
    const offset = source.indexOf("raw < 0n");
    const inner = ranges.findLast((one) => one.startOffset <= offset && offset < one.endOffset);
    expect(inner?.count).toBeGreaterThan(0);
    expect(Object.keys(answer.ranges)).not.toContain("service/webhooks/url.ts");
  } finally {
    await recording.close();
  }
});

test("the program says which there are, and refuses what it does not know", async () => {
  const listed = await program("--list", "--file", path);
  expect(listed.code).toBe(0);
  expect(listed.output.trim().split("\n")).toHaveLength(mutantsIn(path, source).length);
  const refused = await program("--area", "nowhere");
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.errors).toContain("--area nowhere: there is money");
});

async function program(...words: readonly string[]) {
  const child = spawn(process.execPath, ["scripts/mutate.ts", ...words], { cwd: root });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, output, errors };
}
