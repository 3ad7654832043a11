// Help for authorizations that are refused; `details.x402_reason` has the word of the protocol.

import type { SomeHelp } from "./entry.ts";

export const x402Help = {
  x402_requirements_mismatch: {
    cause:
      "`payment_requirements` are not what this payment asks for; `details.field` is the first member that differs.",
    remedy:
      "Take the requirements from the 402 answer of the payment's `checkout_url` as they are, and have the payer sign those.",
    again: "never",
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
    remedy: "Have the payer sign a new one with a new `nonce`.",
    again: "never",
  },
  x402_authorization_used: {
    cause: "The authorization was used already, and not for this payment.",
    remedy: "Have the payer sign a new one with the `nonce` that the payment's 402 answer names.",
    again: "never",
  },
  x402_insufficient_funds: {
    cause: "The account `from` has less of the token than the amount.",
    remedy: "Have the payer fund the account, or sign with another one.",
    again: "after a change",
  },
  x402_allowance_required: {
    cause: "The account `from` has not allowed the Permit2 contract to move the amount.",
    remedy: "Have the payer approve Permit2 for the token once, then send the same again.",
    again: "after a change",
  },
  x402_simulation_failed: {
    cause:
      "The token would refuse the authorization now, though it is signed and funded: it may be paused, or have blocked an account.",
    remedy: "Try again once, then have the payer use another account or another token.",
    again: "after a change",
  },
  x402_reverted: {
    cause: "The transaction `details.tx_hash` that should settle the authorization has failed.",
    remedy: "Have the payer sign a new authorization, and settle that.",
    again: "never",
  },
  x402_transfer_mismatch: {
    cause:
      "The transaction `details.tx_hash` has moved another amount than was authorized, or its transfer counts for another authorization.",
    remedy: "Ask the operator of the service what came in, and have the payer use another token.",
    again: "never",
  },
} as const satisfies SomeHelp;
