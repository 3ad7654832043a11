// Why an authorization is refused: our code, and the word that x402 has for it.

import { ServiceError } from "../errors.ts";
import type { ServiceErrorCode } from "../errors.ts";
import type { X402Scheme } from "../catalog/x402-capabilities.ts";

export type X402Code = Extract<ServiceErrorCode, `x402_${string}`>;

/** What a refusal is about. */
export interface RefusedKind {
  readonly scheme: X402Scheme;
  readonly method: "eip3009" | "permit2";
}

interface Refusal {
  readonly message: string;
  /** identifiers of the official packages (@x402/evm 2.27), and of the protocol's own list */
  readonly eip3009: string;
  readonly permit2: string;
}

const refusals: Readonly<Record<X402Code, Refusal>> = {
  x402_requirements_mismatch: {
    message: "The requirements are not those of the payment; details.field names the first.",
    eip3009: "invalid_payment_requirements",
    permit2: "invalid_payment_requirements",
  },
  x402_payload_scheme_mismatch: {
    message: "The payload is not one that this scheme takes for this token.",
    eip3009: "invalid_exact_evm_eip3009_not_supported",
    permit2: "invalid_permit2_spender",
  },
  x402_facilitator_mismatch: {
    message: "The authorization names another facilitator than the settlement account, or none.",
    eip3009: "upto_facilitator_mismatch",
    permit2: "upto_facilitator_mismatch",
  },
  x402_not_yet_valid: {
    message: "The authorization is not valid yet.",
    eip3009: "invalid_exact_evm_payload_authorization_valid_after",
    permit2: "permit2_not_yet_valid",
  },
  x402_expired: {
    message: "The authorization has ended, or ends too soon to be settled.",
    eip3009: "invalid_exact_evm_payload_authorization_valid_before",
    permit2: "permit2_deadline_expired",
  },
  x402_amount_mismatch: {
    message: "The authorized amount is not the required one.",
    eip3009: "invalid_exact_evm_payload_authorization_value_mismatch",
    permit2: "permit2_amount_mismatch",
  },
  x402_recipient_mismatch: {
    message: "The authorization pays somebody else.",
    eip3009: "invalid_exact_evm_recipient_mismatch",
    permit2: "invalid_permit2_recipient_mismatch",
  },
  x402_nonce_mismatch: {
    message: "The nonce of the authorization is not the required one.",
    eip3009: "invalid_payload",
    permit2: "permit2_invalid_nonce",
  },
  x402_invalid_signature: {
    message: "The payer has not signed this authorization.",
    eip3009: "invalid_exact_evm_signature",
    permit2: "invalid_permit2_signature",
  },
  x402_authorization_cancelled: {
    message: "The payer has cancelled the authorization.",
    eip3009: "invalid_exact_evm_nonce_already_used",
    permit2: "permit2_invalid_nonce",
  },
  x402_authorization_used: {
    message: "The authorization was used or handed in already, and not for this payment.",
    eip3009: "invalid_exact_evm_nonce_already_used",
    permit2: "permit2_invalid_nonce",
  },
  x402_insufficient_funds: {
    message: "The payer does not have the amount.",
    eip3009: "invalid_exact_evm_insufficient_balance",
    permit2: "permit2_insufficient_balance",
  },
  x402_allowance_required: {
    message: "The payer has not allowed Permit2 to move the token.",
    eip3009: "permit2_allowance_required",
    permit2: "permit2_allowance_required",
  },
  x402_simulation_failed: {
    message: "The token would not take the authorization now.",
    eip3009: "invalid_exact_evm_transaction_simulation_failed",
    permit2: "permit2_simulation_failed",
  },
  x402_reverted: {
    message: "The transaction that settled the authorization has failed.",
    eip3009: "invalid_exact_evm_transaction_failed",
    permit2: "invalid_transaction_state",
  },
  x402_transfer_mismatch: {
    message: "The token has moved another amount than the authorization says.",
    eip3009: "invalid_exact_evm_transfer_event_mismatch",
    permit2: "invalid_exact_evm_transfer_event_mismatch",
  },
};

/** Where upto has a word of its own. */
const uptoReasons: Readonly<Partial<Record<X402Code, string>>> = {
  x402_reverted: "invalid_upto_evm_transaction_failed",
};

/** Facts for the caller in wire names; the cause is for the log only. */
interface RefusalMore {
  readonly cause?: unknown;
  readonly [name: string]: unknown;
}

export function x402Refusal(
  code: X402Code,
  { scheme, method }: RefusedKind,
  more: RefusalMore = {},
): ServiceError {
  const { cause, ...details } = more;
  const { message, ...reasons } = refusals[code];
  const reason = (scheme === "upto" ? uptoReasons[code] : undefined) ?? reasons[method];
  return new ServiceError(code, message, { details: { x402_reason: reason, ...details }, cause });
}

const fieldReasons: Readonly<Record<string, string>> = {
  scheme: "scheme",
  network: "network_mismatch",
  pay_to: "recipient_mismatch",
  "extra.name": "token_name_mismatch",
  "extra.version": "token_version_mismatch",
};

/** `field` is the first one that differs, in wire names. */
export function requirementsMismatch(kind: RefusedKind, field: string): ServiceError {
  const word = fieldReasons[field];
  const x402_reason =
    word === undefined ? "invalid_payment_requirements" : `invalid_${kind.scheme}_evm_${word}`;
  return x402Refusal("x402_requirements_mismatch", kind, { field, x402_reason });
}

/** What was authorized would not be what comes. */
export function keepsPartRefusal(kind: RefusedKind): ServiceError {
  const { code, details } = requirementsMismatch(kind, "scheme");
  const text =
    "The token may keep a part of what is sent, so that x402 cannot pay with it. " +
    "Send it to the payment's address, or pay with another token.";
  return new ServiceError(code, text, { details });
}

export function isX402Code(text: string | null): text is X402Code {
  return text !== null && text in refusals;
}
