// What happens when an error is allowed, on a server that was generated all the same; and what is never opened by
// that, whatever is allowed.

import { join } from "node:path";
import { OpenAPIHono } from "@hono/zod-openapi";
import { beforeAll, describe, expect, test } from "vitest";
import { codes, isCode } from "../../generator/diagnostics/codes.ts";
import type { Handler } from "../../generator/runtime/runtime.ts";
import { loadApplication } from "../../scripts/corpus/application.ts";
import { below } from "../../scripts/diagnostics/documents.ts";
import { toldOf } from "../../scripts/diagnostics/told.ts";
import { casesFolder, outputOf } from "./cases.ts";
import { projectSubfolder, writeGenerated } from "./work-folder.ts";

const everything = new Set(Object.keys(codes).filter(isCode));

const folder = projectSubfolder();
const app = new OpenAPIHono();
/** of each request that came as far as the hook */
const asked: string[] = [];

beforeAll(async () => {
  const { files } = outputOf(join(casesFolder, "allowed", "openapi.yaml"), folder);
  writeGenerated(folder, files);
  const { operations, register } = await loadApplication(folder);
  const echo: Handler = (request: unknown) => ({ status: 200, body: request });
  const names = operations.map(({ operationId }) => operationId);
  register(app, Object.fromEntries(names.map((name) => [name, echo])), {
    begin: () => null,
    authenticate: (_, operation) => {
      asked.push(`${operation.operationId} ${JSON.stringify(operation.security)}`);
      return null;
    },
    refuse: (error) => ({
      status: Number(Reflect.get(Object(error) as object, "status") ?? 501),
      body: String(error),
    }),
    headers: () => ({}),
    bodyBytesMax: 10_000,
    depthMax: 10,
    checkAnswers: false,
  });
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await app.request(path, { method, ...init });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}

function put(body: unknown): Promise<Answer> {
  const headers = { "Content-Type": "application/json" };
  return send("PUT", "/schemas/x", { headers, body: JSON.stringify(body) });
}

describe("a schema", () => {
  test.for([
    ["OAG201: a reference to nothing takes any value", { nothing: [{ a: 1 }] }],
    ["OAG202: and so does an anchor that is nowhere", { noAnchor: 5 }],
    ["OAG205: and a reference to another kind", { kind: null }],
    ["OAG213: the first of two anchors has the name", { byAnchor: "text" }],
    ["OAG211: the first of two schemas has the $id", { byId: true }],
    ["OAG208: a circle ends", { circle: { name: 1 } }],
    ["OAG301: an unknown field says nothing", { misspelt: "longer" }],
    ["OAG304: what is of the wrong type is left out", { draft3: {} }],
    ["OAG401: a type that does not exist says nothing", { noType: 5 }],
    ["OAG403: nor does an empty list of types", { noTypes: 5 }],
    ["OAG408: nor a combination of no schemas", { noMembers: "text" }],
    ["OAG411: a pattern that is none is not checked", { pattern: "anything" }],
    ["OAG414: a step that is none is not checked", { step: 0.3 }],
  ])("%s", async ([, body]) => {
    expect(await put(body)).toMatchObject({ status: 200, body: { body } });
  });

  test.for([
    ["OAG213: and the second has it not", { byAnchor: 5 }],
    ["OAG211: and the second has it not", { byId: 5 }],
    ["OAG208: what stands beside the circle counts", { circle: {} }],
    ["OAG215: no schema belongs to the tag", { choice: { kind: "dog" } }],
    ["OAG304: a number in quotes is a number", { quoted: "long" }],
    ["OAG404: a type that is named twice counts", { sameTypes: 5 }],
    ["OAG411: the other patterns count", { patterns: { a: "text" } }],
    ["OAG413: the bound excludes itself", { above: 0 }],
    ["OAG422: the words of another language count", { draft4: 5 }],
  ])("%s", async ([, body]) => {
    expect(await put(body)).toMatchObject({ status: 400 });
  });
});

describe("an operation", () => {
  test.for([
    [
      "OAG201: a body that is nowhere is none",
      "POST",
      "/references/a/b",
      { path: { id: "b", lost: "a" } },
    ],
    [
      "OAG502: a parameter without schema is text",
      "GET",
      "/styles/a?free=1",
      { query: { free: "1" } },
    ],
    [
      "OAG503: a style of another place is the usual one",
      "GET",
      "/styles/a",
      { path: { id: "a" } },
    ],
    [
      "OAG506: a style beside content is nothing",
      "GET",
      "/styles/a?filter=%5B1%5D",
      { query: { filter: [1] } },
    ],
    [
      "OAG507: a style that does not fit is the usual one",
      "GET",
      "/styles/a?ids=a%20b",
      { query: { ids: "a b" } },
    ],
    [
      "OAG508: the first of two parameters counts",
      "GET",
      "/styles/a?limit=5",
      { query: { limit: 5 } },
    ],
    ["OAG605: the first of two operations counts", "GET", "/clash/x", { path: { a: "x" } }],
    ["OAG605: and what only the second has is there", "DELETE", "/clash/x", { path: { b: "x" } }],
    ["OAG607: a name of the path is text", "POST", "/references/1/2", { path: { lost: "1" } }],
    ["OAG609: both places hold the same", "GET", "/twice/a/and/a.txt", { path: { id: "a" } }],
  ] as const)("%s", async ([, method, path, body]) => {
    expect(await send(method, path)).toMatchObject({ status: 200, body });
  });

  test("OAG801: there is no default", async () => {
    expect((await send("GET", "/styles/a")).body).not.toHaveProperty("query.limit");
  });

  test.for([
    ["OAG508: the second of two parameters does not count", "GET", "/styles/a?limit=many", 400],
    ["OAG609: both places hold something else", "GET", "/twice/a/and/b.txt", 404],
    ["OAG609: the beginning of the same", "GET", "/twice/a/and/aa.txt", 404],
    ["OAG201: a path that is nowhere", "GET", "/gone", 404],
  ] as const)("%s", async ([, method, path, status]) => {
    expect(await send(method, path)).toMatchObject({ status });
  });

  test.for([
    ["OAG520: a body without a media type is none", "POST"],
    ["OAG523: nor is one whose media type is none", "PUT"],
  ] as const)("%s", async ([, method]) => {
    expect(await send(method, "/bodies")).toMatchObject({ status: 200 });
    const init = { headers: { "Content-Type": "application/json" }, body: "{}" };
    expect((await send(method, "/bodies", init)).status).toBeGreaterThanOrEqual(400);
  });
});

describe("OAG701: a scheme that is nowhere", () => {
  test("opens nothing: nobody may call, and the hook is not asked", async () => {
    asked.length = 0;
    expect(await send("GET", "/closed")).toMatchObject({ status: 501 });
    expect(asked).toEqual([]);
  });

  test("leaves the other alternatives, and none that is half of one", async () => {
    asked.length = 0;
    await send("POST", "/closed");
    await send("PUT", "/closed");
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatch(/^halfOpen \[\[\{"scheme":\{"name":"key",.*\},"scopes":\[\]\}\]\]$/);
    expect(asked[1]).toBe("optional [[]]");
  });
});

describe("whatever is allowed, nothing that protects is opened", () => {
  const key = "securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }";
  const done = 'responses: { "204": { description: Done } }';
  const get = (more: string): string =>
    `paths:\n  /a:\n    get: { operationId: a, ${more}${done} }\ncomponents: { ${key} }`;

  test.for([
    ["misspelt in an operation", get("securty: [{ key: [] }], ")],
    ["in capitals", get("Security: [{ key: [] }], ")],
    ["under another name", get("authorization: key, ")],
    ["of Swagger, for the document", `securityDefinitions: {}\n${get("")}`],
    ["misspelt for the document", `secruity: [{ key: [] }]\n${get("")}`],
    [
      "at a path",
      `paths:\n  /a:\n    security: [{ key: [] }]\n    get: { operationId: a, ${done} }`,
    ],
    ["as a text", get("security: key, ")],
    ["as an object", get("security: { key: [] }, ")],
    ["as null", get("security: null, ")],
    ["as a list of texts", get("security: [key], ")],
    ["with null in the list", get("security: [null], ")],
    ["with a scope that is no list", get("security: [{ key: admin }], ")],
    ["with scopes that are no texts", get("security: [{ key: [{ admin: true }] }], ")],
    [
      "by a scheme that lacks its name",
      `paths: {}\ncomponents: { ${key.replace(", name: X-Key", "")} }`,
    ],
    ["by a scheme of no type", `paths: {}\ncomponents: { ${key.replace("apiKey", "magic")} }`],
    ["twice in one operation", get("security: [{ key: [] }], security: [], ")],
  ])("security %s stays an error", ([, text]) => {
    const { reading, problems } = toldOf(below(text ?? ""), everything);
    expect(reading).toBeUndefined();
    expect(problems.filter(({ severity }) => severity === "error")).not.toEqual([]);
  });

  test.for([
    ["is nowhere", "security: [{ other: [] }], "],
    ["leads to nothing", "security: [{ lost: [] }], "],
  ])("of an operation whose scheme %s nobody is let in", ([, security]) => {
    const text = get(security ?? "").replace(
      key,
      key.replace("{ key", '{ lost: { $ref: "#/nowhere" }, key'),
    );
    const { reading } = toldOf(below(text), everything);
    expect(reading?.model.operations[0]?.security).toEqual([]);
  });
});
