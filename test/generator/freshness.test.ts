// What is committed in generated/ is what the contract in spec/ becomes, and every operation has a
// handler.

import { join, relative } from "node:path";
import { expect, test } from "vitest";
import configuration from "../../generator.config.ts";
import { scaffold } from "../../generator/emit/scaffold.ts";
import { formatFiles } from "../../generator/write/format.ts";
import { diffOf, planChanges } from "../../generator/write/plan.ts";
import { outputOf } from "./cases.ts";
import { projectFolder } from "./work-folder.ts";

const linesShown = 30;
const out = join(projectFolder, "generated");

test('generated/ is fresh: "npm run generate" would change nothing', async () => {
  const { client } = configuration.contracts["public"] ?? {};
  const wish = typeof client === "object" ? { addedHeaders: [], ...client } : undefined;
  const { reading, files } = outputOf(join(projectFolder, "spec", "openapi.yaml"), out, wish);
  const formatted = await formatFiles(files, out);
  const texts = new Map(formatted.map(({ path, text }) => [join(out, path), text]));
  const changes = planChanges(texts, out);
  const beginning = (await diffOf(changes)).split("\n").slice(0, linesShown).join("\n");
  const names = changes.map(({ path }) => relative(out, path));
  expect({ names, beginning }).toEqual({ names: [], beginning: "" });
  const handlers = join(projectFolder, "handlers");
  expect(scaffold(reading.model, { handlers, out }).stubs).toEqual([]);
  expect(reading.warnings).toEqual([]);
});
