import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderSupportedPage } from "../../scripts/supported/page.ts";
import { projectFolder } from "./work-folder.ts";

test("docs/generator/supported.md says what the tables say; after a change: npm run supported", async () => {
  const page = readFileSync(join(projectFolder, "docs", "generator", "supported.md"), "utf8");
  expect(await renderSupportedPage()).toBe(page);
});
