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
async function refusalOf(call: () => Promise<unknown>): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof WebhookError) return `${error.about}: ${error.message}`;
    throw error;
  }
  return "none";
}

test("the published vector, as text and as bytes, with headers of any kind", async () => {
  const bytes = new TextEncoder().encode(vector.body);
  const asSent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace("w", "W"), value]),
  );
  const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
  for (const body of [vector.body, Buffer.from(vector.body), bytes, bytes.buffer]) {
    for (const given of [headers, new Headers(headers), asSent, lists]) {
      expect((await verifyWebhook(body, given, now)).id).toBe("evt_01");
    }
  }
});

test("with the secret alone the time is the machine's", async () => {
  const seconds = Math.floor(Date.now() / 1000);
  const signature = new Webhook(vector.secret).sign("evt_1", new Date(seconds * 1000), vector.body);
  const given = { "webhook-id": "evt_1", "webhook-timestamp": String(seconds) };
  const headersNow = { ...given, "webhook-signature": signature };
  expect((await verifyWebhook(vector.body, headersNow, vector.secret)).type).toBe("payment.paid");
  const late = await refusalOf(() => verifyWebhook(vector.body, headers, vector.secret));
  expect(late).toMatch(/^timestamp/);
});

test("what comes back is one of the events of the contract, told apart by its type", async () => {
  const event = await verifyWebhook(vector.body, headers, now);
  expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
  if (event.type !== "payment.paid") throw new Error("it is");
  expectTypeOf(event.data.merchant_order_no).toEqualTypeOf<string>();
});

test("what the service sends, with the secret of the endpoint alone or beside another", async () => {
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
  for (const secrets of [[secret], [older, secret]]) {
    const sent = at(Number(textOf(seconds ?? "")), ...secrets);
    const event = await verifyWebhook(delivery.body, delivery.headers, sent);
    expect(event).toMatchObject({ type: "payment.paid", data: { note: "é" } });
  }
});

test("it takes and refuses what the official library takes and refuses", async () => {
  // That one reads the machine's clock.
  const seconds = Math.floor(Date.now() / 1000);
  const cut = fc.tuple(fc.nat({ max: 120 }), fc.constantFrom("", "0", " "));
  const event = fc.jsonValue().map((data) => JSON.stringify({ type: "payment.paid", data }));
  // After a rotation there are two, the new one first or last; what is no signature is passed over.
  const beside = fc.constantFrom("", "v1,AAAA ", "v1a,AAAA ", "v2,x ", "  ");
  await fc.assert(
    fc.asyncProperty(
      event,
      fc.option(cut),
      fc.record({ more: beside, isOther: fc.boolean() }),
      async (body, change, { more, isOther }) => {
        const made = new Webhook(vector.secret).sign("evt_1", new Date(seconds * 1000), body);
        const signature = isOther ? `${made} ${more}`.trim() : more + made;
        const signed = { "webhook-id": "evt_1", "webhook-timestamp": String(seconds) };
        const given = { ...signed, "webhook-signature": signature };
        const [place, letter] = change ?? [0, undefined];
        const changed =
          letter === undefined ? body : body.slice(0, place) + letter + body.slice(place + 1);
        const secret = isOther ? older : vector.secret;
        const ours = await refusalOf(() => verifyWebhook(changed, given, at(seconds, secret)));
        const theirs = (() => {
          try {
            new Webhook(secret).verify(changed, given);
            return true;
          } catch {
            return false;
          }
        })();
        expect(ours === "none").toBe(theirs);
      },
    ),
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
    [
      "two times",
      () => verifyWebhook(vector.body, { ...headers, "webhook-timestamp": ["1", "2"] }, now),
      /^header: webhook-timestamp/,
    ],
  ] as const)("%s", async (_, call, expected) => {
    expect(await refusalOf(call)).toMatch(expected);
  });

  test("no time that is allowed", async () => {
    for (const off of [-300, 300, 300.9]) {
      expect(await refusalOf(verify({}, at(vector.seconds + off)))).toBe("none");
    }
    const strict = { ...at(vector.seconds + 6), toleranceSeconds: 5 };
    expect(await refusalOf(verify({}, strict))).toMatch(/6 s off, 5 s/);
  });

  test.each([
    ["{", "no JSON"],
    ["null", "no event"],
    ["[]", "no event"],
    ['{"type":1}', "no event"],
  ])("the body %s, though it is signed", async (body, expected) => {
    const time = new Date(now.nowMilliseconds());
    const signature = new Webhook(vector.secret).sign("evt_01", time, body);
    const refusal = await refusalOf(verify({ "webhook-signature": signature }, now, body));
    expect(refusal).toBe(`body: the body is ${expected}`);
  });

  test.each(["MDEyMzQ1", "whsec_", "", "whsec_MDEy\n", "whsec_M-_y", undefined])(
    "a secret that is none, as a mistake: %j",
    async (secret) => {
      const options = { ...now, secrets: [vector.secret, secret as string] };
      await expect(verifyWebhook(vector.body, headers, options)).rejects.toThrow("whsec_");
    },
  );

  test.each([Number.NaN, -1, Infinity])("a tolerance of %d, as a mistake", async (tolerance) => {
    const options = { ...now, toleranceSeconds: tolerance };
    await expect(verifyWebhook(vector.body, headers, options)).rejects.toThrow("toleranceSeconds");
  });

  test("a clock that tells no time", async () => {
    const options = { ...now, nowMilliseconds: () => Number.NaN };
    expect(await refusalOf(verify({}, options))).toMatch(/^timestamp: /);
  });

  test.each([JSON.parse(vector.body), null, undefined])(
    "a body that was parsed, as a mistake: %j",
    async (body) => {
      await expect(verifyWebhook(body as string, headers, now)).rejects.toThrow("as it came");
    },
  );

  test("none at all, as a mistake", async () => {
    const options = { ...now, secrets: [] };
    await expect(verifyWebhook(vector.body, headers, options)).rejects.toThrow("secrets is empty");
  });
});
