// Writes docs/errors.md: npm run errors

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderErrorsPage } from "./errors-page.ts";

writeFileSync(join(import.meta.dirname, "..", "docs", "errors.md"), await renderErrorsPage());
console.log("docs/errors.md is written");
