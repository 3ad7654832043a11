// The whole query as one value (OpenAPI 3.2.0, section 4.12.1).

import { describe, expect, test } from "vitest";
import * as keywords from "../../../generator/runtime/keywords.ts";
import type { Querystring } from "../../../generator/runtime/runtime.ts";
import { appOf, brief, operation, z, type Refusal } from "./harness.ts";

async function ask(querystring: Querystring, query: string): Promise<unknown> {
  const operations = [{ ...operation({ id: "one", path: "/a" }), querystring }];
  const { app } = appOf({ operations });
  const answer = await app.request(`http://localhost/a${query}`);
  const body = (await answer.json()) as { request?: unknown } & Refusal; // the harness answers with either
  if (answer.status === 400) return brief(body);
  return body.request;
}

const form: Querystring = {
  required: true,
  mediaType: "application/x-www-form-urlencoded; charset=utf-8",
  fields: {
    limit: { scalar: ["integer"] },
    tags: { array: ["string"] },
    range: { object: { from: ["number"] }, others: ["string"] },
  },
  schema: z.strictObject({
    limit: z.int().max(50).exactOptional(),
    text: z.string().exactOptional(),
    tags: z.array(z.string()).exactOptional(),
    range: z.looseObject({ from: z.number() }).exactOptional(),
  }),
};

describe("as a form", () => {
  test.for([
    ["?limit=5&tags=a&tags=b", { limit: 5, tags: ["a", "b"] }],
    ["?text=a+b%2Bc%20d", { text: "a b+c d" }],
    ["?range%5Bfrom%5D=1.5", { range: { from: 1.5 } }],
    // of an object without properties this is what is written
    ["", {}],
    ["?", {}],
  ] as const)("%s", async ([query, value]) => {
    expect(await ask(form, query)).toEqual({ query: value });
  });

  test.for([
    ["?limit=51", ["query /limit maximum"]],
    ["?limit=x", ["query /limit type"]],
    ["?limit=1&limit=2", ["query /limit repeated"]],
    ["?other=1", ["query /other additionalProperties"]],
    ["?text=%zz", ["query /text encoding"]],
  ] as const)("%s is refused", async ([query, wrong]) => {
    expect(await ask(form, query)).toEqual(wrong);
  });

  test("one that may be left out is", async () => {
    expect(await ask({ ...form, required: false }, "")).toEqual({});
  });

  test("names that the contract does not list are for its schema to judge", async () => {
    const open = { ...form, schema: z.looseObject({}) };
    expect(await ask(open, "?other=1&other=2")).toEqual({ query: { other: ["1", "2"] } });
  });
});

const json: Querystring = {
  required: true,
  mediaType: "application/json",
  schema: z.looseObject({
    numbers: z.array(z.int()),
    flag: z.boolean().nullable().exactOptional(),
  }),
};

describe("as JSON", () => {
  test("the example of the specification", async () => {
    const query = "?%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D";
    expect(await ask(json, query)).toEqual({ query: { numbers: [1, 2], flag: null } });
  });

  test("a plus is a plus", async () => {
    const schema = z.string();
    expect(await ask({ ...json, schema }, "?%22a+b%20c%22")).toEqual({ query: "a+b c" });
  });

  test.for([
    ["", ["query  required"]],
    ["?", ["query  required"]],
    ["?%7B", ["query  json"]],
    ["?a=1", ["query  json"]],
    ["?%7B%22numbers%22%3A%5B%22x%22%5D%7D", ["query /numbers/0 type"]],
    ["?%7B%22a%22%3A1%2C%22a%22%3A1%7D", ["query  repeated"]],
    ["?%", ["query  encoding"]],
    ["?9007199254740993", ["query  precision"]],
  ] as const)("%s is refused", async ([query, wrong]) => {
    expect(await ask(json, query)).toEqual(wrong);
  });

  test("of one that may be left out nothing is missed", async () => {
    expect(await ask({ ...json, required: false }, "")).toEqual({});
  });
});

describe("as text", () => {
  const text: Querystring = {
    required: true,
    mediaType: "application/jsonpath",
    schema: z.string().check(keywords.maxLength(9)),
  };

  test.for([
    ["?%24.a.b%5B1%3A1%5D", "$.a.b[1:1]"],
    ["?a=b&c=d", "a=b&c=d"],
    ["?1+1", "1+1"],
    ["?17", "17"],
    ["", ""],
  ] as const)("%s", async ([query, value]) => {
    const schema = z.string().max(10);
    expect(await ask({ ...text, schema }, query)).toEqual({ query: value });
  });

  test("its schema holds", async () => {
    expect(await ask(text, "?0123456789")).toEqual(["query  maxLength"]);
  });
});
