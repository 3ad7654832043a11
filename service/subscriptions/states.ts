// The states of a subscription.

import type { SubscriptionStatus } from "../database/words.ts";
import assert from "node:assert";

export type SubscriptionTrigger = "bill_paid" | "tries_exhausted" | "waited_too_long" | "cancelled";

export interface SubscriptionEdge {
  readonly from: SubscriptionStatus;
  readonly trigger: SubscriptionTrigger;
  readonly to: SubscriptionStatus;
}

/**
 * All there are. Our choice: a subscription whose first bill nobody pays was never one, and expires
 * without having been past due.
 */
export const subscriptionEdges: readonly SubscriptionEdge[] = [
  { from: "incomplete", trigger: "bill_paid", to: "active" },
  { from: "incomplete", trigger: "tries_exhausted", to: "expired" },
  { from: "incomplete", trigger: "cancelled", to: "cancelled" },
  { from: "active", trigger: "bill_paid", to: "active" },
  { from: "active", trigger: "tries_exhausted", to: "past_due" },
  { from: "active", trigger: "cancelled", to: "cancelled" },
  { from: "past_due", trigger: "bill_paid", to: "active" },
  { from: "past_due", trigger: "waited_too_long", to: "expired" },
  { from: "past_due", trigger: "cancelled", to: "cancelled" },
];

/** An edge that does not exist is a fault of ours. */
export function nextSubscriptionStatus(
  from: SubscriptionStatus,
  trigger: SubscriptionTrigger,
): SubscriptionStatus {
  const edge = subscriptionEdges.find((one) => one.from === from && one.trigger === trigger);
  assert(edge !== undefined, `a subscription that is ${from} has no edge ${trigger}`);
  return edge.to;
}
