// Help for the state of what a request would change.

import type { SomeHelp } from "./entry.ts";

export const stateHelp = {
  payment_not_found: {
    cause:
      "There is no payment with this `payment_id`, or behind this checkout link; one of another merchant or of the other environment looks the same.",
    remedy:
      "Send the `id` that `POST /v1/payments` has answered, with a key of the same environment.",
    again: "never",
  },
  endpoint_already_exists: {
    cause:
      "The webhook endpoint `details.endpoint_id` has this `url` in the environment of the key.",
    remedy:
      "Change that endpoint, and rotate its secret if that is lost: the first request, sent again with its `Idempotency-Key`, shows it for 24 hours.",
    again: "never",
  },
  endpoint_limit_reached: {
    cause: "The merchant has 20 webhook endpoints in the environment of the key.",
    remedy: "Give one that is not needed any more another URL by `PUT /v1/webhook-endpoints/{id}`.",
    again: "never",
  },
  order_already_exists: {
    cause:
      "`merchant_order_no` belongs to the payment `details.payment_id`, made with another `Idempotency-Key` or so long ago that the answer is not kept.",
    remedy: "Go on with that payment, or send a new order number for a new order.",
    again: "never",
  },
  address_already_registered: {
    cause:
      "The merchant has registered this address on this chain before, as `details.withdraw_address_id`.",
    remedy:
      "Use that id; where the operator has disabled the address (`withdraw_address_inactive`), register another one.",
    again: "never",
  },
  schedule_already_exists: {
    cause:
      "The payout schedule `details.schedule_id` for the same currency, chain and address is active.",
    remedy: "Keep it, or pause it first: a new one takes the place of a paused one.",
    again: "after a change",
  },
  payment_already_settled: {
    cause:
      "Another authorization was settled or used for this payment, by the transaction `details.tx_hash` where there is one.",
    remedy:
      "Do not ask the payer to sign again; go by the payment's status, and deliver when `payment.paid` comes.",
    again: "never",
  },
  settlement_in_progress: {
    cause:
      "Another authorization for this payment is being settled, or an `upto` one waits for your usage report.",
    remedy:
      "Report its usage by `POST /v1/x402/{payment_id}/usage` if it is an `upto` one; else wait for its outcome, of which a webhook tells, and send this one again if that failed.",
    again: "later",
  },
  payment_not_payable: {
    cause:
      "The payment does not wait for money: its status is `details.status`, or its time is over (`details.expires_at`); with `details.tx_hash` the money of this very authorization has moved all the same.",
    remedy:
      "With `details.tx_hash` ask the operator and do not have it signed again; if the status is `confirming`, `authorized`, `paid`, `overpaid` or `paid_late`, go by that; only where it is `expired`, `cancelled` or `underpaid` make a new payment.",
    again: "never",
  },
  payment_not_cancellable: {
    cause: "Only a `pending` payment can be cancelled, and this one is `details.status`.",
    remedy:
      "Go by the status that it has; webhooks tell how it goes on, and whether it is `pending` again.",
    again: "after a change",
  },
  withdrawal_not_cancellable: {
    cause: "Only a `pending` withdrawal can be cancelled, and this one is `details.status`.",
    remedy: "Wait for its end, of which a webhook tells.",
    again: "never",
  },
  subscription_not_cancellable: {
    cause: "The subscription has expired (`details.status`), so there is nothing to cancel.",
    remedy: "Treat it as ended.",
    again: "never",
  },
  usage_already_reported: {
    cause: "Another `usage_id` or another amount was reported for this payment.",
    remedy: "Keep to the first report: usage is reported once, and only the same is taken again.",
    again: "never",
  },
  usage_closed: {
    cause:
      "Usage can no longer be reported: what was authorized was released, has lapsed or the payment has ended (`details.status`).",
    remedy:
      "If the payment is `pending` or `partially_paid`, have the payer sign anew and settle that; else make a new payment.",
    again: "after a change",
  },
} as const satisfies SomeHelp;
