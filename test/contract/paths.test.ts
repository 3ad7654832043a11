// What is answered outside the operations: unknown paths, other methods, requests that are hardly
// HTTP. All of it wears the contract's error body.

import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import {
  type Answer,
  briefly,
  checkAnswer,
  errorOf,
  readAnswer,
} from "../support/contract-answers.ts";
import { type Json, operations } from "../support/contract-document.ts";
import { newKey, sendPlain, targetOf, validRequest } from "../support/contract-requests.ts";
import { useContractServer } from "../support/contract-server.ts";

const server = useContractServer();

/** fetch would refuse TRACE and CONNECT itself. */
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Node's parser knows them; RFC 9110 and RFC 5789 do not. */
const foreignMethods = ["QUERY", "PURGE"];

async function ask(method: string, target: string): Promise<Answer> {
  const headers = { "Idempotency-Key": newKey() };
  const response = await sendPlain(server, { method, target, headers });
  if (method !== "HEAD") return readAnswer(response, undefined);
  expect(await response.text()).toBe("");
  return { status: response.status, headers: response.headers, body: undefined };
}

describe("unknown paths", () => {
  test.each([
    "/v1",
    "/v1/",
    "/v2/payments",
    "/v1/payment",
    "/v1/payments/",
    "/V1/payments",
    "/v1/Payments",
    "/v1/payments/pay_1",
    "/v1/payments/pay_1/cancel/",
    "/v1/payments/pay_1/cancel/now",
    "/v1/x402",
    "/v1/x402/other",
    "/v1/x402/settle/now",
    "/v1/currencies/cur_usdc/deployments",
    "/openapi.yaml",
    "/constructor",
    "/__proto__",
    "/v1/webhook-endpoints//status",
  ])("%s is 404, or 400 where it has no clear meaning", async (target) => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await ask(method, target);
      const isUnclear = target.includes("//");
      expect({ method, status: answer.status }).toEqual({ method, status: isUnclear ? 400 : 404 });
      expect(errorOf(answer.body).code).toBe(isUnclear ? "invalid_request" : "not_found");
    }
  });
});

const targets = new Map(operations.map((one) => [one.path, targetOf(validRequest(one))]));
const others = ["/", "/openapi.json", "/docs", "/docs/", "/healthz", "/readyz"];
const paths = [...targets, ...others.map((path) => [path, path] as const)];

describe.each(paths)("%s", (path, target) => {
  const own = operations.filter((one) => one.path === path).map(({ method }) => method);
  const allowed = new Set(own.length === 0 ? ["GET"] : own);
  if (allowed.has("GET")) allowed.add("HEAD");

  test.each(methods.filter((method) => !allowed.has(method)))("%s is 405", async (method) => {
    const answer = await ask(method, target);
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe([...allowed].toSorted().join(", "));
    if (method !== "HEAD") expect(errorOf(answer.body).code).toBe("method_not_allowed");
    else expect(answer.headers.get("x-request-id")).not.toBeNull();
  });

  test.each(foreignMethods)("%s is 501", async (method) => {
    const answer = await ask(method, target);
    expect([answer.status, errorOf(answer.body).code]).toEqual([501, "not_implemented"]);
  });
});

describe("HEAD", () => {
  const readable = operations.filter(({ method }) => method === "GET");
  test.each(readable)("of $path is GET without the body", async (operation) => {
    const target = targetOf(validRequest(operation));
    const get = await readAnswer(await sendPlain(server, { method: "GET", target }), operation);
    const head = await ask("HEAD", target);
    expect(head.status).toBe(get.status);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect(head.headers.get("x-request-id")).not.toBe(get.headers.get("x-request-id"));
  });

  test("is checked like GET", async () => {
    const response = await fetch(`${server.url}/v1/currencies`, { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([400, ""]);
  });
});

test("X-Request-Id is new for every request", async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask("GET", "/nowhere")));
  const ids = answers.map(({ headers }) => headers.get("x-request-id"));
  expect(new Set(ids).size).toBe(50);
});

// ---------------------------------------------------------------------------------------------
// Byte by byte, where a client library would be too polite

/** Sends the bytes and reads until the server closes the connection. */
function exchange(bytes: string): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes, "latin1"));
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    socket.once("error", reject);
    socket.once("close", () => {
      const [head = "", body = ""] = text.split("\r\n\r\n", 2);
      const [statusLine = "", ...lines] = head.split("\r\n");
      const headers = new Headers(
        lines.map((line): [string, string] => {
          const colon = line.indexOf(":");
          return [line.slice(0, colon), line.slice(colon + 1).trim()];
        }),
      );
      const status = Number(statusLine.split(" ")[1]);
      resolve({ status, headers, body: JSON.parse(body) as Json });
    });
  });
}

/** Of the right form: these requests are refused before anyone asks who has signed them. */
const wellFormed = {
  "X-Api-Key": "mk_test_0123456789abcdef",
  "X-Signature": "cc7db1407deb8b5b3e8496505d0c8279062da26ac246d5596d000568f2971d2d",
  "X-Timestamp": "1767225600",
  "X-Nonce": "n-8f14e45fceea167a5a36dedd4bea2543",
  "Idempotency-Key": "order-A-1001",
};

function head(line: string, ...headers: readonly string[]): string {
  const own = Object.entries(wellFormed).map(([name, value]) => `${name}: ${value}`);
  return `${[line, "Host: localhost", "Connection: close", ...own, ...headers].join("\r\n")}\r\n\r\n`;
}

describe("requests that are hardly HTTP", () => {
  test.each([
    ["a target of 17 kB", head(`GET /v1/currencies?cursor=${"a".repeat(17_000)} HTTP/1.1`), 431],
    ["no request line", "hello\r\n\r\n", 400],
    ["an unknown version", head("GET /v1/currencies HTTP/9.9"), 400],
    ["a line feed in a header", head("GET /v1/currencies HTTP/1.1", "X-A: b\nInjected"), 400],
  ])("%s: %s", async (_name, bytes, status) => {
    const answer = await exchange(bytes);
    expect(answer.status).toBe(status);
    checkAnswer(answer, undefined);
  });

  const list = operations.find(({ operationId }) => operationId === "listCurrencies");
  test.each([
    ["X-Api-Key: mk_test_0123456789abcdef", "/x-api-key"],
    ["x-nonce: n-8f14e45fceea167a5a36dedd4bea2543", "/x-nonce"],
    ["X-SIGNATURE: ", "/x-signature"],
    ["X-Timestamp: 1767225600", "/x-timestamp"],
  ])("a second %s is refused, even an equal one", async (line, pointer) => {
    const answer = await exchange(head("GET /v1/currencies HTTP/1.1", line));
    checkAnswer(answer, list);
    expect(errorOf(answer.body).code).toBe("invalid_header");
    expect(briefly(answer).map((one) => one.toLowerCase())).toEqual([`header ${pointer} pattern`]);
  });

  test.each(["\u00e9", "a\tb", "\u0080", "a b"])("a key with %j is refused", async (key) => {
    const { "Idempotency-Key": _left, ...rest } = wellFormed;
    const lines = Object.entries({ ...rest, "Idempotency-Key": key, "Content-Length": "0" });
    const [start] = head("POST /v1/payments/pay_1/cancel HTTP/1.1").split("X-Api-Key");
    const bytes = `${start}${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n`;
    const answer = await exchange(bytes);
    expect(answer.status).toBe(400);
    expect(briefly(answer).map((one) => one.toLowerCase())).toEqual([
      "header /idempotency-key pattern",
    ]);
  });
});
