import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { constantBody } from "../../../generator/runtime/constant-body.ts";
import type { Handler, WireAnswer } from "../../../generator/runtime/runtime.ts";
import {
  Client,
  appOf,
  host,
  operation,
  start,
  z,
  type OperationInput,
  type Setup,
} from "./harness.ts";

type Responses = NonNullable<OperationInput["responses"]>;

/** One operation that gives this answer. */
function answering(answer: WireAnswer | (() => never), responses?: Responses, extra = {}) {
  const handler = (typeof answer === "function" ? answer : () => answer) as Handler;
  return {
    operations: [
      operation({
        id: "one",
        path: "/one",
        extra,
        ...(responses === undefined ? {} : { responses }),
      }),
    ],
    handlers: { one: handler },
  };
}

const plain = { description: "" };
const withBody = {
  ...plain,
  content: { "application/json": { schema: z.object({ a: z.string() }) } },
};

/** The same through Node's response and through fetch. */
async function both(setup: Setup): Promise<[Response, Response]> {
  const { url, app } = await start(setup);
  return [await fetch(`${url}/one`), await app.request("/one")];
}

test.for([
  [{ status: 200, body: { a: "é" } }, "application/json", '{"a":"é"}'],
  [{ status: 200, body: null }, "application/json", "null"],
  [{ status: 200, body: "text" }, "application/json", '"text"'],
  [{ status: 200, body: "a,b", contentType: "text/csv" }, "text/csv", "a,b"],
  [
    { status: 200, body: new TextEncoder().encode("é"), contentType: "image/png" },
    "image/png",
    "é",
  ],
  [{ status: 201, body: [1], contentType: "application/x+json" }, "application/x+json", "[1]"],
  [{ status: 202 }, null, ""],
  [{ status: 204, body: { a: 1 } }, null, ""],
] as const)("writes %o", async ([answer, type, text]) => {
  for (const response of await both(answering(answer))) {
    expect(response.status).toBe(answer.status);
    expect(response.headers.get("content-type")).toBe(type);
    expect(response.headers.get("x-request-id")).toBe("request-1");
    expect(await response.text()).toBe(text);
  }
});

test("streams, as slowly as the client reads and to the end", async () => {
  const chunk = new Uint8Array(100_000).fill(97);
  const { url } = await start({
    ...answering({ status: 200 }),
    handlers: {
      one: () => {
        let left = 50;
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close()),
        });
        return { status: 200, body, contentType: "text/plain" };
      },
    },
  });
  const response = await fetch(`${url}/one`);
  expect((await response.text()).length).toBe(5_000_000);
});

test("cancels the stream of a client that goes away", async () => {
  const cancelled = Promise.withResolvers<void>();
  const { port } = await start({
    ...answering({ status: 200 }),
    handlers: {
      one: () => {
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
          cancel: () => cancelled.resolve(),
        });
        return { status: 200, body, contentType: "text/plain" };
      },
    },
  });
  const client = new Client(port);
  client.send("GET /one HTTP/1.1", host, "", "");
  await client.until((text) => text.length > 1000);
  client.socket.destroy();
  await expect(cancelled.promise).resolves.toBeUndefined();
});

test("cancels the stream of a client that went away before there was one", async () => {
  const gone = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<number>();
  let pulls = 0;
  const { port, server } = await start({
    ...answering({ status: 200 }),
    handlers: {
      one: async () => {
        entered.resolve();
        await gone.promise;
        const body = new ReadableStream<Uint8Array>(
          {
            pull: (controller) => {
              pulls += 1;
              controller.enqueue(new Uint8Array(10));
            },
            cancel: () => cancelled.resolve(pulls),
          },
          { highWaterMark: 0 },
        );
        return { status: 200, body, contentType: "text/plain" };
      },
    },
  });
  server.once("connection", (socket: Socket) => socket.once("close", () => gone.resolve()));
  const client = new Client(port);
  client.send("GET /one HTTP/1.1", host, "", "");
  await entered.promise;
  client.socket.destroy();
  expect(await cancelled.promise).toBe(0);
});

test("leaves out absent headers, lets the handler's stand before the edge's, never the length", async () => {
  const headers = {
    "x-request-id": "mine",
    Location: "/two",
    "X-None": undefined,
    "Content-Length": "1",
  };
  for (const response of await both(answering({ status: 201, body: { a: 1 }, headers }))) {
    expect(response.headers.get("x-request-id")).toBe("mine");
    expect(response.headers.get("location")).toBe("/two");
    expect(response.headers.has("x-none")).toBe(false);
    expect(await response.text()).toBe('{"a":1}');
  }
});

test.for([
  ["a line break in a header", { status: 200, headers: { "X-Bad": "a\r\nX-Evil: 1" } }],
  ["a body JSON cannot say", { status: 200, body: () => 1 }],
  ["a bigint", { status: 200, body: { a: 1n } }],
  ["an object as text", { status: 200, body: {}, contentType: "text/plain" }],
  ["a status that is none", { status: 42 }],
] as const)("answers %s with 500", async ([, answer]) => {
  for (const response of await both(answering(answer))) {
    expect(response.status).toBe(500);
    expect(response.headers.has("x-evil")).toBe(false);
    expect(await response.json()).toEqual({ code: "internal_error" });
  }
});

test("hands what handlers and hooks throw to the edge, thrown or rejected", async () => {
  const boom = (): never => {
    throw new TypeError("boom");
  };
  const rejecting = (): Promise<never> => Promise.reject(new TypeError("boom"));
  for (const setup of [
    answering(boom),
    { ...answering({ status: 200 }), handlers: { one: rejecting } },
    { ...answering({ status: 200 }), edge: { authenticate: boom } },
    { ...answering({ status: 200 }), edge: { authenticate: rejecting } },
  ]) {
    for (const response of await both(setup)) {
      expect(response.status).toBe(500);
      expect(await response.json()).toEqual({ code: "internal_error" });
    }
  }
});

