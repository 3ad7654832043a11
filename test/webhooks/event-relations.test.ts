// Relations of values in events: each holds for the events that the document shows, and notices a wrong value of
// the right form.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isObject, type Json, type JsonObject, textOf } from "../support/contract-document.ts";
import {
  deliveryClaims,
  eventClaims,
  eventRelations,
  eventsClaims,
} from "../support/relations/events.ts";
import { judgePayload, shownEvents } from "../support/sent-events.ts";

const shown = shownEvents.filter(isObject);

function put(value: Json, [step, ...rest]: readonly string[], wanted: Json): Json {
  if (step === undefined) return wanted;
  if (Array.isArray(value)) {
    return value.map((one, place) => (place === Number(step) ? put(one, rest, wanted) : one));
  }
  if (!isObject(value)) throw new Error(`there is no ${step}`);
  return { ...value, [step]: put(value[step] ?? null, rest, wanted) };
}

/** By its type; of the values below, "USDC" stands for the first place where it can be paid. */
function faulty(type: string, changes: Readonly<Record<string, Json>>): Json {
  const event = shown.find((one) => textOf(one["type"]) === type);
  if (event === undefined) throw new Error(`${type} is not shown`);
  return Object.entries(changes).reduce<Json>((changed, [path, wanted]) => {
    const steps = path.replace("USDC", "quotes cur_usdc deployments 0").split(" ");
    return put(
      changed,
      path.startsWith("/") ? path.slice(1).split(" ") : ["data", ...steps],
      wanted,
    );
  }, event);
}

const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const longAgo = "2020-01-01T00:00:00.000Z";
const later = "2030-01-01T00:00:00.000Z";
const otherHash = `0x${"7".repeat(64)}`;

type Fault = readonly [relation: string, type: string, changes: Readonly<Record<string, Json>>];

const faults: readonly Fault[] = [
  ["a raw amount is the price in the smallest unit", "payment.paid", { "USDC raw_amount": "1" }],
  ["a raw amount is the price in the smallest unit", "x402.settled", { "USDC decimals": 18 }],
  [
    "a coin has no contract, and a token has one",
    "payment.paid",
    { "USDC contract_address": null },
  ],
  [
    "a contract is written with its checksum",
    "payment.paid",
    { "USDC contract_address": address.toLowerCase() },
  ],
  ["nothing can be paid in two places of the quotes", "payment.paid", {}],
  ["blocks are counted of a transaction", "payment.paid", { confirmations: null }],
  ["blocks are counted of a transaction", "payment.paid", { tx_hash: null }],
  [
    "a deposit is on the chain of its deployment",
    "payment.paid",
    { "deposit chain_id": "eip155:10" },
  ],
  ["what is paid has come", "payment.paid", { "USDC received_raw": "1" }],
  ["what is paid has come", "payment.overpaid", { "USDC received_raw": "0" }],
  [
    "nothing has come for what is new, or expired",
    "payment.created",
    { "USDC received_raw": "1000000" },
  ],
  [
    "some has come for what is paid in part",
    "payment.partially_paid",
    { "USDC received_raw": "0" },
  ],
  [
    "some has come for what is paid in part",
    "payment.underpaid",
    { "USDC received_raw": "9".repeat(12) },
  ],
  ["a payment expires at its time", "payment.expired", { expires_at: later }],
  ["a payment expires at its time", "payment.underpaid", { expires_at: later }],
  ["an authorization is for one of the prices", "x402.settled", { "x402 asset": address }],
  ["an authorization is for one of the prices", "x402.authorized", { "x402 network": "eip155:10" }],
  [
    "what goes back was authorized, and not charged",
    "x402.released",
    { "x402 refund_raw": "9".repeat(12) },
  ],
  ["a debit is what is sent and the fee", "withdrawal.requested", { total_debit_raw: "7" }],
  ["a debit is what is sent and the fee", "withdrawal.confirmed", { withdrawal_fee_raw: "77" }],
  ["a withdrawal has a transaction when it is sent", "withdrawal.confirmed", { tx_hash: null }],
  ["a withdrawal has a transaction when it is sent", "withdrawal.broadcast", { tx_hash: null }],
  [
    "a withdrawal has a transaction when it is sent",
    "withdrawal.cancelled",
    { tx_hash: otherHash },
  ],
  [
    "an address waits, and then it can be used",
    "withdraw_address.registered",
    { status: "active" },
  ],
  [
    "an address waits, and then it can be used",
    "withdraw_address.activated",
    { activates_at: later, status: "pending_activation" },
  ],
  [
    "an address waits, and then it can be used",
    "withdraw_address.activated",
    { activates_at: longAgo },
  ],
  ["a schedule agrees with itself", "payout_schedule.paused", { enabled: true }],
  ["a schedule agrees with itself", "payout_schedule.created", { min_send_raw: "10000001" }],
  ["what is told of a schedule has happened", "payout_schedule.due", { slot: later }],
  ["what is told of a schedule has happened", "payout_schedule.retired", { retired_at: later }],
  [
    "a run sends at least the least amount",
    "payout_schedule.run_requested",
    { send_amount_raw: "1" },
  ],
  ["a run sends at least the least amount", "payout_schedule.due", { send_amount_raw: "1" }],
  ["an event is about its resource", "payment.paid", { id: "pay_01KDVDNA006Q3D25VT4F5V37E7" }],
  [
    "an event is about its resource",
    "currency_acceptance.updated",
    { "/merchant_id": "mer_01KDVDNA00B9Y73MY63FCH26W1" },
  ],
  [
    "a bill is refused, or has a payment",
    "subscription.billed",
    { payment_id: "pay_01KDVDNA006Q3D25VT4F5V37EK" },
  ],
  ["what is over bills no more", "subscription.cancelled", { next_bill_at: later }],
  ["a bill is no more than the price", "subscription.billed", { bill_amount: "999999.5" }],
  ["an endpoint was made in the past", "webhook_endpoint.updated", { created_at: later }],
  [
    "accepted chains are sorted",
    "currency_acceptance.updated",
    { "currencies cur_usdc chain_ids": ["eip155:8453", "eip155:1"] },
  ],
];

