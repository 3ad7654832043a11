// Route trees of every shape against the plain matcher: literals, names, empty segments and escapes beside each
// other, for several methods.

import { request } from "node:http";
import fc from "fast-check";
import { expect, test } from "vitest";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Operation } from "../../../generator/runtime/runtime.ts";
import { appOf, operation, start, ways, z, type Setup } from "./harness.ts";
import { type Route, routeOf, type Routed } from "./reference-routes.ts";

const segments = [
  "",
  "",
  "a",
  "b",
  "items",
  "{}",
  "{}",
  "{}",
  "{}.json",
  "a{}",
  "{}-{}",
  "{}.{}",
  "{}:cancel",
  ":b",
  "({})",
  "$each",
  "a*",
  "*",
  "a b",
  "a%20b",
  "é",
  "caf%C3%A9",
  "café",
  "a%2Fb",
  "100%25",
  "a+b",
  "~_-",
] as const;

const methods = ["GET", "POST", "DELETE", "HEAD"] as const;

/** Names by their places: a template has each once. */
const templates = fc
  .array(fc.constantFrom(...segments), { minLength: 1, maxLength: 4 })
  .map((parts) => {
    let count = 0;
    return `/${parts.join("/").replaceAll("{}", () => `{p${count++}}`)}`;
  });

/** Equal ones of a method are refused before there is a server. */
const routeLists = fc.uniqueArray(
  fc.record({ method: fc.constantFrom(...methods), path: templates }),
  { minLength: 1, maxLength: 9, selector: ({ method, path }) => `${method} ${formOf(path)}` },
);

const formOf = (path: string): string =>
  path
    .replace(/\{\w+\}/g, "{}")
    .replaceAll("%20", " ")
    .replaceAll("%C3%A9", "é");

const values = ["7", "a", "items", "a.b", "x-y-z", "é", "a b", "a/b", "100%", "b:cancel", "()"];

/** As a client sends it; what it is made of stands often in a template. */
const paths = (routes: readonly Route[]) =>
  fc
    .tuple(
      fc.constantFrom(...routes),
      fc.array(fc.constantFrom(...values), { minLength: 8, maxLength: 8 }),
      fc.constantFrom("as it is", "as it is", "longer", "ends in /", "without the last", "other"),
      templates,
    )
    .map(([route, given, change, other]) => {
      const template = change === "other" ? other : route.path;
      const left = [...given];
      const path = template
        .split("/")
        .map((segment) => {
          const whole = segment.replace(/\{\w+\}/g, () => `\u0000${left.pop() ?? "7"}\u0000`);
          // Escapes of the template are what clients send already.
          return whole
            .split("\u0000")
            .map((part, place) => encodeURIComponent(place % 2 === 1 ? part : plainOf(part)))
            .join("");
        })
        .join("/");
      if (change === "longer") return `${path}/x`;
      if (change === "ends in /") return `${path}/`;
      return change === "without the last" ? path.slice(0, path.lastIndexOf("/")) || "/" : path;
    });

const plainOf = (text: string): string => (text.includes("%") ? decodeURIComponent(text) : text);

const requests = routeLists.chain((routes) =>
  fc.record({
    routes: fc.constant(routes),
    asked: fc.array(fc.record({ method: fc.constantFrom(...methods), path: paths(routes) }), {
      minLength: 1,
      maxLength: 8,
    }),
  }),
);

function setupOf(routes: readonly Route[]): Setup {
  const operations = routes.map(({ method, path }) => {
    const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
    const params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
    const parameters: Operation["parameters"] = names.map((name) => ({
      in: "path",
      name,
      style: "simple",
      explode: false,
      kind: { scalar: ["string"] },
    }));
    const id = `${method} ${path}`;
    const lower = method.toLowerCase() as "get";
    return operation({ id, method: lower, path, request: { params }, parameters });
  });
  const handlers = Object.fromEntries(
    operations.map(({ operationId, route }) => [
      operationId,
      (received: { readonly path?: Readonly<Record<string, string>> }) => ({
        status: 200,
        headers: {
          "X-Path": encodeURIComponent(route.path),
          "X-Values": encodeURIComponent(JSON.stringify(Object.values(received.path ?? {}))),
        },
      }),
    ]),
  );
  return { operations, handlers };
}

interface Heard {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
}

function routed({ status, header }: Heard): unknown {
  if (status === 405) return { status, allow: header("allow") };
  if (status !== 200) return { status };
  const [path, found] = ["x-path", "x-values"].map((name) =>
    decodeURIComponent(header(name) ?? ""),
  );
  return { status, path, values: JSON.parse(found ?? "[]") as unknown };
}

/** Escaped slashes are part of a value. */
function expected(answer: Routed): unknown {
  if (answer.status !== 200) return answer;
  return { ...answer, values: answer.values.map((value) => value.replaceAll("%2F", "/")) };
}

test.each([
  ["alone", 1_500, appOf],
  ["behind middleware", 300, behindMiddleware],
] as const)("every request goes where the plain matcher sends it, %s", async (...row) => {
  const [, numRuns, build] = row;
  await fc.assert(
    fc.asyncProperty(requests, async ({ routes, asked }) => {
      const { app } = build(setupOf(routes));
      for (const { method, path } of asked) {
        const { status, headers } = await app.request(path, { method });
        const header = (name: string): string | undefined => headers.get(name) ?? undefined;
        expect({ method, path, ...(routed({ status, header }) as object) }).toEqual({
          method,
          path,
          ...(expected(routeOf(routes, method, path)) as object),
        });
      }
    }),
    { numRuns },
  );
});

function behindMiddleware(setup: Setup): ReturnType<typeof appOf> {
  return appOf({ ...setup, prepare: (app) => void app.use("*", (_, next) => next()) });
}

test.each([
  ["/v1", "/v1"],
  ["/:tenant/v1", "/a%20b/v1"],
])("below %s of another application, too", async (base, below) => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ routes, asked }) => {
      const outer = new OpenAPIHono();
      outer.route(base, appOf(setupOf(routes)).app);
      for (const { method, path } of asked) {
        const answer = routeOf(routes, method, path);
        // who finds nothing asks the other application, and Hono takes "/v1" for the "/" below it
        if (answer.status !== 200 || answer.path === "/") continue;
        const { status, headers } = await outer.request(`${below}${path}`, { method });
        const header = (name: string): string | undefined => headers.get(name) ?? undefined;
        expect({ method, path, ...(routed({ status, header }) as object) }).toEqual({
          method,
          path,
          ...(expected(answer) as object),
        });
      }
    }),
    { numRuns: 200 },
  );
});

test.each(ways)("and so it does over sockets, by %s", async (way) => {
  await fc.assert(
    fc.asyncProperty(requests, async ({ routes, asked }) => {
      const { port, server } = await start(setupOf(routes), way);
      for (const { method, path } of asked) {
        const heard = await new Promise<Heard>((resolve, reject) => {
          const options = { host: "127.0.0.1", port, method, path, agent: false };
          request(options, (answer) => {
            answer.resume();
            const header = (name: string): string | undefined => {
              const value = answer.headers[name];
              return typeof value === "string" ? value : undefined;
            };
            resolve({ status: answer.statusCode ?? 0, header });
          })
            .on("error", reject)
            .end();
        });
        expect({ path, ...(routed(heard) as object) }).toEqual({
          path,
          ...(expected(routeOf(routes, method, path)) as object),
        });
      }
      server.close();
    }),
    { numRuns: 60 },
  );
});
