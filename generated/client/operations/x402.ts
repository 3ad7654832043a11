// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "../runtime/answers.ts";
import * as calls from "../runtime/calls.ts";
import type * as types from "../../types.ts";

/** POST /v1/x402/{payment_id}/usage: what a call is given */
export type ReportX402UsageArguments = {
  /**
   * @description The payment whose usage is reported.
   * @example pay_01KDVDNA006Q3D25VT4F5V37EK
   */
  readonly payment_id: types.Identifier;
} & types.ReportX402UsageRequest;

/** POST /v1/x402/{payment_id}/usage: every documented answer */
export type ReportX402UsageAnswer =
  | answers.Answer<201, types.X402Usage>
  | answers.Answer<
      401,
      answers.WithCode<
        types.ApiError,
        "authentication_failed" | "timestamp_out_of_range" | "nonce_reused"
      >
    >
  | answers.Answer<404, answers.WithCode<types.ApiError, "not_found">>
  | answers.Answer<
      409,
      answers.WithCode<
        types.ApiError,
        "usage_already_reported" | "usage_closed" | "idempotency_in_progress"
      >
    >
  | answers.Answer<
      422,
      answers.WithCode<
        types.ApiError,
        | "usage_exceeds_max"
        | "usage_not_upto"
        | "amount_precision"
        | "amount_too_large"
        | "idempotency_key_reused"
      >
    >
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        | "invalid_json"
        | "invalid_request"
        | "missing_header"
        | "invalid_header"
        | "unknown_parameter"
      >
    >
  | answers.Answer<
      403,
      answers.WithCode<
        types.ApiError,
        "insufficient_scope" | "ip_not_allowed" | "merchant_suspended"
      >
    >
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<415, answers.WithCode<types.ApiError, "unsupported_media_type">>
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** POST /v1/x402/settle: what a call is given */
export type SettleX402PaymentArguments = types.SettleX402PaymentRequest;

/** POST /v1/x402/settle: every documented answer */
export type SettleX402PaymentAnswer =
  | answers.Answer<200, types.SettledX402Payment>
  | answers.Answer<202, types.UnsettledX402Payment>
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        | "invalid_json"
        | "invalid_request"
        | "missing_header"
        | "invalid_header"
        | "unknown_parameter"
      >
    >
  | answers.Answer<
      401,
      answers.WithCode<
        types.ApiError,
        "authentication_failed" | "timestamp_out_of_range" | "nonce_reused"
      >
    >
  | answers.Answer<
      402,
      answers.WithCode<
        types.ApiError,
        | "x402_invalid_signature"
        | "x402_payload_scheme_mismatch"
        | "x402_requirements_mismatch"
        | "x402_amount_mismatch"
        | "x402_recipient_mismatch"
        | "x402_not_yet_valid"
        | "x402_expired"
        | "x402_nonce_mismatch"
        | "x402_insufficient_funds"
        | "x402_authorization_used"
        | "x402_authorization_cancelled"
        | "x402_allowance_required"
        | "x402_facilitator_mismatch"
        | "x402_simulation_failed"
        | "x402_reverted"
        | "x402_transfer_mismatch"
      >
    >
  | answers.Answer<
      409,
      answers.WithCode<
        types.ApiError,
        | "payment_not_payable"
        | "settlement_in_progress"
        | "payment_already_settled"
        | "idempotency_in_progress"
      >
    >
  | answers.Answer<
      403,
      answers.WithCode<
        types.ApiError,
        "insufficient_scope" | "ip_not_allowed" | "merchant_suspended"
      >
    >
  | answers.Answer<404, answers.WithCode<types.ApiError, "payment_not_found">>
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<415, answers.WithCode<types.ApiError, "unsupported_media_type">>
  | answers.Answer<422, answers.WithCode<types.ApiError, "idempotency_key_reused">>
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<
      503,
      answers.WithCode<types.ApiError, "service_unavailable" | "chain_unavailable">
    >;

