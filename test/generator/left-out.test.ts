// A document whose parameters refer to nothing, where that is allowed: what is served is without them, and who reads it
// by its operations finds the others.

import { join } from "node:path";
import { expect, test } from "vitest";
import { readContract } from "../../generator/generate.ts";
import type { JsonObject } from "../../generator/json.ts";
import { Contract } from "../../generator/suite/contract.ts";
import { projectSubfolder, writeFile } from "./work-folder.ts";

const folder = projectSubfolder();

const allow = new Set(["OAG201", "OAG205"] as const);

function namesOf(bundled: JsonObject) {
  return new Contract(bundled).operations.map(({ parameters }) =>
    parameters.map(({ name }) => name),
  );
}

function readingOf(name: string, second: string) {
  const path = join(folder, `${name}.yaml`);
  const text = `
openapi: 3.1.0
info: { title: T, version: "1" }
paths:
  /a:
    parameters:
      - { $ref: "#/components/parameters/None" }
      - { name: of-path, in: header, schema: { type: string } }
    get:
      operationId: a
      parameters:
        - { $ref: "#/components/parameters/None" }
        - { name: own, in: query, schema: { type: string } }
      responses: { "204": { description: Done } }
  /b:
    get:
      operationId: b
      parameters: [${second}]
      responses: { "204": { description: Done } }
components:
  parameters:
    "404": { name: by-number, in: query, schema: { type: string } }
    a b: { name: of-space, in: query, schema: { type: string } }
  schemas:
    Pet: { type: object }
`;
  writeFile(path, text);
  const { bundled } = readContract(path, { allow });
  return { served: JSON.stringify(bundled), names: namesOf(bundled) };
}

test("they are in no list", () => {
  // A component of such a name is no place of a list.
  const { served, names } = readingOf("lists", '{ $ref: "#/components/parameters/404" }');
  expect(served).not.toContain("None");
  expect(names).toEqual([["of-path", "own"], ["by-number"]]);
});

test("a list of which an item is referred to by its number stays as it is", () => {
  const numbered = '{ $ref: "#/paths/~1a/get/parameters/1" }';
  const { served, names } = readingOf("numbers", numbered);
  expect(served).toContain('"#/paths/~1a/get/parameters/1"');
  expect(names).toEqual([["of-path", "own"], ["own"]]);
});

test("what is percent-encoded is found", () => {
  const encoded =
    '{ $ref: "#/components/parameters/a%20b" }, { $ref: "#/paths/~1%61/get/parameters/1" }';
  expect(readingOf("encoded", encoded).names).toEqual([
    ["of-path", "own"],
    ["of-space", "own"],
  ]);
});

test("nor what is of another kind", () => {
  const { served, names } = readingOf("kinds", '{ $ref: "#/components/schemas/Pet" }');
  expect(served).not.toContain('"#/components/schemas/Pet"');
  expect(names).toEqual([["of-path", "own"], []]);
});

test("nor what leads to nothing in another file, though there is something of that name here", () => {
  const item = `
parameters: [{ $ref: "#/components/parameters/limit" }]
get:
  operationId: a
  parameters: [{ $ref: "other.yaml#/components/parameters/limit" }]
  responses: { "204": { description: Done } }
`;
  const root = `
openapi: 3.1.0
info: { title: T, version: "1" }
paths:
  /a: { $ref: item.yaml }
components:
  parameters:
    limit: { name: limit, in: query, schema: { type: integer } }
`;
  writeFile(join(folder, "item.yaml"), item);
  writeFile(join(folder, "other.yaml"), "components: {}\n");
  const path = join(folder, "root.yaml");
  writeFile(path, root);
  const { bundled, model } = readContract(path, { allow });
  expect(namesOf(bundled)).toEqual([[]]);
  expect(model.operations.map(({ parameters }) => parameters)).toEqual([[]]);
});
