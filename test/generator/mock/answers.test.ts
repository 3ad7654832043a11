// What the mock answers: which status, which media type, which values, and what it refuses.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../generator/suite/json.ts";
import { documentOf, serve, type Serving } from "./serving.ts";

const thing: JsonObject = {
  type: "object",
  required: ["name", "size"],
  properties: {
    name: { type: "string", pattern: "^[a-z]{3,9}$" },
    size: { type: "integer", minimum: 3, maximum: 5_000, example: 42 },
    secret: { type: "string", writeOnly: true },
  },
  additionalProperties: false,
};

const problem: JsonObject = {
  type: "object",
  required: ["title", "status"],
  properties: {
    title: { type: "string" },
    status: { type: "integer" },
    errors: {
      type: "array",
      items: {
        type: "object",
        properties: { field: { type: "string" }, message: { type: "string" } },
        additionalProperties: false,
      },
    },
  },
};

const json = (media: JsonObject): JsonObject => ({ content: { "application/json": media } });
const reference = { $ref: "#/components/schemas/Thing" };

const document = documentOf(
  {
    "/shown": {
      get: {
        operationId: "getShown",
        responses: {
          "404": { description: "Not there.", ...json({ schema: { type: "string" } }) },
          "201": { description: "Other.", ...json({ schema: { const: "other" } }) },
          "200": {
            description: "Fine.",
            headers: {
              "X-Count": { required: true, schema: { type: "integer", minimum: 7, maximum: 9 } },
              "X-Names": { schema: { type: "array", items: { enum: ["a", "b"] }, minItems: 2 } },
              "Content-Encoding": { schema: { type: "string" } },
            },
            ...json({
              schema: reference,
              examples: {
                broken: { value: { name: "NO", size: 1 } },
                first: { value: { name: "first", size: 3 } },
                second: { value: { name: "second", size: 4 } },
              },
            }),
          },
        },
      },
    },
    "/drawn": {
      get: { responses: { "2XX": { description: "Fine.", ...json({ schema: reference }) } } },
    },
    "/texts": {
      get: {
        responses: {
          "200": {
            description: "Fine.",
            content: {
              "text/csv": { example: "a,b\n" },
              "application/xml": { schema: reference },
              "application/json": { schema: reference },
              "image/*": {},
            },
          },
          "406": { description: "No.", ...json({ schema: problem }) },
        },
      },
    },
    "/things/{id}": {
      post: {
        operationId: "change",
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "integer" } },
          { name: "much", in: "query", schema: { type: "boolean" } },
        ],
        requestBody: { required: true, ...json({ schema: reference }) },
        responses: {
          "204": { description: "Done." },
          "400": {
            description: "Wrong.",
            content: { "application/problem+json": { schema: problem } },
          },
          "415": { description: "Other." },
        },
      },
    },
    "/nothing": { get: { responses: { "409": { description: "Only errors." } } } },
    "/impossible": {
      get: {
        responses: {
          "200": {
            description: "No.",
            ...json({ schema: { allOf: [{ type: "string" }, { type: "integer" }] } }),
          },
        },
      },
    },
  },
  { schemas: { Thing: thing } },
);

let serving: Serving;
beforeAll(async () => {
  serving = await serve(document, { explains: true });
});
afterAll(() => serving.close());

