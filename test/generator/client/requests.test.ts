// What a client sends, and what it does not: paths, keys, names, options and the URL of its server.

import { describe, expect, test } from "vitest";
import { documentOf, generate, loadClient } from "./both-sides.ts";
import { answered, jsonOf, shop } from "./shop.ts";

const generated = generate(shop);
const rex = { id: "1" };

describe("a path", () => {
  test.each([
    ["a/b", "a%2Fb"],
    ["?", "%3F"],
    ["#", "%23"],
    ["%2e%2e", "%252e%252e"],
    ["...", "..."],
    [".a", ".a"],
    ["a b+ö", "a%20b%2B%C3%B6"],
    ["{pet_id}", "%7Bpet_id%7D"],
    ["\\..\\", "%5C..%5C"],
    ["$&", "%24%26"],
  ])("%s is one segment", async (given, segment) => {
    const { client, requests } = await answered(generated, [jsonOf(200, rex)]);
    await client["pets"]?.["getPet"]?.({ pet_id: given });
    expect(requests.map(({ url }) => url)).toEqual([`https://shop.example/v1/pets/${segment}`]);
  });

  test.each([
    ["..", '".."'],
    [".", '"."'],
    ["", "empty"],
  ])("%j never is", async (given, what) => {
    const { client, requests } = await answered(generated, [jsonOf(200, rex)]);
    await expect(client["pets"]?.["getPet"]?.({ pet_id: given })).rejects.toThrow(
      new TypeError(`getPet: the argument pet_id is ${what}, which no path can say`),
    );
    expect(requests).toEqual([]);
  });

  test.each([
    ["..", "a", "...a"],
    [".", ".", "..."],
  ])("%s and %s may stand in a segment that is more", async (name, ending, segment) => {
    const response = new Response("", { headers: { "Content-Type": "text/csv" } });
    const { client, requests } = await answered(generated, [response]);
    await client["files"]?.["getNamed"]?.({ name, ending });
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([`/v1/files/${segment}`]);
  });

  test("says nothing of a segment that it would be forgotten with", async () => {
    const parameters = [{ name: "a", in: "path", required: true, schema: { type: "string" } }];
    const responses = { 204: { description: "Done." } };
    const get = { operationId: "read", tags: ["t"], parameters, responses };
    const { client, requests } = await answered(generate(documentOf({ "/x/.{a}": { get } })), []);
    await expect(client["t"]?.["read"]?.({ a: "." })).rejects.toThrow(
      'read: the argument a is "..", which no path can say',
    );
    await client["t"]?.["read"]?.({ a: ".." });
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(["/v1/x/..."]);
  });
});

describe("the URL of the server", () => {
  test.each([
    ["https://a.example", "https://a.example/any"],
    ["https://a.example/", "https://a.example/any"],
    ["https://a.example/v1", "https://a.example/v1/any"],
    ["https://a.example/v1/", "https://a.example/v1/any"],
    ["HTTP://A.example:80/%7Eme", "http://a.example/%7Eme/any"],
  ])("%s", async (baseUrl, url) => {
    const { client, requests } = await answered(generated, [jsonOf(200, rex)], { baseUrl });
    await client["files"]?.["any_"]?.();
    expect(requests.map((one) => one.url)).toEqual([url]);
  });

  test.each([
    "",
    "shop.example/v1",
    "/v1",
    "https://a.example/?",
    "https://a.example/v1?key=1",
    "https://a.example/#",
    "https://me:secret@a.example/",
    "ftp://a.example/",
  ])("%j is refused", async (baseUrl) => {
    const { createClient } = await loadClient(generated);
    expect(() => createClient({ baseUrl })).toThrow(
      new TypeError(`baseUrl ${JSON.stringify(baseUrl)}: write https://host/path`),
    );
  });
});

describe("Idempotency-Key", () => {
  const order = { pet: "1", token: "t" };
  const keysOf = (requests: readonly Request[]) =>
    requests.map(({ headers }) => headers.get("Idempotency-Key"));

  test("is drawn for each call where it is required", async () => {
    const { client, requests } = await answered(
      generated,
      [1, 2].map(() => jsonOf(201, rex)),
    );
    await client["orders"]?.["createOrder"]?.(order);
    await client["orders"]?.["createOrder"]?.(order);
    const [one, other] = keysOf(requests);
    expect(one).toMatch(/^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/);
    expect(other).not.toBe(one);
  });

  test("is the one that is given, which is no argument", async () => {
    const { client, requests } = await answered(generated, [jsonOf(201, rex)]);
    await client["orders"]?.["createOrder"]?.(order, { idempotencyKey: "mine" });
    await client["orders"]?.["cancelOrder"]?.({ id: "1" }, { idempotencyKey: "mine" });
    await client["orders"]?.["cancelOrder"]?.({ id: "1" });
    expect(keysOf(requests)).toEqual(["mine", "mine", null]);
    expect(await requests[0]?.json()).toEqual(order);
  });
});

