// Generated code against the compiler: what is right compiles under the project's strict flags,
// what is wrong does not. Everything is generated once and checked in one run.

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { withEndings } from "../../generator/emit/import-endings.ts";
import { scaffold } from "../../generator/emit/scaffold.ts";
import { cases, isWrong, outputOf } from "./cases.ts";
import { brokenSchemas, handlerModules, shop, wrongHandlers } from "./shop.ts";
import { streamingModules, wrongStreams } from "./streaming-handlers.ts";
import {
  type Diagnostic,
  projectFolder,
  projectSubfolder,
  run,
  typeCheck,
  writeFile,
  writeGenerated,
} from "./work-folder.ts";

const documents: readonly (readonly [name: string, path: string])[] = [
  ...cases.filter((one) => !isWrong(one)).map((one) => [one.name, one.document] as const),
  ["petstore", "node_modules/@readme/oas-examples/3.0/json/petstore.json"],
  ["train-travel", "node_modules/@readme/oas-examples/3.1/json/train-travel.json"],
  ["figma", "node_modules/@figma/rest-api-spec/openapi/openapi.yaml"],
];

const folder = projectSubfolder();
let diagnostics: readonly Diagnostic[] = [];

/** Generates with stubs; what the compiler has to look at. */
function generate(name: string, document: string): string[] {
  const out = join(folder, name, "generated");
  const handlers = join(folder, name, "handlers");
  const { reading, files } = outputOf(resolve(projectFolder, document), out);
  writeGenerated(out, files);
  for (const [path, text] of scaffold(reading.model, { handlers, out }).files)
    writeFile(path, text);
  const generated = files.map(({ path }) => path).filter((path) => path.endsWith(".ts"));
  const own = generated.filter((path) => !path.startsWith("runtime/"));
  return [...own.map((path) => `${name}/generated/${path}`), `${name}/handlers/handlers.ts`];
}

function writeShop(): string[] {
  writeFile(join(folder, "shop.yaml"), shop);
  const out = join(folder, "shop", "generated");
  const { files } = outputOf(join(folder, "shop.yaml"), out);
  writeGenerated(out, files);
  const written: string[] = [];
  for (const [name, text] of handlerModules) {
    writeFile(join(folder, "shop", `${name}.ts`), text);
    written.push(`shop/${name}.ts`);
  }
  const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? "";
  for (const { name, edit } of brokenSchemas) {
    const text = edit(textOf("schemas.ts"));
    expect(text, `the edit "${name}" finds nothing to change`).not.toBe(textOf("schemas.ts"));
    mkdirSync(join(folder, name));
    writeGenerated(join(folder, name), [
      { path: "schemas.ts", text },
      { path: "types.ts", text: textOf("types.ts") },
    ]);
    written.push(`${name}/schemas.ts`);
  }
  return written;
}

/** Beside the case that they are handlers of. */
function writeStreaming(): string[] {
  return streamingModules.map(([name, text]) => {
    writeFile(join(folder, "streaming", `${name}.ts`), text);
    return `streaming/${name}.ts`;
  });
}

beforeAll(async () => {
  const files: string[] = [];
  for (const [name, document] of documents) files.push(...generate(name, document));
  files.push(...writeShop(), ...writeStreaming());
  diagnostics = await typeCheck(folder, files);
});

const textsIn = (start: string): string[] =>
  diagnostics
    .filter(({ file }) => file.startsWith(start))
    .map(({ file, text }) => `${file}: ${text}`);

describe("generated code and its stubs type-check under the project's flags", () => {
  test.for(documents)("%s", ([name]) => {
    expect(textsIn(`${name}/`)).toEqual([]);
  });

  test("nothing else is wrong, the shared runtime included", () => {
    const ours = [...documents.map(([name]) => name), ...brokenSchemas.map(({ name }) => name)];
    const known = new Set([...ours, "shop", "streaming"]);
    expect(diagnostics.filter(({ file }) => !known.has(file.split("/")[0] ?? ""))).toEqual([]);
  });
});

test.for([
  ["js", "nodenext", "nodenext"],
  ["none", "esnext", "bundler"],
] as const)(
  "imports with the ending %s are found by compilers that take no other",
  async ([importEndings, module, moduleResolution]) => {
    const root = join(folder, `endings-${importEndings}`);
    const [out, handlers] = [join(root, "generated"), join(root, "handlers")];
    const { reading, files } = outputOf(join(folder, "shop.yaml"), out);
    const stubs = scaffold(reading.model, { handlers, out, importEndings });
    for (const { path, text } of await withEndings(files, importEndings))
      writeFile(join(out, path), text);
    for (const [path, text] of stubs.files) writeFile(path, text);
    const options = { module, moduleResolution, allowImportingTsExtensions: false };
    const entries = ["generated/app.ts", "generated/document.ts", "generated/manifest.ts"];
    expect(await typeCheck(root, [...entries, "handlers/handlers.ts"], options)).toEqual([]);
  },
);

test("generated code loads, compiles all its schemas and registers; nothing of a document runs", async () => {
  const folders = documents.map(([name]) => join(folder, name));
  const { code, output, errors } = await run([
    join(import.meta.dirname, "load-generated.ts"),
    ...folders,
  ]);
  expect(errors).toBe("");
  expect(JSON.parse(output)).toEqual({ isPwned: false });
  expect(code).toBe(0);
});

describe("handlers must be what the contract says", () => {
  test("handlers that keep it compile", () => {
    expect(textsIn("shop/right.ts")).toEqual([]);
    expect(textsIn("shop/generated/")).toEqual([]);
  });

  test.for(wrongHandlers)("does not compile: $promise", ({ name, error }) => {
    const texts = textsIn(`shop/${name}.ts`);
    expect(texts.join("\n")).toMatch(error);
    expect(texts, "one mistake is one error").toHaveLength(1);
  });
});

describe("streams are of what the contract says", () => {
  test("handlers that keep it compile", () => {
    expect(textsIn("streaming/right.ts")).toEqual([]);
  });

  test.for(wrongStreams)("does not compile: $promise", ({ name, error }) => {
    const texts = textsIn(`streaming/${name}.ts`);
    expect(texts.join("\n")).toMatch(error);
    expect(texts.length, "one mistake is one error for each of its uses").toBeLessThan(4);
  });
});

describe("a schema that stops describing its type does not compile", () => {
  test.for(brokenSchemas)("$name", ({ name }) => {
    const texts = textsIn(`${name}/schemas.ts`);
    expect(texts, "one mistake is one error").toHaveLength(1);
    expect(texts.join("\n")).toContain("error TS2345");
  });
});