const ask = (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
  fetch(serving.url + path, { ...init, headers });

async function bodyOf(response: Promise<Response>): Promise<unknown> {
  return (await response).json();
}

describe("answers", () => {
  test("the lowest success, with the first example that fits", async () => {
    const response = await ask("/shown");
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ name: "first", size: 3 });
  });

  test("the headers that the contract has, and none that would make the body unreadable", async () => {
    const { headers } = await ask("/shown");
    expect(headers.get("X-Count")).toMatch(/^[789]$/);
    expect(headers.get("X-Names")).toMatch(/^[ab](?:,[ab])+$/);
    expect(headers.has("Content-Encoding")).toBe(false);
  });

  test("values that the schema allows, examples of properties first, and nothing that only requests have", async () => {
    const value = await bodyOf(ask("/drawn"));
    expect(value).toEqual({ name: expect.stringMatching(/^[a-z]{3,9}$/) as string, size: 42 });
  });

  test("the same request in the same way, and another seed in another one", async () => {
    const dynamic = { Prefer: "dynamic=true" };
    const [one, two] = [await bodyOf(ask("/drawn", dynamic)), await bodyOf(ask("/drawn", dynamic))];
    expect(one).toEqual(two);
    const seeds = await Promise.all(
      Array.from({ length: 6 }, async (_, seed) => {
        const other = await serve(document, { seed, isDynamic: true });
        const text = await (await fetch(`${other.url}/drawn`)).text();
        await other.close();
        return text;
      }),
    );
    expect(new Set(seeds).size).toBeGreaterThan(2);
  });

  test("200 without a body where the contract has only what goes wrong", async () => {
    const response = await ask("/nothing");
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test("500 where no value can be, and says of which schema", async () => {
    const response = await ask("/impossible");
    expect(response.status).toBe(500);
    const { code, message } = (await response.json()) as { code: string; message: string };
    expect([code, message]).toEqual([
      "no_value",
      "no value was found for the schema at /paths/~1impossible/get/responses/200/content/application~1json/schema",
    ]);
  });

  test("its document", async () => {
    expect(await bodyOf(ask("/openapi.json"))).toEqual(document);
    expect((await ask("/openapi.json", {}, { method: "POST" })).headers.get("Allow")).toBe(
      "GET, HEAD",
    );
  });
});

describe("a caller prefers", () => {
  test.each([
    ["code=201", 201, "other"],
    ["code=404", 404, expect.any(String) as string],
    ["example=second", 200, { name: "second", size: 4 }],
    ['example="second"; x', 200, { name: "second", size: 4 }],
    // whoever asks for it by name gets it
    ["code=200, example=broken", 200, { name: "NO", size: 1 }],
    ["wait=10, respond-async", 200, { name: "first", size: 3 }],
  ])("%s", async (prefer, status, body) => {
    const response = await ask("/shown", { Prefer: prefer });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual(body);
  });

  test.each([
    ["code=409", ["404", "201", "200"]],
    ["code=abc", []],
    ["example=third", ["broken", "first", "second"]],
    ["fault=flood", ["reset", "truncated", "500", "503"]],
  ])("%s, which is not there, and hears what is", async (prefer, available) => {
    const response = await ask("/shown", { Prefer: prefer });
    expect(response.status).toBe(400);
    const body = (await response.json()) as { code: string; available: string[] };
    expect(body.code).toBe("not_promised");
    expect(body.available.toSorted()).toEqual(available.toSorted());
  });

  test.each([
    ["", "application/json"],
    ["*/*", "application/json"],
    ["text/*", "text/csv"],
    ["application/xml;q=0.9, text/csv;q=0.5", "application/xml"],
    ["application/json;q=0, */*;q=0.1", "text/csv"],
    ["image/webp", "image/webp"],
    ["TEXT/CSV", "text/csv"],
  ])("Accept: %s", async (accept, type) => {
    const response = await ask("/texts", { Accept: accept });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, type]);
    expect(await response.text()).not.toBe("");
  });

  test("XML, as the schema names it", async () => {
    const text = await (await ask("/texts", { Accept: "application/xml" })).text();
    expect(text).toMatch(
      /^<\?xml .*\?>\n<Thing><name>[a-z]{3,9}<\/name><size>42<\/size><\/Thing>$/,
    );
  });

  test("406 where nothing of it is there, in the contract's words", async () => {
    const response = await ask("/texts", { Accept: "video/mp4" });
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({
      title: "this is answered as text/csv, application/xml, application/json, image/* only",
      status: 406,
    });
  });
});

describe("refuses as a generated server does", () => {
  const typed = { "Content-Type": "application/json" };
  const wrong = { method: "POST", body: JSON.stringify({ name: "A", more: 1 }) };

  test("what breaks the contract, with all that is wrong in the contract's words", async () => {
    const response = await ask("/things/x?much=3&little=1", typed, wrong);
    expect(response.status).toBe(400);
    expect(response.headers.get("Content-Type")).toBe("application/problem+json");
    const body = (await response.json()) as { status: number; errors: { field: string }[] };
    expect(body.status).toBe(400);
    expect(body.errors.map(({ field }) => field).toSorted()).toEqual(
      ["id", "little", "more", "much", "name", "size"].toSorted(),
    );
  });

  test.each([
    ["/nowhere", "GET", 404, "not_found"],
    ["/things/1", "GET", 405, "method_not_allowed"],
  ])("%s %s with %i", async (...[path, method, status, code]) => {
    const response = await ask(path, {}, { method });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, violations: [] });
    expect(response.headers.get("Allow")).toBe(status === 405 ? "POST" : null);
  });

  test("another media type with 415, without a body where the contract has none", async () => {
    const response = await ask(
      "/things/1",
      { "Content-Type": "text/csv" },
      { method: "POST", body: "a" },
    );
    expect([response.status, await response.text()]).toEqual([415, ""]);
  });

  test("a body that is too large with 413", async () => {
    const body = JSON.stringify({ name: "a".repeat(11_000_000) });
    const response = await ask("/things/1", typed, { method: "POST", body });
    expect(response.status).toBe(413);
  });

  test("and says on its terminal line what is wrong", () => {
    const line = serving.lines.find(({ target }) => target.startsWith("/things/x"));
    expect(line).toMatchObject({ method: "POST", operationId: "change", status: 400 });
    expect(line?.refusal?.violations.length).toBe(6);
  });

  test("and in a header, where the contract's body has no place for it", async () => {
    const other = structuredClone(document);
    const paths = other["paths"] as Record<string, { post: { responses: JsonObject } }>;
    const { responses } = paths["/things/{id}"]?.post ?? { responses: {} };
    responses["400"] = { description: "Wrong." };
    for (const explains of [true, false]) {
      const own = await serve(other, { explains });
      const response = await fetch(`${own.url}/things/1`, { ...wrong, headers: typed });
      await own.close();
      expect([response.status, await response.text()]).toEqual([400, ""]);
      const said = response.headers.get("X-Mock-Violations");
      if (!explains) expect(said).toBeNull();
      else expect((JSON.parse(said ?? "") as unknown[]).length).toBe(3);
    }
  });
});
