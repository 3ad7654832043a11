// Stubs for new operations, and what is never touched: everything written by hand.

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { OpenAPIHono } from "@hono/zod-openapi";
import { beforeAll, describe, expect, test } from "vitest";
import { type Scaffold, scaffold } from "../../generator/emit/scaffold.ts";
import { type Edge, type Handler, NotImplementedError } from "../../generator/runtime/runtime.ts";
import { outputOf, type Output } from "./cases.ts";
import {
  type Diagnostic,
  projectSubfolder,
  typeCheck,
  writeFile,
  writeGenerated,
} from "./work-folder.ts";

const operation = (id: string, tag: string, path: string): string => `
  ${path}:
    get:
      operationId: ${id}
      tags: [${tag}]
      responses: { "204": { description: Fine. } }`;

const contract = (...operations: readonly string[]): string =>
  `openapi: 3.1.0\ninfo: { title: Stubs, version: 1.0.0 }\npaths:${operations.join("")}\n`;

const listThings = operation("listThings", "things", "/things");
const getThing = operation("things/get", "things", "/thing");
const listOthers = operation("listOthers", "other things", "/others");

const folder = projectSubfolder();
let count = 0;

interface Place {
  readonly output: Output;
  readonly handlers: string;
  readonly out: string;
}

/** A project of its own with this contract and these hand-written modules. */
function place(document: string, modules: Readonly<Record<string, string>> = {}): Place {
  count += 1;
  const root = join(folder, String(count));
  const handlers = join(root, "handlers");
  const out = join(root, "generated");
  writeFile(join(root, "openapi.yaml"), document);
  for (const [name, text] of Object.entries(modules)) writeFile(join(handlers, name), text);
  return { output: outputOf(join(root, "openapi.yaml"), out), handlers, out };
}

const scaffoldOf = ({ output, handlers, out }: Place): Scaffold =>
  scaffold(output.reading.model, { handlers, out });

/** Names of the modules that change, and their new texts. */
function modulesOf(
  document: string,
  modules: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const made = place(document, modules);
  const files = [...scaffoldOf(made).files];
  return Object.fromEntries(
    files.map(([path, text]) => [path.slice(made.handlers.length + 1), text]),
  );
}

const assembly = "// Assembled by hand.\nexport const handlers = {};\n";

const imports = `import { NotImplementedError } from "../generated/runtime/runtime.ts";
import type { AllHandlers } from "./handlers.ts";
`;

const stub = (name: string, id: string, path: string): string => `
/** GET ${path} */
export const ${name}: AllHandlers["${id}"] = () => {
  throw new NotImplementedError("${id}");
};
`;

test("makes a module for each tag, and the one place where they come together", () => {
  const modules = modulesOf(contract(listThings, getThing, listOthers));
  expect(modules).toEqual({
    "things.ts":
      `// The handlers of the operations tagged "things".\n\n${imports}` +
      stub("listThings", "listThings", "/things") +
      stub("things_get", "things/get", "/thing"),
    "other-things.ts":
      `// The handlers of the operations tagged "other things".\n\n${imports}` +
      stub("listOthers", "listOthers", "/others"),
    "handlers.ts": expect.stringContaining('"things/get": things.things_get,') as string,
  });
});

test("names what it added and what it looked at", () => {
  const made = place(contract(listThings, getThing), {
    "handlers.ts": assembly,
    "things.ts": "export const listThings = 1;\n",
  });
  const { stubs, modules } = scaffoldOf(made);
  const [path, unnamedIn] = ["things.ts", "handlers.ts"].map((name) => join(made.handlers, name));
  expect(stubs).toEqual([{ operationId: "things/get", path, line: 8, unnamedIn }]);
  expect(modules.map((path) => path.slice(made.handlers.length + 1))).toEqual([
    "handlers.ts",
    "things.ts",
  ]);
});

