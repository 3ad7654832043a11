// Answers that are a row of items: what is read of them, and what is found.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { Contract, type Operation } from "../../generator/suite/contract.ts";
import type { Json, JsonObject } from "../../generator/suite/json.ts";
import { readText, rowOf } from "../../generator/suite/streams.ts";
import { ContractSuite } from "../../generator/suite/suite.ts";

const thing: JsonObject = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" } },
};
const whole: JsonObject = {
  type: "object",
  required: ["data"],
  properties: { data: { $ref: "#/components/schemas/Thing" }, event: { enum: ["thing"] } },
};

const media: Readonly<Record<string, JsonObject>> = {
  "/data": { "text/event-stream": { schema: { $ref: "#/components/schemas/Thing" } } },
  "/events": { "text/event-stream": { schema: { $ref: "#/components/schemas/Event" } } },
  "/items": { "text/event-stream": { itemSchema: whole } },
  "/texts": {
    "text/event-stream": { itemSchema: { properties: { data: { type: "string", maxLength: 3 } } } },
  },
  "/choices": {
    "application/jsonl": {
      schema: { type: "array", items: { $ref: "#/components/schemas/Choice" } },
    },
  },
  "/bytes": { "application/octet-stream": {} },
  "/lines": { "application/x-ndjson": { schema: { type: "array", items: thing } } },
  "/sequence": { "application/json-seq": { schema: thing } },
  "/plain": { "application/jsonl": { schema: { type: "string" } } },
};

const document: JsonObject = {
  openapi: "3.2.0",
  info: { title: "Streams", version: "1" },
  paths: Object.fromEntries(
    Object.entries(media).map(([path, content]) => [
      path,
      { get: { operationId: path.slice(1), responses: { 200: { description: "", content } } } },
    ]),
  ),
  components: {
    schemas: {
      Thing: thing,
      Event: whole,
      Choice: { oneOf: [{ $ref: "#/components/schemas/Thing" }, { type: "integer", maximum: 3 }] },
    },
  },
};

const encoder = new TextEncoder();

interface Sent {
  /** after the text nothing comes, and it does not end */
  readonly isEndless?: boolean;
  readonly isBroken?: boolean;
}

async function problemOf(path: string, text: string, { isEndless, isBroken }: Sent = {}) {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(encoder.encode(text));
      if (isEndless !== true && isBroken !== true) controller.close();
    },
    pull: (controller) => {
      if (isBroken === true) controller.error(new Error("terminated"));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  const [type = ""] = Object.keys(media[path] ?? {});
  const response = new Response(body, { headers: { "content-type": type } });
  const suite = new ContractSuite({ document, send: () => Promise.resolve(response) });
  const operation = suite.operations.find((one) => one.path === path);
  if (operation === undefined) throw new Error(`there is no ${path}`);
  const request = { method: "GET", target: path, headers: {} };
  const one = { name: "it", request, expected: { kind: "taken" } } as const;
  const { problem } = await suite.run(operation, one);
  return isEndless === true ? [problem, isCancelled] : problem;
}

test.for<[string, string]>([
  ["/data", 'data: {"id":1}\n\n: note\n\nretry: 5\n\nevent: x\nid: 7\ndata: {\ndata: "id":2}\n\n'],
  ["/events", 'event: thing\ndata: {"id":1}\n\n'],
  ["/items", 'event: thing\r\ndata: {"id":1}\r\n\r\n'],
  ["/texts", "data: abc\n\ndata: 12\n\n"],
  ["/lines", '{"id":1}\n\n{"id":2}'],
  ["/sequence", '\u{1e}{"id":1}\n\u{1e}{"id":2}\n'],
  ["/plain", '1\n"anything"\n{}\n'],
  ["/lines", ""],
  ["/choices", '1\n{"id":1}\n'],
])("finds nothing in %s that is as it must be", async ([path, text]) => {
  expect(await problemOf(path, text)).toBeUndefined();
});

