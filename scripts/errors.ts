// Writes docs/errors.md: npm run errors

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeNoWords } from "./command-line.ts";
import { renderErrorsPage } from "./errors-page.ts";

takeNoWords("npm run errors: writes docs/errors.md, from the table of error codes.");

writeFileSync(join(import.meta.dirname, "..", "docs", "errors.md"), await renderErrorsPage());
console.log("docs/errors.md is written");