describe("a new operation is added at the end of its module; no byte before it changes", () => {
  const written = (importLines: string): string =>
    `#!/usr/bin/env node\n${importLines}\nexport const listThings   =  ( ) => ({status:204});// odd\n\t\n`;

  test("when the imports are there", () => {
    const before = written(imports);
    const modules = modulesOf(contract(listThings, getThing), {
      "handlers.ts": assembly,
      "things.ts": before,
    });
    expect(modules).toEqual({ "things.ts": before + stub("things_get", "things/get", "/thing") });
  });

  test("when an import is there in another form", () => {
    const before = written(
      `import { NotImplementedError, RequestError } from '../generated/runtime/runtime.ts'\nimport { type AllHandlers } from "./handlers.ts";\n`,
    );
    const modules = modulesOf(contract(listThings, getThing), {
      "handlers.ts": assembly,
      "things.ts": before,
    });
    expect(modules).toEqual({ "things.ts": before + stub("things_get", "things/get", "/thing") });
  });

  test("but for import lines that are missing, after the last import", () => {
    const before = written(
      'import { x } from "./x.ts"; // why\nimport type { AllHandlers } from "./handlers.ts";',
    );
    const modules = modulesOf(contract(listThings, getThing), {
      "handlers.ts": assembly,
      "things.ts": before,
    });
    const [inserted] = imports.split("\n");
    const after = modules["things.ts"] ?? "";
    expect(after.split("\n")[3]).toBe(inserted);
    expect(after.replace(`${inserted}\n`, "")).toBe(
      before + stub("things_get", "things/get", "/thing"),
    );
  });

  test.for([
    ["no import at all", "export const listThings = 1;\n"],
    ["a last line without an end", "export const listThings = 1;"],
    ["carriage returns", `import "./x.ts";\r\n\r\nexport const listThings = 1;\r\n`],
    ["nothing in it", ""],
  ] as const)("with %s", ([, before]) => {
    const modules = modulesOf(contract(listThings, getThing), {
      "handlers.ts": assembly,
      "things.ts": before === "" ? "" : before,
      "other.ts": "export const listThings = 1;",
    });
    const after = modules["things.ts"] ?? "";
    const end = stub("things_get", "things/get", "/thing");
    expect(Object.keys(modules)).toEqual(["things.ts"]);
    expect(after.endsWith(end)).toBe(true);
    const kept = after.slice(0, -end.length).replace(imports, "").trim();
    expect(kept).toBe(before.trim());
  });
});

describe("a handler is found under whatever form it is exported", () => {
  test.for([
    "export const listThings = () => ({ status: 204 });",
    "export let other = 1, listThings = 2;",
    "export function listThings() {}",
    "export async function listThings() {}",
    "const listThings = 1;\nexport { listThings };",
    "const inner = 1;\nexport { inner as listThings };",
    'export { listThings } from "./elsewhere/things.ts";',
    'export { default as listThings } from "./elsewhere/things.ts";',
    "export const { listThings, ...rest } = make();",
    "export const { inner: listThings } = make();",
    "export const [first, listThings] = make();",
    "export function buildHandlers() { return { listThings: async () => 1 }; }",
    "export const buildHandlers = () => ({ listThings });",
    "export const buildHandlers = (): object => { return { async listThings() {} }; };",
  ])("%s", (text) => {
    const modules = { "handlers.ts": assembly, "anywhere.ts": text };
    expect(modulesOf(contract(listThings), modules)).toEqual({});
  });

  test.for([
    "const listThings = 1;",
    "// export const listThings = 1;",
    'export const text = "export const listThings = 1;";',
    "export { listThings as inner };",
    "export type listThings = 1;",
  ])("and not in: %s", (text) => {
    const modules = { "handlers.ts": assembly, "anywhere.ts": text };
    expect(Object.keys(modulesOf(contract(listThings), modules))).toEqual(["things.ts"]);
  });
});

describe("where a function of the module builds the handlers", () => {
  const built = (type: string, members: string): string =>
    `import type { Handlers } from "../generated/handlers.ts";

export function buildThings(count: number)${type} {
  const status = 204 as const;
  return {
${members}
  };
}
`;
  const listed = "    /** GET /things */\n    listThings: () => ({ status }),";
  const added = `
    /** GET /thing */
    "things/get": () => {
      throw new NotImplementedError("things/get");
    },`;
  const thrown = 'import { NotImplementedError } from "../generated/runtime/runtime.ts";\n';

  test.each([
    [
      "its type",
      ': Pick<Handlers<null>, "listThings">',
      ': Pick<Handlers<null>, "listThings" | "things/get">',
    ],
    ["no type", "", ""],
    ["another type", ": Partial<Handlers<null>>", ": Partial<Handlers<null>>"],
  ])("a new one is one more member of the object, with %s", (_, before, after) => {
    const modules = modulesOf(contract(listThings, getThing), {
      "handlers.ts": assembly,
      "things.ts": built(before, listed),
    });
    const [first = "", ...others] = built(after, listed + added).split("\n");
    expect(modules).toEqual({ "things.ts": [first, thrown + others.join("\n")].join("\n") });
  });

  test("a new one is named in the type that has a name in the module, and in one of that", () => {
    const typed = (names: string): string =>
      `type Own = Pick<Handlers<null>, ${names}>;\n${built(`: Pick<Own, ${names}>`, "")}`;
    const before = typed('"listThings"').replace("return {\n", `return {\n${listed}`);
    const after = typed('"listThings" | "things/get"').replace(
      "return {\n",
      `return {\n${listed}${added}`,
    );
    const modules = modulesOf(contract(listThings, getThing), {
      "handlers.ts": assembly,
      "things.ts": thrown + before,
    });
    expect(modules).toEqual({ "things.ts": thrown + after });
    const plain = before.replace(': Pick<Own, "listThings">', ": Own");
    expect(
      modulesOf(contract(listThings, getThing), {
        "handlers.ts": assembly,
        "things.ts": thrown + plain,
      }),
    ).toEqual({ "things.ts": thrown + after.replace(/: Pick<Own, [^>]*>/, ": Own") });
  });

  test("without a comma behind the last member, and beside another function", () => {
    const other = "export function notIt() {\n  return { status: 204 };\n}\n";
    const modules = modulesOf(contract(listThings, getThing), {
      "handlers.ts": assembly,
      "things.ts": other + thrown + built("", listed.slice(0, -1)),
    });
    expect(modules).toEqual({ "things.ts": other + thrown + built("", listed + added) });
  });

  test("what is a member by its operationId is written", () => {
    const members = `${listed}\n    "things/get": () => ({ status }),`;
    const modules = modulesOf(contract(listThings, getThing), {
      "handlers.ts": assembly,
      "things.ts": built("", members),
    });
    expect(modules).toEqual({});
  });
});

