// The short way from Node to an operation gives the answers of the long one, and is left when
// anything stands between.
import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { OpenAPIHono } from "@hono/zod-openapi";
import { nodeListener } from "../../../generator/runtime/listener.ts";
import { register } from "../../../generator/runtime/register.ts";
import {
  Client,
  appOf,
  echo,
  edgeOf,
  host,
  operation,
  start,
  z,
  type Setup,
  type Way,
} from "./harness.ts";

const text = { scalar: ["string"] } as const;

const setup: Setup = {
  operations: [
    operation({
      id: "thing",
      path: "/things/{id}",
      request: { params: z.looseObject({ id: z.string() }) },
      parameters: [{ in: "path", name: "id", style: "simple", explode: false, kind: text }],
    }),
    operation({ id: "make", method: "post", path: "/things" }),
    operation({ id: "first", path: "/things/first" }),
  ],
};

const lines: readonly string[] = [
  "GET /things/a HTTP/1.1",
  "GET /things/a?x=1 HTTP/1.1",
  "GET /things/first HTTP/1.1",
  "GET /things/a%20b HTTP/1.1",
  "GET /things/a%2Fb HTTP/1.1",
  "GET /things/%66irst HTTP/1.1",
  "GET /things/.. HTTP/1.1",
  "GET /things/./a HTTP/1.1",
  "GET /things/.hidden HTTP/1.1",
  "GET //things/a HTTP/1.1",
  "GET /things//a HTTP/1.1",
  "GET /things/a/ HTTP/1.1",
  "GET /things/a\\b HTTP/1.1",
  "GET /things/a#b HTTP/1.1",
  "GET http://example.com/things/a HTTP/1.1",
  "GET /THINGS/a HTTP/1.1",
  "GET /things HTTP/1.1",
  "HEAD /things/a HTTP/1.1",
  "PUT /things/a HTTP/1.1",
  "POST /things HTTP/1.1",
  "POST /things?x HTTP/1.1",
  "OPTIONS * HTTP/1.1",
];
const hosts: readonly string[] = [
  host,
  "Host: 127.0.0.1:99999",
  "Host: EXAMPLE.com",
  "Host: [::1]:80",
  "Host: a/b",
  "Host: user@example.com",
];

async function ask(way: Way, line: string, hostLine: string): Promise<string> {
  const { port } = await start(setup, way);
  const client = new Client(port);
  client.send(line, hostLine, "Connection: close", "Content-Length: 0", "", "");
  const answer = await client.end();
  return answer.replace(/^date: .*\r\n/im, "");
}

test.each(lines.flatMap((line) => hosts.map((hostLine) => [line, hostLine] as const)))(
  "answers %s with %s as Hono does",
  async (line, hostLine) => {
    const [short, long] = await Promise.all([
      ask("listener", line, hostLine),
      ask("fetch", line, hostLine),
    ]);
    expect(short).not.toBe("");
    expect(short).toBe(long);
  },
);

/** Which of the given targets take the long way. */
async function longWay(app: OpenAPIHono, targets: readonly string[]): Promise<readonly string[]> {
  const taken: string[] = [];
  const listener = nodeListener(app, (incoming: IncomingMessage, outgoing) => {
    taken.push(incoming.url ?? "");
    outgoing.end();
  });
  const { port, server } = await start(setup);
  server.removeAllListeners("request");
  server.on("request", listener);
  for (const target of targets) {
    const client = new Client(port);
    client.send(`GET ${target} HTTP/1.1`, host, "Connection: close", "", "");
    await client.end();
  }
  return taken;
}

test("takes the short way for plain requests of operations only", async () => {
  const { app } = appOf(setup);
  app.get("/other", (c) => c.text("other"));
  const targets = [
    "/things/a",
    "/things/first",
    "/things/b?x=1",
    "/other",
    "/things/%61",
    "/nothing",
  ];
  expect(await longWay(app, targets)).toEqual(["/other", "/things/%61", "/nothing"]);
});

test("takes the long way through middleware", async () => {
  const { app } = appOf({
    ...setup,
    prepare: (app) => app.use("/things/first", (_, next) => next()),
  });
  expect(await longWay(app, ["/things/a", "/things/first"])).toEqual(["/things/first"]);
});

test("takes the long way when the application reads paths in its own way", async () => {
  const log = { lines: [], raw: [] };
  const own = new OpenAPIHono({ getPath: (request) => new URL(request.url).pathname });
  register(own, setup.operations, { thing: echo, make: echo, first: echo }, edgeOf(log));
  expect(await longWay(own, ["/things/a"])).toEqual(["/things/a"]);
});

test("takes the long way below another application", async () => {
  const outer = new OpenAPIHono();
  outer.route("/v1", appOf(setup).app);
  outer.get("/things/a", (c) => c.text("other"));
  expect(await longWay(outer, ["/v1/things/a", "/things/a"])).toEqual([
    "/v1/things/a",
    "/things/a",
  ]);
});
