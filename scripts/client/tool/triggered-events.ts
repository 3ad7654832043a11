// Which events can be brought about on the local chain, and how the others come about.

/** What is done to a new payment, one after the other. */
export type Step =
  "cancel" | "expire" | "pay a half" | "pay all" | "pay twice" | "pay to its address";

export interface Way {
  readonly steps: readonly Step[];
  /** of the payment, after the last step: any of these */
  readonly statuses: readonly string[];
}

/** Events of payments that a payer and a merchant can bring about. */
export const ways: ReadonlyMap<string, Way> = new Map<string, Way>([
  ["payment.created", { steps: [], statuses: ["pending"] }],
  ["payment.cancelled", { steps: ["cancel"], statuses: ["cancelled"] }],
  ["payment.partially_paid", { steps: ["pay a half"], statuses: ["partially_paid"] }],
  ["payment.confirming", { steps: ["pay all"], statuses: ["confirming", "paid"] }],
  ["payment.paid", { steps: ["pay all"], statuses: ["paid"] }],
  ["payment.overpaid", { steps: ["pay twice"], statuses: ["overpaid"] }],
  ["payment.underpaid", { steps: ["pay a half", "expire"], statuses: ["underpaid"] }],
  ["payment.expired", { steps: ["expire"], statuses: ["expired"] }],
  ["payment.paid_late", { steps: ["expire", "pay to its address"], statuses: ["paid_late"] }],
  [
    "payment.deposit_after_close",
    { steps: ["cancel", "pay to its address"], statuses: ["cancelled"] },
  ],
]);

const reorganisation = "a reorganisation of the chain brings it about, and nobody can order one";
const sending = "comes by itself on the way of a withdrawal: POST /v1/withdrawals begins one";
const scheduled =
  "comes by itself at the time of a payout schedule: POST /v1/payout-schedules makes one";
const billing =
  "comes by itself at the times of a subscription, which the operator of the service makes";
const settling =
  "comes of a settlement: POST /v1/x402/settle, for which the payer signs an authorization";
const consent =
  "comes when a merchant agrees to splits with another one, which its operator writes down";
const toOthers = "goes to the merchant's other endpoints";

/** How the others come about. */
export const otherWays: ReadonlyMap<string, string> = new Map([
  ["payment.reorged", reorganisation],
  ["payment.reversed", reorganisation],
  ["payment.restored", reorganisation],
  ["withdraw_address.registered", "comes of POST /v1/withdraw-addresses"],
  ["withdraw_address.activated", "comes when a new withdraw address has cooled off"],
  ["withdrawal.requested", "comes of POST /v1/withdrawals"],
  ["withdrawal.cancelled", "comes of POST /v1/withdrawals/{id}/cancel"],
  ["withdrawal.processing", sending],
  ["withdrawal.broadcast", sending],
  ["withdrawal.confirmed", sending],
  ["withdrawal.failed", sending],
  ["withdrawal.rejected", sending],
  ["payout_schedule.created", "comes of POST /v1/payout-schedules"],
  ["payout_schedule.paused", "comes of POST /v1/payout-schedules/{id}/pause"],
  ["payout_schedule.retired", scheduled],
  ["payout_schedule.due", scheduled],
  ["payout_schedule.run_requested", scheduled],
  ["payout_schedule.run_skipped", scheduled],
  ["subscription.billed", billing],
  ["subscription.past_due", billing],
  ["subscription.cancelled", "comes of POST /v1/subscriptions/{id}/cancel"],
  ["subscription.expired", billing],
  ["currency_acceptance.updated", "comes of PUT /v1/currency-acceptance"],
  ["split_consent.granted", consent],
  ["split_consent.ended", consent],
  ["x402.authorized", settling],
  ["x402.settlement_submitted", settling],
  ["x402.settled", settling],
  ["x402.settlement_failed", settling],
  ["x402.usage_reported", "comes of POST /v1/x402/{payment_id}/usage"],
  [
    "x402.released",
    "comes of POST /v1/x402/{payment_id}/usage, where less was used than was authorized",
  ],
  ["webhook_endpoint.updated", `${toOthers} after PUT /v1/webhook-endpoints/{id}`],
  [
    "webhook_endpoint.secret_rotated",
    `${toOthers} after POST /v1/webhook-endpoints/{id}/rotate-secret`,
  ],
  ["webhook_endpoint.disabled", `${toOthers} after POST /v1/webhook-endpoints/{id}/status`],
]);
