// generator.config.ts: several contracts, what the command line says instead, and what is wrong with it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import configuration from "../../generator.config.ts";
import { fieldProblems } from "../../generator/configuration/fields.ts";
import { folderProblems } from "../../generator/configuration/folders.ts";
import { edit } from "./fresh-project.ts";
import { command, projectFolder, temporaryFolder, writeFile } from "./work-folder.ts";

const document = (id: string): string => `openapi: 3.1.0
info: { title: ${id}, version: 1.0.0 }
paths:
  /${id}: { get: { operationId: ${id}, tags: [${id}], responses: { "204": { description: Fine. } } } }
`;

const folder = temporaryFolder();
let count = 0;

/** A folder of its own with two contracts and these files. */
function project(files: Readonly<Record<string, string>>): string {
  count += 1;
  const root = join(folder, String(count));
  writeFile(join(root, "spec", "shop.yaml"), document("listBooks"));
  writeFile(join(root, "spec", "admin.yaml"), document("listUsers"));
  for (const [name, text] of Object.entries(files)) writeFile(join(root, name), text);
  return root;
}

const both = {
  contracts: {
    shop: { spec: "spec/shop.yaml", out: "shop/generated", handlers: "shop/handlers" },
    admin: { spec: "spec/admin.yaml", out: "admin/generated" },
  },
};
const asModule = (value: unknown): string => `export default ${JSON.stringify(value)};\n`;

describe("several contracts", () => {
  test("one run writes all, --contract one of them, and paths are those of the file", async () => {
    const root = project({
      "settings/all.config.mjs": asModule({
        contracts: {
          shop: {
            spec: "../spec/shop.yaml",
            out: "../shop/generated",
            handlers: "../shop/handlers",
          },
          admin: { spec: "../spec/admin.yaml", out: "../admin/generated" },
        },
      }),
    });
    const named = ["--config", "settings/all.config.mjs"];
    const one = await command([...named, "--contract", "admin"], root);
    expect(one).toMatchObject({ code: 0, errors: "" });
    expect(readdirSync(root).toSorted()).toEqual(["admin", "settings", "spec"]);
    expect(existsSync(join(root, "handlers"))).toBe(false);
    const all = await command(named, root);
    expect(all).toMatchObject({ code: 0, errors: "" });
    expect(all.output).toContain("wrote shop/generated/app.ts\n");
    expect(all.output).toContain(
      "added a stub for listBooks: write it, shop/handlers/list-books.ts:8\n",
    );
    expect(all.output).toContain("admin/generated is up to date\n");
    expect(await command([...named, "--check"], root)).toEqual({
      code: 0,
      output: "shop/generated is up to date\nadmin/generated is up to date\n",
      errors: "",
    });
  });

  test("one that is wrong holds the other not back, and is named", async () => {
    const root = project({
      "generator.config.json": JSON.stringify(both),
      "spec/shop.yaml": "openapi: 3.1.0\npaths: 7\n",
    });
    const { code, output, errors } = await command([], root);
    expect(code).toBe(1);
    expect(errors).toContain("spec/shop.yaml");
    expect(errors).toMatch(/errors?; nothing was written for shop\n$/);
    expect(output).toContain("wrote admin/generated/app.ts\n");
    expect(existsSync(join(root, "shop"))).toBe(false);
  });
});

describe("the command line wins", () => {
  const one = { contracts: { shop: both.contracts.shop } };

  test("over a field: another place, without stubs that would name it", async () => {
    const root = project({ "generator.config.js": asModule(one) });
    expect(await command(["--out", "other"], root)).toMatchObject({ code: 0, errors: "" });
    expect(readdirSync(root)).not.toContain("shop");
    expect(existsSync(join(root, "other", "app.ts"))).toBe(true);
  });

  test("over the contract: --spec names one of its own", async () => {
    const root = project({ "generator.config.mjs": asModule(both) });
    expect(await command(["--spec", "spec/admin.yaml", "--no-handlers"], root)).toMatchObject({
      code: 0,
    });
    expect(readdirSync(root)).toContain("generated");
    expect(readdirSync(root)).not.toContain("shop");
  });

  test.each([
    [["--out", "other"], "--out is for one contract: say --contract with one of shop, admin"],
    [
      ["--handlers", "other"],
      "--handlers is for one contract: say --contract with one of shop, admin",
    ],
    [["--contract", "shops"], "--contract shops: the configuration has shop, admin"],
    [["--import-endings", "mjs"], "--import-endings mjs: write ts, js or none"],
    [["--handlers", "a", "--no-handlers"], "--handlers and --no-handlers: give one of them"],
    [["--config", "none.mjs"], "none.mjs: there is no such file; name the configuration"],
  ])("%j is refused", async (line, message) => {
    const root = project({ "generator.config.mjs": asModule(both) });
    const { code, output, errors } = await command(line, root);
    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors.split("\n")[0]).toBe(message);
    expect(readdirSync(root).toSorted()).toEqual(["generator.config.mjs", "spec"]);
  });

  test("--contract without a configuration is refused", async () => {
    const { code, errors } = await command(["--contract", "shop"], project({}));
    expect(code).toBe(2);
    expect(errors).toContain("--contract shop: there is no configuration here");
  });
});

