// Threat 58: a merchant gives the address of something inside as its receiver, and then looks for what
// that has answered. Whatever comes back, only the status is kept, and that is shown to nobody.

import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../support/contract-document.ts";
import { send, type Signer, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { engines } from "../support/engines.ts";
import { startReceiver } from "../webhooks/receiver.ts";
import { Session, spellings } from "./session.ts";

/** What a metadata service of a cloud would say. */
const marker = "AKIAMARKEROFACREDENTIAL";
const document = JSON.stringify({ AccessKeyId: marker, Token: marker });

const headers = {
  "Content-Type": "application/json",
  "X-Credential": marker,
  "Set-Cookie": `session=${marker}`,
  "Retry-After": marker,
  Location: `http://169.254.169.254/${marker}`,
  ETag: `"${marker}"`,
};

/** Success, a redirect, nothing there, gone for good, and trouble: each is kept in its own way. */
const statuses = [200, 302, 404, 410, 500] as const;

async function call(merchant: Signer, id: string, body?: JsonObject): Promise<JsonObject> {
  const change = body === undefined ? {} : { body };
  const response = await send(merchant, validRequest(operationBy(id), change));
  expect({ id, ok: response.ok }).toEqual({ id, ok: true });
  // The contract's tests look at it closely.
  return (await response.json()) as JsonObject;
}

/** Answers with no HTTP: Node's error about it holds the bytes. */
async function startBabbler(): Promise<
  AsyncDisposable & { readonly url: string; met: Promise<void> }
> {
  const met = Promise.withResolvers<undefined>();
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.end(`HTTP/1.1 200 ${marker}\r\n${marker}\0: ${marker}\r\n\r\n${document}`);
      met.resolve(undefined);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    met: met.promise,
    [Symbol.asyncDispose]: async () => {
      server.close();
      await once(server, "close");
    },
  };
}

describe.each(engines)("on %s", (engine) => {
  test("what a receiver answers is kept nowhere and shown nowhere", async () => {
    await using session = await Session.open(engine);
    const waiting = new Map(statuses.map((one) => [one, Promise.withResolvers<undefined>()]));
    await using receiver = await startReceiver((response, { path = "" }) => {
      const status = statuses.find((one) => path.endsWith(`/${one}`)) ?? 500;
      response.writeHead(status, marker, headers);
      response.end(document, () => waiting.get(status)?.resolve(undefined));
    });
    await using babbler = await startBabbler();
    const first = await session.start();
    const merchant = await session.newMerchant(first);
    const urls = [...statuses.map((one) => `${receiver.url}/${one}`), babbler.url];
    for (const url of urls) await call(merchant, "registerWebhookEndpoint", { url });
    await call(merchant, "replaceCurrencyAcceptance", { currencies: {} });
    await Promise.all(Array.from(waiting.values(), ({ promise }) => promise));
    await babbler.met;
    // Waits until what is under way was written down.
    await first.close();

    const second = await session.start();
    const list = await call({ ...merchant, url: second.url }, "listWebhookDeliveries");
    const database = await session.dump();
    const shown = { list: JSON.stringify(list), database, log: session.log() };
    // Each was answered, and it was noticed.
    for (const status of statuses) expect(database).toMatch(new RegExp(`,${status},`));
    expect(database).toContain("not_http");
    expect(shown.list).toMatch(/"status":"delivered"/);
    expect(shown.log).toContain("listWebhookDeliveries");
    for (const [place, text] of Object.entries(shown)) {
      const found = [...spellings(marker), "169.254"].filter((one) => text.includes(one));
      expect({ place, found }).toEqual({ place, found: [] });
    }
  });
});