test("the assembly file is written by hand from its first day on", () => {
  const modules = { "handlers.ts": "", "things.ts": "export const listThings = 1;" };
  expect(Object.keys(modulesOf(contract(listThings, listOthers), modules))).toEqual([
    "other-things.ts",
  ]);
});

test("imports the generated folder wherever it lies", () => {
  const { output, handlers } = place(contract(listThings));
  const inside = scaffold(output.reading.model, { handlers, out: join(handlers, "generated") });
  const text = inside.files.get(join(handlers, "things.ts"));
  expect(text).toContain('from "./generated/runtime/runtime.ts"');
});

describe("a stub in use", () => {
  let diagnostics: readonly Diagnostic[] = [];
  let root = "";

  beforeAll(async () => {
    const first = place(contract(listThings));
    writeGenerated(first.out, first.output.files);
    for (const [path, text] of scaffoldOf(first).files) writeFile(path, text);
    root = join(first.handlers, "..");
    // the contract grows: generated again, with stubs for what is new
    writeFile(join(root, "openapi.yaml"), contract(listThings, getThing, listOthers));
    const output = outputOf(join(root, "openapi.yaml"), first.out);
    for (const { path, text } of output.files) {
      if (!path.startsWith("runtime/")) writeFile(join(first.out, path), text);
    }
    const { handlers, out } = first;
    for (const [path, text] of scaffold(output.reading.model, { handlers, out }).files) {
      writeFile(path, text);
    }
    const written = readFileSync(join(handlers, "handlers.ts"), "utf8");
    const complete = written
      .replace("\n\n/**", '\nimport * as otherThings from "./other-things.ts";\n\n/**')
      .replace(
        "};",
        '  "things/get": things.things_get,\n  listOthers: otherThings.listOthers,\n};',
      );
    writeFile(join(handlers, "complete.ts"), complete);
    diagnostics = await typeCheck(root, ["handlers/handlers.ts", "handlers/complete.ts"]);
  });

  test("the compiler names the operations that the assembly lacks, and nothing else", () => {
    expect(diagnostics.map(({ file }) => file)).toEqual(["handlers/handlers.ts"]);
    expect(diagnostics[0]?.text).toContain('"things/get", listOthers');
  });

  test("answers 501 through the runtime", async () => {
    interface Application {
      readonly register: (
        app: OpenAPIHono,
        handlers: Readonly<Record<string, Handler>>,
        edge: Edge<null, null>,
      ) => void;
    }
    // what these modules export is known by their names only
    const load = async (file: string): Promise<unknown> =>
      import(/* @vite-ignore */ pathToFileURL(join(root, file)).href);
    const { register } = (await load("generated/app.ts")) as Application;
    const { handlers } = (await load("handlers/complete.ts")) as {
      readonly handlers: Readonly<Record<string, Handler>>;
    };
    const app = new OpenAPIHono();
    register(app, handlers, {
      begin: () => null,
      authenticate: () => null,
      refuse: (error) => ({
        status: error instanceof NotImplementedError ? 501 : 500,
        body: { message: String(error) },
      }),
      headers: () => ({}),
      bodyBytesMax: 1000,
      depthMax: 10,
      checkAnswers: false,
    });
    for (const [path, id] of [
      ["/things", "listThings"],
      ["/thing", "things/get"],
    ] as const) {
      const answer = await app.request(path);
      expect(answer.status).toBe(501);
      expect(await answer.text()).toContain(`operation ${id} is not implemented`);
    }
  });
});

test("a folder that is not there yet is no problem, and nothing is written by the scaffold itself", () => {
  const made = place(contract(listThings));
  scaffoldOf(made);
  expect(() => readdirSync(made.handlers)).toThrow("ENOENT");
  mkdirSync(made.handlers);
  expect([...scaffoldOf(made).files.keys()]).toHaveLength(2);
});
