// Each operation over a bare socket: what HTTP or the document forbids is refused as the document says,
// nothing is written by it, and the connection is closed or still in step.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ratePolicies } from "../../service/ports/rate-limits.ts";
import { startServer, type TestServer } from "../programs/start-server.ts";
import { catalogPath, shippedCatalogText } from "../support/catalog.ts";
import { type Answer, errorOf, readAnswer } from "../support/contract-answers.ts";
import { type Operation, operations } from "../support/contract-document.ts";
import { targetOf, validRequest } from "../support/contract-requests.ts";
import {
  changedTables,
  type Contents,
  type ContentsReader,
  readContentsOf,
} from "../support/database-contents.ts";
import { type MadeDatabase, makeDatabase } from "../support/engines.ts";
import {
  type Expecting,
  type Probe,
  RawConnection,
  type RawReply,
} from "../../generator/suite/raw-connection.ts";
import { chunked, methodsAt, rawRequest, type RawWish, type Refused } from "./protocol-requests.ts";
import { refusedRequests } from "./protocol-refused.ts";

let made: MadeDatabase;
let server: TestServer;
let contents: ContentsReader;

const endless = Object.fromEntries(Object.keys(ratePolicies).map((name) => [name, 1_000_000]));

beforeAll(async () => {
  made = await makeDatabase("PostgreSQL");
  const { database } = made;
  // A second for what would be 30 of them: long for a request of a test, short for who waits for its end.
  const limits = {
    headersTimeoutMilliseconds: 1_000,
    requestTimeoutMilliseconds: 1_000,
    timeoutCheckMilliseconds: 50,
  };
  server = await startServer({ database, limits, quotas: endless });
  const catalog = { name: catalogPath, text: shippedCatalogText };
  await server.service.operator.applyCatalog(catalog, { isDryRun: false });
  contents = await readContentsOf((text, values) =>
    database.run<readonly unknown[], Readonly<Record<string, unknown>>>(
      { name: "", text, list: (given) => given },
      values,
    ),
  );
});
afterAll(async () => {
  await server.close();
  await made.remove();
});

const health: Probe = {
  target: "/healthz",
  isAnswer: ({ status, text }) => status === 200 && text === '{"status":"alive"}',
};

async function onConnection<Result>(
  work: (connection: RawConnection) => Promise<Result>,
): Promise<Result> {
  const connection = new RawConnection(server.port, health);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Judged by the document; without an operation as an answer of the server itself. */
async function judged(reply: RawReply | undefined, operation?: Operation): Promise<Answer> {
  if (reply === undefined) throw new Error("the connection has ended without an answer");
  const { status, headers, text } = reply;
  const hasNone = status === 304 || status === 204;
  return readAnswer(new Response(hasNone ? null : text, { status, headers }), operation);
}

const signed = (operation: Operation, wish?: RawWish): Buffer =>
  rawRequest(server.credentials, operation, wish);

/** of the database, when it was looked at last */
let last: Contents = new Map();

/** Tables that are not as they were, but for the nonces of those who were known. */
async function written(): Promise<readonly string[]> {
  const before = last;
  last = await contents.read();
  return changedTables(before, last).filter((name) => name !== "nonces");
}

async function expectRefused(operation: Operation, refused: Refused): Promise<void> {
  const { bytes, status, code, by } = refused;
  await onConnection(async (connection) => {
    connection.send(bytes(server.credentials, operation));
    const reply = await connection.reply();
    expect({ status: reply?.status, text: reply?.text }).toMatchObject({ status });
    const answer = await judged(reply, by === "operation" ? operation : undefined);
    expect(errorOf(answer.body).code).toBe(code);
    const isClosed = reply?.headers.get("Connection") === "close";
    // what has ended is said to end, and what goes on is in step
    expect(await connection.isUsable()).toBe(!isClosed);
  });
}

describe.each(operations)("$operationId refuses", (operation) => {
  beforeAll(written);

  const cases = refusedRequests.filter(({ only }) => only?.(operation) ?? true);

  test.each(cases)("$name", async (refused) => {
    await expectRefused(operation, refused);
  });

  const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"].filter(
    (method) => !methodsAt(operation.path).includes(method),
  );
  test.each(others)("%s, and says what it takes", async (method) => {
    await onConnection(async (connection) => {
      const isHead = method === "HEAD";
      connection.send(signed(operation, { method, body: "" }));
      const reply = await connection.reply({ isHead });
      const allow = methodsAt(operation.path).join(", ");
      expect([reply?.status, reply?.headers.get("Allow")]).toEqual([405, allow]);
      if (!isHead) await judged(reply);
      expect(await connection.isUsable()).toBe(true);
    });
  });

  test("and has written nothing of all that", async () => {
    expect(await written()).toEqual([]);
  });
});

const withBody = operations.filter(({ body }) => body !== undefined);
const bodyOf = (operation: Operation): string => JSON.stringify(validRequest(operation).body);

/** What the rules say of the request; the form of it is right. */
async function expectTaken(
  operation: Operation,
  bytes: Buffer,
  expecting: Expecting = {},
): Promise<RawReply | undefined> {
  return onConnection(async (connection) => {
    connection.send(bytes);
    const reply = await connection.reply(expecting);
    expect([400, 401, 405, 408, 411, 413, 415, 417, 431, 500, 501]).not.toContain(reply?.status);
    if (expecting.isHead !== true) await judged(reply, operation);
    const isClosed = reply?.headers.get("Connection") === "close";
    expect(await connection.isUsable()).toBe(!isClosed);
    return reply;
  });
}