describe("arguments", () => {
  const partsOf = async (method: string, given: object) => {
    const parts = { type: "object", properties: { text: { type: "string" } } };
    const content = { "multipart/form-data": { schema: parts } };
    const responses = { 204: { description: "Done." } };
    const operation = { operationId: "send", tags: ["t"], requestBody: { content }, responses };
    const document = documentOf({ "/": { [method]: operation } });
    const { client, requests } = await answered(generate(document), []);
    await client["t"]?.["send"]?.(given);
    return requests;
  };

  test("of parts: line ends are what fetch writes", async () => {
    const [request] = await partsOf("post", { text: "a\nb\rc\r\nd" });
    expect(await request?.text()).toContain("\r\n\r\na\r\nb\r\nc\r\nd\r\n");
  });

  test("of a GET: it takes no body", async () => {
    expect((await partsOf("get", {})).length).toBe(1);
    await expect(partsOf("get", { text: "a" })).rejects.toThrow(
      new TypeError("Request with GET/HEAD method cannot have body."),
    );
  });

  test.for([
    ["pets", "getPet", {}, "getPet: the argument pet_id is missing"],
    ["pets", "getPet", undefined, "getPet: the argument pet_id is missing"],
    ["pets", "getPet", { pet_id: undefined }, "getPet: the argument pet_id is missing"],
    [
      "pets",
      "getPet",
      { pet_id: "1", petId: "2" },
      "getPet: there is no argument petId; there are pet_id",
    ],
    ["files", "any_", { a: 1 }, "any: there is no argument a; there is none"],
    ["files", "putFile", { name: "a" }, "putFile: the argument body is missing"],
    ["orders", "listParts", { path: {}, query: {} }, "listParts: the argument path.id is missing"],
    [
      "orders",
      "listParts",
      { path: { id: "1" }, query: { id: "1", limit: 1 } },
      "listParts: there is no argument limit; there are id, cursor",
    ],
    [
      "orders",
      "listParts",
      { id: "1" },
      "listParts: there is no argument id; there are path, query",
    ],
  ] as const)("%s.%s of %j: nothing is sent", async ([tag, name, given, message]) => {
    const { client, requests } = await answered(generated, []);
    await expect(client[tag]?.[name]?.(given)).rejects.toThrow(new TypeError(message));
    expect(requests).toEqual([]);
  });

  test("a null is nothing, where nothing may be", async () => {
    const { client, requests } = await answered(generated, [jsonOf(200, [])]);
    await client["pets"]?.["listPets"]?.({ limit: null, cursor: "" });
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(["?cursor="]);
  });

  test("a body that may be left out is, and one of nothing is sent", async () => {
    const { client, requests } = await answered(
      generated,
      [1, 2, 3].map(() => jsonOf(200, rex)),
    );
    const patch = client["pets"]?.["patchPet"];
    await patch?.({ pet_id: "1" });
    await patch?.({ pet_id: "1", name: undefined });
    await patch?.({ pet_id: "1", age: null });
    expect(await Promise.all(requests.map((one) => one.text()))).toEqual(["", "", '{"age":null}']);
    expect(requests.map(({ headers }) => headers.get("Content-Type"))).toEqual([
      null,
      null,
      "application/json",
    ]);
  });

  test("names of objects are nobody's arguments until they are given", async () => {
    const parameters = ["constructor", "toString", "__proto__"].map((name) => {
      return { name, in: "query", schema: { type: "string" } };
    });
    const responses = { 204: { description: "Done." } };
    const get = { operationId: "__proto__", tags: ["__proto__"], parameters, responses };
    const { client, requests } = await answered(generate(documentOf({ "/": { get } })), []);
    const [group = {}] = Object.values(client);
    const call = Object.getOwnPropertyDescriptor(group, "__proto__")?.value as
      ((given?: object) => Promise<unknown>) | undefined;
    await call?.({});
    await call?.({ constructor: "a", ["__proto__"]: "b" });
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      "",
      "?constructor=a&__proto__=b",
    ]);
  });

  test("headers: a call's before the client's, and cookies of both", async () => {
    const parameters = [
      { name: "session", in: "cookie", schema: { type: "string" } },
      { name: "X-A", in: "header", schema: { type: "string" } },
    ];
    const responses = { 204: { description: "Done." } };
    const get = { operationId: "read", tags: ["t"], parameters, responses };
    const { client, requests } = await answered(generate(documentOf({ "/": { get } })), [], {
      headers: { authorization: "client", cookie: "a=1", "x-b": "client" },
    });
    await client["t"]?.["read"]?.(
      { session: "ö;", "X-A": "argument" },
      { headers: { "X-B": "call", Cookie: "b=2" } },
    );
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toMatchObject({
      authorization: "client",
      "x-a": "argument",
      "x-b": "call",
      cookie: "a=1; session=%C3%B6%3B; b=2",
    });
  });

  test.each([
    ["€", 'is "€", which no header can say'],
    ["a\nb", 'is "a\\nb", which no header can say'],
    [" a", 'is " a", which no header can say'],
  ])("no header says %j", async (given, why) => {
    const parameters = [{ name: "X-A", in: "header", schema: { type: "string" } }];
    const responses = { 204: { description: "Done." } };
    const get = { operationId: "read", tags: ["t"], parameters, responses };
    const { client, requests } = await answered(generate(documentOf({ "/": { get } })), []);
    await expect(client["t"]?.["read"]?.({ "X-A": given })).rejects.toThrow(
      new TypeError(`read: the argument X-A ${why}`),
    );
    expect(requests).toEqual([]);
  });
});