describe("a configuration that is wrong is said whole", () => {
  test.each<[unknown, readonly string[]]>([
    [7, ["it exports 7: export an object, export default defineConfig({ ... })"]],
    [undefined, ["it exports nothing: export an object, export default defineConfig({ ... })"]],
    [
      {},
      [
        'contracts is missing: write at least one contract by its name: { api: { spec: "...", out: "..." } }',
      ],
    ],
    [
      { contracts: {} },
      [
        'contracts is an object: write at least one contract by its name: { api: { spec: "...", out: "..." } }',
      ],
    ],
    [
      { contract: both.contracts, contracts: both.contracts },
      ["contract: there is no such field; did you mean contracts?"],
    ],
    [
      { ...both, importEndings: "mjs", verbose: true },
      [
        "verbose: there is no such field; the fields are contracts, importEndings, allow",
        'importEndings is "mjs": write "ts", "js" or "none"',
      ],
    ],
    [
      { contracts: { "my api": { spec: 7, out: " ", handler: "a", copies: { here: "b" } } } },
      [
        'contracts["my api"].handler: there is no such field; did you mean handlers?',
        'contracts["my api"].spec is 7: write the path of the contract as text',
        'contracts["my api"].out is " ": write the path of the folder for generated files as text',
        'contracts["my api"].copies is an object: write addresses and paths: { "https://example.com/a/": "a/" }',
      ],
    ],
    [
      { contracts: { api: "spec.yaml", "": {} } },
      [
        'contracts.api is "spec.yaml": write an object, { spec: "...", out: "..." }',
        'contracts[""]: a contract needs a name that can be typed',
      ],
    ],
    [
      { contracts: { api: { ...both.contracts.admin, basePath: "/{tenant}" } } },
      [
        'contracts.api.basePath is "/{tenant}": write "first", the name of a server, or a path such as "/api"',
      ],
    ],
    [{ contracts: { api: { ...both.contracts.admin, handlers: undefined } } }, []],
  ])("%j", (value, problems) => {
    expect(fieldProblems(value)).toEqual(problems);
  });

  test("each with the file, and nothing is written", async () => {
    const root = project({
      "generator.config.ts": asModule({ contracts: { api: { spec: 7, ot: "a" } } }),
    });
    const ended = await command([], root);
    expect(ended).toEqual({
      code: 2,
      output: "",
      errors: `generator.config.ts: contracts.api.ot: there is no such field; did you mean out?
generator.config.ts: contracts.api.spec is 7: write the path of the contract as text
generator.config.ts: contracts.api.out is missing: write the path of the folder for generated files as text
`,
    });
    expect(readdirSync(root).toSorted()).toEqual(["generator.config.ts", "spec"]);
  });

  test.each([
    ["generator.config.json", '{ "contracts": }', "generator.config.json cannot be loaded: "],
    ["generator.config.mjs", "export default {", "generator.config.mjs cannot be loaded: "],
    [
      "generator.config.ts",
      'throw new Error("not today");',
      "generator.config.ts cannot be loaded: not today\n",
    ],
    [
      "generator.config.ts",
      'import { defineConfig } from "no-such-package";\nexport default defineConfig({});',
      "install what it imports, or export the object alone: defineConfig only adds types\n",
    ],
  ])("%s: %s", async (name, text, message) => {
    const { code, errors } = await command([], project({ [name]: text }));
    expect(code).toBe(2);
    expect(errors).toContain(message);
  });

  test("two of them", async () => {
    const root = project({ "generator.config.mjs": asModule(both), "generator.config.json": "{}" });
    expect(await command([], root)).toMatchObject({
      code: 2,
      errors:
        "there are generator.config.mjs and generator.config.json: keep one of them, or name it with --config FILE\n",
    });
  });
});

