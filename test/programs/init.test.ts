// npm run generate -- init: a new project starts, passes its contract suite, and fails it when an answer is wrong.

import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const spec = join(root, "test", "suite", "sample.yaml");
const work = mkdtempSync(join(tmpdir(), "init-"));
const project = join(work, "shop");

interface Ended {
  readonly code: unknown;
  readonly output: string;
}

async function node(folder: string, ...words: readonly string[]): Promise<Ended> {
  const environment = { ...process.env, NO_COLOR: "1", VITEST: "", SEED: "1" };
  const child = spawn(process.execPath, words, { cwd: folder, env: environment });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, output: output + errors };
}

const init = (folder: string, document: string): Promise<Ended> =>
  node(root, "generator/main.ts", "init", folder, "--spec", document);
const tests = (): Promise<Ended> => node(project, "node_modules/vitest/vitest.mjs", "run");

let made: Ended;
beforeAll(async () => {
  made = await init(project, spec);
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"), "dir");
});
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
});

/** In place of the stub of an operation. */
function write(module: string, operationId: string, body: string): void {
  const path = join(project, "handlers", `${module}.ts`);
  const before = readFileSync(path, "utf8");
  const stub = `  throw new NotImplementedError("${operationId}");`;
  expect(before).toContain(stub);
  writeFileSync(path, before.replace(stub, body));
}

describe("a new project", () => {
  test("says what to do next", () => {
    expect(made).toMatchObject({ code: 0 });
    expect(made.output).toContain("npm install && npm test");
    const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    const versions = { ...manifest.dependencies, ...manifest.devDependencies };
    for (const version of Object.values(versions)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  test("type-checks", async () => {
    const checked = await node(project, "node_modules/typescript-7/bin/tsc", "-p", ".");
    expect(checked).toEqual({ code: 0, output: "" });
  });

  test("passes its suite with stubs, and says what is not written yet", async () => {
    const { code, output } = await tests();
    expect(output).toContain("5 operations x status x code");
    for (const name of ["listBooks", "addBook", "getBook", "removeBook", "join"]) {
      expect(output.slice(output.indexOf("Not written yet"))).toContain(name);
    }
    expect(code).toBe(0);
    expect(existsSync(join(project, "test-results", "contract", "index.html"))).toBe(true);
  });

  test("passes with a right answer, and fails with a wrong one, by name", async () => {
    write("books", "removeBook", "  return { status: 204 };");
    const right = await tests();
    expect(right.code).toBe(0);
    expect(right.output.slice(right.output.indexOf("Not written yet"))).not.toContain("removeBook");
    const wrong = `  return { status: 409, headers: { "X-Other": "1" } } as never;`;
    write("books", "addBook", wrong);
    const { code, output } = await tests();
    expect(code).toBe(1);
    expect(output).toContain("addBook > everything that may be said");
    expect(output).toContain("header x-other: is not in the document");
  });

  test("starts", async () => {
    const child = spawn(process.execPath, ["server.ts"], {
      cwd: project,
      env: { ...process.env, PORT: "0" },
    });
    try {
      const url = await new Promise<string>((resolve) => {
        child.stdout.setEncoding("utf8").on("data", (said: string) => {
          resolve(/http:\S+/.exec(said)?.[0] ?? said);
        });
      });
      expect((await fetch(`${url}/books/${crypto.randomUUID()}`)).status).toBe(501);
      expect((await fetch(`${url}/books/7`)).status).toBe(400);
    } finally {
      child.kill();
    }
  });
});

test.each(["3.0/json/petstore.json", "3.1/json/train-travel.json"])(
  "of a contract that says what a refusal is, and which the edge does not know: %s",
  async (path) => {
    const folder = join(work, path.replaceAll(/\W/g, "-"));
    const document = join(root, "node_modules", "@readme", "oas-examples", path);
    expect(await init(folder, document)).toMatchObject({ code: 0 });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
    const { code, output } = await node(folder, "node_modules/vitest/vitest.mjs", "run");
    expect(output).toContain("Not written yet");
    expect(code).toBe(0);
    rmSync(folder, { recursive: true });
  },
);

test("a folder that is not empty, a contract that is wrong, a command without a name: nothing is written", async () => {
  const full = join(work, "full");
  mkdirSync(full);
  writeFileSync(join(full, "a.txt"), "mine");
  const refused = await init(full, spec);
  expect(refused.code).toBe(2);
  expect(refused.output).toContain("is not empty: name a folder that is new, or empty");
  expect(readdirSync(full)).toEqual(["a.txt"]);
  writeFileSync(join(work, "wrong.yaml"), "openapi: 3.1.0\npaths: 7\n");
  const wrong = await init(join(work, "new"), join(work, "wrong.yaml"));
  expect(wrong.code).toBe(1);
  const nameless = await node(root, "generator/main.ts", "init", "--spec", spec);
  expect([nameless.code, nameless.output]).toEqual([2, expect.stringContaining("name it")]);
  expect(readdirSync(work).toSorted()).toEqual(["full", "shop", "wrong.yaml"]);
});
