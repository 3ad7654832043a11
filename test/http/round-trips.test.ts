// How often a request asks the database: what is fast about a write is what it leaves out.

import { expect, onTestFinished, test } from "vitest";
import { countingDatabase } from "../support/counting-database.ts";
import { openDatabase } from "../support/engines.ts";
import { startServer } from "../programs/start-server.ts";
import type { ToSign } from "../programs/start-server.ts";

const body = JSON.stringify({ url: "https://shop.example/hooks" });
const register: ToSign = {
  method: "POST",
  target: "/v1/webhook-endpoints",
  body,
  idempotencyKey: "register-1",
};

test("a write asks twice, its replay once, and a refused one looks whether it was done", async () => {
  const { names, database } = countingDatabase(await openDatabase("PostgreSQL"));
  const server = await startServer({ database });
  onTestFinished(() => server.close());
  const send = async (request: ToSign) => {
    names.length = 0;
    const response = await fetch(server.url + request.target, {
      method: request.method,
      body: request.body ?? null,
      headers: { "Content-Type": "application/json", ...server.sign(request) },
    });
    await response.text();
    return [response.status, ...names];
  };
  expect(await send({ ...register, idempotencyKey: "register-0" })).toEqual([
    201,
    // kept by the process from here on
    "find_api_key_secret",
    "admit_request",
    "register_webhook_endpoint",
  ]);
  const other = JSON.stringify({ url: "https://shop.example/other" });
  expect(await send({ ...register, body: other })).toEqual([
    201,
    "admit_request",
    "register_webhook_endpoint",
  ]);
  expect(await send({ ...register, body: other })).toEqual([201, "admit_request"]);
  expect(await send(register)).toEqual([422, "admit_request"]);
  expect(await send({ ...register, idempotencyKey: "register-2" })).toEqual([
    409,
    "admit_request",
    "register_webhook_endpoint",
    "read_idempotency_key",
  ]);
});