describe.each(withBody)("$operationId takes its body", (operation) => {
  const byHand = (sizes: (body: string) => readonly [string, number][], end: string): Buffer => {
    const lines = ["Transfer-Encoding: chunked"];
    const head = signed(operation, { lines, isBodyByHand: true });
    const body = bodyOf(operation);
    return Buffer.concat([head, Buffer.from(chunked(body, sizes(body)) + end)]);
  };
  const all = (body: string): readonly [string, number][] => [
    [body.length.toString(16), body.length],
  ];

  test("in one chunk, in small ones, with extensions and trailers", async () => {
    const single = (body: string) => Array.from(body, (): [string, number] => ["1", 1]);
    const extended = (body: string): readonly [string, number][] => [
      [`${body.length.toString(16)};name="value"`, body.length],
    ];
    await expectTaken(operation, byHand(all, "0\r\n\r\n"));
    await expectTaken(operation, byHand(single, "000\r\n\r\n"));
    await expectTaken(operation, byHand(extended, "0\r\nX-Trailer: 1\r\n\r\n"));
  });

  test("after it was asked whether to send it", async () => {
    await onConnection(async (connection) => {
      const body = bodyOf(operation);
      const lines = ["Expect: 100-continue", `Content-Length: ${body.length}`];
      connection.send(signed(operation, { lines, isBodyByHand: true }));
      expect((await connection.reply())?.status).toBe(100);
      connection.send(body);
      const { status } = await judged(await connection.reply(), operation);
      expect([400, 401, 417, 500]).not.toContain(status);
      expect(await connection.isUsable()).toBe(true);
    });
  });

  test("byte by byte", async () => {
    await onConnection(async (connection) => {
      for (const byte of signed(operation)) connection.send(Buffer.of(byte));
      const { status } = await judged(await connection.reply(), operation);
      expect([400, 401, 408, 500]).not.toContain(status);
    });
  });
});

test.each(operations)(
  "$operationId by HTTP/1.0: the same answer, and the end",
  async (operation) => {
    const reply = await expectTaken(operation, signed(operation, { version: "1.0" }));
    expect(reply?.headers.get("Connection")).toBe("close");
  },
);

test.each(operations.filter(({ method }) => method === "GET"))(
  "HEAD for $operationId: the head of the answer, and no body",
  async (operation) => {
    const reply = await expectTaken(operation, signed(operation, { method: "HEAD" }), {
      isHead: true,
    });
    const own = await expectTaken(operation, signed(operation));
    expect(reply?.status).toBe(own?.status);
    expect(reply?.headers.get("Content-Type")).toBe(own?.headers.get("Content-Type"));
    expect(reply?.text).toBe("");
  },
);

test.each(operations)(
  "$operationId in a row of requests: each has its answer, in order",
  async (operation) => {
    const stranger = `${operation.method} ${targetOf(validRequest(operation))} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    await onConnection(async (connection) => {
      const health = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
      connection.send(
        Buffer.concat([
          Buffer.from(health),
          signed(operation),
          Buffer.from(stranger),
          signed(operation, { target: "/v1/nowhere" }),
          Buffer.from(health),
        ]),
      );
      expect((await connection.reply())?.text).toBe('{"status":"alive"}');
      const own = await judged(await connection.reply(), operation);
      expect([400, 401, 500]).not.toContain(own.status);
      const unsigned = await judged(await connection.reply(), operation);
      expect([unsigned.status, errorOf(unsigned.body).code]).toEqual([400, "missing_header"]);
      expect((await judged(await connection.reply())).status).toBe(404);
      expect((await connection.reply())?.text).toBe('{"status":"alive"}');
      expect(await connection.isUsable()).toBe(true);
    });
  },
);

describe("a client that is never done", () => {
  beforeAll(written);

  const slow = async (bytesOf: (operation: Operation) => Buffer): Promise<void> => {
    // all at once: each waits for the same second
    const replies = operations.map((operation) =>
      onConnection(async (connection) => {
        const reply = await connection.send(bytesOf(operation)).reply();
        const { status, body } = await judged(reply);
        expect(await connection.reply()).toBeUndefined();
        return [operation.operationId, status, errorOf(body).code];
      }),
    );
    const wanted = operations.map(({ operationId }) => [operationId, 408, "request_timeout"]);
    expect(await Promise.all(replies)).toEqual(wanted);
  };

  test.each([
    ["with its headers", (operation: Operation) => signed(operation).subarray(0, 40)],
    [
      "with its body",
      (operation: Operation) =>
        signed(operation, { lines: ["Content-Length: 10"], isBodyByHand: true }),
    ],
    [
      "with its chunks",
      (operation: Operation) =>
        Buffer.concat([
          signed(operation, { lines: ["Transfer-Encoding: chunked"], isBodyByHand: true }),
          Buffer.from("5\r\n{"),
        ]),
    ],
  ])(
    "%s has 408 and the end of its connection, and has written nothing",
    async (_name, bytesOf) => {
      await slow(bytesOf);
      expect(await written()).toEqual([]);
    },
  );

  test.each(withBody)("$operationId, and goes away: nothing is written", async (operation) => {
    await onConnection(async (connection) => {
      const bytes = signed(operation);
      connection.send(bytes.subarray(0, bytes.length - 1)).finish();
      // it may be told that this was no request, or nothing
      const reply = await connection.reply();
      if (reply !== undefined) expect((await judged(reply)).status).toBe(400);
    });
    expect(await written()).toEqual([]);
  });
});
