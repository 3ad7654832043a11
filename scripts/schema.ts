// Writes docs/schema.md: npm run schema

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dumpPglite } from "../adapters/database/pglite.ts";
import { takeNoWords } from "./command-line.ts";
import { renderSchemaPage } from "./schema-page.ts";

takeNoWords("npm run schema: writes docs/schema.md, the tables as the migrations make them.");

const path = join(import.meta.dirname, "..", "docs", "schema.md");
writeFileSync(path, await renderSchemaPage(await dumpPglite()));
console.log("docs/schema.md is written");
process.exit();
