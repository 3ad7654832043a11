// Writes docs/generator/supported.md: npm run supported

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderSupportedPage } from "./supported/page.ts";

const path = join(import.meta.dirname, "..", "docs", "generator", "supported.md");
writeFileSync(path, await renderSupportedPage());
console.log("docs/generator/supported.md is written");
