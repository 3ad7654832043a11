import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderDiagnosticsPage } from "../../scripts/diagnostics/page.ts";
import { projectFolder } from "./work-folder.ts";

test("docs/generator/diagnostics.md says what the generator says; after a change: npm run diagnostics", async () => {
  const page = readFileSync(join(projectFolder, "docs", "generator", "diagnostics.md"), "utf8");
  expect(await renderDiagnosticsPage()).toBe(page);
});
