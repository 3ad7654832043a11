// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "../runtime/answers.ts";
import * as calls from "../runtime/calls.ts";
import type * as types from "../../types.ts";

/** POST /v1/withdrawals: what a call is given */
export type RequestWithdrawalArguments = types.RequestWithdrawalRequest;

/** POST /v1/withdrawals: every documented answer */
export type RequestWithdrawalAnswer =
  | answers.Answer<201, types.Withdrawal>
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
      409,
      answers.WithCode<types.ApiError, "idempotency_in_progress" | "idempotency_key_expired">
    >
  | answers.Answer<
      422,
      answers.WithCode<
        types.ApiError,
        | "currency_not_found"
        | "chain_not_accepted"
        | "withdrawals_disabled"
        | "withdraw_address_not_found"
        | "withdraw_address_inactive"
        | "withdraw_address_chain_mismatch"
        | "amount_precision"
        | "amount_too_small"
        | "amount_too_large"
        | "insufficient_balance"
        | "idempotency_key_reused"
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

/** POST /v1/withdrawals/{id}/cancel: what a call is given */
export type CancelWithdrawalArguments = {
  /**
   * @description The withdrawal.
   * @example wdr_01KDVDNA0028JT97KB6CQ643DZ
   */
  readonly id: types.Identifier;
};

/** POST /v1/withdrawals/{id}/cancel: every documented answer */
export type CancelWithdrawalAnswer =
  | answers.Answer<200, types.CancelledWithdrawal>
  | answers.Answer<
      401,
      answers.WithCode<
        types.ApiError,
        "authentication_failed" | "timestamp_out_of_range" | "nonce_reused"
      >
    >
  | answers.Answer<
      403,
      answers.WithCode<
        types.ApiError,
        "insufficient_scope" | "ip_not_allowed" | "merchant_suspended"
      >
    >
  | answers.Answer<404, answers.WithCode<types.ApiError, "not_found">>
  | answers.Answer<
      409,
      answers.WithCode<types.ApiError, "withdrawal_not_cancellable" | "idempotency_in_progress">
    >
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        "invalid_request" | "missing_header" | "invalid_header" | "unknown_parameter"
      >
    >
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<422, answers.WithCode<types.ApiError, "idempotency_key_reused">>
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** The operations of "withdrawals". */
export interface WithdrawalsOperations {
  /**
   * Request a withdrawal
   *
   * Reserves `amount` plus the withdrawal fee and queues the transfer to a registered address.
   * `amount` is what the recipient gets; the flat fee comes on top, in the same asset, and is
   * fixed by this answer. Only the balance of the currency's deployment on `target_chain_id`
   * is used. Our choice: of a token that may keep a part (capability `transfer_fee`), `amount` is
   * what is sent, and the recipient gets less by what the token keeps.
   *
   * Refuses an address that is not active yet or is on another chain, an insufficient balance,
   * and currencies whose withdrawals are off. On a main network the key must be bound to
   * addresses (403 `ip_not_allowed`), and a live one may not be able to register withdraw
   * addresses as well (403 `insufficient_scope`). The withdrawal starts `pending`, and can be
   * cancelled until it is `processing`. Emits `withdrawal.requested`; `withdrawal.processing`,
   * `withdrawal.broadcast` and `withdrawal.confirmed` (or `withdrawal.failed`,
   * `withdrawal.rejected`) follow. Our choice: a transfer that would take more gas than the operator
   * allows is rejected with the `reason` `gas_above_limit`, and the money is available again.
   *
   * POST /v1/withdrawals
   */
  readonly requestWithdrawal: calls.Call<
    RequestWithdrawalArguments,
    RequestWithdrawalAnswer,
    calls.KeyedOptions
  >;
  /**
   * Cancel a withdrawal
   *
   * Cancels a `pending` withdrawal and releases the reserved amount and fee. A withdrawal that
   * is cancelled already answers 200 again. From `processing` on the answer is 409
   * `withdrawal_not_cancellable`. Emits `withdrawal.cancelled`.
   *
   * POST /v1/withdrawals/{id}/cancel
   */
  readonly cancelWithdrawal: calls.Call<
    CancelWithdrawalArguments,
    CancelWithdrawalAnswer,
    calls.KeyedOptions
  >;
}

/** How they are sent. */
export function withdrawalsOperations(sender: calls.Sender): WithdrawalsOperations {
  return {
    requestWithdrawal: calls.call(sender, {
      operationId: "requestWithdrawal",
      method: "POST",
      path: "/v1/withdrawals",
      parameters: [],
      body: { mediaType: "application/json", isRequired: true, isSpread: true },
      key: { header: "Idempotency-Key", isRequired: true },
      accept: "application/json",
      answers: {
        201: "application/json",
        400: "application/json",
        401: "application/json",
        409: "application/json",
        422: "application/json",
        default: "application/json",
      },
      defaultStatuses: [403, 413, 415, 429, 500, 503],
    }),
    cancelWithdrawal: calls.call(sender, {
      operationId: "cancelWithdrawal",
      method: "POST",
      path: "/v1/withdrawals/{id}/cancel",
      parameters: [{ in: "path", name: "id", isRequired: true }],
      key: { header: "Idempotency-Key", isRequired: true },
      accept: "application/json",
      answers: {
        200: "application/json",
        401: "application/json",
        403: "application/json",
        404: "application/json",
        409: "application/json",
        default: "application/json",
      },
      defaultStatuses: [400, 413, 422, 429, 500, 503],
    }),
  };
}