describe("contracts that would write over each other", () => {
  const at = (name: string, out: string, handlers?: string) => ({
    name,
    out: join(projectFolder, out),
    handlers: handlers === undefined ? undefined : join(projectFolder, handlers),
  });
  const advice = "give each a folder of its own";

  // displayed from the working directory, which is the project's
  test.each([
    [[at("a", "x"), at("b", "x")], [`a and b both generate into x: ${advice}`]],
    [[at("a", "x"), at("b", "x/y")], [`b generates into x/y, inside x of a: ${advice}`]],
    [[at("a", "x/y/z"), at("b", "x")], [`a generates into x/y/z, inside x of b: ${advice}`]],
    [[at("a", "x"), at("b", "xy"), at("c", "..x")], []],
    [[at("a", "x", "h"), at("b", "y", "h")], [`a and b both have their handlers in h: ${advice}`]],
    [[at("a", "x", "y"), at("b", "y")], [`a has its handlers in y, which b generates: ${advice}`]],
    [[at("a", "x", "x")], ["a has x for generated files and for handlers: name two folders"]],
    [[at("a", "x/generated", "x"), at("b", "y/generated", "y")], []],
  ])("%j", (contracts, problems) => {
    expect(folderProblems(contracts)).toEqual(problems);
  });

  test("are refused before anything is written", async () => {
    const root = project({
      "generator.config.mjs": asModule({
        contracts: {
          a: { spec: "spec/shop.yaml", out: "x" },
          b: { spec: "spec/admin.yaml", out: "x/b" },
        },
      }),
    });
    expect(await command(["--contract", "a"], root)).toEqual({
      code: 2,
      output: "",
      errors: `b generates into x/b, inside x of a: ${advice}\n`,
    });
  });
});

test("a base path of the configuration, and of the line in its place", async () => {
  const contracts = { admin: { ...both.contracts.admin, basePath: "/a" } };
  const root = project({ "generator.config.mjs": asModule({ contracts }) });
  const path = (): string =>
    /path: "(.*)"/.exec(
      readFileSync(join(root, "admin/generated/operations/list-users.ts"), "utf8"),
    )?.[1] ?? "";
  expect(await command([], root)).toMatchObject({ code: 0, errors: "" });
  expect(path()).toBe("/a/listUsers");
  expect(await command(["--base-path", "/b/"], root)).toMatchObject({ code: 0, errors: "" });
  expect(path()).toBe("/b/listUsers");
  expect((await command(["--base-path", "/b?"], root)).code).toBe(2);
});

describe("endings of imports", () => {
  const specifiers = (root: string): readonly string[] =>
    ["generated", "handlers"].flatMap((name) =>
      readdirSync(join(root, name), { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .flatMap((file) =>
          Array.from(
            readFileSync(join(root, name, file), "utf8").matchAll(
              /^(?:import|export|\}).* from "(\.[^"]+)";$/gm,
            ),
            ([, specifier = ""]) => specifier,
          ),
        ),
    );

  test.each([
    ["js", /\/[\w-]+\.js$/],
    ["none", /\/[\w-]+$/],
  ])("%s: every import of generated files and stubs has it", async (endings, pattern) => {
    const root = project({
      "generator.config.mjs": asModule({
        importEndings: endings,
        contracts: { shop: { spec: "spec/shop.yaml", out: "generated", handlers: "handlers" } },
      }),
    });
    expect(await command([], root)).toMatchObject({ code: 0, errors: "" });
    const found = specifiers(root);
    expect(found.length).toBeGreaterThan(50);
    expect(found.filter((one) => !pattern.test(one))).toEqual([]);
    // A stub for what is new has it too; what stands there stays.
    edit(join(root, "handlers", "list-books.ts"), "// The", 'import "./handlers.ts";\n// The');
    const more = "  /more: { get: { operationId: more, tags: [listBooks], responses: {} } }\n";
    writeFile(join(root, "spec", "shop.yaml"), `${document("listBooks")}${more}`);
    expect((await command([], root)).output).toContain("rewrote handlers/list-books.ts\n");
    expect(specifiers(root).filter((one) => !pattern.test(one))).toEqual([]);
    const text = readFileSync(join(root, "handlers", "list-books.ts"), "utf8");
    expect(text).toMatch(/^import ".\/handlers.ts";\n/);
  });
});

test("this project's own", () => {
  expect(fieldProblems(configuration)).toEqual([]);
  expect(Object.keys(configuration.contracts)).toEqual(["public"]);
});
