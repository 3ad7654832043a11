import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { rules } from "../../generator/changes/rules.ts";
import { renderDiffPage } from "../../scripts/diagnostics/diff-page.ts";
import { projectFolder } from "./work-folder.ts";

const page = readFileSync(join(projectFolder, "docs", "generator", "diff.md"), "utf8");

test("docs/generator/diff.md says what the rules say; after a change: npm run diagnostics", async () => {
  expect(await renderDiffPage()).toBe(page);
});

test("it has every rule once, with what to do about it", () => {
  const [, tables = ""] = page.split("## The rules\n");
  const rows = Array.from(tables.matchAll(/^\| `([a-z-]+)` +\|.*$/gm), ([, name = ""]) => name);
  expect(rows.toSorted()).toEqual([...rules.keys()].toSorted());
});
