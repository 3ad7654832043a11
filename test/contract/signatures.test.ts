// Requests whose signature is right for something else: each part that is signed, changed after
// signing; what may be spelled in two ways; and one nonce many times at once.

import { describe, expect, test } from "vitest";
import { type Answer, errorOf, readAnswer } from "../support/contract-answers.ts";
import { newKey, sendPlain, signedHeaders, type Signer } from "../support/contract-requests.ts";
import type { PlainRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { engines } from "../support/engines.ts";
import { useService } from "../support/service.ts";

const register = operationBy("registerWebhookEndpoint");
const list = operationBy("listCurrencies");
const hooks = "/v1/webhook-endpoints";

function registration(change: Partial<PlainRequest> = {}): PlainRequest {
  return {
    method: "POST",
    target: hooks,
    headers: { "Content-Type": "application/json", "Idempotency-Key": newKey() },
    body: '{"url":"https://shop.example/hooks"}',
    ...change,
  };
}

/** Signed as one request, sent as another. */
function sendAs(
  signer: Signer,
  signed: PlainRequest,
  sent: Partial<PlainRequest>,
): Promise<Response> {
  const headers = signedHeaders(signer, signed);
  for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value);
  const { method, target, body } = { ...signed, ...sent };
  return fetch(signer.url + target, { method, headers, body: body ?? null });
}

function flipped(signature: string, at: number): string {
  const digit = (Number.parseInt(signature.charAt(at), 16) ^ 1).toString(16);
  return signature.slice(0, at) + digit + signature.slice(at + 1);
}

