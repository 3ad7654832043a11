// An answer is about what the path of the request names, or its body.

import { same, type Claim, holds, objectOf, ofSuccess, ofWish, type Relation } from "./relation.ts";
import { textOf } from "../../../generator/suite/json.ts";
import { operations } from "../contract-document.ts";
import { showsWhatItNames } from "../named-ids.ts";
import { isScaled } from "./amounts.ts";

/** What an operation shows is, by its examples, what its path names: also of one that is new. */
const ofId = operations.filter(showsWhatItNames).map(({ operationId }) => operationId);

const subscriptions: readonly Relation[] = [
  ofSuccess("cancelSubscription", "a subscription that was cancelled bills no more", ({ body }) => [
    same("body /status", body["status"], "cancelled"),
    same("body /next_bill_at", body["next_bill_at"], null),
  ]),
];

const x402: readonly Relation[] = [
  ofWish("settleX402Payment", "a settlement is of the payment that was named", ({ body, wish }) => [
    same("body /payment_id", body["payment_id"], wish["payment_id"]),
  ]),
  ofWish("reportX402Usage", "a usage is the one that was reported", ({ body, wish, named }) => {
    const [raw, amount] = [textOf(body["actual_raw"]), textOf(wish["actual_amount"])];
    return [
      same("body /payment_id", body["payment_id"], named),
      same("body /usage_id", body["usage_id"], wish["usage_id"]),
      holds("body /actual_raw", isScaled(raw, amount), `is ${raw}, and ${amount} was reported`),
    ];
  }),
  ofSuccess("reportX402Usage", "no more is charged than was authorized", ({ body }): Claim[] => {
    const [actual, most] = [textOf(body["actual_raw"]), textOf(body["max_raw"])];
    return [holds("body /actual_raw", BigInt(actual) <= BigInt(most), `is ${actual} of ${most}`)];
  }),
];

export const namedRelations: readonly Relation[] = [
  ofSuccess([...ofId, "getCurrency"], "an answer is about what was named", (seen) => {
    if (seen.asked === undefined) return [];
    const [at, shown] =
      seen.operationId === "getCurrency"
        ? ["body /currency/id", objectOf(seen.body["currency"])]
        : ["body /id", seen.body];
    return [same(at, shown["id"], seen.named)];
  }),
  ...subscriptions,
  ...x402,
];
