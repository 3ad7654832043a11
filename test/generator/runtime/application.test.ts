// A Hono app as people know it: middleware, mounting, its context in handlers, and an edge by default.

import { Hono, type Context } from "hono";
import { cors } from "hono/cors";
import { HTTPException } from "hono/http-exception";
import { requestId } from "hono/request-id";
import { describe, expect, onTestFinished, test } from "vitest";
import { createApp } from "../../../generator/runtime/application.ts";
import { defaultEdge } from "../../../generator/runtime/edge.ts";
import { register } from "../../../generator/runtime/register.ts";
import { type Handler, NotImplementedError } from "../../../generator/runtime/runtime.ts";
import { edgeOf, echo, listen, operation, ways, z, type Log } from "./harness.ts";

interface Variables {
  Variables: { user: string };
}

const text = { scalar: ["string"] } as const;
const anything = { description: "fine", content: { "application/json": { schema: z.unknown() } } };
const operations = [
  operation({
    id: "getItem",
    path: "/items/{id}",
    request: { params: z.object({ id: z.string() }) },
    responses: { 200: anything },
    parameters: [{ in: "path", name: "id", style: "simple", explode: false, kind: text }],
  }),
  operation({
    id: "addItem",
    method: "post",
    path: "/items",
    request: {
      body: { content: { "application/json": { schema: z.object({ name: z.string() }) } } },
    },
    responses: { 201: anything },
  }),
  operation({ id: "root", path: "/", responses: { 200: anything } }),
];

/** Answers with what the context of Hono says. */
const ofContext = ((_request: unknown, c: Context<Variables>) => ({
  status: 200,
  body: { user: c.get("user"), path: c.req.path, agent: c.req.header("x-agent") ?? null },
})) as Handler;
const handlers: Readonly<Record<string, Handler>> = {
  getItem: ofContext,
  addItem: (request: { body: { name: string } }) => ({
    status: 201,
    body: request.body,
    headers: { "X-Made": "1" },
  }),
  root: ofContext,
};

const quiet = defaultEdge<Variables>({ log: () => undefined });
const post = (body: string) => ({
  method: "POST",
  body,
  headers: { "Content-Type": "application/json" },
});

/** Middleware before, the contract below /api, routes of its own before and after. */
function mounted(base = "/api"): Hono<Variables> {
  const app = new Hono<Variables>();
  app.use(async (c, next) => {
    c.set("user", "ada");
    c.header("X-Before", "1");
    await next();
    c.header("X-After", "2");
  });
  app.use(cors({ origin: "https://shop.example" }));
  app.get("/before", (c) => c.text("before"));
  app.route(base, createApp(operations, handlers, quiet));
  app.get("/after", (c) => c.text("after"));
  return app;
}

