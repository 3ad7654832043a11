import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signWebhook } from "../../service/webhooks/signature.ts";

/** Known to others as well: a signature that is made differently breaks every receiver. */
const published = {
  secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
  id: "evt_01",
  timestampSeconds: 1_767_225_600,
  body: '{"id":"evt_01","type":"payment.paid","timestamp":"2026-01-01T00:00:00Z","data":{"id":"pay_01","status":"paid"}}',
  signature: "v1,SBMq7+OKTaIaYPSttRHuhFHBUjIF+5L9CzXu+kv7eA0=",
};

const secretOf = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString("base64")}`;
const older = secretOf(new Uint8Array(32).fill(7));

/** The official library reads the machine's clock, and nothing can be handed in: sign for now. */
const nowSeconds = Math.floor(Date.now() / 1000);

function headersOf(secrets: readonly string[], id: string, body: string): Record<string, string> {
  const content = { id, timestampSeconds: nowSeconds, body: Buffer.from(body) };
  return {
    "webhook-id": id,
    "webhook-timestamp": String(nowSeconds),
    "webhook-signature": signWebhook(secrets, content),
  };
}

test("the published vector", () => {
  const { secret, id, timestampSeconds, body, signature } = published;
  const content = { id, timestampSeconds, body: Buffer.from(body) };
  expect(signWebhook([secret], content)).toBe(signature);
});

test("the official library computes the published vector, too", () => {
  const { secret, id, timestampSeconds, body, signature } = published;
  expect(new Webhook(secret).sign(id, new Date(timestampSeconds * 1000), body)).toBe(signature);
});

test("a secret without its prefix is our mistake, and does not sign", () => {
  expect(() => headersOf(["MDEyMzQ1"], "evt_1", "{}")).toThrow("whsec_");
});

describe("the official library", () => {
  test("accepts what is signed, whatever the body", () => {
    const secrets = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(secretOf);
    fc.assert(
      fc.property(secrets, fc.json(), (secret, body) => {
        const verified = new Webhook(secret).verify(body, headersOf([secret], "evt_1", body));
        expect(verified).toEqual(JSON.parse(body));
      }),
    );
  });

  test.each([published.secret, older])("accepts two signatures with either secret", (secret) => {
    const headers = headersOf([published.secret, older], "evt_1", published.body);
    expect(headers["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
    expect(() => new Webhook(secret).verify(published.body, headers)).not.toThrow();
  });

  const nested = '{"id":"evt_1","data":{"fee":{"amount":"1.00","parts":[{"raw":"1"}]}}}';
  test.each([
    ["a nested value", nested.replace('"1.00"', '"9.00"')],
    ["a value in a nested list", nested.replace('"raw":"1"', '"raw":"2"')],
    ["a nested member that is gone", nested.replace(/"fee":\{.*\}\}\}/, '"fee":{}}}')],
    ["only white space", nested.replace(":", ": ")],
  ])("refuses a body with another content: %s", (_, changed) => {
    const headers = headersOf([published.secret], "evt_1", nested);
    expect(changed).not.toBe(nested);
    expect(() => new Webhook(published.secret).verify(nested, headers)).not.toThrow();
    expect(() => new Webhook(published.secret).verify(changed, headers)).toThrow("No matching");
  });

  test("refuses another id, another time and another secret", () => {
    const headers = headersOf([published.secret], "evt_1", nested);
    const verify = (secret: string, changed: Record<string, string>) => () =>
      new Webhook(secret).verify(nested, { ...headers, ...changed });
    expect(verify(published.secret, { "webhook-id": "evt_2" })).toThrow("No matching");
    const later = { "webhook-timestamp": String(nowSeconds + 1) };
    expect(verify(published.secret, later)).toThrow("No matching");
    expect(verify(older, {})).toThrow("No matching");
  });
});
