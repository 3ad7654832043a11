// Help for authorizations that are refused; `details.x402_reason` has the word of the protocol.

import type { SomeHelp } from "./entry.ts";

export const x402Help = {
  x402_requirements_mismatch: {
    cause:
      "`payment_requirements` are not what this payment asks for: `details.field` is the first member that differs, and with `details.least_raw` the amount is below what a settlement is worth now.",
    remedy:
      "Take the requirements from the 402 answer of the payment's `checkout_url` as they are (for `upto` with that scheme), and have the payer sign those; where there are none, have the payer pay to the payment's address.",
    again: "after a change",
  },
  x402_payload_scheme_mismatch: {
    cause:
      "The payload is of another method (EIP-3009 or Permit2) than this scheme takes for this token, or names another `spender`.",
    remedy: "Have the payer sign by the method that the payment's 402 answer names.",
    again: "never",
  },
  x402_facilitator_mismatch: {
    cause: "The `facilitator` of an `upto` authorization is missing, or is not the `pay_to`.",
    remedy: "Have the payer sign with the `pay_to` of the requirements as the `facilitator`.",
    again: "never",
  },
  x402_not_yet_valid: {
    cause: "The authorization is valid only after its `valid_after`.",
    remedy: "Wait for that time, or have the payer sign an earlier `valid_after`.",
    again: "later",
  },
  x402_expired: {
    cause:
      "The authorization has ended, or ends in less than the 20 seconds that settling it may take.",
    remedy: "Have the payer sign a new one that is valid longer, and settle it at once.",
    again: "never",
  },
  x402_amount_mismatch: {
    cause: "The payer has signed another amount than `max_amount_required`.",
    remedy: "Have the payer sign exactly `max_amount_required`, in the smallest unit.",
    again: "never",
  },
  x402_recipient_mismatch: {
    cause: "The authorization pays another address than `pay_to`.",
    remedy: "Have the payer sign with `to` as the `pay_to` of the requirements.",
    again: "never",
  },
  x402_nonce_mismatch: {
    cause: "The `nonce` that was signed is not the one in `payment_requirements`.",
    remedy: "Send the nonce that the payer has signed, or have the payer sign the required one.",
    again: "never",
  },
  x402_invalid_signature: {
    cause: "The signature is not one of `from` for this authorization.",
    remedy:
      "Have the account `from` sign, with the name, version, chain and contract of the token's EIP-712 domain.",
    again: "never",
  },
  x402_authorization_cancelled: {
    cause: "The payer has cancelled the authorization on the chain, by `details.tx_hash`.",
    remedy:
      "Have the payer pay to the payment's address, or make a new payment: the `nonce` that this one asks for is gone.",
    again: "never",
  },
  x402_authorization_used: {
    cause:
      "Another payment has accepted this authorization before, and keeps it also where that has failed; or the token says that its nonce was used, and the service has not found by which transaction, which may even have been for this payment.",
    remedy:
      "Have the payer sign anew with another nonce if you have handed it in for another payment; if not, send the same again after a while, and if that stays, look on the chain for a transfer from `from` to `pay_to` before anybody pays a second time, and then have the payer pay to the payment's address.",
    again: "later",
  },
  x402_insufficient_funds: {
    cause: "The account `from` has less of the token than the amount.",
    remedy:
      "Have the payer fund the account and send the same again; if `x402.settlement_failed` told of it, have the payer sign anew with another `valid_before`, or by another account.",
    again: "after a change",
  },
  x402_allowance_required: {
    cause: "The account `from` has not allowed the Permit2 contract to move the amount.",
    remedy:
      "Have the payer approve Permit2 for the token once, then send the same again; if `x402.settlement_failed` told of it, have the payer sign anew.",
    again: "after a change",
  },
  x402_simulation_failed: {
    cause:
      "The token would refuse the authorization now, though it is signed and funded: it may be paused, or have blocked an account.",
    remedy:
      "Try again once, then have the payer use another account or another token; if `x402.settlement_failed` told of it, the same authorization is not tried again.",
    again: "after a change",
  },
  x402_reverted: {
    cause:
      "The transaction `details.tx_hash` that should settle the authorization has failed, and moved no money.",
    remedy:
      "Wait for `x402.settlement_failed`, since a reorganisation may still let it succeed, and then have the payer sign again with the same `nonce`, so that only one of the two can ever be used.",
    again: "later",
  },
  x402_transfer_mismatch: {
    cause:
      "The payer's money has moved by the transaction `details.tx_hash`, but another amount than was authorized, or by a transfer that counts for another authorization.",
    remedy:
      "Go by the payment's status, which counts what has come, and ask only for what is missing, in another token.",
    again: "never",
  },
} as const satisfies SomeHelp;
