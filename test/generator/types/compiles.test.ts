// Whatever a contract is made of, what is made of it compiles.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { emitFiles } from "../../../generator/generate.ts";
import { readAllowing } from "../../../scripts/corpus/allowing.ts";
import { projectSubfolder, typeCheck, writeFile, writeGenerated } from "../work-folder.ts";
import { contracts } from "./drawn-contracts.ts";

const folder = projectSubfolder();

test("contracts that are drawn", async () => {
  const seed = Number(process.env["SEED"] ?? 1);
  const numRuns = Number(process.env["RUNS"] ?? 40);
  const drawn = fc.sample(contracts, { seed, numRuns });
  const files = drawn.flatMap((contract, at) => {
    const own = join(folder, `drawn-${at}`);
    mkdirSync(own);
    const path = join(own, "openapi.json");
    writeFile(path, JSON.stringify(contract));
    writeGenerated(own, emitFiles(readAllowing(path).reading, "openapi.json"));
    return ["app", "handlers"].map((name) => `drawn-${at}/${name}.ts`);
  });
  const wrong = await typeCheck(folder, files);
  const shown = wrong.map(({ file, text }) => {
    const at = Number(/\d+/.exec(file)?.[0]);
    return `${file}: ${text}\n${JSON.stringify(drawn[at])}`;
  });
  expect(shown).toEqual([]);
});
