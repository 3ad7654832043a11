// The command that runs a copy of the JSON-Schema-Test-Suite, on a small suite of our own.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run } from "../work-folder.ts";

let suite = "";
beforeEach(() => {
  suite = mkdtempSync(join(tmpdir(), "suite-"));
});
afterEach(() => {
  rmSync(suite, { recursive: true });
});

function write(file: string, content: unknown): void {
  const path = join(suite, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
}

const integers = {
  description: "an integer",
  schema: { $ref: "http://localhost:1234/integer.json" },
  tests: [
    { description: "one", data: 1, valid: true },
    { description: "a text", data: "1", valid: false },
  ],
};

async function conformance(...args: readonly string[]) {
  const { code, output } = await run(["scripts/conformance.ts", ...args]);
  return { code, lines: output.trim().split("\n") };
}

test("a suite whose values are all judged rightly ends with 0", async () => {
  write("remotes/integer.json", { type: "integer" });
  write("tests/draft2020-12/type.json", [integers]);
  write("tests/draft2020-12/optional/deep.json", [integers]);
  const { code, lines } = await conformance("--suite", suite);
  expect(lines.slice(-2)).toEqual([
    "all: 4 right and 0 otherwise on purpose of 4, 100.00 %",
    "required: 2 right and 0 otherwise on purpose of 2, 100.00 %",
  ]);
  expect(code).toBe(0);
});

test("what is refused and what is judged otherwise is named, and ends with 1", async () => {
  write("remotes/integer.json", { type: "integer" });
  const misjudged = { ...integers, tests: [{ description: "two", data: 2, valid: false }] };
  write("tests/draft2020-12/type.json", [integers, misjudged]);
  const schema = { type: "strng" };
  write("tests/draft2020-12/wrong.json", [{ ...integers, schema }]);
  const { code, lines } = await conformance("--suite", suite);
  expect(lines).toContain("wrong: type: an integer: two");
  expect(lines).toContain("    should be invalid");
  expect(lines).toContain("refused: wrong: an integer: one");
  expect(lines).toContain('    the text "strng" is not a type');
  expect(lines.at(-1)).toBe("required: 2 right and 0 otherwise on purpose of 5, 40.00 %");
  expect(code).toBe(1);
});

test("a folder that is no suite is told so", async () => {
  const { code, errors } = await run(["scripts/conformance.ts", "--suite", suite]);
  expect(code).not.toBe(0);
  expect(errors).toContain("name a copy of JSON-Schema-Test-Suite");
  expect((await run(["scripts/conformance.ts"])).code).toBe(2);
});
