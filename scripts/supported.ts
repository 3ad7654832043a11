// Writes docs/generator/supported.md: npm run supported

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeNoWords } from "./command-line.ts";
import { renderSupportedPage } from "./supported/page.ts";

takeNoWords(
  "npm run supported: writes docs/generator/supported.md, from what the generator says of keywords.",
);

const path = join(import.meta.dirname, "..", "docs", "generator", "supported.md");
writeFileSync(path, await renderSupportedPage());
console.log("docs/generator/supported.md is written");