/** The operations of "x402". */
export interface X402Operations {
  /**
   * Report the usage of an upto payment
   *
   * Reports, once, what was really used of an `upto` payment. It may come before or after the
   * settlement; settling first is advised above small values. After an EIP-3009 settlement the
   * actual amount is charged and the rest goes back to the payer; after a Permit2 one the
   * actual amount is broadcast. An amount of zero charges nothing.
   *
   * The same `usage_id` with the same amount is answered 201 again. Any other second report is
   * 409 `usage_already_reported`; after the release deadline it is 409 `usage_closed`. Without a
   * report in time the payer gets everything back. Our choice: a Permit2 authorization that ends
   * without a report leaves the payment as payable as it was, told by `x402.settlement_failed`; a
   * report is `usage_closed` then, until another authorization is settled. Emits `x402.usage_reported`, and
   * `x402.released` when a rest is returned.
   *
   * POST /v1/x402/{payment_id}/usage
   */
  readonly reportX402Usage: calls.Call<
    ReportX402UsageArguments,
    ReportX402UsageAnswer,
    calls.KeyedOptions
  >;
  /**
   * Settle an x402 payment authorization
   *
   * Verifies the payer's signed authorization against the payment and the requirements, and
   * broadcasts it. Every field of `payment_requirements` must equal the payment's quote, but for
   * the amount where some of it is paid already; the EIP-712 domain comes from the catalog, and
   * `extra` must agree with it. Waits up to 20 seconds for the receipt.
   *
   * 200 means settled. 202 means accepted with the outcome open: either the transaction is not
   * confirmed yet (send the same request again; it never broadcasts twice), or an upto
   * authorization by Permit2 waits for its usage report. Wait for `x402.settled` or
   * `x402.settlement_failed`.
   *
   * The terms of a `checkout_url` ask for `exact`. Our choice: `upto` is the merchant's decision.
   * For it, ask your own client for the same `asset` and `pay_to`, which is the facilitator too,
   * and for the whole price; or report the usage first: then the `checkout_url` asks for `upto`.
   *
   * Refuses with 402 what x402 would refuse, so that a merchant can pass the answer on to its
   * own client. The payment must be `pending` or `partially_paid`: then what is missing of it is
   * settled. An authorization that somebody has submitted already is decided by the time of its
   * block, whenever it is handed in: 200 where its money pays the payment, late or beyond its
   * price too; 409 `payment_not_payable` with `details.tx_hash` where it is kept apart for the
   * merchant, since the payment is cancelled or over for more than 7 days. Of a payment that is
   * over, it is 202 until that block has been read: send the same again. Only 65-byte
   * signatures are taken: contract wallets (ERC-1271, ERC-6492) and compact signatures (EIP-2098) cannot
   * pay here.
   *
   * Our choice: a token that may keep a part of what is sent (capability `transfer_fee`) is not offered
   * for x402, since what is authorized would not be what comes: 402 `x402_requirements_mismatch` with
   * `details.field` `scheme`.
   *
   * Every settlement costs gas, whatever it brings. Our choice: below a least amount (a cent of the
   * shipped dollar coins, or what the catalog says, or what a settlement costs now, whichever is
   * more) no terms are offered, and 402 `x402_requirements_mismatch` has `details.field`
   * `max_amount_required` and `details.least_raw`; what was offered is taken while gas gets no more
   * than twice as dear. Who has used up a merchant's part of the day's gas on a chain gets 429
   * `rate_limited` with `details.policy` `x402_gas` and `Retry-After` until midnight (UTC). Neither
   * keeps a payer from sending the money to the payment's address.
   *
   * Without an Idempotency-Key the authorization itself is the key: chain, asset,
   * payer and nonce, for this payment.
   *
   * POST /v1/x402/settle
   */
  readonly settleX402Payment: calls.Call<
    SettleX402PaymentArguments,
    SettleX402PaymentAnswer,
    calls.KeyedOptions
  >;
}

/** How they are sent. */
export function x402Operations(sender: calls.Sender): X402Operations {
  return {
    reportX402Usage: calls.call(sender, {
      operationId: "reportX402Usage",
      method: "POST",
      path: "/v1/x402/{payment_id}/usage",
      parameters: [{ in: "path", name: "payment_id", isRequired: true }],
      body: { mediaType: "application/json", isRequired: true, isSpread: true },
      key: { header: "Idempotency-Key", isRequired: true },
      accept: "application/json",
      answers: {
        201: "application/json",
        401: "application/json",
        404: "application/json",
        409: "application/json",
        422: "application/json",
        default: "application/json",
      },
      defaultStatuses: [400, 403, 413, 415, 429, 500, 503],
    }),
    settleX402Payment: calls.call(sender, {
      operationId: "settleX402Payment",
      method: "POST",
      path: "/v1/x402/settle",
      parameters: [],
      body: { mediaType: "application/json", isRequired: true, isSpread: true },
      key: { header: "Idempotency-Key", isRequired: false },
      accept: "application/json",
      answers: {
        200: "application/json",
        202: "application/json",
        400: "application/json",
        401: "application/json",
        402: "application/json",
        409: "application/json",
        default: "application/json",
      },
      defaultStatuses: [403, 404, 413, 415, 422, 429, 500, 503],
    }),
  };
}
