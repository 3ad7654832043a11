// The command itself: what it writes, what it leaves alone, what it says and how it ends. In this process,
// where a run takes a tenth of the time; the first run, and one that only helps, in one of their own.

import { cpSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { casesFolder } from "./cases.ts";
import { contract, copyOfFresh, edit, first, flags, folder, fresh } from "./fresh-project.ts";
import { generator, useFreshProject } from "./fresh-project.ts";
import { command, type Ended, projectFolder, run, writeFile } from "./work-folder.ts";

useFreshProject();

function generate(cwd: string, ...more: readonly string[]): Promise<Ended> {
  return command([...flags, ...more], cwd);
}

interface Entry {
  readonly text: string;
  /** of the file itself, so that a file replaced by an equal one is seen as well */
  readonly identity: string;
}

/** Every file below the folder but the contract. */
function filesIn(root: string): Readonly<Record<string, Entry>> {
  const entries = readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted();
  const files = entries.filter(
    (name) => name !== "openapi.yaml" && statSync(join(root, name)).isFile(),
  );
  return Object.fromEntries(
    files.map((name) => {
      const { ino, mtimeNs } = statSync(join(root, name), { bigint: true });
      return [
        name,
        { text: readFileSync(join(root, name), "utf8"), identity: `${ino} ${mtimeNs}` },
      ];
    }),
  );
}

function changesBetween(
  before: Readonly<Record<string, Entry>>,
  after: Readonly<Record<string, Entry>>,
): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name]?.identity !== after[name]?.identity).toSorted();
}

const contents = (files: Readonly<Record<string, Entry>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(files).map(([name, { text }]) => [name, text]));

describe("writes", () => {
  test("everything that is missing, and says what", () => {
    expect(first).toMatchObject({ code: 0, errors: "" });
    const written = Object.keys(filesIn(fresh));
    expect(first.output.trimEnd().split("\n").toSorted()).toEqual(
      [
        ...written.map((name) => `wrote ${name}`),
        "added a stub for listThings: write it, handlers/things.ts:8",
        "added a stub for listOthers: write it, handlers/others.ts:8",
      ].toSorted(),
    );
    expect(written).toContain("generated/operations/things.ts");
    expect(written).toContain("handlers/things.ts");
  });

  test("nothing the second time, with and without its memory of the first", async () => {
    const before = filesIn(fresh);
    expect(await generate(fresh)).toEqual({
      code: 0,
      output: "generated is up to date\n",
      errors: "",
    });
    expect(changesBetween(before, filesIn(fresh))).toEqual([]);

    const copy = copyOfFresh();
    const copied = filesIn(copy);
    expect(await generate(copy)).toEqual({
      code: 0,
      output: "generated is up to date\n",
      errors: "",
    });
    expect(changesBetween(copied, filesIn(copy))).toEqual([]);
  });

  test("what a cold run would write, whatever it remembers of the last one", async () => {
    const [warm, cold] = [copyOfFresh(), copyOfFresh()];
    await generate(warm);
    for (const copy of [warm, cold])
      edit(join(copy, "openapi.yaml"), "maxItems: 10", "maxItems: 11");
    expect(await generate(warm)).toEqual(await generate(cold));
    expect(contents(filesIn(warm))).toEqual(contents(filesIn(cold)));
    // A file that is gone is written again, though nothing else is to be done.
    rmSync(join(warm, "generated", "schemas.ts"));
    expect((await generate(warm)).output).toBe("wrote generated/schemas.ts\n");
    expect(contents(filesIn(warm))).toEqual(contents(filesIn(cold)));
  });

  test("what an example is, held anew against all that its schema refers to", async () => {
    const copy = copyOfFresh();
    const spec = join(copy, "openapi.yaml");
    edit(
      spec,
      'schema: { $ref: "#/components/schemas/Things" } }',
      'schema: { $ref: "#/components/schemas/Things" }, example: [a, b] }',
    );
    expect(await generate(copy)).toMatchObject({ code: 0, errors: "" });
    edit(spec, "version: 1.0.0", "version: 1.0.1");
    expect(await generate(copy)).toMatchObject({ code: 0, errors: "" });
    edit(spec, "maxItems: 10", "maxItems: 1");
    const warning = "the example does not fit its schema: it must NOT have more than 1 items";
    expect((await generate(copy)).errors).toContain(warning);
    // What does not fit is not remembered as if it did.
    edit(spec, "version: 1.0.1", "version: 1.0.2");
    expect((await generate(copy)).errors).toContain(warning);
  });

  test("the same bytes in every folder and from every working directory", async () => {
    const elsewhere = join(folder, "else", "where");
    writeFile(join(elsewhere, "openapi.yaml"), contract);
    const [spec, out, handlers] = ["openapi.yaml", "generated", "handlers"].map((name) =>
      join(elsewhere, name),
    );
    const options = ["--spec", spec ?? "", "--out", out ?? "", "--handlers", handlers ?? ""];
    expect(await command(options, projectFolder)).toMatchObject({ code: 0 });
    expect(contents(filesIn(elsewhere))).toEqual(contents(filesIn(fresh)));
  });

  test("only what an edit changes, and removes its own files that are stale, never another's", async () => {
    const copy = copyOfFresh();
    edit(join(copy, "openapi.yaml"), "tags: [others]", "tags: [things]");
    edit(
      join(copy, "openapi.yaml"),
      '          headers: { X-Total: { $ref: "#/components/headers/Total" } }\n',
      "",
    );
    edit(join(copy, "openapi.yaml"), "  headers:\n    Total: { schema: { type: integer } }\n", "");
    writeFile(join(copy, "generated", "notes.ts"), "// mine\n");
    writeFile(
      join(copy, "generated", "operations", "notes.md"),
      '// Written by "npm run generate"\n',
    );
    writeFile(join(copy, "generated", "data.json"), "{}\n");
    const before = filesIn(copy);

    const check = await generate(copy, "--check");
    expect(check.code).toBe(1);
    expect(check.output).toContain("+++ /dev/null");
    expect(changesBetween(before, filesIn(copy))).toEqual([]);

    const { code, output } = await generate(copy);
    expect(code).toBe(0);
    const after = filesIn(copy);
    expect(changesBetween(before, after)).toEqual([
      "generated/app.ts",
      "generated/handlers.ts",
      "generated/headers.ts",
      "generated/manifest.ts",
      "generated/openapi.json",
      "generated/operations/others.ts",
      "generated/operations/things.ts",
      "generated/types.ts",
    ]);
    expect(Object.keys(after)).not.toContain("generated/headers.ts");
    expect(Object.keys(after)).not.toContain("generated/operations/others.ts");
    expect(output).toContain("removed generated/headers.ts");
    expect(output).toContain("removed generated/operations/others.ts");
    expect(output).toContain("rewrote generated/app.ts");
  });
});

