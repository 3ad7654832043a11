// Help for who is calling, how often, and for what was sent before; and for what is our own fault.

import type { SomeHelp } from "./entry.ts";

export const callerHelp = {
  authentication_failed: {
    cause:
      "The key is unknown, revoked or expired, or the signature does not fit the request: one code for all, so that nobody finds out which.",
    remedy:
      "Check that key and secret belong together, reproduce the contract's two test vectors, and sign the very bytes, path and query that are sent.",
    again: "signed anew",
  },
  timestamp_out_of_range: {
    cause: "`X-Timestamp` is more than 300 seconds from the service's clock.",
    remedy:
      "Put your clock right by `details.server_time`, and send unix seconds, not milliseconds.",
    again: "signed anew",
  },
  nonce_reused: {
    cause: "This `X-Nonce` came before with the same key.",
    remedy: "Make a new random nonce for every request, also for one that is sent again.",
    again: "signed anew",
  },
  insufficient_scope: {
    cause:
      "The key lacks the scope `details.required_scope`, or has `details.excluded_scope`, which a live key that moves money may not have.",
    remedy: "Use a key with other scopes; the operator of the service issues it.",
    again: "after a change",
  },
  ip_not_allowed: {
    cause:
      "The key may not be used from this address, or it is bound to no addresses and may not move money on main networks.",
    remedy:
      "Call from an address on the key's list, or use a key for yours that the operator of the service issues.",
    again: "after a change",
  },
  merchant_suspended: {
    cause: "The operator of the service has suspended the merchant, and so all of its keys.",
    remedy: "Ask the operator; until the suspension ends, sending again is of no use.",
    again: "after a change",
  },
  rate_limited: {
    cause:
      "What `details.policy` counts is used up: in a minute a key has 600 requests of `read`, 120 of `write` and 60 of `money`, and a merchant 1200; others count by address, by the payer who signed, or the gas of a day.",
    remedy:
      "Send it again after the seconds of `Retry-After`, and slow down before the `RateLimit` header says that nothing is left; a payer of x402 can pay to the payment's address meanwhile.",
    again: "later",
  },
} as const satisfies SomeHelp;

export const repeatedHelp = {
  idempotency_key_reused: {
    cause:
      "This `Idempotency-Key` was sent before with another operation, path or body; it is one for all keys and operations of the merchant.",
    remedy: "Use a new `Idempotency-Key`, or send the first request again exactly as it was.",
    again: "never",
  },
  idempotency_in_progress: {
    cause: "The first request with this `Idempotency-Key` still runs.",
    remedy: "Send it again after `Retry-After`: then you get the answer of the first one.",
    again: "later",
  },
  idempotency_key_expired: {
    cause:
      "The request with this `Idempotency-Key` was done, and its answer is no longer kept: that ends after 7 days, after 24 hours where it shows a secret.",
    remedy:
      "Look for what it made before you use a new key; a webhook secret that is lost is replaced by rotate-secret.",
    again: "never",
  },
} as const satisfies SomeHelp;

export const ourHelp = {
  internal_error: {
    cause: "Something went wrong on our side, and a write may have happened all the same.",
    remedy:
      "Send it again with the same `Idempotency-Key`, so that it is done once; if it stays, tell support the `X-Request-Id`.",
    again: "later",
  },
  service_unavailable: {
    cause:
      "The service cannot answer now; where its database went away in the middle, a write may have happened all the same.",
    remedy:
      "Send it again after `Retry-After`, with the same `Idempotency-Key` and never with a new one, so that it is done once.",
    again: "later",
  },
  chain_unavailable: {
    cause: "The chain that the request needs cannot be read or sent to now.",
    remedy:
      "Send it again after `Retry-After`, with the same `Idempotency-Key` and never with a new one; other chains may work.",
    again: "later",
  },
} as const satisfies SomeHelp;