interface Asked {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

type Ask = (path: string, init?: RequestInit) => Promise<Asked>;

/** In memory, and over a socket on both ways. */
const everyWay = ["request", ...ways] as const;

async function asker<E extends Variables>(
  app: Hono<E>,
  way: (typeof everyWay)[number],
): Promise<Ask> {
  const url = way === "request" ? "" : (await listen(app, way)).url;
  return async (path, init) => {
    const response = url === "" ? await app.request(path, init) : await fetch(url + path, init);
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
}

describe.each(everyWay)("below a path of another application, by %s", (way) => {
  test("middleware comes before and after, and hands its variables to handlers", async () => {
    const ask = await asker(mounted(), way);
    const { status, text, headers } = await ask("/api/items/7", {
      headers: { "X-Agent": "me", Origin: "https://shop.example" },
    });
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { user: "ada", path: "/api/items/7", agent: "me" },
    ]);
    expect(Object.fromEntries(headers)).toMatchObject({
      "access-control-allow-origin": "https://shop.example",
      "content-type": "application/json",
      "x-before": "1",
      "x-after": "2",
    });
    const made = await ask("/api/items", post('{"name":"a"}'));
    expect([
      made.status,
      made.text,
      made.headers.get("x-made"),
      made.headers.get("x-before"),
    ]).toEqual([201, '{"name":"a"}', "1", "1"]);
  });

  test("a wrong request is refused, also by the method, and HEAD has no body", async () => {
    const ask = await asker(mounted(), way);
    const wrong = await ask("/api/items", post('{"name":7}'));
    expect([wrong.status, JSON.parse(wrong.text)]).toMatchObject([
      400,
      { code: "invalid_request", violations: [{ in: "body", pointer: "/name" }] },
    ]);
    const method = await ask("/api/items/7", { method: "DELETE" });
    expect([method.status, method.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    expect(JSON.parse(method.text)).toMatchObject({ code: "method_not_allowed" });
    const root = await ask("/api", { method: "PUT" });
    expect([root.status, root.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await ask("/api/items/7", { method: "HEAD" });
    expect([head.status, head.text]).toEqual([200, ""]);
  });

  test("other routes stay, and a path that nobody has is the other application's", async () => {
    const ask = await asker(mounted(), way);
    for (const name of ["before", "after"]) {
      expect(await ask(`/${name}`)).toMatchObject({ status: 200, text: name });
    }
    expect(await ask("/api/none")).toMatchObject({ status: 404, text: "404 Not Found" });
    expect(await ask("/items/7")).toMatchObject({ status: 404, text: "404 Not Found" });
    const preflight = await ask("/api/items/7", {
      method: "OPTIONS",
      headers: { "Access-Control-Request-Method": "GET" },
    });
    expect(preflight.status).toBe(204);
  });

  test("at the root, and below a path with a parameter", async () => {
    const atRoot = await asker(mounted("/"), way);
    expect((await atRoot("/items/7")).status).toBe(200);
    expect((await atRoot("/items", { method: "PATCH" })).headers.get("allow")).toBe("POST");
    expect((await atRoot("/after")).text).toBe("after");
    const below = await asker(mounted("/:tenant/v1"), way);
    expect((await below("/a/v1/items/7")).status).toBe(200);
    expect((await below("/a/v1/items/7", { method: "PATCH" })).status).toBe(405);
  });
});

test.each(everyWay)("served as it is, by %s: everything is answered in one form", async (way) => {
  const ask = await asker(
    createApp<Variables, Context<Variables>, Context<Variables>>(operations, handlers, quiet),
    way,
  );
  expect(JSON.parse((await ask("/items/7")).text)).toEqual({ path: "/items/7", agent: null });
  const none = await ask("/none");
  expect([none.status, JSON.parse(none.text)]).toMatchObject([404, { code: "not_found" }]);
  const method = await ask("/items", { method: "DELETE" });
  expect([method.status, method.headers.get("allow")]).toEqual([405, "POST"]);
});

test.each(everyWay)("a header of a middleware that is set before its turn, by %s", async (way) => {
  const app = new Hono<Variables>();
  app.use(requestId());
  register(app, operations, handlers, quiet);
  app.get("/later", (c) => c.text("later"));
  const ask = await asker(app, way);
  const { headers } = await ask("/items/7", { headers: { "X-Request-Id": "mine" } });
  expect(headers.get("x-request-id")).toBe("mine");
  expect((await ask("/later")).text).toBe("later");
  expect(JSON.parse((await ask("/none")).text)).toMatchObject({ code: "not_found" });
});

test.each(everyWay)("a middleware that changes a body, or fails behind it, by %s", async (way) => {
  const app = new Hono<Variables>();
  app.use("/items/*", async (c, next) => {
    await next();
    if (c.req.header("x-fails") !== undefined) throw new Error("behind the answer");
    c.res = new Response(`${await c.res.text()} and more`, c.res);
  });
  app.route("/", createApp(operations, handlers, quiet));
  app.onError((error, c) => c.text(`failed ${error.message}`, 500));
  const ask = await asker(app, way);
  expect((await ask("/items/7")).text).toBe('{"path":"/items/7","agent":null} and more');
  expect(await ask("/items/7", { headers: { "X-Fails": "1" } })).toMatchObject({
    status: 500,
    text: "failed behind the answer",
  });
});

describe("the default edge", () => {
  const thrown = (error: unknown): Readonly<Record<string, Handler>> => ({
    ...handlers,
    getItem: () => {
      throw error;
    },
  });

  async function answerOf(
    all: Readonly<Record<string, Handler>>,
    edge = quiet,
    path = "/items/7",
  ): Promise<readonly [number, unknown, Headers]> {
    const app = new Hono<Variables>();
    register(app, operations, all, edge);
    const response = await app.request(path);
    const said = await response.text();
    return [response.status, said.startsWith("{") ? JSON.parse(said) : said, response.headers];
  }

  test("asks `authenticate` with the context, and hands on what it returns", async () => {
    const edge = defaultEdge<string, Variables>({
      authenticate: async (c, { operationId }, raw) => {
        await Promise.resolve();
        return `${c.req.path} ${operationId} ${raw.method}`;
      },
    });
    const echoCaller = ((_: unknown, caller: string) => ({ status: 200, body: caller })) as Handler;
    const app = new Hono<Variables>();
    register(app, operations, { ...handlers, getItem: echoCaller }, edge);
    expect(await (await app.request("/items/7")).json()).toBe("/items/7 getItem GET");
  });

  test("answers HTTPException with what it says", async () => {
    const exception = new HTTPException(401, { message: "no token" });
    expect((await answerOf(thrown(exception))).slice(0, 2)).toEqual([
      401,
      { code: "unauthorized", message: "no token" },
    ]);
    const own = new Response("<p>paid?</p>", {
      status: 402,
      headers: { "Content-Type": "text/html", "X-Price": "7" },
    });
    const [status, said, headers] = await answerOf(thrown(new HTTPException(402, { res: own })));
    expect([status, said, headers.get("content-type"), headers.get("x-price")]).toEqual([
      402,
      "<p>paid?</p>",
      "text/html",
      "7",
    ]);
    const refusing = defaultEdge<Variables>({});
    const denied = { ...refusing, authenticate: () => Promise.reject(exception) };
    expect((await answerOf(handlers, denied))[0]).toBe(401);
  });

  test("says nothing of other errors to the client, and all of them to the log", async () => {
    const logged: unknown[] = [];
    const edge = defaultEdge<Variables>({ log: (error) => logged.push(error) });
    const error = new Error("the password is 1234");
    expect((await answerOf(thrown(error), edge)).slice(0, 2)).toEqual([
      500,
      { code: "internal_error", message: "Something went wrong." },
    ]);
    expect(logged).toEqual([error]);
    expect((await answerOf(thrown(new NotImplementedError("getItem")), edge))[0]).toBe(501);
    expect(logged).toHaveLength(1);
  });

  test("`refuse` stands in front of it", async () => {
    const refuse = (
      error: unknown,
      c: Context<Variables>,
      one: { operationId: string } | undefined,
    ) =>
      error instanceof RangeError
        ? { status: 418, body: `${c.req.path} ${one?.operationId}` }
        : undefined;
    const edge = defaultEdge<Variables>({ refuse, log: () => undefined });
    expect((await answerOf(thrown(new RangeError("tea")), edge)).slice(0, 2)).toEqual([
      418,
      '"/items/7 getItem"',
    ]);
    expect((await answerOf(thrown(new Error("other")), edge))[0]).toBe(500);
    expect((await answerOf(handlers, edge, "/none"))[0]).toBe(404);
  });

  test("has limits that can be chosen", async () => {
    const edge = defaultEdge<Variables>({ bodyBytesMax: 12, depthMax: 1 });
    const app = new Hono<Variables>();
    register(app, operations, handlers, edge);
    const statusOf = async (body: string) => (await app.request("/items", post(body))).status;
    expect(await statusOf('{"name":"a"}')).toBe(201);
    expect(await statusOf('{"name":"ab"}')).toBe(413);
    expect(await statusOf('{"a":{}}')).toBe(400);
    expect([defaultEdge().bodyBytesMax, defaultEdge().depthMax]).toEqual([1_000_000, 64]);
  });

  test("holds what handlers answer against the contract, but not what is thrown", async () => {
    const logged: unknown[] = [];
    const edge = defaultEdge<Variables>({ checkAnswers: true, log: (error) => logged.push(error) });
    const wrong = { ...handlers, getItem: () => ({ status: 418 }) };
    expect((await answerOf(wrong, edge))[0]).toBe(500);
    expect(logged).toMatchObject([{ message: "getItem: status 418 is not in the contract" }]);
    const trusting = defaultEdge<Variables>({ checkAnswers: false });
    expect((await answerOf(wrong, trusting))[0]).toBe(418);
    // An edge of one's own chooses.
    const strict = { ...edge, checkAnswers: false, checkRefusals: true };
    expect((await answerOf(thrown(new HTTPException(409)), strict))[0]).toBe(500);
    expect((await answerOf(thrown(new HTTPException(409)), edge))[0]).toBe(409);
  });

  test("does so by itself, but not in front of customers", () => {
    const before = process.env["NODE_ENV"];
    onTestFinished(() => {
      process.env["NODE_ENV"] = before;
    });
    for (const [value, isChecked] of [
      ["production", false],
      ["development", true],
      ["test", true],
    ] as const) {
      process.env["NODE_ENV"] = value;
      expect(defaultEdge().checkAnswers).toBe(isChecked);
      expect(defaultEdge({ checkAnswers: !isChecked }).checkAnswers).toBe(!isChecked);
    }
  });
});

test("the peer's address comes from Deno's and Bun's servers, too", async () => {
  const log: Log = { lines: [], raw: [] };
  const app = new Hono();
  register(app, [operation({ id: "one", path: "/one" })], { one: echo }, edgeOf(log));
  await app.request("/one", {}, { remoteAddr: { hostname: "192.0.2.1" } });
  const requestIP = (request: Request) => ({ address: new URL(request.url).pathname });
  await app.request("/one", {}, { requestIP });
  await app.request("/one", {}, { requestIP: () => null });
  await app.request("/one", {}, { incoming: undefined });
  await app.request("/one");
  expect(log.raw.map((raw) => raw.remoteAddress)).toEqual([
    "192.0.2.1",
    "/one",
    undefined,
    undefined,
    undefined,
  ]);
});