describe("what people have written", () => {
  test("a generated file that was changed by hand is kept, and named, before it is replaced", async () => {
    const copy = copyOfFresh();
    await generate(copy);
    const schemas = join(copy, "generated", "schemas.ts");
    edit(schemas, "maxItems(10)", "maxItems(12)");
    const mine = readFileSync(schemas, "utf8");
    const { code, output, errors } = await generate(copy);
    expect({ code, output }).toEqual({ code: 0, output: "rewrote generated/schemas.ts\n" });
    const said =
      /^generated\/schemas\.ts was not as the last run here has left it: what stood there is now (\S+); if it was written by hand, change the contract instead\n$/;
    const [, kept = ""] = said.exec(errors) ?? [];
    expect(readFileSync(resolve(copy, kept), "utf8")).toBe(mine);
    rmSync(dirname(resolve(copy, kept)), { recursive: true });
    // One that the contract replaces, and nobody has touched, is not spoken of.
    edit(join(copy, "openapi.yaml"), "maxItems: 10", "maxItems: 11");
    expect(await generate(copy)).toMatchObject({ code: 0, errors: "" });
    // Nor one that is gone.
    rmSync(join(copy, "generated", "app.ts"));
    expect(await generate(copy)).toMatchObject({ output: "wrote generated/app.ts\n", errors: "" });
  });

  test("what is left to do is said for an operation that is new, and for one that has left", async () => {
    const copy = copyOfFresh();
    edit(
      join(copy, "openapi.yaml"),
      "components:\n",
      '  /more:\n    get: { operationId: listMore, tags: [others], responses: { "204": { description: Fine. } } }\ncomponents:\n',
    );
    const { output } = await generate(copy);
    expect(output).toContain(
      "added a stub for listMore: write it, handlers/others.ts:13, and name it in handlers/handlers.ts\n",
    );
    const line = readFileSync(join(copy, "handlers", "others.ts"), "utf8").split("\n")[12];
    expect(line).toBe('  throw new NotImplementedError("listMore");');
  });

  test("a handler of an operation that has left the contract is named with its places", async () => {
    const copy = copyOfFresh();
    const others =
      '  /others:\n    get: { operationId: listOthers, tags: [others], responses: { "204": { description: Fine. } } }\n';
    edit(join(copy, "openapi.yaml"), others, "");
    const lines = readFileSync(join(copy, "handlers", "others.ts"), "utf8").split("\n");
    const line = lines.findIndex((one) => one.startsWith("export const listOthers")) + 1;
    const assembly = readFileSync(join(copy, "handlers", "handlers.ts"), "utf8").split("\n");
    const named = assembly.findLastIndex((one) => one.includes("listOthers")) + 1;
    const { code, output } = await generate(copy);
    expect(code).toBe(0);
    expect(output).toContain(
      `listOthers has left the contract: remove its handler, handlers/others.ts:${line} and handlers/handlers.ts:${named}\n`,
    );
    expect(output).not.toContain("listThings has left");
    // By then the compiler says so.
    expect((await generate(copy)).output).toBe("generated is up to date\n");
  });
});

