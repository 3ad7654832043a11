// Who asks for a client: a configuration, or the line; and what is wrong with how it is asked for.

import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fieldProblems } from "../../../generator/configuration/fields.ts";
import { command, temporaryFolder, writeFile } from "../work-folder.ts";

const folder = temporaryFolder();
let count = 0;

const contract = `openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
security: [{ key: [] }]
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
paths:
  /pets:
    get:
      operationId: listPets
      tags: [pets]
      parameters:
        - { name: X-Key, in: header, required: true, schema: { type: string } }
        - { name: X-Signature, in: header, required: true, schema: { type: string } }
        - { name: x-nonce, in: header, required: true, schema: { type: string } }
        - { name: limit, in: query, schema: { type: integer } }
      responses: { "204": { description: Fine. } }
`;

/** A folder of its own, with a configuration or without. */
function project(client?: unknown): string {
  count += 1;
  const root = join(folder, String(count));
  writeFile(join(root, "openapi.yaml"), contract);
  if (client !== undefined) {
    const contracts = { pets: { spec: "openapi.yaml", out: "generated", client } };
    writeFile(join(root, "generator.config.json"), JSON.stringify({ contracts }));
  }
  return root;
}

const plain = ["--spec", "openapi.yaml", "--no-handlers"];

const isThere = (root: string): boolean => existsSync(join(root, "generated", "client"));

/** Names of the arguments of its operation. */
function argumentsIn(root: string): readonly string[] {
  const text = readFileSync(join(root, "generated/client/operations/pets.ts"), "utf8");
  const [, type = ""] = /ListPetsArguments = \{([^}]*)\}/.exec(text) ?? [];
  return Array.from(type.matchAll(/readonly "?([\w-]+)"?\??:/g), ([, name = ""]) => name);
}

async function generated(root: string, ...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await command(args, root);
  expect({ code, errors }).toEqual({ code: 0, errors: "" });
  return output;
}

describe("a client is written", () => {
  test.each<[unknown, readonly string[]]>([
    [true, ["limit", "X-Signature", "x-nonce"]],
    [{}, ["limit", "X-Signature", "x-nonce"]],
    [{ addedHeaders: ["x-signature", "X-Nonce"] }, ["limit"]],
  ])("where the configuration has %j", async (client, names) => {
    const root = project(client);
    expect(await generated(root)).toContain("wrote generated/client/client.ts\n");
    expect(argumentsIn(root)).toEqual(names);
    expect(await generated(root, "--check")).toBe("generated is up to date\n");
  });

  test.each([
    [["--client"], ["limit", "X-Signature", "x-nonce"]],
    [
      ["--client-header", "X-SIGNATURE"],
      ["limit", "x-nonce"],
    ],
    [["--client-header", "X-Signature", "--client-header", "X-Nonce", "--client"], ["limit"]],
  ])("where the line has %j", async (words, names) => {
    const root = project();
    await generated(root, ...plain, ...words);
    expect(argumentsIn(root)).toEqual(names);
  });

  test("where either has it, with the headers of both", async () => {
    const root = project({ addedHeaders: ["X-Signature"] });
    await generated(root, "--client-header", "X-Nonce");
    expect(argumentsIn(root)).toEqual(["limit"]);
  });

  test("and removed when nobody asks any more; what others put there stays", async () => {
    const root = project();
    await generated(root, ...plain);
    expect(isThere(root)).toBe(false);
    await generated(root, ...plain, "--client");
    expect(isThere(root)).toBe(true);
    const { code, output } = await command([...plain, "--check"], root);
    expect(code).toBe(1);
    expect(output).toContain("generated/client/client.ts");
    writeFile(join(root, "generated/client/own.ts"), "export {};\n");
    expect(await generated(root, ...plain)).toContain("removed generated/client/client.ts\n");
    expect(readdirSync(join(root, "generated/client"), { recursive: true })).toEqual(["own.ts"]);
    await generated(root, ...plain, "--client");
    rmSync(join(root, "generated/client/own.ts"));
    await generated(root, ...plain);
    expect(isThere(root)).toBe(false);
  });
});

describe("not", () => {
  test.each([false, undefined])("where the configuration has %j", async (client) => {
    const root = project({ addedHeaders: [] });
    const contracts = { pets: { spec: "openapi.yaml", out: "generated", client } };
    writeFile(join(root, "generator.config.json"), JSON.stringify({ contracts }));
    await generated(root);
    expect(isThere(root)).toBe(false);
  });

  test.each([
    7,
    null,
    "yes",
    [],
    { headers: ["X-A"] },
    { addedHeaders: "X-A" },
    { addedHeaders: [7] },
    { addedHeaders: [""] },
    { addedHeaders: ["X A"] },
  ])("by %j, which is said", (client) => {
    const contracts = { pets: { spec: "openapi.yaml", out: "generated", client } };
    const [problem, ...others] = fieldProblems({ contracts });
    expect(problem).toMatch(/^contracts\.pets\.client is /);
    expect(problem).toContain(
      ': write true, or headers that are added: { addedHeaders: ["X-Signature"] }',
    );
    expect(others).toEqual([]);
  });

  test.each(["", "X A", "X-A:"])("by --client-header %j", async (name) => {
    const root = project();
    const { code, errors } = await command([...plain, "--client-header", name], root);
    expect(code).toBe(2);
    expect(errors).toContain(`--client-header ${name}: write the name of a header\n`);
    expect(existsSync(join(root, "generated"))).toBe(false);
  });
});
