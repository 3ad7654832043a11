// Writes docs/generator/diagnostics.md: npm run diagnostics

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { renderDiagnosticsPage } from "./diagnostics/page.ts";

const path = join(import.meta.dirname, "..", "docs", "generator", "diagnostics.md");
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, await renderDiagnosticsPage());
console.log("docs/generator/diagnostics.md is written");