describe.each(engines)("on %s", (engine) => {
  const service = useService(engine);

  const refused = async (response: Response): Promise<void> => {
    const { status, body } = await readAnswer(response, register);
    expect([status, errorOf(body).code]).toEqual([401, "authentication_failed"]);
  };

  test("a request as it was signed is taken", async () => {
    const merchant = await service.newMerchant();
    const answer = await readAnswer(await sendPlain(merchant, registration()), register);
    expect(answer.status).toBe(201);
  });

  test.each<[string, Partial<PlainRequest>]>([
    ["one byte of the body", { body: '{"url":"https://shop.example/hookz"}' }],
    ["white space in the body", { body: '{"url": "https://shop.example/hooks"}' }],
    ["a line feed at the end of the body", { body: '{"url":"https://shop.example/hooks"}\n' }],
    ["the body, left out", { body: undefined }],
    ["a query", { target: `${hooks}?limit=1` }],
    ["the path", { target: `${hooks}/whe_1/rotate-secret` }],
    ["the method", { method: "PUT", target: "/v1/currency-acceptance" }],
    ["the Idempotency-Key", { headers: { "Idempotency-Key": "another" } }],
    ["the nonce", { headers: { "X-Nonce": "n-0123456789abcdef" } }],
    ["the time", { headers: { "X-Timestamp": String(Math.floor(Date.now() / 1000) - 7) } }],
  ])("refuses a change after signing: %s", async (_name, sent) => {
    const merchant = await service.newMerchant();
    await refused(await sendAs(merchant, registration(), sent));
    expect(
      await service.count("select 1 from webhook_endpoints where merchant_id = $1", [
        merchant.merchantId,
      ]),
    ).toBe(0);
  });

  test("refuses a GET sent as HEAD, and takes HEAD that is signed as HEAD", async () => {
    const merchant = await service.newMerchant();
    const target = "/v1/currencies";
    const wrong = await sendAs(merchant, { method: "GET", target }, { method: "HEAD" });
    const right = await sendPlain(merchant, { method: "HEAD", target });
    expect([wrong.status, right.status]).toEqual([401, 200]);
  });

  test("refuses every single digit of the signature, changed", async () => {
    const merchant = await service.newMerchant();
    const request = registration();
    const signature = signedHeaders(merchant, request).get("X-Signature") ?? "";
    for (const at of Array.from(signature).keys()) {
      const headers = { ...request.headers, "X-Signature": flipped(signature, at) };
      await refused(await sendPlain(merchant, { ...request, headers }));
    }
  });

  test("refuses the key of one merchant with the secret of another", async () => {
    const [one, other] = [await service.newMerchant(), await service.newMerchant()];
    await refused(await sendPlain({ ...one, secret: other.secret }, registration()));
    const second = await service.newKey(one, {});
    await refused(await sendPlain({ ...one, secret: second.secret }, registration()));
  });

  test("a refused signature uses up no nonce", async () => {
    const merchant = await service.newMerchant();
    const headers = { ...registration().headers, "X-Nonce": `nonce-${newKey()}` };
    const forged = { ...merchant, secret: "sk_test_guessed" };
    await refused(await sendPlain(forged, registration({ headers })));
    const rows = "select 1 from nonces where key_id = $1";
    expect(await service.count(rows, [merchant.key])).toBe(0);
    expect((await sendPlain(merchant, registration({ headers }))).status).toBe(201);
  });

  test.each([
    ["in another order", "limit=3&cursor=", "cursor=&limit=3"],
    ["with other escapes", "limit=3", "%6cimi%74=%33"],
    ["with escapes in lower case", "undeclared=%C3%A9", "undeclared=%c3%a9"],
    ["with a plus sign for a space", "undeclared=a%20b", "undeclared=a+b"],
    ["with an empty pair", "limit=3", "&limit=3&&"],
    ["without the sign of an empty value", "undeclared=", "undeclared"],
  ])("the same query %s has the same signature", async (_name, signed, sent) => {
    const merchant = await service.newMerchant();
    const [request, target] = [
      { method: "GET", target: `/v1/currencies?${signed}` },
      `/v1/currencies?${sent}`,
    ];
    const answer = await readAnswer(await sendAs(merchant, request, { target }), list);
    expect([200, 400]).toContain(answer.status);
  });

  test.each([
    ["a value more", "limit=3", "limit=3&limit=3"],
    ["another value", "limit=3", "limit=30"],
    ["a parameter more", "limit=3", "limit=3&cursor=x"],
    ["a plus sign for its escape", "undeclared=a%2Bb", "undeclared=a+b"],
    ["values in another order", "limit=3&limit=4", "limit=4&limit=3&limit=3"],
    ["an escaped ampersand", "undeclared=a&limit=3", "undeclared=a%26limit=3"],
  ])("another query has another signature: %s", async (_name, signed, sent) => {
    const merchant = await service.newMerchant();
    const [request, target] = [
      { method: "GET", target: `/v1/currencies?${signed}` },
      `/v1/currencies?${sent}`,
    ];
    const response = await sendAs(merchant, request, { target });
    const answer = await readAnswer(response, list);
    expect([answer.status, errorOf(answer.body).code]).toEqual([401, "authentication_failed"]);
  });

  test("the same bytes at once over many connections are taken once", async () => {
    const merchant = await service.newMerchant();
    const request = { method: "GET", target: "/v1/currencies" };
    const headers = signedHeaders(merchant, request);
    const answers: readonly Answer[] = await Promise.all(
      Array.from({ length: 8 }, async () =>
        readAnswer(await fetch(merchant.url + request.target, { headers }), list),
      ),
    );
    const taken = answers.filter(({ status }) => status === 200);
    const codes = answers
      .filter(({ status }) => status !== 200)
      .map(({ body }) => errorOf(body).code);
    expect([taken.length, new Set(codes)]).toEqual([1, new Set(["nonce_reused"])]);
  });

  test("a handler that fails does not free the nonce", async () => {
    const merchant = await service.newMerchant();
    const request = registration();
    const headers = signedHeaders(merchant, request);
    const ask = async (): Promise<number> => {
      const init = { method: "POST", headers, body: request.body ?? null };
      return (await fetch(merchant.url + request.target, init)).status;
    };
    expect(await service.withFault({ effect: new Error("any") }, ask)).toBe(500);
    expect(await ask()).toBe(401);
  });
});
