// What events say: one value of an event against another one, and all events of one thing against each other.

import { type Json, type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { assetClaims, contractClaims, placeClaims, quotesOf, rawClaims } from "./payments.ts";
import { debitClaims, scheduleClaims } from "./payouts.ts";
import { type Claim, holds, objectOf, objectsOf, same, textsOf } from "./relation.ts";

export interface EventRelation {
  readonly name: string;
  /** none: it says nothing of this event */
  readonly claims: (event: JsonObject, data: JsonObject) => readonly Claim[];
}

function ofTypes(pattern: RegExp, name: string, claims: EventRelation["claims"]): EventRelation {
  return {
    name,
    claims: (event, data) => (pattern.test(textOf(event["type"])) ? claims(event, data) : []),
  };
}

const ofPayment = /^(payment|x402)\./;

function deploymentsIn(data: JsonObject): readonly JsonObject[] {
  return quotesOf(data).flatMap(([, quote]) => objectsOf(quote["deployments"]));
}

/** In parts of a million, of all that was asked for; undefined: some of it is not shown, or was authorized. */
function partReceived(data: JsonObject): bigint | undefined {
  if (data["deployments_left_out"] !== undefined || data["x402"] !== undefined) return undefined;
  return deploymentsIn(data).reduce((sum, { due_raw: due, received_raw: received }) => {
    const whole = BigInt(textOf(due));
    return whole === 0n ? sum : sum + (BigInt(textOf(received)) * 1_000_000n) / whole;
  }, 0n);
}

const payments: readonly EventRelation[] = [
  ofTypes(ofPayment, "a raw amount is the price in the smallest unit", (_, data) =>
    rawClaims(data),
  ),
  ofTypes(ofPayment, "a coin has no contract, and a token has one", (_, data) => assetClaims(data)),
  ofTypes(ofPayment, "a contract is written with its checksum", (_, data) => contractClaims(data)),
  ofTypes(ofPayment, "nothing can be paid in two places of the quotes", (_, data) =>
    placeClaims(data),
  ),
  ofTypes(
    ofPayment,
    "blocks are counted of a transaction",
    (_, { tx_hash, confirmations, deposit }) => {
      if (tx_hash === undefined) return [];
      return [
        holds(
          "/confirmations",
          (confirmations === null) === (tx_hash === null),
          `are ${textOf(confirmations)}, of ${textOf(tx_hash)}`,
        ),
        holds("/deposit", tx_hash !== null || deposit === null, "came, and no transaction"),
      ];
    },
  ),
  ofTypes(ofPayment, "a deposit is on the chain of its deployment", (_, data) => {
    const { currency_chain_id: id, chain_id } = objectOf(data["deposit"]);
    const known = deploymentsIn(data).find((one) => one["currency_chain_id"] === id);
    return known === undefined ? [] : [same("/deposit/chain_id", chain_id, known["chain_id"])];
  }),
  ofTypes(/^payment\.(paid|overpaid)$/, "what is paid has come", (_, data) => {
    const part = partReceived(data);
    return part === undefined
      ? []
      : [holds("/quotes", part >= 999_999n, `have received ${part} of a million`)];
  }),
  ofTypes(
    /^payment\.(created|expired)$/,
    "nothing has come for what is new, or expired",
    (_, data) => {
      const part = partReceived(data);
      return part === undefined
        ? []
        : [holds("/quotes", part === 0n, `have received ${part} of a million`)];
    },
  ),
  ofTypes(
    /^payment\.(partially_paid|underpaid)$/,
    "some has come for what is paid in part",
    (_, data) => {
      const part = partReceived(data);
      return part === undefined
        ? []
        : [holds("/quotes", part > 0n && part < 1_000_000n, `have received ${part} of a million`)];
    },
  ),
  ofTypes(/^payment\.(expired|underpaid)$/, "a payment expires at its time", (event, data) => [
    holds(
      "/expires_at",
      textOf(event["timestamp"]) >= textOf(data["expires_at"]),
      "is yet to come",
    ),
  ]),
  ofTypes(/^x402\./, "an authorization is for one of the prices", (_, data) => {
    const { currency_chain_id: id, network, asset } = objectOf(data["x402"]);
    const known = deploymentsIn(data).find((one) => one["currency_chain_id"] === id);
    if (known === undefined) return [];
    return [
      same("/x402/network", network, known["chain_id"]),
      same("/x402/asset", asset, known["contract_address"]),
    ];
  }),
  ofTypes(/^x402\./, "what goes back was authorized, and not charged", (_, data) => {
    const { max_raw: most, actual_raw: actual, refund_raw: back } = objectOf(data["x402"]);
    const [whole, rest] = [BigInt(textOf(most)), typeof back === "string" ? BigInt(back) : 0n];
    const charged = actual === undefined ? 0n : BigInt(textOf(actual));
    return [
      holds("/x402/refund_raw", charged + rest <= whole, `is ${rest}, with ${charged} of ${whole}`),
    ];
  }),
];

const payouts: readonly EventRelation[] = [
  ofTypes(/^withdrawal\./, "a debit is what is sent and the fee", (_, data) => debitClaims(data)),
  ofTypes(
    /^withdrawal\./,
    "a withdrawal has a transaction when it is sent",
    ({ type }, { tx_hash }) => {
      const mustHave = ["withdrawal.broadcast", "withdrawal.confirmed"].includes(textOf(type));
      const mayHave = mustHave || type === "withdrawal.failed";
      const isRight = tx_hash === null ? !mustHave : mayHave;
      return [holds("/tx_hash", isRight, `is ${textOf(tx_hash)}, with ${textOf(type)}`)];
    },
  ),
  ofTypes(/^withdraw_address\./, "an address waits, and then it can be used", (event, data) => {
    const { status, activates_at: usable, created_at: made } = data;
    const isDue = textOf(event["timestamp"]) >= textOf(usable);
    const isNew = event["type"] === "withdraw_address.registered";
    return [
      same("/status", status, isDue ? "active" : "pending_activation"),
      holds("/activates_at", textOf(usable) >= textOf(made), "is before created_at"),
      holds("/activates_at", isNew || isDue, "is yet to come"),
    ];
  }),
  ofTypes(/^payout_schedule\./, "a schedule agrees with itself", (_, data) =>
    scheduleClaims("", data),
  ),
  ofTypes(/^payout_schedule\./, "what is told of a schedule has happened", (event, data) =>
    ["created_at", "updated_at", "retired_at", "slot"].flatMap((name) => {
      const { [name]: at } = data;
      if (at === undefined) return [];
      return [holds(`/${name}`, textOf(at) <= textOf(event["timestamp"]), "is yet to come")];
    }),
  ),
  ofTypes(
    /^payout_schedule\.(due|run_requested)$/,
    "a run sends at least the least amount",
    (_, data) => {
      const { send_amount_raw: sent, min_send_raw: least } = data;
      const isEnough = BigInt(textOf(sent)) >= BigInt(textOf(least));
      return [
        holds("/send_amount_raw", isEnough, `is ${textOf(sent)}, less than ${textOf(least)}`),
      ];
    },
  ),
];

const others: readonly EventRelation[] = [
  {
    name: "an event is about its resource",
    claims: ({ resource, merchant_id }, data) => {
      const { id } = objectOf(resource);
      return [same("/resource/id", id, data["id"] ?? data["creator_id"] ?? merchant_id)];
    },
  },
  ofTypes(/^subscription\./, "a bill is refused, or has a payment", (_, data) => {
    const { payment_id, refused, checkout_url } = data;
    if (payment_id === undefined) return [];
    const isRefused = payment_id === null;
    return [
      holds(
        "/refused",
        (refused !== undefined) === isRefused,
        `is ${textOf(refused)}, with ${textOf(payment_id)}`,
      ),
      holds(
        "/checkout_url",
        checkout_url === undefined || !isRefused,
        "is there, without a payment",
      ),
    ];
  }),
  ofTypes(/^subscription\.(cancelled|expired)$/, "what is over bills no more", (_, data) => [
    same("/next_bill_at", data["next_bill_at"], null),
  ]),
  ofTypes(
    /^subscription\.billed$/,
    "a bill is no more than the price",
    (_, { bill_amount, amount }) => [
      holds(
        "/bill_amount",
        isAtMost(textOf(bill_amount), textOf(amount)),
        `is ${textOf(bill_amount)} of ${textOf(amount)}`,
      ),
    ],
  ),
  ofTypes(/^webhook_endpoint\./, "an endpoint was made in the past", (event, data) => [
    holds(
      "/created_at",
      textOf(data["created_at"]) <= textOf(event["timestamp"]),
      "is yet to come",
    ),
  ]),
  ofTypes(/^currency_acceptance\./, "accepted chains are sorted", (_, { currencies }) =>
    Object.entries(objectOf(currencies)).map(([id, one]) => {
      const chains = textsOf(objectOf(one)["chain_ids"]);
      return same(`/currencies/${id}/chain_ids`, [...chains], chains.toSorted());
    }),
  ),
];

export const eventRelations: readonly EventRelation[] = [...payments, ...payouts, ...others];

/** Of two amounts in whole units. */
function isAtMost(one: string, other: string): boolean {
  const decimals = 128;
  const raw = (amount: string): bigint => {
    const [whole = "", fraction = ""] = amount.split(".");
    return BigInt(whole + fraction.padEnd(decimals, "0"));
  };
  return raw(one) <= raw(other);
}

export interface RelatedEvent extends Claim {
  readonly relation: string;
}

/** Of one event, as it is sent. */
export function eventClaims(event: Json): readonly RelatedEvent[] {
  const payload = objectOf(event);
  const data = objectOf(payload["data"]);
  return eventRelations.flatMap(({ name, claims }) =>
    claims(payload, data).map((claim) => ({ relation: name, ...claim })),
  );
}

/** Of a delivery: its headers are about this event, and it is not sent before it happened. */
export function deliveryClaims(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  event: Json,
): readonly Claim[] {
  const { id, timestamp } = objectOf(event);
  const sent = Number(headers["webhook-timestamp"]);
  const happened = Math.floor(Date.parse(textOf(timestamp)) / 1000);
  return [
    holds("header webhook-id", headers["webhook-id"] === id, `is not ${textOf(id)}`),
    holds("header webhook-timestamp", sent >= happened, `is before ${textOf(timestamp)}`),
  ];
}

/** What never changes of a thing, by the type of its resource. */
const lasting: Readonly<Record<string, readonly string[]>> = {
  payment: ["expires_at", "merchant_order_no", "user_id", "memo"],
  withdrawal: [
    "currency_id",
    "currency_chain_id",
    "target_chain_id",
    "send_amount_raw",
    "withdrawal_fee_raw",
    "total_debit_raw",
  ],
  withdraw_address: [
    "chain_id",
    "address",
    "destination_type",
    "label",
    "created_at",
    "activates_at",
  ],
  payout_schedule: [
    "currency_id",
    "target_chain_id",
    "withdraw_address_id",
    "interval_secs",
    "created_at",
  ],
  subscription: ["amount", "interval_secs", "currency_id", "currency_chain_id", "chain_id"],
  webhook_endpoint: ["created_at"],
};

/** Of all events of a database, in the order of their sequence: they are counted, and say one thing. */
export function eventsClaims(events: readonly Json[]): readonly RelatedEvent[] {
  const first = new Map<string, JsonObject>();
  const counts = new Map<string, number>();
  return events.map(objectOf).flatMap((event) => {
    const { type: kind, id } = objectOf(event["resource"]);
    const name = [event["merchant_id"], kind, id].map(textOf).join(" ");
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const data = objectOf(event["data"]);
    const known = first.get(name) ?? data;
    first.set(name, known);
    return [
      {
        relation: "the events of a thing are counted without gaps",
        ...same(`${name} /sequence`, event["sequence"], count),
      },
      ...(lasting[textOf(kind)] ?? []).map((member) => ({
        relation: "what never changes is the same in every event",
        ...same(`${name} /data/${member}`, data[member], known[member]),
      })),
    ];
  });
}
