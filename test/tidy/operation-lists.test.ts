// A list of all operations that is kept by hand is a place to edit with each new one. What has to hold for
// every operation takes them from the contract.

import { expect, test } from "vitest";
import { operations } from "../support/contract-document.ts";
import { readSourceFiles, type SourceFiles } from "./source-files.ts";

/** Who names nearly all of them, and why a new one need not be added there. */
const reasons: ReadonlyMap<string, string> = new Map([
  ["docs/examples/operations.ts", "an example of each, which a test misses where there is none"],
  [
    "test/contract/promises.test.ts",
    "the operations that the interface began with; others by rule",
  ],
  ["test/contract/promised-places.txt", "written by a command"],
  ["test/contract/broken-places.txt", "written by a command"],
  ["test/contract/value-answers.ts", "answers for each relation of values, not for each operation"],
  ["test/support/relations/remembered.ts", "relations of values, each with who shows them"],
  ["test/contract/lives.test.ts", "lives of things, told step by step"],
  ["test/contract/event-values.test.ts", "events, each by what it follows"],
  ["test/contract/pairs.test.ts", "pairs of writes about one thing"],
]);

const ids = operations.map(({ operationId }) => operationId);

/** Who names so many of them has a list. */
const manyNames = 15;

function lists(files: SourceFiles): readonly string[] {
  return Array.from(files)
    .filter(([, text]) => {
      const words = new Set(text.match(/\w+/g));
      return ids.filter((id) => words.has(id)).length >= manyNames;
    })
    .map(([path]) => path);
}

/** The contract itself, with what was released of it and what is generated from it. */
const isContract = /^(?:spec|generated)\//;

test("nobody else keeps a list of all operations by hand", () => {
  const files = readSourceFiles("**/*.{ts,mjs,json,md,txt,yaml,html}");
  const found = lists(files).filter((path) => !isContract.test(path));
  expect(found).toEqual([...reasons.keys()].toSorted());
});

test("such a list is seen", () => {
  expect(lists(new Map([["a.ts", `const all = ["${ids.slice(2).join('", "')}"];`]]))).toEqual([
    "a.ts",
  ]);
  expect(lists(new Map([["a.ts", ids.slice(0, 9).join(" ")]]))).toEqual([]);
});
