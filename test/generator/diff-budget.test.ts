// A small edit of the real contract is a small difference of the generated code: about one line in
// each file that has to say it. Whoever reviews a change of the contract reads both.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { structuredPatch } from "diff";
import { beforeAll, describe, expect, test } from "vitest";
import { type Document, parseDocument } from "yaml";
import type { GeneratedFile } from "../../generator/emit/file.ts";
import { formatFiles } from "../../generator/write/format.ts";
import { outputOf } from "./cases.ts";
import { projectFolder, temporaryFolder, writeFile } from "./work-folder.ts";

type Path = readonly (string | number)[];

interface Edit {
  readonly name: string;
  readonly edit: (contract: Contract) => void;
  /** changed lines at most, for each file that may change; openapi.json is the served document */
  readonly budget: Readonly<Record<string, number>>;
}

/** The contract as it is written, to be edited in place. */
class Contract {
  readonly #document: Document.Parsed;

  constructor(text: string) {
    this.#document = parseDocument(text);
  }

  get text(): string {
    return String(this.#document);
  }

  /** Replaces what is there. */
  change(path: Path, to: (before: unknown) => unknown): void {
    this.#demand(path, true);
    this.#document.setIn(path, to(this.#document.getIn(path)));
  }

  /** Adds something that is not there yet. */
  add(path: Path, value: unknown): void {
    this.#demand(path, false);
    this.#demand(path.slice(0, -1), true);
    this.#document.setIn(path, this.#document.createNode(value));
  }

  #demand(path: Path, isThere: boolean): void {
    if (this.#document.hasIn(path) === isThere) return;
    throw new Error(`${path.join("/")} is ${isThere ? "not" : "already"} in the contract`);
  }

  append(path: Path, value: unknown): void {
    this.#demand(path, true);
    this.#document.addIn(path, value);
  }
}

const schemas = ["components", "schemas"];
const createPayment = ["paths", "/v1/payments", "post"];

const edits: readonly Edit[] = [
  {
    name: "the description of a schema",
    edit: (contract) =>
      contract.change(
        [...schemas, "DecimalAmount", "description"],
        (text) => `Really: ${String(text)}`,
      ),
    budget: { "types.ts": 1, "schemas.ts": 1, "openapi.json": 1 },
  },
  {
    name: "the description of a property",
    edit: (contract) =>
      contract.change(
        [...schemas, "CreatePaymentRequest", "properties", "merchant_order_no", "description"],
        () => "Another description.",
      ),
    budget: { "types.ts": 1, "openapi.json": 1 },
  },
  {
    name: "the description of an answer that many operations share",
    edit: (contract) =>
      contract.change(
        ["components", "responses", "BadRequest", "description"],
        (text) => `Really: ${String(text)}`,
      ),
    budget: { "types.ts": 1, "responses.ts": 1, "openapi.json": 1 },
  },
  {
    name: "the summary of an operation",
    edit: (contract) => contract.change([...createPayment, "summary"], () => "Make a payment"),
    budget: { "types.ts": 1, "operations/payments.ts": 1, "openapi.json": 1 },
  },
  {
    name: "one more optional property",
    edit: (contract) =>
      contract.add([...schemas, "CreatePaymentRequest", "properties", "note"], {
        type: "string",
        maxLength: 80,
      }),
    budget: { "types.ts": 1, "schemas.ts": 1, "openapi.json": 4 },
  },
  {
    name: "another bound",
    edit: (contract) => contract.change([...schemas, "DecimalAmount", "maxLength"], () => 127),
    budget: { "schemas.ts": 1, "openapi.json": 1 },
  },
  {
    name: "one more value of an enum",
    edit: (contract) => contract.append([...schemas, "TokenStandard", "enum"], "sui"),
    budget: { "types.ts": 1, "schemas.ts": 1, "openapi.json": 2 },
  },
  {
    name: "one more header of an answer",
    edit: (contract) =>
      contract.add([...createPayment, "responses", "201", "headers", "X-Extra"], {
        schema: { type: "string" },
      }),
    // both the type of the headers and their schema
    budget: { "types.ts": 1, "operations/payments.ts": 2, "openapi.json": 5 },
  },
  {
    name: "the pattern of a parameter that every operation shares",
    edit: (contract) =>
      contract.change(
        ["components", "parameters", "XTimestamp", "schema", "pattern"],
        () => "^[0-9]{11}$",
      ),
    budget: { "parameters.ts": 1, "openapi.json": 1 },
  },
];

const folder = temporaryFolder();
const contractText = readFileSync(join(projectFolder, "spec", "openapi.yaml"), "utf8");
let before: readonly GeneratedFile[] = [];
const formattedBefore = new Map<string, string>();

function filesOf(contract: Contract): readonly GeneratedFile[] {
  const path = join(folder, "spec", "openapi.yaml");
  writeFile(path, contract.text);
  const { files } = outputOf(path, join(folder, "generated"));
  // the runtime is the same whatever the contract says
  return files.filter((file) => !file.path.startsWith("runtime/"));
}

async function formatted(file: GeneratedFile | undefined): Promise<string> {
  if (file === undefined) return "";
  // with the project's own configuration
  const [{ text } = { text: "" }] = await formatFiles([file], projectFolder);
  return text;
}

beforeAll(() => {
  before = filesOf(new Contract(contractText));
});

interface Change {
  /** a line that is replaced counts once */
  readonly lines: number;
  readonly removed: number;
}

/** Changed lines by file; files are formatted only when they differ. */
async function changesOf(edit: Edit["edit"]): Promise<Readonly<Record<string, Change>>> {
  const contract = new Contract(contractText);
  edit(contract);
  const after = new Map(filesOf(contract).map((file) => [file.path, file]));
  const old = new Map(before.map((file) => [file.path, file]));
  const changes: Record<string, Change> = {};
  for (const path of new Set([...old.keys(), ...after.keys()])) {
    if (old.get(path)?.text === after.get(path)?.text) continue;
    const known = formattedBefore.get(path) ?? (await formatted(old.get(path)));
    formattedBefore.set(path, known);
    changes[path] = changeBetween(known, await formatted(after.get(path)));
  }
  return changes;
}

function changeBetween(from: string, to: string): Change {
  const { hunks } = structuredPatch("", "", from, to, "", "", { context: 0 });
  const counts = hunks.map(({ lines }) => ({
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  }));
  return {
    lines: counts.reduce((sum, { added, removed }) => sum + Math.max(added, removed), 0),
    removed: counts.reduce((sum, { removed }) => sum + removed, 0),
  };
}

describe("an edit of the contract changes about one line in each file that says it", () => {
  test.for(edits)("$name", async ({ edit, budget }) => {
    const changes = await changesOf(edit);
    const lines = Object.fromEntries(
      Object.entries(changes).map(([path, one]) => [path, one.lines]),
    );
    for (const [path, count] of Object.entries(lines)) {
      expect(count, `lines of ${path}; all: ${JSON.stringify(lines)}`).toBeLessThanOrEqual(
        budget[path] ?? 0,
      );
    }
    expect(Object.keys(lines).toSorted()).toEqual(Object.keys(budget).toSorted());
  });
});

test("one more operation only adds lines", async () => {
  const changes = await changesOf((contract) => {
    contract.add(["paths", "/v1/refunds"], {
      get: {
        operationId: "listRefunds",
        tags: ["payments"],
        summary: "List refunds",
        responses: { "204": { description: "There is none." } },
      },
    });
  });
  const removed = Object.entries(changes).filter(([, one]) => one.removed > 0);
  expect(removed).toEqual([]);
  const lines = Object.fromEntries(Object.entries(changes).map(([path, one]) => [path, one.lines]));
  expect(Object.keys(lines).toSorted()).toEqual([
    "app.ts",
    "handlers.ts",
    "manifest.ts",
    "openapi.json",
    "operations/payments.ts",
    "types.ts",
  ]);
  expect(lines["app.ts"]).toBe(1);
  expect(lines["handlers.ts"]).toBeLessThanOrEqual(6);
  expect(lines["manifest.ts"]).toBeLessThanOrEqual(10);
  expect(lines["operations/payments.ts"]).toBeLessThanOrEqual(26);
  expect(lines["types.ts"]).toBeLessThanOrEqual(35);
});
