// The contract's error body for everything that is not a success.

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import { refusalBody } from "./answers.ts";
import { paymentBody, startServer } from "../programs/start-server.ts";
import type { TestServer, TestServerOptions } from "../programs/start-server.ts";

const json = { "Content-Type": "application/json" };

interface Posted {
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Signed, then changed. */
function postPayment(server: TestServer, posted: Posted = {}) {
  const { path = "/v1/payments", headers, body = paymentBody } = posted;
  const signed = server.sign({ method: "POST", target: path, body });
  const init = { method: "POST", body, headers: { ...signed, ...json, ...headers } };
  return fetch(server.url + path, init);
}

describe("a request that breaks the contract", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(async () => {
    await server.close();
  });

  test("unknown path: 404", async () => {
    const body = await refusalBody(await fetch(`${server.url}/v2/payments`), 404);
    expect(body.code).toBe("not_found");
  });

  test.each([
    ["DELETE", "/v1/payments", "POST"],
    ["POST", "/openapi.json", "GET, HEAD"],
    ["PUT", "/docs/assets/start.js", "GET, HEAD"],
    ["PURGE", "/readyz", "GET, HEAD"],
  ])("%s %s: 405 with the methods there are", async (method, path, allow) => {
    const response = await fetch(server.url + path, { method });
    const body = await refusalBody(response, 405);
    expect(body.code).toBe("method_not_allowed");
    expect(response.headers.get("Allow")).toBe(allow);
  });

  test("a body that is not JSON: 400 invalid_json", async () => {
    const body = await refusalBody(await postPayment(server, { body: '{"a":' }), 400);
    expect(body.code).toBe("invalid_json");
  });

  test.each([
    ["JSON", JSON.stringify({ merchant_order_no: "hidden\n", quotes: { cur_usdc: "hidden" } })],
    ["no JSON", '{"a":"hidden" hidden'],
  ])("no message repeats a value of the request: %s", async (_name, sent) => {
    const text = await (await postPayment(server, { body: sent })).text();
    expect(text).toContain('"violations":[{');
    expect(text).not.toContain("hidden");
  });

  test("JSON deeper than 32 levels: 400", async () => {
    const deep = `${'{"a":'.repeat(33)}1${"}".repeat(33)}`;
    const body = await refusalBody(await postPayment(server, { body: deep }), 400);
    expect(body.code).toBe("invalid_json");
  });

  test("another media type: 415", async () => {
    const headers = { "Content-Type": "text/plain" };
    const body = await refusalBody(await postPayment(server, { headers }), 415);
    expect(body.code).toBe("unsupported_media_type");
  });

  test("a body over 64 kB: 413", async () => {
    const long = JSON.stringify({ merchant_order_no: "a".repeat(70_000) });
    const body = await refusalBody(await postPayment(server, { body: long }), 413);
    expect(body.code).toBe("body_too_large");
  });

  test("a required header absent: missing_header, and the message names it", async () => {
    const signed = server.sign({ method: "POST", target: "/v1/payments", body: paymentBody });
    const { "X-Nonce": _absent, ...rest } = signed;
    const init = { method: "POST", body: paymentBody, headers: { ...rest, ...json } };
    const body = await refusalBody(await fetch(`${server.url}/v1/payments`, init), 400);
    expect(body.code).toBe("missing_header");
    expect(body.message).toContain("X-Nonce");
    expect(body.details.violations).toMatchObject([{ in: "header", rule: "required" }]);
  });

  test("a header off its form: invalid_header, and its value is not repeated", async () => {
    const headers = { "X-Signature": "sk_live_not-a-signature", "X-Nonce": "bad-nonce-value!" };
    const response = await postPayment(server, { headers });
    const body = await refusalBody(response, 400);
    expect(body.code).toBe("invalid_header");
    const names = body.details.violations?.map(({ pointer }) => pointer);
    expect(names).toEqual(expect.arrayContaining(["/X-Signature", "/X-Nonce"]));
    expect(JSON.stringify(body)).not.toMatch(/sk_live|not-a-signature|bad-nonce/);
  });

  test("an undeclared query parameter: unknown_parameter", async () => {
    const response = await postPayment(server, { path: "/v1/payments?limits=1" });
    const body = await refusalBody(response, 400);
    expect(body.code).toBe("unknown_parameter");
    expect(body.details.violations).toMatchObject([{ in: "query", pointer: "/limits" }]);
  });

  test.each([
    ["invalid_limit", "limit=0"],
    ["invalid_limit", "limit=101"],
    ["invalid_limit", "limit=ten"],
    ["invalid_cursor", "cursor="],
  ])("%s for a list with ?%s", async (code, query) => {
    const target = `/v1/currencies?${query}`;
    const headers = server.sign({ method: "GET", target });
    const response = await fetch(server.url + target, { headers });
    expect((await refusalBody(response, 400)).code).toBe(code);
  });

  test("several parts at once: all of them are reported", async () => {
    const response = await postPayment(server, { path: "/v1/payments?x=1", body: "{}" });
    const body = await refusalBody(response, 400);
    const parts = new Set(body.details.violations?.map((violation) => violation.in));
    expect(parts).toEqual(new Set(["query", "body"]));
  });

  test("while the headers are wrong, nothing is said of what only their owner may ask", async () => {
    const response = await postPayment(server, {
      path: "/v1/payments?x=1",
      headers: { "X-Timestamp": "now" },
      body: "{}",
    });
    const body = await refusalBody(response, 400);
    const parts = new Set(body.details.violations?.map((violation) => violation.in));
    expect(parts).toEqual(new Set(["header"]));
  });
});

