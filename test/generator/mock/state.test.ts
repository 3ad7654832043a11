// What callers make stays there: over the collections that the paths of the contract show.

import { afterEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../generator/suite/json.ts";
import { documentOf, serve, type Serving } from "./serving.ts";

const item = { $ref: "#/components/schemas/Item" };
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } });
const fine = (schema: JsonObject): JsonObject => ({ description: "Fine.", ...json(schema) });
const gone: JsonObject = { description: "Not there." };
const sent: JsonObject = { required: true, ...json({ $ref: "#/components/schemas/Draft" }) };
const at = (name: string): JsonObject => ({
  name,
  in: "path",
  required: true,
  schema: { type: "integer" },
});

const shops = documentOf(
  {
    "/shops/{shop}/items": {
      parameters: [at("shop")],
      get: {
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer", minimum: 1 } },
          { name: "offset", in: "query", schema: { type: "integer" } },
        ],
        responses: {
          "200": fine({
            type: "object",
            required: ["items", "total"],
            properties: {
              items: { type: "array", items: item },
              total: { type: "integer" },
              has_more: { type: "boolean" },
            },
          }),
        },
      },
      post: {
        requestBody: sent,
        responses: {
          "201": {
            ...fine(item),
            headers: {
              Location: { required: true, schema: { type: "string", pattern: "^/shops/" } },
            },
          },
          "409": gone,
        },
      },
    },
    "/shops/{shop}/items/{itemId}": {
      parameters: [at("shop"), at("itemId")],
      get: {
        responses: { "200": fine({ type: "object", properties: { data: item } }), "404": gone },
      },
      put: { requestBody: sent, responses: { "200": fine(item), "404": gone } },
      patch: {
        requestBody: {
          content: {
            "application/merge-patch+json": { schema: { type: "object" } },
            "application/json-patch+json": { schema: { type: "array" } },
          },
        },
        responses: { "200": fine(item), "404": gone },
      },
      delete: { responses: { "204": { description: "Gone." }, "404": gone } },
    },
    "/notes/{name}": {
      parameters: [{ name: "name", in: "path", required: true, schema: { type: "string" } }],
      get: { responses: { "200": fine({ type: "object" }), "404": gone } },
      put: {
        requestBody: json({ type: "object" }),
        responses: { "200": fine({ type: "object" }), "201": fine({ type: "object" }) },
      },
    },
    "/fixed/{id}": {
      parameters: [at("id")],
      get: { responses: { "200": fine(item), "404": gone } },
    },
  },
  {
    schemas: {
      Draft: {
        type: "object",
        required: ["label"],
        properties: {
          id: { type: "integer" },
          label: { type: "string" },
          colour: { type: "string" },
          password: { type: "string", writeOnly: true },
        },
        additionalProperties: false,
      },
      Item: {
        type: "object",
        required: ["id", "label", "made_at"],
        properties: {
          id: { type: "integer", minimum: 1 },
          label: { type: "string" },
          colour: { type: "string", example: "red" },
          made_at: { type: "string", format: "date-time" },
        },
        additionalProperties: false,
      },
    },
  },
);

let serving: Serving | undefined;
afterEach(() => serving?.close());

async function start() {
  const own = await serve(shops, { hasState: true, seed: 3 });
  serving = own;
  return async (
    ...[method, path, body, type = "application/json"]: readonly [
      method: string,
      path: string,
      body?: unknown,
      type?: string,
    ]
  ) => {
    const headers = body === undefined ? {} : { "Content-Type": type };
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const response = await fetch(own.url + path, init);
    const text = await response.text();
    const value = (text === "" ? undefined : JSON.parse(text)) as
      Record<string, unknown> | undefined;
    return { status: response.status, location: response.headers.get("Location"), value };
  };
}

const items = "/shops/1/items";

test("what is made is read, replaced, patched, listed and removed", async () => {
  const send = await start();
  const { status, location, value } = await send("POST", items, { label: "one" });
  expect(status).toBe(201);
  expect(value).toMatchObject({ label: "one", made_at: expect.any(String) as string });
  // nobody has sent it
  expect(value).not.toHaveProperty("colour");
  expect(location).toBe(`${items}/${String(value?.["id"])}`);
  const path = location ?? "";
  expect((await send("GET", path)).value).toEqual({ data: value });

  const replaced = await send("PUT", path, { label: "two", colour: "blue" });
  expect(replaced.value).toMatchObject({ id: value?.["id"], label: "two", colour: "blue" });
  const patched = await send(
    "PATCH",
    path,
    { colour: null, label: "three" },
    "application/merge-patch+json",
  );
  expect(patched.value).toMatchObject({ id: value?.["id"], label: "three" });
  expect(patched.value).not.toHaveProperty("colour");
  const edits = [
    { op: "replace", path: "/label", value: "four" },
    { op: "add", path: "/colour", value: "black" },
  ];
  const edited = await send("PATCH", path, edits, "application/json-patch+json");
  expect(edited.value).toMatchObject({ label: "four", colour: "black" });
  expect((await send("GET", items)).value).toMatchObject({
    items: [{ label: "four" }],
    total: 1,
    has_more: false,
  });

  expect(await send("DELETE", path)).toMatchObject({ status: 204, value: undefined });
  for (const method of ["GET", "DELETE"]) expect((await send(method, path)).status).toBe(404);
  expect((await send("PUT", path, { label: "x" })).status).toBe(404);
  expect((await send("GET", items)).value).toMatchObject({ items: [], total: 0 });
});

