// Threats 13, 64 and 65: a whole session, faults included, and then a search for its secrets in
// everything that somebody else may come to read.

import { describe, expect, test } from "vitest";
import { type Json, type JsonObject, textOf } from "../support/contract-document.ts";
import {
  type Change,
  newKey,
  send,
  type Signer,
  validRequest,
} from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { engines } from "../support/engines.ts";
import { answerWith, startReceiver } from "../webhooks/receiver.ts";
import { Session, spellings } from "./session.ts";

type Ask = (signer: Signer, operationId: string, change?: Change) => Promise<Json>;

/** What was asked and answered, with every secret that came up. */
class Notes {
  readonly secrets = new Set<string>();
  readonly outcomes = new Set<string>();
  readonly statuses = new Set<number>();
  readonly errors: string[] = [];

  readonly ask: Ask = async (signer, operationId, change = {}) => {
    const response = await send(signer, validRequest(operationBy(operationId), change));
    const text = await response.text();
    this.statuses.add(response.status);
    this.outcomes.add(`${operationId} ${response.status < 400 ? "answered" : "refused"}`);
    if (response.status >= 400) {
      // A pointer names the sender's own member or parameter, to the sender only.
      const told = text.replaceAll(/"pointer":"[^"]*"/g, "");
      this.errors.push(`${JSON.stringify([...response.headers])}\n${told}`);
    }
    const body = text === "" ? null : (JSON.parse(text) as Json);
    const { secret } = (body ?? {}) as JsonObject;
    if (typeof secret === "string") this.secrets.add(secret);
    return body;
  };
}

/** A registered endpoint, its secret, and an event that reached it. */
async function deliver(merchant: Signer, { ask, secrets }: Notes) {
  const arrived = Promise.withResolvers<undefined>();
  const receiver = await startReceiver((response, request) => {
    answerWith(204)(response, request);
    arrived.resolve(undefined);
  });
  const headers = { "Idempotency-Key": newKey() };
  const change = { headers, body: { url: receiver.url } };
  const registered = await ask(merchant, "registerWebhookEndpoint", change);
  await ask(merchant, "registerWebhookEndpoint", change);
  await ask(merchant, "replaceCurrencyAcceptance");
  await arrived.promise;
  await receiver[Symbol.asyncDispose]();
  const secret = textOf((registered as JsonObject)["secret"]);
  expect(secrets).toContain(secret);
  return { id: textOf((registered as JsonObject)["id"]), secret };
}

/** Every operation: rightly, with a wrong secret, with a secret for a key, with one in the query. */
async function operate(merchant: Signer, id: string, { ask, secrets }: Notes): Promise<void> {
  const path = { id };
  const session: readonly (readonly [string, Change])[] = [
    ["registerWebhookEndpoint", {}],
    ["getWebhookEndpoint", { path }],
    ["updateWebhookEndpoint", { path }],
    ["setWebhookEndpointStatus", { path }],
    ["rotateWebhookEndpointSecret", { path }],
    ["listWebhookDeliveries", {}],
    ["listCurrencies", {}],
    ["getCurrency", { path: { id: "cur_usdc" } }],
    ["replaceCurrencyAcceptance", {}],
  ];
  const other = Array.from(secrets).find((one) => one !== merchant.secret) ?? "";
  for (const [operationId, change] of session) {
    await ask(merchant, operationId, change);
    await ask({ ...merchant, secret: other }, operationId, change);
    await ask({ ...merchant, key: merchant.secret }, operationId, change);
    await ask(merchant, operationId, { ...change, query: `secret=${merchant.secret}` });
  }
}

/** In paths, headers and bodies that are refused. */
async function misplace(merchant: Signer, id: string, { ask, secrets }: Notes): Promise<void> {
  for (const secret of secrets) {
    await ask(merchant, "getWebhookEndpoint", { path: { id: "whe_0" }, query: secret });
    const body = { url: `https://shop.example/${secret}#`, [secret]: secret };
    await ask(merchant, "registerWebhookEndpoint", { body: { url: `ftp://${secret}` } });
    await ask(merchant, "registerWebhookEndpoint", { body });
    await ask(merchant, "setWebhookEndpointStatus", { path: { id }, body: { active: secret } });
    await ask(merchant, "registerWebhookEndpoint", {
      headers: { "X-Signature": secret, "Idempotency-Key": newKey() },
    });
  }
}

/** A driver that says in its error what it was given, and a database that is not there. */
async function fail(merchant: Signer, session: Session, { ask, secrets }: Notes): Promise<void> {
  const written = Array.from(secrets, (one) => `"${one}"`).join(", ");
  const error = Object.assign(new Error(`near ${written}`), { parameters: [...secrets] });
  const everything = [{ effect: error }, { everything: error }, { everything: "away" }] as const;
  for (const fault of everything) {
    await session.database.withFault(fault, async () => {
      await ask(merchant, "replaceCurrencyAcceptance");
      await ask(merchant, "registerWebhookEndpoint", { body: { url: "https://shop.example/" } });
      await ask(merchant, "listWebhookDeliveries");
    });
  }
}

describe.each(engines)("on %s", (engine) => {
  test("no secret stands in a log line, in an error or in the database", async () => {
    await using session = await Session.open(engine);
    const server = await session.start();
    const merchant = await session.newMerchant(server);
    const stranger = await session.newMerchant(server);
    const notes = new Notes();
    for (const { secret } of [merchant, stranger]) notes.secrets.add(secret);
    const { id } = await deliver(merchant, notes);
    await operate(merchant, id, notes);
    await misplace(merchant, id, notes);
    await fail(merchant, session, notes);
    expect(notes.outcomes.size).toBe(18);
    expect([...notes.statuses]).toEqual(expect.arrayContaining([200, 201, 400, 401, 500, 503]));
    // two API keys, two endpoints, a rotation
    expect(notes.secrets.size).toBe(5);
    notes.secrets.add(session.encryptionKey);
    await server.close();

    const shown = {
      log: session.log(),
      errors: notes.errors.join("\n"),
      database: await session.dump(),
    };
    expect(shown.log.split("\n").length).toBeGreaterThan(40);
    expect(shown.database).toContain(merchant.key);
    expect(shown.database).toMatch(/,delivered,/);
    for (const [place, text] of Object.entries(shown)) {
      const found = [...notes.secrets].flatMap(spellings).filter((one) => text.includes(one));
      expect({ place, found }).toEqual({ place, found: [] });
    }
    expect(shown.log).not.toMatch(/sk_test_|whsec_/);
    expect(shown.database).not.toMatch(/sk_test_|whsec_/);
  });
});
