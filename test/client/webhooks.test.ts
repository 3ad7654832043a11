// The verification that merchants copy, held against what the service sends and against the official library.

import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, expectTypeOf, onTestFinished, test } from "vitest";
import { verifyWebhook, WebhookError } from "../../scripts/client/webhooks.ts";
import type { WebhookEvent } from "../../generated/types.ts";
import { textOf } from "../support/contract-document.ts";
import { openDatabase } from "../support/engines.ts";
import { Outbox } from "../webhooks/outbox.ts";
import { answerWith, startReceiver } from "../webhooks/receiver.ts";

/** As published in the contract. */
const vector = {
  secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
  id: "evt_01",
  seconds: 1_767_225_600,
  body: '{"id":"evt_01","type":"payment.paid","timestamp":"2026-01-01T00:00:00Z","data":{"id":"pay_01","status":"paid"}}',
  signature: "v1,SBMq7+OKTaIaYPSttRHuhFHBUjIF+5L9CzXu+kv7eA0=",
};
const headers = {
  "webhook-id": vector.id,
  "webhook-timestamp": String(vector.seconds),
  "webhook-signature": vector.signature,
};
const older = `whsec_${Buffer.from("another secret, before a rotation").toString("base64")}`;
const at = (seconds: number, ...secrets: readonly string[]) => ({
  secrets: secrets.length === 0 ? [vector.secret] : secrets,
  nowMilliseconds: () => seconds * 1000,
});
const now = at(vector.seconds);

/** What is thrown is about that. */
function refusalOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof WebhookError) return `${error.about}: ${error.message}`;
    throw error;
  }
  return "none";
}

test("the published vector, as text and as bytes, with headers of either kind", () => {
  for (const body of [vector.body, Buffer.from(vector.body)]) {
    for (const given of [headers, new Headers(headers)]) {
      expect(verifyWebhook(body, given, now).id).toBe("evt_01");
    }
  }
});

test("with the secret alone the time is the machine's", () => {
  const seconds = Math.floor(Date.now() / 1000);
  const signature = new Webhook(vector.secret).sign("evt_1", new Date(seconds * 1000), vector.body);
  const given = { "webhook-id": "evt_1", "webhook-timestamp": String(seconds) };
  const headersNow = { ...given, "webhook-signature": signature };
  expect(verifyWebhook(vector.body, headersNow, vector.secret).type).toBe("payment.paid");
  expect(refusalOf(() => verifyWebhook(vector.body, headers, vector.secret))).toMatch(/^timestamp/);
});

test("what comes back is one of the events of the contract, told apart by its type", () => {
  const event = verifyWebhook(vector.body, headers, now);
  expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
  if (event.type !== "payment.paid") throw new Error("it is");
  expectTypeOf(event.data.merchant_order_no).toEqualTypeOf<string>();
});

test("what the service sends, also after a rotation", async () => {
  const receiver = await startReceiver(answerWith(204));
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  const outbox = new Outbox({ database: await openDatabase("PGlite") });
  const { secret } = await outbox.addEndpoint({ url: receiver.url });
  await outbox.record({
    type: "payment.paid",
    resource: { type: "payment", id: "pay_1" },
    data: { note: "é" },
  });
  await outbox.round();
  const [delivery] = receiver.received;
  if (delivery === undefined) throw new Error("nothing was delivered");
  const { "webhook-timestamp": seconds } = delivery.headers;
  const sent = at(Number(textOf(seconds ?? "")), older, secret);
  const event = verifyWebhook(delivery.body, delivery.headers, sent);
  expect(event).toMatchObject({ type: "payment.paid", data: { note: "é" } });
});

test("it takes and refuses what the official library takes and refuses", () => {
  // That one reads the machine's clock.
  const seconds = Math.floor(Date.now() / 1000);
  const cut = fc.tuple(fc.nat({ max: 120 }), fc.constantFrom("", "0", " "));
  fc.assert(
    fc.property(fc.json(), fc.option(cut), fc.boolean(), (body, change, isOther) => {
      const signature = new Webhook(vector.secret).sign("evt_1", new Date(seconds * 1000), body);
      const signed = { "webhook-id": "evt_1", "webhook-timestamp": String(seconds) };
      const given = { ...signed, "webhook-signature": signature };
      const [place, letter] = change ?? [0, undefined];
      const changed =
        letter === undefined ? body : body.slice(0, place) + letter + body.slice(place + 1);
      const secret = isOther ? older : vector.secret;
      const ours = refusalOf(() => verifyWebhook(changed, given, at(seconds, secret)));
      const theirs = (() => {
        try {
          new Webhook(secret).verify(changed, given);
          return true;
        } catch {
          return false;
        }
      })();
      expect(ours === "none").toBe(theirs);
    }),
  );
});

describe("refuses", () => {
  const verify =
    (change: Readonly<Record<string, string | undefined>>, options = now, body = vector.body) =>
    () =>
      verifyWebhook(body, { ...headers, ...change }, options);

  test.each([
    ["a body with one letter more", verify({}, now, `${vector.body} `), /^signature: /],
    ["another id", verify({ "webhook-id": "evt_02" }), /^signature: /],
    ["another time", verify({ "webhook-timestamp": "1767225601" }), /^signature: /],
    ["an empty signature", verify({ "webhook-signature": "v1," }), /^signature: /],
    ["another version", verify({ "webhook-signature": "v2,x" }), /^signature: /],
    ["no id", verify({ "webhook-id": undefined }), /^header: webhook-id is missing/],
    ["no time", verify({ "webhook-timestamp": undefined }), /^header: webhook-timestamp/],
    ["no signature", verify({ "webhook-signature": undefined }), /^header: webhook-signature/],
    ["a time that is none", verify({ "webhook-timestamp": "1e9" }), /^timestamp: .*unix seconds/],
    ["what is too old", verify({}, at(vector.seconds + 301)), /^timestamp: .*301 s off, 300 s/],
    ["what is to come", verify({}, at(vector.seconds - 301)), /^timestamp: .*301 s off, 300 s/],
  ] as const)("%s", (_, call, expected) => {
    expect(refusalOf(call)).toMatch(expected);
  });

  test("no time that is allowed", () => {
    for (const off of [-300, 300]) expect(verify({}, at(vector.seconds + off))).not.toThrow();
    const strict = { ...at(vector.seconds + 6), toleranceSeconds: 5 };
    expect(refusalOf(verify({}, strict))).toMatch(/6 s off, 5 s/);
  });

  test("a body that is no JSON, though it is signed", () => {
    const signature = new Webhook(vector.secret).sign(
      "evt_01",
      new Date(now.nowMilliseconds()),
      "{",
    );
    expect(refusalOf(verify({ "webhook-signature": signature }, now, "{"))).toMatch(/^body: /);
  });

  test.each(["MDEyMzQ1", "whsec_", ""])("a secret that is none, as a mistake: %j", (secret) => {
    expect(() => verifyWebhook(vector.body, headers, { ...now, secrets: [secret] })).toThrow(
      TypeError,
    );
  });

  test("none at all, as a mistake", () => {
    expect(() => verifyWebhook(vector.body, headers, { ...now, secrets: [] })).toThrow(
      "at least one secret",
    );
  });
});
