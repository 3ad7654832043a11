// A document whose parameters refer to nothing, where that is allowed: what is served is without them, and who reads it
// by its operations finds the others.

import { join } from "node:path";
import { expect, test } from "vitest";
import { readContract } from "../../generator/generate.ts";
import { Contract } from "../../generator/suite/contract.ts";
import { projectSubfolder, writeFile } from "./work-folder.ts";

const folder = projectSubfolder();

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
`;
  writeFile(path, text);
  const { bundled } = readContract(path, { allow: new Set(["OAG201"]) });
  const names = new Contract(bundled).operations.map(({ parameters }) =>
    parameters.map(({ name }) => name),
  );
  return { served: JSON.stringify(bundled), names };
}

test("they are in no list", () => {
  const { served, names } = readingOf("lists", "");
  expect(served).not.toContain("None");
  expect(names).toEqual([["of-path", "own"], []]);
});

test("a list of which an item is referred to by its number stays as it is", () => {
  const numbered = '{ $ref: "#/paths/~1a/get/parameters/1" }';
  const { served, names } = readingOf("numbers", numbered);
  expect(served).toContain('"#/paths/~1a/get/parameters/1"');
  expect(names).toEqual([["of-path", "own"], ["own"]]);
});