/** Where one place has to stand twice. */
function plant([relation, type, changes]: Fault): Json {
  if (relation !== "nothing can be paid in two places of the quotes") return faulty(type, changes);
  const event = shown.find((one) => textOf(one["type"]) === type);
  const list = eventAt(event ?? {}, "data", "quotes", "cur_usdc", "deployments");
  const twice = Array.isArray(list) ? [...list, ...list.slice(0, 1)] : null;
  return faulty(type, { "quotes cur_usdc deployments": twice });
}

function eventAt(event: JsonObject, ...steps: readonly string[]): Json {
  return steps.reduce<Json>(
    (value, step) => (isObject(value) ? (value[step] ?? null) : null),
    event,
  );
}

const wrongIn = (event: Json) => eventClaims(event).filter(({ problem }) => problem !== undefined);

test("what the document shows keeps every relation, and meets it", () => {
  expect(shown.flatMap(wrongIn)).toEqual([]);
  const met = new Set(shown.flatMap((event) => eventClaims(event)).map(({ relation }) => relation));
  expect(eventRelations.filter(({ name }) => !met.has(name))).toEqual([]);
  const planted = new Set(faults.map(([relation]) => relation));
  expect(eventRelations.filter(({ name }) => !planted.has(name))).toEqual([]);
});

test.each(faults)("%s: %s with %j is noticed", (...fault) => {
  const event = plant(fault);
  expect(judgePayload(event)).toEqual([]);
  expect(wrongIn(event).map(({ relation }) => relation)).toContain(fault[0]);
});

test("the headers of a delivery are about its event, after it has happened", () => {
  const event = faulty("payment.paid", {
    "/id": "evt_1",
    "/timestamp": "2026-01-01T00:12:00.500Z",
  });
  const wrong = (id: string, seconds: number) => {
    const headers = { "webhook-id": id, "webhook-timestamp": String(seconds) };
    const claims = deliveryClaims(headers, event);
    return claims.flatMap(({ place, problem }) => (problem === undefined ? [] : [place]));
  };
  expect(wrong("evt_1", 1_767_226_320)).toEqual([]);
  expect(wrong("evt_2", 1_767_226_320)).toEqual(["header webhook-id"]);
  expect(wrong("evt_1", 1_767_226_319)).toEqual(["header webhook-timestamp"]);
});

test("the document on mutants says how many there are", () => {
  const text = readFileSync(join(import.meta.dirname, "../../docs/mutation.md"), "utf8");
  expect(text.replaceAll("\n", " ")).toContain(
    `by ${eventRelations.length} relations more, with ${faults.length} wrong values`,
  );
});

test("events of one thing are counted, and say one thing", () => {
  const first = faulty("payment.created", { "/sequence": 1 });
  const next = (changes: Readonly<Record<string, Json>>) => {
    const events = [
      first,
      put(faulty("payment.created", changes), ["sequence"], changes["/sequence"] ?? 2),
    ];
    return eventsClaims(events).flatMap(({ relation, problem }) =>
      problem === undefined ? [] : [relation],
    );
  };
  expect(next({})).toEqual([]);
  expect(next({ "/sequence": 3 })).toEqual(["the events of a thing are counted without gaps"]);
  for (const changes of [
    { expires_at: later },
    { merchant_order_no: "A-7" },
    { memo: "another" },
  ]) {
    expect(next(changes)).toEqual(["what never changes is the same in every event"]);
  }
});
