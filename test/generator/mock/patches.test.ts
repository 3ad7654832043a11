// Changes of a part, as JSON Merge Patch (RFC 7396) and JSON Patch (RFC 6902) have them.

import { expect, test } from "vitest";
import { patched } from "../../../generator/mock/patches.ts";
import type { Json } from "../../../generator/suite/json.ts";

const kept: Json = { a: 1, b: "x", list: [1, 2] };

test.each<readonly [what: string, patch: Json, result: Json]>([
  ["a merge", { b: null, c: { d: null, e: 1 } }, { a: 1, list: [1, 2], c: { e: 1 } }],
  ["null that is added", [{ op: "add", path: "/b", value: null }], { ...kept, b: null }],
  [
    "null in a list",
    [{ op: "add", path: "/list/0", value: null }],
    { ...kept, list: [null, 1, 2] },
  ],
  ["null that replaces", [{ op: "replace", path: "/a", value: null }], { ...kept, a: null }],
  ["what is removed", [{ op: "remove", path: "/list/0" }], { ...kept, list: [2] }],
  ["what is moved", [{ op: "move", from: "/a", path: "/c" }], { b: "x", list: [1, 2], c: 1 }],
  [
    "a test that holds",
    [
      { op: "test", path: "/list", value: [1, 2] },
      { op: "add", path: "/a", value: 2 },
    ],
    { ...kept, a: 2 },
  ],
  [
    "a test that fails",
    [
      { op: "add", path: "/a", value: 2 },
      { op: "test", path: "/b", value: "y" },
    ],
    kept,
  ],
  ["what leaves no thing", [{ op: "replace", path: "", value: "text" }], kept],
])("%s", (_what, patch, result) => {
  expect(patched(kept, patch)).toEqual(result);
});
