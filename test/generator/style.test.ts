// What decides how generated files look is found where prettier finds it: an edit of it is no run without work.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { optionsFor, styleOf } from "../../generator/write/style.ts";

let root = "";
let out = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "style-"));
  out = join(root, "packages", "api", "generated");
  mkdirSync(out, { recursive: true });
  writeFileSync(join(root, "package.json"), '{"name":"a"}');
});
afterEach(() => rmSync(root, { recursive: true }));

test.each([
  ["package.json", '{"prettier":{"semi":false}}'],
  [".prettierrc.json5", "{semi:false}"],
  ["packages/prettier.config.cjs", "module.exports = {};"],
  ["packages/api/generated/.editorconfig", "[*]"],
])("%s above it counts", (name, text) => {
  const before = styleOf(out);
  writeFileSync(join(root, name), text);
  expect(styleOf(out)).not.toBe(before);
});

test("all else of a package.json does not", () => {
  const before = styleOf(out);
  writeFileSync(join(root, "package.json"), '{"name":"b"}');
  expect(styleOf(out)).toBe(before);
});

test("who goes on running hears of an edit of what prettier itself reads", async () => {
  const path = join(root, ".prettierrc");
  writeFileSync(path, "semi: false\n");
  expect(await optionsFor(out)).toMatchObject({ semi: false });
  writeFileSync(path, "semi: true\n");
  expect(await optionsFor(out)).toMatchObject({ semi: true });
});
