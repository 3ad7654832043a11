// Help for what a body says: what it refers to, and how much.

import type { SomeHelp } from "./entry.ts";

export const referenceHelp = {
  currency_not_found: {
    cause: "The catalog has no currency with this id.",
    remedy:
      "Use an id from `GET /v1/currencies`; `details.near_currency_ids` are what may have been meant.",
    again: "never",
  },
  currency_not_accepted: {
    cause: "The merchant does not accept the currency `details.currency_id`.",
    remedy:
      "Accept it by `PUT /v1/currency-acceptance`, or quote one of `details.accepted_currency_ids`.",
    again: "after a change",
  },
  chain_not_accepted: {
    cause:
      "The service does not know the chain, the currency is not on it, the merchant does not accept it there, or the list of chains is empty.",
    remedy:
      "Name a chain that `GET /v1/currencies` has for the currency, for a payment one of `details.accepted_chain_ids`.",
    again: "after a change",
  },
  deposits_disabled: {
    cause:
      "Deposits of the currency `details.currency_id` are off on a chain that was named or on all, or this server watches none of them (`details.reason` is `chain_not_watched`).",
    remedy:
      "Leave the chain out, or name one of `details.open_chain_ids`; which chains are on, the operator of the service decides.",
    again: "after a change",
  },
  withdrawals_disabled: {
    cause:
      "Withdrawals of the currency are off on the chain `details.chain_id`, or this server sends nothing there (`details.reason` is `chain_not_watched`).",
    remedy: "Withdraw on another chain, or ask the operator of the service when this one is on.",
    again: "after a change",
  },
  invalid_address: {
    cause: "`address` has another form than addresses of its chain, or a wrong checksum (EIP-55).",
    remedy:
      "Copy the whole address again from the wallet that shows it; do not correct it by hand.",
    again: "never",
  },
  address_not_allowed: {
    cause:
      "Funds cannot be withdrawn to this address: it is the zero address, the contract of a token, or one of the service's own.",
    remedy: "Register an address that you hold the key of.",
    again: "never",
  },
  withdraw_address_not_found: {
    cause: "The merchant has no withdraw address with this id in the environment of the key.",
    remedy: "Send the `id` that `POST /v1/withdraw-addresses` has answered.",
    again: "never",
  },
  withdraw_address_chain_mismatch: {
    cause: "The withdraw address belongs to another chain than `target_chain_id`.",
    remedy: "Name the chain of the address, or register the address on this chain too.",
    again: "never",
  },
  withdraw_address_inactive: {
    cause:
      "The withdraw address still cools off (`details.status` is `pending_activation`), was disabled, or is one that funds cannot go to any more.",
    remedy: "Wait until `details.activates_at` where it comes, else use another address.",
    again: "after a change",
  },
  split_merchant_not_found: {
    cause:
      "There is no active merchant `details.merchant_id` that has agreed to a share of your payments.",
    remedy: "Correct the id, or have the operator of the service enter that merchant's consent.",
    again: "after a change",
  },
  split_merchant_duplicate: {
    cause: "The merchant `details.merchant_id` stands twice in `splits`.",
    remedy: "Give each merchant one share, with the sum of its `bps`.",
    again: "never",
  },
  split_self: {
    cause: "`splits` names the merchant itself, who gets the rest of the payment anyway.",
    remedy: "Leave it out of `splits`.",
    again: "never",
  },
} as const satisfies SomeHelp;

export const amountHelp = {
  splits_exceed_total: {
    cause: "The `bps` of `splits` are `details.total_bps` together, which is more than 10000.",
    remedy: "Give shares of at most 10000 basis points together.",
    again: "never",
  },
  expires_in_out_of_range: {
    cause: "`expires_in_secs` is not from 1 to 604800 seconds.",
    remedy: "Send a value from `details.minimum` to `details.maximum`, or leave it out.",
    again: "never",
  },
  interval_out_of_range: {
    cause: "`interval_secs` is shorter or longer than a payout schedule may be.",
    remedy: "Send a value from `details.minimum` to `details.maximum`.",
    again: "never",
  },
  first_run_in_past: {
    cause: "`first_run_at` is before the time of the service, `details.server_time`.",
    remedy: "Send a later time, or leave it out to begin one interval from now.",
    again: "never",
  },
  amount_precision: {
    cause:
      "The amount at `details.pointer` has more fraction digits than the asset, and amounts are never rounded.",
    remedy: "Send at most `details.decimals` fraction digits.",
    again: "never",
  },
  amount_too_small: {
    cause: "The amount at `details.pointer` is zero.",
    remedy: "Send an amount above zero.",
    again: "never",
  },
  amount_too_large: {
    cause:
      "The amount at `details.pointer`, of a withdrawal together with its fee, is above 2^256-1 of the smallest unit.",
    remedy: "Send a smaller amount: a token on a chain cannot hold more.",
    again: "never",
  },
  usage_exceeds_max: {
    cause: "`actual_amount` is more than the payer has authorized, or is asked to.",
    remedy: "Report at most the authorized amount.",
    again: "never",
  },
  usage_not_upto: {
    cause:
      "The payment is not one that is charged by usage: it was settled by `exact` or paid without x402, or it can be settled by `upto` in no deployment, or in several.",
    remedy:
      "Report usage of payments that are settled by `upto` only; where there are several deployments, settle first.",
    again: "after a change",
  },
  insufficient_balance: {
    cause:
      "Amount and fee (`details.required_raw`) are more than the available balance (`details.available_raw`).",
    remedy: "Withdraw less, or wait until more deposits are final.",
    again: "after a change",
  },
} as const satisfies SomeHelp;
