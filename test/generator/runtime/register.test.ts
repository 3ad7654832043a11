import { expect, test } from "vitest";
import { OpenAPIHono } from "@hono/zod-openapi";
import { check } from "../../../generator/runtime/checking.ts";
import { register } from "../../../generator/runtime/register.ts";
import {
  Client,
  appOf,
  brief,
  echo,
  edgeOf,
  host,
  operation,
  start,
  z,
  type Log,
} from "./harness.ts";
import { effortOf } from "../../support/patience.ts";

const text = { scalar: ["string"] } as const;
const inPath = (name: string) =>
  ({ in: "path", name, style: "simple", explode: false, kind: text }) as const;

function pathOperation(id: string, path: string, ...names: string[]) {
  const params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
  return operation({ id, path, request: { params }, parameters: names.map(inPath) });
}

test("names every operation without a handler, also one called like an inherited member", () => {
  const log: Log = { lines: [], raw: [] };
  const operations = [
    operation({ id: "one", path: "/one" }),
    operation({ id: "constructor", path: "/two" }),
    operation({ id: "three", path: "/three" }),
  ];
  expect(() => register(new OpenAPIHono(), operations, { one: echo }, edgeOf(log))).toThrow(
    "operations without a handler: constructor, three",
  );
});

test("registers every route for documentation tools", () => {
  const { app } = appOf({ operations: [operation({ id: "one", path: "/one/{id}" })] });
  const { paths } = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
  });
  expect(Object.keys(paths ?? {})).toEqual(["/one/{id}"]);
});

test("prefers literal segments whatever the order of the contract", async () => {
  const { app } = appOf({
    operations: [
      pathOperation("any", "/users/{id}", "id"),
      pathOperation("file", "/users/{id}.json", "id"),
      pathOperation("archive", "/users/{id}.tar.json", "id"),
      pathOperation("me", "/users/me"),
    ],
    handlers: Object.fromEntries(
      ["any", "file", "archive", "me"].map((id) => [id, () => ({ status: 200, body: id })]),
    ),
  });
  const bodies = ["me", "7", "7.json", "7.tar.json"].map(async (path) =>
    (await app.request(`/users/${path}`)).json(),
  );
  expect(await Promise.all(bodies)).toEqual(["me", "any", "file", "archive"]);
});

test.for([
  ["/a/{id}.json", "/a/7.json", { id: "7" }],
  ["/pre-{id}/x", "/pre-7/x", { id: "7" }],
  ["/a/{id}:cancel", "/a/7:cancel", { id: "7" }],
  ["/f/{name}.{extension}", "/f/a.b.c", { name: "a", extension: "b.c" }],
  ["/f/{a}-{b}-{c}", "/f/1-2%2D3-4-5", { a: "1", b: "2-3", c: "4-5" }],
  ["/f/{a}.to.{b}", "/f/1.2.to.3", { a: "1.2", b: "3" }],
  ["/f/{a}:{b}", "/f/1%3A2", { a: "1", b: "2" }],
  ["/a/({id})", "/a/(7)", { id: "7" }],
  ["/a/({id})", "/a/%287%29", { id: "7" }],
  ["/a/{id}:cancel", "/a/7%3acancel", { id: "7" }],
  ["/a/$each/{id}", "/a/$each/7", { id: "7" }],
  ["/a/@{id}#/b", "/a/@7%23/b", { id: "7" }],
  ["/a*/{id}", "/a*/7", { id: "7" }],
  ["/a/:b/{id}", "/a/:b/7", { id: "7" }],
  ["/é/{id}", "/%C3%A9/7", { id: "7" }],
  ["/a/{id}", "/a/%2Fb%25%C3%A9", { id: "/b%é" }],
  ["/{a}/{b}", "/1/2", { a: "1", b: "2" }],
  ["/{__proto__}", "/1", { ["__proto__"]: "1" }],
] as const)("reads %s from %s", async ([path, target, expected]) => {
  const names = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name = ""]) => name);
  const { app } = appOf({
    operations: [operation({ id: "one", path, parameters: names.map(inPath) })],
  });
  const response = await app.request(target);
  expect(await response.json()).toEqual({ request: { path: expected } });
});

test.for([
  ["/a/{id}.json", "/a/7xjson"],
  ["/a/{id}.json", "/a/.json"],
  ["/a/{id}", "/a/"],
  ["/a/{id}", "/a/7/"],
  ["/a/{id}", "/a/7/b"],
  ["/a/{x}-{y}", "/a/7"],
  ["/a/{x}-{y}", "/a/-7"],
  ["/a/{x}-{y}", "/a/1%2D2"],
  ["/a/100%25", "/a/100%"],
] as const)("does not find %s at %s", async ([path, target]) => {
  const { app } = appOf({ operations: [pathOperation("one", path, "id")] });
  expect((await app.request(target)).status).toBe(404);
});

