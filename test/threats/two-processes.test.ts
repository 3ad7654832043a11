// Threats 2 and 9: two server processes on one database, and many requests at once over both.

import { expect, test } from "vitest";
import { readAnswer, type Answer } from "../support/contract-answers.ts";
import {
  newKey,
  send,
  type Signer,
  signedHeaders,
  validRequest,
} from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { urlOf, useInstallation } from "./processes.ts";

const installation = useInstallation();

/** Half of the requests to each of two servers, all at once. */
async function atOnce(
  count: number,
  ask: (url: string) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const servers = await Promise.all([installation.start(), installation.start()]);
  const urls = servers.map(urlOf);
  return Promise.all(Array.from({ length: count }, (_, at) => ask(urls[at % 2] ?? "")));
}

function tally(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { status, headers, body } of answers) {
    const code = status < 400 ? "" : ` ${(body as { code: string }).code}`;
    const name = `${status}${code}${headers.has("Idempotent-Replayed") ? " replayed" : ""}`;
    found[name] = (found[name] ?? 0) + 1;
  }
  return found;
}

test("100 requests with one Idempotency-Key over two processes have one effect", async () => {
  const merchant = await installation.newKey();
  const operation = operationBy("registerWebhookEndpoint");
  const headers = { "Idempotency-Key": newKey() };
  const request = validRequest(operation, { headers });
  const answers = await atOnce(100, async (url) =>
    readAnswer(await send({ ...merchant, url }, request), operation),
  );
  const { 201: first, "201 replayed": replayed = 0, ...others } = tally(answers);
  const { "409 idempotency_in_progress": waiting = 0, ...wrong } = others;
  expect({ first, wrong, all: 1 + replayed + waiting }).toEqual({
    first: 1,
    wrong: {},
    all: 100,
  });
  const bodies = answers
    .filter(({ status }) => status === 201)
    .map(({ body }) => JSON.stringify(body));
  expect(new Set(bodies).size).toBe(1);
  const rows = await installation.query("select idempotency_key from webhook_endpoints");
  expect(rows).toEqual([{ idempotency_key: headers["Idempotency-Key"] }]);
});

test("the same signed bytes 100 times over two processes are taken once", async () => {
  const merchant: Signer = await installation.newKey();
  const operation = operationBy("getCurrency");
  const target = "/v1/currencies/cur_usdc";
  const headers = signedHeaders(merchant, { method: "GET", target });
  const answers = await atOnce(100, async (url) =>
    readAnswer(await fetch(url + target, { headers }), operation),
  );
  expect(tally(answers)).toEqual({ 200: 1, "401 nonce_reused": 99 });
});
