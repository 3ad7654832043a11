// Writes the pages that are made from tables of the generator, docs/generator/diagnostics.md and diff.md:
// npm run diagnostics

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeNoWords } from "./command-line.ts";
import { renderDiffPage } from "./diagnostics/diff-page.ts";
import { renderDiagnosticsPage } from "./diagnostics/page.ts";

takeNoWords("npm run diagnostics: writes docs/generator/diagnostics.md and diff.md.");
const folder = join(import.meta.dirname, "..", "docs", "generator");
mkdirSync(folder, { recursive: true });
const pages = { "diagnostics.md": renderDiagnosticsPage, "diff.md": renderDiffPage };
for (const [name, render] of Object.entries(pages)) {
  writeFileSync(join(folder, name), await render());
  console.log(`docs/generator/${name} is written`);
}