describe("--check", () => {
  test("ends with 0 when everything is fresh, and writes nothing", async () => {
    const before = filesIn(fresh);
    const ended = await generate(fresh, "--check");
    expect(ended).toEqual({ code: 0, output: "generated is up to date\n", errors: "" });
    expect(changesBetween(before, filesIn(fresh))).toEqual([]);
  });

  test("ends with 1 and shows a diff when something is stale, and writes nothing", async () => {
    const copy = copyOfFresh();
    edit(join(copy, "openapi.yaml"), "maxItems: 10", "maxItems: 11");
    edit(join(copy, "generated", "document.ts"), "no white space", "no white spaces");
    rmSync(join(copy, "handlers"), { recursive: true });
    const before = filesIn(copy);
    const { code, output, errors } = await generate(copy, "--check");
    expect(code).toBe(1);
    const lines = output.split("\n").filter((line) => /^[-+]/.test(line));
    expect(lines).toContain("--- generated/schemas.ts");
    expect(lines).toContain("+++ generated/schemas.ts");
    expect(lines.filter((line) => line.includes("keywords.maxItems("))).toHaveLength(2);
    expect(lines.filter((line) => line.includes("no white space"))).toHaveLength(2);
    expect(lines).toContain("+++ handlers/things.ts");
    expect(errors).toMatch(/^\d+ files are stale: run "npm run generate"\n$/);
    expect(changesBetween(before, filesIn(copy))).toEqual([]);
  });
});

describe("a wrong command line", () => {
  test("--help explains every option", async () => {
    const { code, output, errors } = await run([generator, "--help"]);
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    for (const option of ["--spec", "--out", "--handlers", "--check", "--strict", "--watch"]) {
      expect(output).toContain(option);
    }
  });

  test.for([["--chek"], ["openapi.yaml"], ["--spec"], ["--check=yes"]])(
    "%s ends with 2, says why and writes nothing",
    async ([option = ""]) => {
      const before = filesIn(fresh);
      const { code, output, errors } = await command([option], fresh);
      expect({ code, output }).toEqual({ code: 2, output: "" });
      expect(errors).toContain('Run "npm run generate -- --help" for the options.');
      expect(changesBetween(before, filesIn(fresh))).toEqual([]);
    },
  );
});

describe("--allow", () => {
  test("makes a warning of an error, and says what then happens", async () => {
    const copy = copyOfFresh();
    edit(join(copy, "openapi.yaml"), "openapi: ", "colour: red\nopenapi: ");
    expect(await generate(copy)).toMatchObject({ code: 1 });
    const { code, errors } = await generate(copy, "--allow", "OAG301");
    expect(code).toBe(0);
    expect(errors).toContain("warning OAG301");
    expect(readFileSync(join(copy, "generated", "openapi.json"), "utf8")).not.toContain("colour");
  });

  test.for([
    ["OAG000", 'there is no code "OAG000"'],
    ["OAG301,OAG704", "OAG704 (security that is no list of requirements) cannot be allowed"],
  ])("%s: what cannot be allowed is said", async ([codes = "", told = ""]) => {
    const { code, errors } = await generate(copyOfFresh(), "--allow", codes);
    expect(code).toBe(2);
    expect(errors).toContain(told);
  });
});

describe("a wrong document ends with 1 and leaves the old output as it was", () => {
  test("every problem of it is said", async () => {
    const copy = copyOfFresh();
    rmSync(join(copy, "openapi.yaml"));
    cpSync(join(casesFolder, "many-problems"), copy, { recursive: true });
    const before = filesIn(copy);
    const { code, output, errors } = await generate(copy);
    const problems = readFileSync(join(copy, "problems.txt"), "utf8");
    const errorCount = problems.split("    error OAG").length - 1;
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toBe(`${problems}\n${errorCount} errors; nothing was written\n`);
    expect(errorCount).toBeGreaterThanOrEqual(15);
    expect(changesBetween(before, filesIn(copy))).toEqual([]);
  });

  test("a document that is not there", async () => {
    const copy = copyOfFresh();
    rmSync(join(copy, "openapi.yaml"));
    const before = filesIn(copy);
    const { code, output, errors } = await generate(copy);
    expect({ code, output }).toEqual({ code: 1, output: "" });
    expect(errors).toContain("openapi.yaml  (document)\n    error OAG101: the file cannot be read");
    expect(errors).toContain("1 error; nothing was written");
    expect(changesBetween(before, filesIn(copy))).toEqual([]);
  });
});

test("warnings are repeated on every run, and --strict makes errors of them", async () => {
  const copy = copyOfFresh();
  edit(
    join(copy, "openapi.yaml"),
    "items: { type: string }",
    "items: { type: string, format: iban }",
  );
  const before = filesIn(copy);
  const warning = 'warning OAG417: the format "iban" is not checked';

  const strict = await generate(copy, "--strict");
  expect(strict).toMatchObject({ code: 1, output: "" });
  expect(strict.errors).toContain(warning);
  expect(changesBetween(before, filesIn(copy))).toEqual([]);

  const lenient = await generate(copy);
  expect(lenient.code).toBe(0);
  expect(lenient.errors).toContain(warning);

  const again = await generate(copy);
  expect(again).toEqual({ code: 0, output: "generated is up to date\n", errors: lenient.errors });
  expect(await generate(copy, "--strict")).toMatchObject({ code: 1, errors: strict.errors });
});
