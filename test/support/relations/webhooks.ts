// Endpoints and what was delivered to them.

import { textOf } from "../../../generator/suite/json.ts";
import { itemsOf } from "./pages.ts";
import { pastClaims } from "./payouts.ts";
import {
  type Claim,
  holds,
  ofSuccess,
  ofWish,
  type Relation,
  same,
  type Seen,
  textsOf,
  timeOf,
} from "./relation.ts";

/** Each once, and all of them where none were named. */
function eventTypes({ wish }: Seen): string[] {
  return wish["event_types"] === undefined ? ["*"] : [...new Set(textsOf(wish["event_types"]))];
}

const shown = ["getWebhookEndpoint", "updateWebhookEndpoint", "setWebhookEndpointStatus"];
const dayMilliseconds = 86_400_000;

export const webhookRelations: readonly Relation[] = [
  ofWish("registerWebhookEndpoint", "an endpoint gets the events that were asked for", (seen) => [
    same("body /event_types", seen.body["event_types"], eventTypes(seen)),
  ]),
  ofWish("updateWebhookEndpoint", "an endpoint is changed into what was asked for", (seen) => [
    same("body /url", seen.body["url"], URL.parse(textOf(seen.wish["url"]))?.href),
    same("body /event_types", seen.body["event_types"], eventTypes(seen)),
  ]),
  ofWish(
    "setWebhookEndpointStatus",
    "an endpoint is switched as was asked for",
    ({ body, wish }) => [same("body /active", body["active"], wish["active"])],
  ),
  ofSuccess(shown, "an endpoint was made in the past", (seen) =>
    pastClaims(seen, "body /created_at", seen.body["created_at"]),
  ),
  ofSuccess("listWebhookDeliveries", "deliveries are those of the last 30 days", (seen) =>
    itemsOf(seen).flatMap(({ created_at }, place) => {
      const at = `body /deliveries/${place}/created_at`;
      const [made, { time }] = [timeOf(created_at), seen];
      if (time === undefined || made === undefined) return [];
      const isRecent = made >= time.from - 30 * dayMilliseconds;
      return [
        ...pastClaims(seen, at, created_at ?? null),
        holds(at, isRecent, `is ${textOf(created_at)}, more than 30 days ago`),
      ];
    }),
  ),
  ofSuccess("listWebhookDeliveries", "what was attempted goes with how it ended", (seen) =>
    itemsOf(seen).flatMap(({ status, attempts }, place) =>
      attemptClaims(`body /deliveries/${place}/attempts`, textOf(status), Number(attempts)),
    ),
  ),
];

/** How many attempts a delivery in this status has: at least, and at most. */
const attemptsOf: Readonly<Record<string, readonly [number, number]>> = {
  pending: [0, 9],
  delivered: [1, 10],
  failed: [10, 10],
  skipped: [0, 9],
  cancelled: [0, 10],
};

function attemptClaims(at: string, status: string, attempts: number): readonly Claim[] {
  const [least, most] = attemptsOf[status] ?? [0, 10];
  const isPossible = attempts >= least && attempts <= most;
  return [holds(at, isPossible, `is ${attempts}, and the delivery is ${status}`)];
}