describe("a handler that fails", () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.close();
  });
  const start = async (handler: TestServerOptions["handler"] & object): Promise<TestServer> => {
    server = await startServer({ handler });
    return server;
  };

  const secret = "postgres://user:sk_live_abc@db/ and whsec_xyz=";

  test.each([
    ["an error", new Error(secret)],
    ["an error with a cause", new Error("outside", { cause: new Error(secret) })],
    ["a text", secret],
    ["nothing", undefined],
  ])("by throwing %s: 500 with a fixed text, the cause only in the log", async (_name, thrown) => {
    const running = await start(() => {
      // oxlint-disable-next-line typescript/only-throw-error -- libraries throw anything
      throw thrown;
    });
    const body = await refusalBody(await postPayment(running), 500);
    expect(body.code).toBe("internal_error");
    expect(JSON.stringify(body)).not.toMatch(/postgres|outside|at .*\.ts/);
    const lines = running.log.filter((line) => line["request_id"] === body.details.request_id);
    expect(lines).toMatchObject([
      { level: "error", operation: "createPayment", msg: "request failed inside" },
      { level: "info", operation: "createPayment", status: 500, code: "internal_error" },
    ]);
    expect(JSON.stringify(running.log)).not.toMatch(/sk_live_abc|whsec_xyz/);
  });

  test("by a rejected promise: 500", async () => {
    const running = await start(() => Promise.reject(new Error("later")));
    expect((await refusalBody(await postPayment(running), 500)).code).toBe("internal_error");
  });

  test("by an answer that the contract does not know: 500 while we build", async () => {
    const running = await start(() => ({ status: 299, body: { surprise: true } }));
    expect((await refusalBody(await postPayment(running), 500)).code).toBe("internal_error");
  });

  test("by a ServiceError: its code, its status, its details", async () => {
    const running = await start(() => {
      const details = { payment_id: "pay_1" };
      throw new ServiceError("order_already_exists", "This order exists.", { details });
    });
    const body = await refusalBody(await postPayment(running), 409);
    expect(body).toMatchObject({
      code: "order_already_exists",
      message: "This order exists.",
      details: { payment_id: "pay_1" },
    });
  });

  test("by a ServiceError of our own making: 503 with a fixed text and Retry-After", async () => {
    const running = await start(() => {
      const cause = new Error(secret);
      throw new ServiceError("service_unavailable", secret, { cause, retryAfterSeconds: 1.2 });
    });
    const response = await postPayment(running);
    const body = await refusalBody(response, 503);
    expect(response.headers.get("Retry-After")).toBe("2");
    expect(JSON.stringify(body)).not.toContain("postgres");
    expect(running.log[0]).toMatchObject({ level: "error", msg: "request failed inside" });
  });
});

test("an operation that nobody has written yet: 501 not_implemented", async () => {
  const { NotImplementedError } = await import("../../generated/runtime/runtime.ts");
  const server = await startServer({
    handler: () => {
      throw new NotImplementedError("createPayment");
    },
  });
  const body = await refusalBody(await postPayment(server), 501);
  expect(body.code).toBe("not_implemented");
  await server.close();
});