test("survives hooks that throw where they must not", async () => {
  const boom = (): never => {
    throw new TypeError("boom");
  };
  const badHeaders = (): Record<string, string> => ({ "X-Bad": "\n" });
  for (const edge of [{ refuse: boom }, { headers: boom }, { headers: badHeaders }]) {
    for (const response of await both({ ...answering(boom), edge })) {
      expect(response.status).toBe(500);
    }
  }
  const [node] = await both({ ...answering({ status: 200 }), edge: { answered: boom } });
  expect(node.status).toBe(200);
});

test("waits for asynchronous hooks and handlers", async () => {
  const setup = {
    ...answering({ status: 200 }),
    edge: { authenticate: () => Promise.resolve({ name: "later" }) },
    handlers: {
      one: ((_: unknown, caller: { name: string }) =>
        Promise.resolve({ status: 200, body: caller })) as Handler,
    },
  };
  for (const response of await both(setup)) {
    expect(await response.json()).toEqual({ name: "later" });
  }
});

test.for([
  ["an exact status", { status: 200, body: { a: "x" } }, { 200: withBody }, undefined],
  ["a range", { status: 404, body: { a: "x" } }, { "4XX": withBody }, undefined],
  ["the default", { status: 404, body: { a: "x" } }, { default: withBody }, undefined],
  ["absent members", { status: 200, body: { a: "x", b: undefined } }, { 200: withBody }, undefined],
  ["a missing status", { status: 201 }, { 200: plain }, "status 201 is not in the contract"],
  [
    "a wrong body",
    { status: 200, body: { a: 1 } },
    { 200: withBody },
    "status 200: /a must be a string",
  ],
  ["no body", { status: 200 }, { 200: withBody }, "status 200: the body is missing"],
  [
    "a body too many",
    { status: 200, body: 1 },
    { 200: plain },
    "status 200: the contract has no body here",
  ],
  [
    "another content type",
    { status: 200, body: "x", contentType: "text/plain" },
    { 200: withBody },
    "status 200: the content type text/plain is not in the contract",
  ],
  [
    "a missing header",
    { status: 200 },
    { 200: { ...plain, headers: { Location: { required: true, schema: {} } } } },
    "status 200 lacks the header location",
  ],
  [
    "a missing header of a zod object",
    { status: 200 },
    {
      200: {
        ...plain,
        headers: z.object({
          A: z.string(),
          B: z.string().optional(),
          C: z.string().exactOptional(),
        }),
      },
    },
    "status 200 lacks the header a",
  ],
  [
    "headers of the edge",
    { status: 200 },
    { 200: { ...plain, headers: { "X-Request-Id": { required: true, schema: {} } } } },
    undefined,
  ],
] as [string, WireAnswer, Responses, string | undefined][])(
  "checks %s",
  async ([, answer, responses, problem]) => {
    const setup = { ...answering(answer, responses), edge: { checkAnswers: true } };
    const response = await appOf(setup).app.request("/one");
    const refused = { code: "answer", message: `one: ${String(problem)}` };
    expect([response.status, await response.text()]).toEqual(
      problem === undefined
        ? [answer.status, answer.body === undefined ? "" : JSON.stringify(answer.body)]
        : [500, JSON.stringify(refused)],
    );
  },
);

test("lets default stand only for the statuses the contract names", async () => {
  const extra = { "x-default-statuses": [404] };
  const responses = { default: plain };
  for (const [status, expected] of [
    [404, 404],
    [409, 500],
  ] as const) {
    const setup = { ...answering({ status }, responses, extra), edge: { checkAnswers: true } };
    expect((await appOf(setup).app.request("/one")).status).toBe(expected);
  }
});

test("checks refusals too, and does not loop when the refusal of a refusal is wrong", async () => {
  const boom = (): never => {
    throw new TypeError("boom");
  };
  const setup = { ...answering(boom, { 200: plain }), edge: { checkAnswers: true } };
  const { app, log } = appOf(setup);
  const response = await app.request("/one");
  expect(await response.json()).toEqual({
    code: "answer",
    message: "one: status 500 is not in the contract",
  });
  expect(log.lines).toEqual([
    "begin",
    "authenticate",
    "refuse TypeError",
    "refuse AnswerError",
    "answered 500",
  ]);
});

test("what is made of a constant body is made once, and sent again", async () => {
  let made = 0;
  const inner = { toJSON: () => `é${++made}` };
  const body = constantBody({ a: inner });
  const setup = answering({ status: 200, body }, { 200: withBody });
  for (const response of [...(await both(setup)), ...(await both(setup))]) {
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.text()).toBe('{"a":"é1"}');
  }
  expect(made).toBe(1);
  expect(() => Object.assign(body, { a: "other" })).toThrow(TypeError);
  expect(() => Object.assign(inner, { b: 1 })).toThrow(TypeError);
});

test("what lies below a frozen part of a constant body is frozen, too; bytes are not", () => {
  const list = [1];
  const itself: Record<string, unknown> = { list };
  const body = { a: Object.freeze(itself), bytes: new Uint8Array(1) };
  expect(constantBody(body)).toBe(body);
  expect(() => list.push(2)).toThrow(TypeError);
});

test("a constant body has to keep the contract, too", async () => {
  const setup = answering({ status: 200, body: constantBody({ a: 1 }) }, { 200: withBody });
  for (const response of await both({ ...setup, edge: { checkAnswers: true } })) {
    expect(response.status).toBe(500);
  }
});

test("what JSON cannot say is no constant body", () => {
  expect(() => constantBody(() => 1)).toThrow("nothing JSON can say");
});