test("refuses a wrong escape in a path value", async () => {
  const { app } = appOf({ operations: [pathOperation("one", "/one/{id}", "id")] });
  const response = await app.request("/one/%E9x");
  expect(response.status).toBe(400);
  expect(brief(await response.json())).toEqual(["path /id encoding"]);
});

test.for(["/one/%74wo", "/one/%74wo?x=1"])(
  "refuses %s, another spelling of a path, and answers it nowhere",
  async (target) => {
    const { app, log } = appOf({ operations: [operation({ id: "one", path: "/one/two" })] });
    const response = await app.request(target);
    expect(response.status).toBe(400);
    expect(brief(await response.json())[0]).toBe("path  encoding");
    expect(log.lines).toContain("refuse RequestError");
  },
);

test.for([
  ["/files/%6Cast", ["/files/last", "/files/{id}"]],
  ["/files/7%2Ejson", ["/files/{id}.json", "/files/{id}"]],
  ["/files/7%2Ejson", ["/files/{id}.json"]],
  ["/files/l%61st/x", ["/files/last/{id}", "/files/{id}/x"]],
] as const)("does not take %s, another spelling, for a value", async ([target, paths]) => {
  const { app } = appOf({ operations: paths.map((path) => pathOperation(path, path, "id")) });
  const response = await app.request(target);
  expect([response.status, brief(await response.json())[0]]).toEqual([400, "path  encoding"]);
});

test.for([
  ["/a/../one/7", ["/one/{id}", "/one/last"]],
  ["/one/./last", ["/one/{id}", "/one/last"]],
] as const)("refuses %s where several operations share a route", async ([target, paths]) => {
  const { port } = await start({
    operations: paths.map((path) => pathOperation(path, path, "id")),
  });
  const client = new Client(port);
  client.send(`GET ${target} HTTP/1.1`, host, "Connection: close", "", "");
  const answer = await client.end();
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toContain('"rule":"encoding"');
});

test("takes no fragment of a request line for a part of the path", async () => {
  const { port } = await start({ operations: [operation({ id: "one", path: "/one%23x" })] });
  const client = new Client(port);
  client.send("GET /one#x HTTP/1.1", host, "Connection: close", "", "");
  expect(await client.end()).toMatch(/^HTTP\/1.1 404 /);
});

test("refuses dot segments on the request line of a real connection", async () => {
  const { port } = await start({ operations: [pathOperation("one", "/one/{id}", "id")] });
  const client = new Client(port);
  client.send("GET /x/../one/7 HTTP/1.1", host, "Connection: close", "", "");
  const answer = await client.end();
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toContain('"rule":"encoding"');
});

test("answers an unknown path with 404 and a known one with 405 and all its methods", async () => {
  const { app, log } = appOf({
    operations: [
      operation({ id: "read", path: "/a/{id}" }),
      operation({ id: "drop", method: "delete", path: "/a/{id}" }),
      operation({ id: "make", method: "post", path: "/a" }),
    ],
    options: { otherRoutes: { "/healthz": ["GET"] } },
    prepare: (app) => void app.get("/healthz", (c) => c.text("ok")),
  });
  const results = [
    await app.request("/nothing"),
    await app.request("/a/7", { method: "POST", body: "x" }),
    await app.request("/a"),
    await app.request("/healthz", { method: "PUT" }),
  ];
  expect(results.map((one) => [one.status, one.headers.get("allow")])).toEqual([
    [404, null],
    [405, "DELETE, GET, HEAD"],
    [405, "POST"],
    [405, "GET, HEAD"],
  ]);
  expect(results.every((one) => one.headers.get("x-request-id") === "request-1")).toBe(true);
  expect(log.lines.slice(0, 3)).toEqual(["begin", "refuse RequestError", "answered 404"]);
  expect((await app.request("/healthz")).status).toBe(200);
});

test("compiles the schemas of requests before the first one comes", () => {
  const params = z.object({ id: z.string() });
  const schema = z.object({ a: z.int() });
  const body = { content: { "application/json": { schema } } };
  const checks = [check(params), check(schema)];
  const uncompiled = checks.map((one) => one.valid);
  appOf({
    operations: [
      operation({ id: "one", method: "post", path: "/{id}", request: { params, body } }),
    ],
  });
  // the first value puts the compiled function in the place of the compiler
  for (const [index, one] of checks.entries()) expect(one.valid).not.toBe(uncompiled[index]);
});

test("registers an operation whose schema does not compile or cannot take undefined", () => {
  const params = z.object({ id: z.string() }).superRefine(() => {
    throw new TypeError("not for undefined");
  });
  const { app } = appOf({
    operations: [operation({ id: "one", path: "/{id}", request: { params } })],
  });
  expect(app.routes).toHaveLength(1);
});

