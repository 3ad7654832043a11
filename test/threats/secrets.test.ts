// Threats 13, 64 and 65: a whole session, faults included, and then a search for its secrets in
// everything that somebody else may come to read.

import { expect, test } from "vitest";
import { type Json, type JsonObject, textOf } from "../support/contract-document.ts";
import {
  type Change,
  newKey,
  send,
  type Signer,
  validRequest,
} from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { urlOf, useInstallation } from "./processes.ts";

const installation = useInstallation();

/** As a database dump, a log or an encoder might spell it. */
function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const plain = secret.replace(/^(?:sk_test_|whsec_)/, "");
  const decoded = Buffer.from(plain, "base64");
  const all = [plain, bytes.toString("hex"), bytes.toString("base64").replace(/=+$/, "")];
  return [...all, decoded.toString("hex"), decoded.toString("base64url").replace(/=+$/, "")];
}

test(
  "no secret stands in a log line, in an error or in the database",
  { timeout: 60_000 },
  async () => {
    const server = await installation.start();
    const merchant = { ...(await installation.newKey()), url: urlOf(server) };
    const stranger = { ...(await installation.newKey()), url: urlOf(server) };
    const secrets = new Set([merchant.secret, stranger.secret]);
    const errors: string[] = [];
    const statuses = new Set<string>();

    const ask = async (signer: Signer, operationId: string, change: Change = {}): Promise<Json> => {
      const response = await send(signer, validRequest(operationBy(operationId), change));
      const text = await response.text();
      statuses.add(`${operationId} ${response.status < 400 ? "answered" : "refused"}`);
      if (response.status >= 400) {
        // A pointer names the sender's own member or parameter, to the sender only.
        const told = text.replaceAll(/"pointer":"[^"]*"/g, "");
        errors.push(`${JSON.stringify([...response.headers])}
${told}`);
      }
      const body = text === "" ? null : (JSON.parse(text) as Json);
      const { secret } = (body ?? {}) as JsonObject;
      if (typeof secret === "string") secrets.add(secret);
      return body;
    };

    const headers = { "Idempotency-Key": newKey() };
    const registered = await ask(merchant, "registerWebhookEndpoint", { headers });
    await ask(merchant, "registerWebhookEndpoint", { headers });
    const id = textOf((registered as JsonObject)["id"]);
    const [known] = [...secrets].toReversed();
    const path = { id };
    const session: readonly (readonly [string, Change])[] = [
      ["getWebhookEndpoint", { path }],
      ["updateWebhookEndpoint", { path }],
      ["setWebhookEndpointStatus", { path }],
      ["rotateWebhookEndpointSecret", { path }],
      ["listWebhookDeliveries", {}],
      ["listCurrencies", {}],
      ["getCurrency", { path: { id: "cur_usdc" } }],
      ["replaceCurrencyAcceptance", {}],
    ];
    for (const [operationId, change] of session) {
      await ask(merchant, operationId, change);
      await ask({ ...merchant, secret: stranger.secret }, operationId, change);
      await ask({ ...merchant, key: merchant.secret }, operationId, change);
      await ask(merchant, operationId, { ...change, query: `secret=${merchant.secret}` });
    }
    // secrets where they do not belong: in paths and bodies that are refused
    for (const secret of [merchant.secret, String(known)]) {
      await ask(merchant, "getWebhookEndpoint", { path: { id: "whe_0" }, query: secret });
      const body = { url: `https://shop.example/${secret}#`, [secret]: secret };
      await ask(merchant, "registerWebhookEndpoint", { body: { url: `ftp://${secret}` } });
      await ask(merchant, "registerWebhookEndpoint", { body });
      await ask(merchant, "setWebhookEndpointStatus", { path, body: { active: secret } });
      await ask(merchant, "registerWebhookEndpoint", {
        headers: { "X-Signature": secret, ...headers },
      });
    }
    expect(statuses.size).toBe(18);
    expect(secrets.size).toBe(4);
    secrets.add(installation.encryptionKey);

    server.kill("SIGTERM");
    await server.ended;
    const shown = {
      log: `${server.output()}\n${server.errors()}`,
      errors: errors.join("\n"),
      database: await dump(),
    };
    expect(shown.log.split("\n").length).toBeGreaterThan(40);
    expect(shown.database).toContain(merchant.key);
    for (const [place, text] of Object.entries(shown)) {
      const found = [...secrets].flatMap(spellings).filter((one) => text.includes(one));
      expect({ place, found }).toEqual({ place, found: [] });
    }
    expect(shown.log).not.toMatch(/sk_test_|whsec_/);
    expect(shown.database).not.toMatch(/sk_test_|whsec_/);
  },
);

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const tables = await installation.query(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  expect(tables.length).toBeGreaterThan(10);
  const rows = await Promise.all(
    tables.map(({ name }) => installation.query(`select t::text as line from "${String(name)}" t`)),
  );
  return rows
    .flat()
    .map(({ line }) => String(line))
    .join("\n");
}
