// What is tried of an operation, and what is named as not tried.

import { describe, expect, test } from "vitest";
import { ContractSuite } from "../../generator/suite/suite.ts";
import type { JsonObject } from "../../generator/suite/json.ts";

function triesOf(path: string, method: string, operation: JsonObject) {
  const suite = new ContractSuite({
    document: { openapi: "3.1.0", paths: { [path]: { [method]: operation } } },
    send: () => Promise.reject(new Error("nothing is sent")),
  });
  const [found] = suite.operations;
  if (found === undefined) throw new Error("there is one");
  const { tries, untried } = suite.triesOf(found);
  return { names: tries.map(({ name }) => name), untried };
}

const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const responses = { "200": { description: "Fine." } };

describe("what is not tried is named", () => {
  test.each([
    ["/a#b", "get", { responses }, "all of it: no request has a path with ? or #"],
    [
      "/a",
      "get",
      { responses, requestBody: json({ type: "string" }) },
      "its body: a client does not send one with this method",
    ],
    [
      "/a",
      "post",
      { responses, requestBody: { content: { "text/csv": {} } } },
      "bodies of text/csv",
    ],
    [
      "/a",
      "post",
      { responses, requestBody: { ...json({ not: {} }), required: true } },
      "all of it: no body was found that fits",
    ],
    [
      "/a",
      "post",
      {
        responses,
        requestBody: json({
          type: "array",
          maxItems: 60,
          items: { type: "string", minLength: 1e5 },
        }),
      },
      " maxItems: a value of more than 1000000 characters",
    ],
    [
      "/a",
      "get",
      {
        responses,
        parameters: [
          {
            in: "query",
            name: "ids",
            schema: { type: "array", maxItems: 60, items: { type: "string", minLength: 1e5 } },
          },
        ],
      },
      "query ids  maxItems: a value of more than 1000000 characters",
    ],
    ["/a", "get", { responses: {} }, "its success, which the document does not have"],
  ] as const)("%s %s %j", (...[path, method, operation, what]) => {
    const copy = structuredClone(operation) as unknown as JsonObject;
    expect(triesOf(path, method, copy).untried).toContain(what);
  });
});

test("a schema is found by a reference with a percent sign that is not escaped", () => {
  const suite = new ContractSuite({
    document: {
      openapi: "3.1.0",
      paths: {
        "/a": {
          post: { responses, requestBody: json({ $ref: "#/components/schemas/100%" }) },
        },
      },
      components: { schemas: { "100%": { type: "string", maxLength: 3 } } },
    },
    send: () => Promise.reject(new Error("nothing is sent")),
  });
  const names = suite.operations.flatMap((one) => suite.triesOf(one).tries.map(({ name }) => name));
  expect(names).toContain("body  maxLength");
});

test("a body of which the document says nothing is sent, and none of its rules is broken", () => {
  const requestBody = { required: true, content: { "application/json": {} } };
  const { names, untried } = triesOf("/a", "post", { responses, requestBody });
  expect(names).toContain("everything that may be said");
  expect(names).toContain("no body");
  expect(names.filter((name) => name.startsWith("body /"))).toEqual([]);
  expect(untried).toEqual([]);
});

test.each([
  ["application/json", ["query  required", "query /a maxLength"]],
  ["application/x-www-form-urlencoded", ["query /a maxLength"]],
])("rules of the whole query in %s", (mediaType, expected) => {
  const properties = { a: { type: "string", maxLength: 3 }, b: { type: "integer" } };
  const content = { [mediaType]: { schema: { type: "object", properties } } };
  const parameter = { name: "q", in: "querystring", required: true, content };
  const { names } = triesOf("/a", "get", { responses, parameters: [parameter] });
  for (const name of ["everything that may be said", ...expected]) expect(names).toContain(name);
  expect(names).not.toContain("an unknown parameter");
  expect(names.includes("query  required")).toBe(expected.includes("query  required"));
});

test("each rule, each bound and what HTTP forbids, by name, and none of them twice", () => {
  const schema = {
    type: "object",
    required: ["a"],
    additionalProperties: false,
    properties: { a: { type: "string", maxLength: 3 }, b: { enum: [1, 2] } },
  };
  const parameter = { name: "q", in: "query", schema: { type: "integer", maximum: 9 } };
  const { names } = triesOf("/a", "post", {
    responses,
    parameters: [parameter],
    requestBody: { ...json(schema), required: true },
  });
  for (const name of [
    "body /a maxLength",
    "body /a required",
    "body /b enum",
    "body /b is 2",
    "body /b left out",
    "body /not_declared_here additionalProperties",
    "query /q maximum",
    "query q  maximum",
    "without query q",
    "an unknown parameter",
    "a body that is cut",
    "a body of text/plain",
    "no body",
  ]) {
    expect(names).toContain(name);
  }
  expect(new Set(names).size).toBe(names.length);
});