test.for(["-", ":", "", ".x."])(
  "takes no longer for a path that almost matches names with '%s' between them",
  async (literal) => {
    const path = `/x/${["{a}", "{b}", "{c}", "{d}"].join(literal)}!`;
    const { app } = appOf({ operations: [pathOperation("one", path, "a", "b", "c", "d")] });
    for (const text of [literal, encodeURIComponent(literal), "a", `a${literal}`]) {
      const ask = async () => await app.request(`/x/${text.repeat(3000)}`);
      expect(await effortOf(ask)).toBeLessThan(30);
      expect((await ask()).status).toBe(404);
    }
  },
);

test("hands what other routes throw to the edge", async () => {
  const { app, log } = appOf({
    operations: [],
    prepare: (app) =>
      void app.get("/boom", () => {
        throw new TypeError("boom");
      }),
  });
  const response = await app.request("/boom");
  expect(response.status).toBe(500);
  expect(log.lines).toEqual(["begin", "refuse TypeError", "answered 500"]);
});

test("serves HEAD through GET, and a HEAD of the contract by itself", async () => {
  const { app } = appOf({
    operations: [
      operation({ id: "read", path: "/both" }),
      operation({ id: "look", method: "head", path: "/both" }),
      operation({ id: "only", method: "head", path: "/only" }),
    ],
    handlers: { look: () => ({ status: 204 }) },
  });
  expect((await app.request("/both", { method: "HEAD" })).status).toBe(204);
  expect((await app.request("/both")).status).toBe(200);
  expect((await app.request("/only", { method: "HEAD" })).status).toBe(200);
  const refused = await app.request("/only");
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "HEAD"]);
});

test("works below the base path of another application", async () => {
  const { app } = appOf({ operations: [pathOperation("one", "/one/{id}", "id")] });
  const outer = new OpenAPIHono();
  outer.use("/v2/*", async (c, next) => {
    await next();
    c.header("X-After", "yes");
  });
  outer.route("/api", app);
  outer.route("/v2", app);
  const plain = await outer.request("/api/one/7");
  expect(await plain.json()).toEqual({ request: { path: { id: "7" } } });
  const wrapped = await outer.request("/v2/one/8");
  expect(wrapped.headers.get("x-after")).toBe("yes");
  expect(await wrapped.json()).toEqual({ request: { path: { id: "8" } } });
});

test.each([
  ["/v1", "/v1"],
  ["/v1/", "/v1/"],
  ["/:tenant", "/a%20b"],
])("serves the root below %s at %s", async (base, path) => {
  const { app } = appOf({ operations: [operation({ id: "root", path: "/" })] });
  const outer = new OpenAPIHono();
  outer.route(base, app);
  expect((await outer.request(path)).status).toBe(200);
  expect((await outer.request("/")).status).toBe(404);
});

test("serves HEAD by the GET of the more exact path", async () => {
  const { app } = appOf({
    operations: [
      pathOperation("look", "/users/{id}", "id"),
      operation({ id: "me", path: "/users/me" }),
    ].map((one) => ({
      ...one,
      route: { ...one.route, method: one.operationId === "look" ? "head" : "get" },
    })),
    handlers: { look: () => ({ status: 204 }) },
  });
  expect((await app.request("/users/me", { method: "HEAD" })).status).toBe(200);
  expect((await app.request("/users/7", { method: "HEAD" })).status).toBe(204);
});

test("keeps Hono on its fast router, whatever literals stand beside parameters", async () => {
  const paths = [
    "/a/{id}",
    "/a/last",
    "/a/last/{x}",
    "/a/{id}/b",
    "/a/{id}.json",
    "/c/{d}",
    "/c/d/e",
  ];
  const { app } = appOf({
    operations: [
      ...paths.map((path) => operation({ id: path, path })),
      operation({ id: "post", method: "post", path: "/a/last" }),
    ],
    handlers: Object.fromEntries(
      [...paths, "post"].map((id) => [id, () => ({ status: 200, body: id })]),
    ),
  });
  const get = async (path: string): Promise<unknown> => (await app.request(path)).json();
  expect(await get("/a/7")).toBe("/a/{id}");
  expect(await get("/a/last")).toBe("/a/last");
  expect(await get("/a/last/7")).toBe("/a/last/{x}");
  // a literal on the left is closer than one on the right
  expect(await get("/a/last/b")).toBe("/a/last/{x}");
  expect(await get("/a/7/b")).toBe("/a/{id}/b");
  expect(await get("/a/7.json")).toBe("/a/{id}.json");
  expect(await get("/c/7")).toBe("/c/{d}");
  expect(await get("/c/d/e")).toBe("/c/d/e");
  expect((await app.request("/c/x/e")).status).toBe(404);
  const wrong = await app.request("/a/other", { method: "POST" });
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect(app.router.name).toContain("RegExpRouter");
});
