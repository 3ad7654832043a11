// A payment, its prices and what was ordered.

import { type Json, type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { canonical, rawOf } from "./amounts.ts";
import { checksumClaims, kindClaims } from "./assets.ts";
import {
  type Claim,
  holds,
  objectOf,
  objectsOf,
  ofSuccess,
  ofWish,
  type Relation,
  same,
  type Seen,
  textsOf,
  timeOf,
  twice,
} from "./relation.ts";

const shown = ["createPayment", "cancelPayment"];

/** Of each price of a payment, in an answer or in an event. */
export function quotesOf(payment: JsonObject): readonly (readonly [string, JsonObject])[] {
  return Object.entries(objectOf(payment["quotes"])).map(([id, quote]) => [id, objectOf(quote)]);
}

function eachDeployment(
  payment: JsonObject,
  claims: (at: string, deployment: JsonObject, quote: JsonObject) => readonly Claim[],
): readonly Claim[] {
  return quotesOf(payment).flatMap(([id, quote]) =>
    objectsOf(quote["deployments"]).flatMap((deployment, place) =>
      claims(`body /quotes/${id}/deployments/${place}`, deployment, quote),
    ),
  );
}

export function rawClaims(payment: JsonObject): readonly Claim[] {
  return eachDeployment(payment, (at, { raw_amount: raw = null, decimals }, { amount }) => {
    const wanted = rawOf(textOf(amount), Number(decimals));
    return [same(`${at}/raw_amount`, raw, wanted === undefined ? undefined : String(wanted))];
  });
}

export function assetClaims(payment: JsonObject): readonly Claim[] {
  return eachDeployment(payment, (at, one) => kindClaims(at, one, one["contract_address"] ?? null));
}

export function contractClaims(payment: JsonObject): readonly Claim[] {
  return eachDeployment(payment, (at, { chain_id, contract_address = null }) =>
    checksumClaims(`${at}/contract_address`, textOf(chain_id), contract_address),
  );
}

export function placeClaims(payment: JsonObject): readonly Claim[] {
  const all = quotesOf(payment).flatMap(([, quote]) => objectsOf(quote["deployments"]));
  const [again] = [
    ...twice(all.map((one) => textOf(one["currency_chain_id"]))),
    ...twice(all.map((one) => `${textOf(one["chain_id"])} ${textOf(one["contract_address"])}`)),
  ];
  return [holds("body /quotes", again === undefined, `have ${again} twice`)];
}

const ofPrices: readonly Relation[] = [
  ofSuccess(shown, "a raw amount is the price in the smallest unit", ({ body }) => rawClaims(body)),
  ofSuccess(shown, "a coin has no contract, and a token has one", ({ body }) => assetClaims(body)),
  ofSuccess(shown, "a contract is written with its checksum", ({ body }) => contractClaims(body)),
  ofSuccess(shown, "nothing can be paid in two places of the quotes", ({ body }) =>
    placeClaims(body),
  ),
];

/** What is asked for in one currency. */
function asked(seen: Seen, id: string): JsonObject {
  return objectOf(objectOf(seen.wish["quotes"])[id]);
}

const ofOrder: readonly Relation[] = [
  ofWish("createPayment", "a payment has the number of its order", ({ body, wish }) => [
    same("body /merchant_order_no", body["merchant_order_no"], wish["merchant_order_no"]),
  ]),
  ofWish("createPayment", "a payment has the prices that were asked for", (seen) => [
    same("body /quotes", names(seen.body["quotes"]), names(seen.wish["quotes"])),
    ...quotesOf(seen.body).map(([id, { amount }]) =>
      same(`body /quotes/${id}/amount`, amount, canonical(textOf(asked(seen, id)["amount"]))),
    ),
  ]),
  ofWish("createPayment", "a price is for the chains that were asked for", (seen) =>
    quotesOf(seen.body).flatMap(([id, quote]) => {
      const { chain_ids: wanted } = asked(seen, id);
      if (wanted === undefined) return [];
      const chains = objectsOf(quote["deployments"]).map((one) => textOf(one["chain_id"]));
      const at = `body /quotes/${id}/deployments`;
      return [same(at, chains.toSorted(), textsOf(wanted).toSorted())];
    }),
  ),
  ofWish("createPayment", "a payment can be paid for as long as was asked", (seen) => {
    const { time, body, wish } = seen;
    const until = timeOf(body["expires_at"]);
    if (time === undefined || until === undefined || seen.isReplay) return [];
    const milliseconds = Number(wish["expires_in_secs"] ?? 1800) * 1000;
    const made = until - milliseconds;
    const isRight = made >= time.from && made <= time.to;
    return [
      holds(
        "body /expires_at",
        isRight,
        `is ${textOf(body["expires_at"])}, not ${milliseconds} ms from now`,
      ),
    ];
  }),
];

export const paymentRelations: readonly Relation[] = [
  ofSuccess("createPayment", "a created payment is pending", ({ body }) => [
    same("body /status", body["status"], "pending"),
  ]),
  ofSuccess("cancelPayment", "a payment that was cancelled is cancelled", ({ body }) => [
    same("body /status", body["status"], "cancelled"),
  ]),
  ...ofPrices,
  ...ofOrder,
];

function names(value: Json | undefined): string[] {
  return Object.keys(objectOf(value)).toSorted();
}
