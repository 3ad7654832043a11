// Threats 60 and 62: the process that recorded the events is killed before it could deliver them.
// The receiver is built with the official package of Standard Webhooks, which knows nothing of us.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import { send, type Signer, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { urlOf, useInstallation } from "./processes.ts";

const installation = useInstallation();
const eventsCount = 25;

interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
/** Answers that a receiver keeps back: its sender waits, and dies waiting. */
let held: ServerResponse[] | undefined = [];
let arrived = Promise.withResolvers<undefined>();

const receiver = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (text: string) => (body += text));
  request.on("end", () => {
    if (held === undefined) {
      received.push({ headers: request.headers, body });
      response.writeHead(204).end();
    } else {
      held.push(response);
    }
    arrived.resolve(undefined);
    arrived = Promise.withResolvers<undefined>();
  });
});

beforeAll(async () => {
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

async function act(signer: Signer, operationId: string, body: JsonObject): Promise<JsonObject> {
  const response = await send(signer, validRequest(operationBy(operationId), { body }));
  const answer = (await response.json()) as JsonObject;
  expect({ operationId, status: response.status, answer }).toMatchObject({
    status: operationId.startsWith("register") ? 201 : 200,
  });
  return answer;
}

/** Each as its own receiver would read it; throws when the signature is wrong. */
function verified(secret: string, { headers, body }: Received): JsonObject {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  const payload = new Webhook(secret).verify(body, signed) as JsonObject;
  expect(payload["id"]).toBe(headers["webhook-id"]);
  return payload;
}

test("kill -9 between event and delivery loses no event", async () => {
  const hosts = { WEBHOOK_HTTP_HOSTS: "127.0.0.1" };
  const first = await installation.start(hosts);
  const merchant = { ...(await installation.newKey()), url: urlOf(first) };
  // It listens on a port, so it has an address of this form.
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hooks`;
  const { secret } = await act(merchant, "registerWebhookEndpoint", { url });

  const isUnderWay = arrived.promise;
  for (let count = 0; count < eventsCount; count += 1) {
    await act(merchant, "replaceCurrencyAcceptance", { currencies: {} });
  }
  await isUnderWay;
  first.kill("SIGKILL");
  await first.ended;
  held = undefined;
  // Nothing was delivered: the one attempt that was under way has died with its process.
  const states = "select distinct status, attempts from webhook_deliveries";
  expect(await installation.query(states)).toEqual([{ status: "pending", attempts: 0 }]);
  // What the dead process had claimed is free a minute later; here it is later at once.
  await installation.query(
    "update webhook_deliveries set claim_expires_at = now() - interval '1 s' where claim_token is not null",
  );

  await installation.start(hosts);
  while (received.length < eventsCount) await arrived.promise;
  const payloads = received.map((one) => verified(textOf(secret), one));
  const events = await installation.query("select id from events order by sequence");
  expect(payloads.map((one) => one["id"])).toEqual(events.map(({ id }) => id));
  expect(payloads.map((one) => one["sequence"])).toEqual(events.map((_, at) => at + 1));
  expect(new Set(payloads.map((one) => one["type"]))).toEqual(
    new Set(["currency_acceptance.updated"]),
  );
});