test.for<[string, string, string]>([
  ["/data", 'data: {"id":1}\n\ndata: {"id":"x"}\n\n', "body /1/id: breaks type"],
  ["/data", "data: [DONE]\n\n", "body /0: breaks type"],
  ["/events", 'event: other\ndata: {"id":1}\n\n', "body /0/event: breaks enum"],
  ["/events", 'data: {"id":1,"more":1}\n\n', "body /0/data/more: breaks unevaluatedProperties"],
  ["/items", "data: {}\n\n", "body /0/data/id: breaks required"],
  ["/texts", "data: abcd\n\n", "body /0/data: breaks maxLength"],
  ["/lines", '{"id":1}\n{"id":1.5}\n', "body /1/id: breaks type"],
  ["/lines", '{"id":1}\n{"id"\n', "body: item 2 is no JSON"],
  ["/sequence", '{"id":1}\n', "body: it does not begin with a separator"],
  ["/choices", "1\n7\n", "body /1: breaks type"],
  ["/plain", "text\n", "body: item 1 is no JSON"],
])("finds what is wrong in %s", async ([path, text, problem]) => {
  expect(await problemOf(path, text)).toBe(problem);
});

test("reads what comes of a stream without an end, and leaves", async () => {
  expect(await problemOf("/lines", '{"id":1}\n{"i', { isEndless: true })).toEqual([
    undefined,
    true,
  ]);
  const [problem] = (await problemOf("/data", "data: 1\n\ndata: x", { isEndless: true })) ?? [];
  expect(problem).toBe("body /0: breaks type");
});

test("bytes without an end are an answer, also before the first of them", async () => {
  expect(await problemOf("/bytes", "a", { isEndless: true })).toEqual([undefined, true]);
  expect(await problemOf("/bytes", "", { isEndless: true })).toEqual([undefined, true]);
});

test("a stream that never stops talking is left, too", async () => {
  const cancelled = Promise.withResolvers<undefined>();
  const talk = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await new Promise((resolve) => void setImmediate(resolve));
      controller.enqueue(encoder.encode(": a\n\n"));
    },
    cancel: () => cancelled.resolve(undefined),
  });
  const headers = { "content-type": "text/event-stream" };
  const read = await readText(new Response(talk, { headers }));
  expect(read.isWhole).toBe(false);
  await cancelled.promise;
});

test("a stream that breaks off is no whole answer", async () => {
  const problem = await problemOf("/lines", '{"id":1}\n', { isBroken: true });
  expect(problem).toBe("body: it breaks off: terminated");
});

test("reads no more than it needs of a flood", async () => {
  const flood = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(encoder.encode('{"id":1}\n'.repeat(1000))),
  });
  const response = new Response(flood, { headers: { "content-type": "application/jsonl" } });
  const read = await readText(response);
  expect(read.isWhole).toBe(false);
  expect(read.text.length).toBeLessThan(200_000);
  const { items } = rowOf("lines", read);
  expect(items.every((one: Json) => JSON.stringify(one) === '{"id":1}')).toBe(true);
});

test("over a socket: an event is judged, and the server hears that nobody listens", async () => {
  const left = Promise.withResolvers<undefined>();
  const server = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write('data: {"id":1}\n\ndata: {"id":"x"}\n\n');
    response.on("close", () => left.resolve(undefined));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // it listens on a port
  const { port } = server.address() as AddressInfo;
  const suite = new ContractSuite({
    document,
    send: ({ method, target }) => fetch(`http://127.0.0.1:${port}${target}`, { method }),
  });
  const operation = suite.operations.find(({ path }) => path === "/data");
  if (operation === undefined) throw new Error("there is no /data");
  const [one] = suite.triesOf(operation).tries;
  if (one === undefined) throw new Error("nothing is tried");
  const { problem } = await suite.run(operation, one);
  expect(problem).toBe("body /1/id: breaks type");
  await left.promise;
  server.close();
});

test("operations that stream are read as any others", () => {
  const contract: readonly Operation[] = new Contract(document).operations;
  expect(contract.map(({ path }) => path)).toEqual(Object.keys(media));
});
