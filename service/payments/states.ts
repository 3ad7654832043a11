// The states of a payment, and every way from one to another. There is no other way: whoever changes
// the status of a payment asks `paymentEdge` first.

import type { PaymentStatus } from "../database/words.ts";
import assert from "node:assert";
import type { EventTypeAbout } from "../events/types.ts";

export type PaymentTrigger =
  /** the merchant's request */
  | "created"
  /** the merchant's other request */
  | "cancelled"
  /** some of the price was seen on a chain */
  | "part_seen"
  /** all of the price was seen on a chain */
  | "price_seen"
  /** deposits that were only seen are gone again */
  | "deposit_gone"
  /** all of the price is final, and about nothing more */
  | "price_final"
  /** more than the price is final */
  | "surplus_final"
  /** its time is over, and everything that was sent in time was seen */
  | "time_over"
  /** all of the price is final, but not all of it came in time */
  | "late_price_final"
  /** a deposit that was final is gone, and the price is no longer there without it */
  | "final_deposit_gone"
  /** what a reorganisation took away is final again, or other money in its place */
  | "price_back"
  /** x402: an authorization of up to the price was accepted */
  | "authorized"
  /** x402: what was used of it is charged */
  | "used"
  /** x402: nothing of it was used */
  | "released"
  /** x402: an authorization that was accepted came to nothing, for good */
  | "settlement_failed";

export interface PaymentEdge {
  /** null: there was no payment before */
  readonly from: PaymentStatus | null;
  readonly trigger: PaymentTrigger;
  readonly to: PaymentStatus;
  /** what the merchant hears of it */
  readonly event: EventTypeAbout<"payment">;
}

/**
 * Our choice: after a reorganisation the way from `confirming` to `expired` or `underpaid` is two
 * steps, over `pending` or `partially_paid`, each with its event: the chain goes back with the
 * reorganisation, and it has to pass the end of the payment's time once more.
 *
 * Our choice: an x402 authorization that failed leaves its payment as payable as it was, so that the
 * payer can sign another one.
 *
 * Our choice: when the money of a reversed payment is final again, its state says again what was paid,
 * and an event of its own tells it. `payment.paid` would make programs hand out the goods once more.
 *
 * Our choice: who has sent a part, whoever that was, keeps nobody from paying the rest by x402. From
 * `authorized` a payment goes back by way of `pending`, whatever it was before.
 *
 * Our choice: `partially_paid` goes back to `pending` when all of what was seen is gone, like
 * `confirming` does. Otherwise a payment that nobody ever paid would end as `underpaid`, and could
 * not be cancelled.
 */
export const paymentEdges: readonly PaymentEdge[] = [
  edge(null, "created", "pending", "payment.created"),
  edge("pending", "cancelled", "cancelled", "payment.cancelled"),
  edge("pending", "part_seen", "partially_paid", "payment.partially_paid"),
  edge("pending", "price_seen", "confirming", "payment.confirming"),
  edge("partially_paid", "price_seen", "confirming", "payment.confirming"),
  edge("partially_paid", "deposit_gone", "pending", "payment.reorged"),
  edge("confirming", "deposit_gone", "partially_paid", "payment.reorged"),
  edge("confirming", "deposit_gone", "pending", "payment.reorged"),
  edge("confirming", "settlement_failed", "partially_paid", "x402.settlement_failed"),
  edge("confirming", "settlement_failed", "pending", "x402.settlement_failed"),
  edge("confirming", "price_final", "paid", "payment.paid"),
  edge("confirming", "surplus_final", "overpaid", "payment.overpaid"),
  edge("pending", "time_over", "expired", "payment.expired"),
  edge("partially_paid", "time_over", "underpaid", "payment.underpaid"),
  edge("expired", "late_price_final", "paid_late", "payment.paid_late"),
  edge("underpaid", "late_price_final", "paid_late", "payment.paid_late"),
  edge("paid", "final_deposit_gone", "reversed", "payment.reversed"),
  edge("overpaid", "final_deposit_gone", "reversed", "payment.reversed"),
  edge("paid_late", "final_deposit_gone", "reversed", "payment.reversed"),
  edge("reversed", "price_back", "paid", "payment.restored"),
  edge("reversed", "price_back", "overpaid", "payment.restored"),
  edge("reversed", "price_back", "paid_late", "payment.restored"),
  edge("pending", "authorized", "authorized", "x402.authorized"),
  edge("partially_paid", "authorized", "authorized", "x402.authorized"),
  edge("authorized", "used", "paid", "payment.paid"),
  edge("authorized", "released", "expired", "payment.expired"),
  edge("authorized", "settlement_failed", "pending", "x402.settlement_failed"),
];

/** The edge itself; that there is none is a fault of ours. */
export function paymentEdge(
  from: PaymentStatus | null,
  trigger: PaymentTrigger,
  to: PaymentStatus,
): PaymentEdge {
  const found = paymentEdges.find(
    (one) => one.from === from && one.trigger === trigger && one.to === to,
  );
  assert(found !== undefined, `a payment does not go from ${from} to ${to} by ${trigger}`);
  return found;
}

function edge(
  from: PaymentEdge["from"],
  trigger: PaymentTrigger,
  ...[to, event]: readonly [PaymentStatus, EventTypeAbout<"payment">]
): PaymentEdge {
  return { from, trigger, to, event };
}
