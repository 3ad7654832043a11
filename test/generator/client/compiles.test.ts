// Clients against the compiler, under the project's strict flags: those of every document that is at hand, programs that
// use one as it wants to be used, and programs that do not.

import fc from "fast-check";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { withEndings } from "../../../generator/emit/import-endings.ts";
import { emitFiles } from "../../../generator/generate.ts";
import type { JsonObject } from "../../../generator/json.ts";
import { readAllowing } from "../../../scripts/corpus/allowing.ts";
import { cases, isWrong } from "../cases.ts";
import { contracts } from "../types/drawn-contracts.ts";
import {
  type Diagnostic,
  projectFolder,
  projectSubfolder,
  typeCheck,
  writeFile,
  writeGenerated,
} from "../work-folder.ts";
import { generate } from "./both-sides.ts";
import { oddContract } from "./odd-names.ts";
import { mistakes, right } from "./programs.ts";
import { shop } from "./shop.ts";

const examples = join(projectFolder, "node_modules/@readme/oas-examples");

const documents: readonly (readonly [name: string, path: string])[] = [
  ...globSync(["3.0/json/**/*.json", "3.1/json/**/*.json"], { cwd: examples })
    .toSorted()
    .map((name) => [name.replaceAll(/\W+/g, "-"), join(examples, name)] as const),
  ...cases.filter((one) => !isWrong(one)).map((one) => [one.name, one.document] as const),
  ["our-own", join(projectFolder, "spec/openapi.yaml")],
  ["figma", join(projectFolder, "node_modules/@figma/rest-api-spec/openapi/openapi.yaml")],
];

const drawn: readonly (readonly [name: string, contract: JsonObject])[] = fc
  .sample(contracts, 60)
  .map((contract, at) => [`drawn-${at}`, contract]);

const folder = projectSubfolder();
let diagnostics: readonly Diagnostic[] = [];

beforeAll(async () => {
  const files: string[] = [];
  for (const [name, path] of documents) {
    const { reading } = readAllowing(path);
    writeGenerated(join(folder, name), emitFiles(reading, "openapi.yaml", { addedHeaders: [] }));
    files.push(`${name}/client/client.ts`);
  }
  for (const [name, contract] of [...drawn, ["odd", oddContract], ["shop", shop]] as const) {
    generate(contract, [], join(folder, name));
    files.push(`${name}/client/client.ts`);
  }
  const programs = [right, ...mistakes.map(({ text }) => text)];
  for (const [at, text] of programs.entries()) {
    writeFile(join(folder, "shop", `program-${at}.ts`), text);
    files.push(`shop/program-${at}.ts`);
  }
  diagnostics = await typeCheck(folder, files);
});

const textsIn = (start: string): string[] =>
  diagnostics
    .filter(({ file }) => file.startsWith(start))
    .map(({ file, text }) => `${file}: ${text}`);

test("of documents, of contracts that are drawn, and of names that are anything else", () => {
  const own = diagnostics.filter(({ file }) => !file.startsWith("shop/program-"));
  expect(own).toEqual([]);
  expect(documents.length).toBeGreaterThan(95);
});

describe("a program", () => {
  test("that uses it as it wants to be used", () => {
    expect(textsIn("shop/program-0.ts")).toEqual([]);
  });

  test.each(mistakes.map((one, at) => [one.promise, at, one.error] as const))(
    "that has %s",
    (_, at, error) => {
      const texts = textsIn(`shop/program-${at + 1}.ts`);
      expect(texts.join("\n")).toMatch(error);
      expect(texts, "one mistake is one error").toHaveLength(1);
    },
  );
});

test("nothing is of any type", () => {
  const clients = globSync("*/client/**/*.ts", { cwd: folder });
  expect(clients.length).toBeGreaterThan(1_000);
  const wrong = clients.filter((path) => {
    const text = readFileSync(join(folder, path), "utf8");
    return /[:<|&(,]\s*any\b/.test(
      text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:[^"\\]|\\.)*"/g, ""),
    );
  });
  expect(wrong).toEqual([]);
});

test.for([
  ["js", "nodenext", "nodenext"],
  ["none", "esnext", "bundler"],
] as const)(
  "imports with the ending %s are found by compilers that take no other",
  async ([endings, module, moduleResolution]) => {
    const root = join(folder, `endings-${endings}`);
    const path = join(folder, "shop/openapi.json");
    const files = emitFiles(readAllowing(path).reading, "openapi.json", { addedHeaders: [] });
    for (const { path: name, text } of await withEndings(files, endings))
      writeFile(join(root, name), text);
    const ending = endings === "js" ? ".js" : "";
    writeFile(join(root, "program.ts"), right.replace("client.ts", `client${ending}`));
    const options = { module, moduleResolution, allowImportingTsExtensions: false };
    expect(await typeCheck(root, ["client/client.ts", "program.ts"], options)).toEqual([]);
  },
);
