// The address that a document gives itself (OpenAPI 3.2.0, section 4.1 and appendix F).

import { expect, test } from "vitest";
import { readContract } from "../../generator/generate.ts";
import { DocumentError } from "../../generator/problems.ts";

const info = "info: { title: Example API, version: '1.0' }";
const answer = "responses: { '204': { description: Fine. } }";

/** The two documents of appendix F; their own addresses, and files that nothing is said of. */
function read(
  files: Readonly<Record<string, string>>,
  copies: Readonly<Record<string, string>> = {},
) {
  try {
    const { bundled } = readContract("/disk/api.yaml", {
      copies: new Map(Object.entries(copies)),
      shelf: {
        read(path) {
          const text = files[path];
          if (text === undefined) throw Object.assign(new Error(path), { code: "ENOENT" });
          return Buffer.from(text);
        },
        shown: (path) => path,
      },
    });
    return bundled["components"];
  } catch (error) {
    if (error instanceof DocumentError) return error.problems.map(({ message }) => message);
    throw error;
  }
}

const entry = (self: string, reference = "shared/foo#/components/requestBodies/Foo"): string => `
openapi: 3.2.0
$self: ${self}
${info}
paths:
  /foo: { post: { operationId: foo, tags: [a], requestBody: { $ref: "${reference}" }, ${answer} } }
`;
const shared = (self: string, id = "https://example.com/api/schemas/"): string => `
openapi: 3.2.0
$self: ${self}
${info}
components:
  requestBodies:
    Foo: { content: { application/json: { schema: { $ref: ../schemas/foo } } } }
  schemas:
    Foo: { $id: ${id}foo, properties: { bar: { $ref: bar } } }
    Bar: { $id: ${id}bar, type: string }
`;

const found = {
  requestBodies: {
    Foo: { content: { "application/json": { schema: { $ref: "#/components/schemas/Foo" } } } },
  },
  schemas: {
    Foo: { properties: { bar: { $ref: "#/components/schemas/Bar" } } },
    Bar: { type: "string" },
  },
};

test("references are relative to it, wherever the files lie (appendix F.1)", () => {
  const files = {
    "/disk/api.yaml": entry("https://example.com/api/openapi"),
    "/disk/copies/foo.yaml": shared("https://example.com/api/shared/foo"),
  };
  const copies = { "https://example.com/api/shared/foo": "/disk/copies/foo.yaml" };
  expect(read(files, copies)).toEqual(found);
});

test("what it is relative to is where the document was found (appendix F.5)", () => {
  const folder = "https://staging.example.com/api/";
  const files = {
    "/disk/api.yaml": entry(
      "https://elsewhere.example/",
      `${folder}shared/foo#/components/requestBodies/Foo`,
    ),
    "/disk/api/shared/foo": shared("/api/shared/foo", "/api/schemas/"),
  };
  expect(read(files, { [folder]: "/disk/api/" })).toEqual(found);
});

test("without a copy the file beside the document is taken, and goes by its address", () => {
  const files = {
    "/disk/api.yaml": entry("https://example.com/api/openapi"),
    "/disk/shared/foo": shared("https://example.com/api/shared/foo"),
  };
  expect(read(files)).toEqual(found);
  expect(read({ "/disk/api.yaml": entry("https://example.com/api/openapi") })).toEqual([
    '"shared/foo" cannot be read: there is no such file',
  ]);
});

test("by its own address a document refers to itself", () => {
  const document = (version: string, self: string): string => `
openapi: ${version}
${self}
${info}
paths:
  /foo: { get: { operationId: foo, tags: [a], parameters: [{ $ref: "https://example.com/a#/components/parameters/A" }], ${answer} } }
components: { parameters: { A: { name: a, in: query, schema: { type: string } } } }
`;
  const itself = document("3.2.0", "$self: https://example.com/a");
  expect(read({ "/disk/api.yaml": itself })).toHaveProperty("parameters.A.name", "a");
  // of 3.1 no document has one
  expect(read({ "/disk/api.yaml": document("3.1.0", "$self: https://example.com/a") })).toContain(
    '"$self" belongs to OpenAPI 3.2',
  );
  const outside = '"https://example.com/a#/components/parameters/A" is outside this machine';
  expect(read({ "/disk/api.yaml": document("3.2.0", "") })).toEqual([outside]);
});
