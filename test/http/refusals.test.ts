// The contract's error body for everything that is not a success.

import { afterEach, describe, expect, test } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import { refusalBody } from "./answers.ts";
import { paymentBody, startServer } from "../programs/start-server.ts";
import type { TestServer, TestServerOptions } from "../programs/start-server.ts";

/** Signed. */
function postPayment(server: TestServer, body = paymentBody) {
  const target = "/v1/payments";
  const signed = server.sign({ method: "POST", target, body });
  const headers = { ...signed, "Content-Type": "application/json" };
  return fetch(server.url + target, { method: "POST", body, headers });
}

test.each([
  ["JSON", JSON.stringify({ merchant_order_no: "hidden\n", quotes: { cur_usdc: "hidden" } })],
  ["no JSON", '{"a":"hidden" hidden'],
])("no message repeats a value of the request: %s", async (_name, body) => {
  const server = await startServer();
  const text = await (await postPayment(server, body)).text();
  expect(text).toContain('"violations":[{');
  expect(text).not.toContain("hidden");
  await server.close();
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
      const details = { payment_id: "pay_01KDVDNA006Q3D25VT4F5V37EK" };
      throw new ServiceError("order_already_exists", "This order exists.", { details });
    });
    const body = await refusalBody(await postPayment(running), 409);
    expect(body).toMatchObject({
      code: "order_already_exists",
      message: "This order exists.",
      details: { payment_id: "pay_01KDVDNA006Q3D25VT4F5V37EK" },
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