test("each gets an id of its own, and each path has its own collection", async () => {
  const send = await start();
  const made = [];
  for (const label of ["a", "b", "c", "d"]) made.push((await send("POST", items, { label })).value);
  expect(new Set(made.map((one) => one?.["id"])).size).toBe(4);
  const page = await send("GET", `${items}?limit=2&offset=1`);
  expect(page.value).toMatchObject({
    items: [{ label: "b" }, { label: "c" }],
    total: 4,
    has_more: true,
  });
  expect((await send("GET", "/shops/2/items")).value).toMatchObject({ items: [], total: 0 });
});

test("an id that the caller names is taken once", async () => {
  const send = await start();
  expect(await send("POST", items, { id: 77, label: "mine" })).toMatchObject({
    status: 201,
    location: `${items}/77`,
  });
  expect((await send("POST", items, { id: 77, label: "again" })).status).toBe(409);
});

test("what is secret is never shown", async () => {
  const send = await start();
  const { location, value } = await send("POST", items, { label: "a", password: "hush" });
  expect(JSON.stringify([value, (await send("GET", location ?? "")).value])).not.toContain("hush");
});

test("PUT makes what is not there where the contract says 201, and replaces it with 200", async () => {
  const send = await start();
  expect((await send("GET", "/notes/a%20b")).status).toBe(404);
  expect(await send("PUT", "/notes/a%20b", { text: "x" })).toMatchObject({
    status: 201,
    value: { text: "x" },
  });
  expect(await send("PUT", "/notes/a%20b", { text: "y" })).toMatchObject({
    status: 200,
    value: { text: "y" },
  });
  expect((await send("GET", "/notes/a%20b")).value).toMatchObject({ text: "y" });
});

test("what nobody can make is there for everybody", async () => {
  const send = await start();
  expect((await send("GET", "/fixed/5")).status).toBe(200);
});

describe("an id that only the path and the answer name", () => {
  const book = {
    type: "object",
    required: ["isbn"],
    properties: { isbn: { type: "string", readOnly: true }, title: { type: "string" } },
  };
  const draft = json({ type: "object", properties: { title: { type: "string" } } });
  const isbn = { name: "isbn", in: "path", required: true, schema: { type: "string" } };
  const location = { Location: { required: true, schema: { type: "string" } } };
  const books = documentOf({
    "/books": {
      get: { responses: { "200": fine({ type: "array", items: book }) } },
      post: { requestBody: draft, responses: { "201": { ...gone, headers: location } } },
    },
    "/books/{isbn}": {
      parameters: [isbn],
      get: { responses: { "200": fine(book), "404": gone } },
      put: { requestBody: draft, responses: { "201": fine(book) } },
    },
  });
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify({ title: "B" });

  test("is that of what was put there, also below a base path", async () => {
    serving = await serve(books, { hasState: true, basePath: "/v1" });
    const url = `${serving.url}/v1/books/12345`;
    const made = await fetch(url, { method: "PUT", headers, body });
    expect([made.status, await made.json()]).toEqual([201, { isbn: "12345", title: "B" }]);
    expect(await (await fetch(url)).json()).toEqual({ isbn: "12345", title: "B" });
  });

  test("is that of the address where something was made", async () => {
    serving = await serve(books, { hasState: true });
    const made = await fetch(`${serving.url}/books`, { method: "POST", headers, body });
    const path = made.headers.get("location") ?? "";
    const id = decodeURIComponent(path.split("/").at(-1) ?? "");
    const thing = { isbn: id, title: "B" };
    expect(await (await fetch(new URL(path, serving.url))).json()).toEqual(thing);
    expect(await (await fetch(`${serving.url}/books`)).json()).toEqual([thing]);
  });
});

describe("the memory", () => {
  test("is bounded: the oldest goes first", async () => {
    const send = await start();
    const first = await send("POST", items, { id: 1, label: "first" });
    for (let id = 2; id <= 1_001; id++) await send("POST", items, { id, label: "more" });
    expect((await send("GET", first.location ?? "")).status).toBe(404);
    expect((await send("GET", `${items}/1001`)).status).toBe(200);
  });

  test("is not touched by who asks for an answer", async () => {
    const send = await start();
    await fetch(`${serving?.url ?? ""}${items}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Prefer: "code=409" },
      body: JSON.stringify({ label: "no" }),
    });
    expect((await send("GET", items)).value).toMatchObject({ total: 0 });
  });
});
