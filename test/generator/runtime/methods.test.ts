// Methods beside the old eight: QUERY (OpenAPI 3.2.0, section 4.9), and whatever else a contract names.

import { OpenAPIHono } from "@hono/zod-openapi";
import { describe, expect, test } from "vitest";
import { methodOf, other } from "../../../generator/runtime/methods.ts";
import { appOf, Client, host, operation, start, ways, z, type Setup } from "./harness.ts";

const json = (schema: z.ZodType) => ({ content: { "application/json": { schema } } });
const idPlan = {
  in: "path",
  name: "id",
  style: "simple",
  explode: false,
  kind: { scalar: ["integer"] },
} as const;
const params = z.looseObject({ id: z.int() });

const setup: Setup = {
  operations: [
    operation({
      id: "search",
      method: "query",
      path: "/pages/{id}",
      parameters: [idPlan],
      request: { params, body: { required: true, ...json(z.looseObject({ text: z.string() })) } },
    }),
    operation({ id: "get", path: "/pages/{id}", parameters: [idPlan], request: { params } }),
    operation({
      id: "purge",
      method: other("PURGE"),
      path: "/pages/{id}",
      parameters: [idPlan],
      request: { params },
    }),
    operation({ id: "find", method: other("PROPFIND"), path: "/pages" }),
    operation({ id: "copy", method: other("Copy"), path: "/pages" }),
  ],
};

const jsonType = { "Content-Type": "application/json" };

describe.each(ways)("by the way %s", (way) => {
  test("QUERY has a body, which is checked", async () => {
    const { url } = await start(setup, way);
    const ask = (body: string) =>
      fetch(`${url}/pages/7`, { method: "QUERY", headers: jsonType, body });
    const right = await ask('{"text":"a"}');
    expect(await right.json()).toEqual({ request: { path: { id: 7 }, body: { text: "a" } } });
    expect((await ask('{"text":7}')).status).toBe(400);
    expect((await fetch(`${url}/pages/7`, { method: "QUERY" })).status).toBe(400);
  });

  test("a method that is none of OpenAPI's own is found by its name", async () => {
    const { url } = await start(setup, way);
    const purged = await fetch(`${url}/pages/7`, { method: "PURGE" });
    expect(await purged.json()).toEqual({ request: { path: { id: 7 } } });
    expect((await fetch(`${url}/pages`, { method: "PROPFIND" })).status).toBe(200);
    expect((await fetch(`${url}/pages/x`, { method: "PURGE" })).status).toBe(400);
  });

  test.for([
    ["/pages/7", "POST", "GET, HEAD, PURGE, QUERY"],
    ["/pages/7", "PROPFIND", "GET, HEAD, PURGE, QUERY"],
    ["/pages", "QUERY", "Copy, PROPFIND"],
    // methods are case-sensitive (RFC 9110, section 9.1), and this one is named in another way
    ["/pages", "COPY", "Copy, PROPFIND"],
  ] as const)("%s does not know %s and names %s", async ([path, method, allow]) => {
    const { url } = await start(setup, way);
    const answer = await fetch(url + path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("Allow")).toBe(allow);
  });

  test("Node refuses a method that it does not know before the application hears of it", async () => {
    const { port, log } = await start(setup, way);
    const client = new Client(port);
    client.send("Copy /pages HTTP/1.1", host, "", "");
    expect(await client.end()).toMatch(/^HTTP\/1\.1 400 /);
    expect(log.lines).toEqual([]);
  });
});

test("an application below a path of another one has the same methods", async () => {
  const { app } = appOf(setup);
  const outer = new OpenAPIHono();
  outer.route("/base", app);
  const body = '{"text":"a"}';
  const asked = await outer.request("/base/pages/7", { method: "QUERY", headers: jsonType, body });
  expect(asked.status).toBe(200);
  expect((await outer.request("/base/pages/7", { method: "PURGE" })).status).toBe(200);
});

test("documents that the library makes have the methods that it knows", () => {
  const { app } = appOf(setup);
  const { paths } = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "", version: "" },
  });
  expect(Object.keys(paths?.["/pages/{id}"] ?? {})).toEqual(["query", "get"]);
  expect(paths?.["/pages"]).toBeUndefined();
});

test("as they are sent: those with a name in upper case, all others as they are written", () => {
  const names = [methodOf({ method: "query" }), methodOf({ method: other("Copy") })];
  expect(names).toEqual(["QUERY", "Copy"]);
});
