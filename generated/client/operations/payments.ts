// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "../runtime/answers.ts";
import * as calls from "../runtime/calls.ts";
import type * as types from "../../types.ts";

/** POST /v1/payments: what a call is given */
export type CreatePaymentArguments = types.CreatePaymentRequest;

/** POST /v1/payments: every documented answer */
export type CreatePaymentAnswer =
  | answers.Answer<201, types.Payment>
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
      answers.WithCode<
        types.ApiError,
        "order_already_exists" | "idempotency_in_progress" | "idempotency_key_expired"
      >
    >
  | answers.Answer<
      422,
      answers.WithCode<
        types.ApiError,
        | "currency_not_found"
        | "currency_not_accepted"
        | "chain_not_accepted"
        | "deposits_disabled"
        | "amount_precision"
        | "amount_too_small"
        | "amount_too_large"
        | "splits_exceed_total"
        | "split_merchant_not_found"
        | "split_merchant_duplicate"
        | "split_self"
        | "expires_in_out_of_range"
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

/** POST /v1/payments/{id}/cancel: what a call is given */
export type CancelPaymentArguments = {
  /**
   * @description The payment.
   * @example pay_01KDVDNA006Q3D25VT4F5V37EK
   */
  readonly id: types.Identifier;
};

/** POST /v1/payments/{id}/cancel: every documented answer */
export type CancelPaymentAnswer =
  | answers.Answer<200, types.PaymentWithoutCheckout>
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
      answers.WithCode<types.ApiError, "payment_not_cancellable" | "idempotency_in_progress">
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

/** The operations of "payments". */
export interface PaymentsOperations {
  /**
   * Create a payment
   *
   * Asks a customer for an amount. Each entry of `quotes` is a full alternative price of the
   * whole order in that currency, payable on the listed chains, or on all chains the merchant
   * accepts for it. Amounts are in the currency itself, not fiat. Send the customer to
   * `checkout_url`, and ship when the webhook `payment.paid` (or `payment.overpaid`) arrives:
   * there is no operation that reads a payment.
   *
   * Our choice: where the catalog marks a deployment with the capability `transfer_fee`, the token
   * may keep a part of what is sent, and what counts is what its address has got, never more than
   * was sent. The customer has to send as much more.
   *
   * Refuses currencies and chains the merchant does not accept, amounts that the smallest
   * decimals among the chosen deployments cannot express, amounts of zero, splits above 10000
   * basis points in all, and an order number that was used before, for ever. A `redirect_url`
   * must be https without user information (400 `invalid_request`). The quotes are a snapshot:
   * later changes of the currency acceptance do not touch them.
   *
   * The payment starts `pending`. Emits `payment.created`; the chain watcher emits what follows.
   *
   * POST /v1/payments
   */
  readonly createPayment: calls.Call<
    CreatePaymentArguments,
    CreatePaymentAnswer,
    calls.KeyedOptions
  >;
  /**
   * Cancel a payment
   *
   * Cancels a `pending` payment. A payment that is cancelled already is returned unchanged with
   * 200. In every other status the answer is 409 `payment_not_cancellable`: funds were seen, an
   * authorization was settled, or the payment is final.
   *
   * Funds that arrive after the cancellation are credited as unmatched and announced by
   * `payment.deposit_after_close`. Emits `payment.cancelled`.
   *
   * POST /v1/payments/{id}/cancel
   */
  readonly cancelPayment: calls.Call<
    CancelPaymentArguments,
    CancelPaymentAnswer,
    calls.KeyedOptions
  >;
}

/** How they are sent. */
export function paymentsOperations(sender: calls.Sender): PaymentsOperations {
  return {
    createPayment: calls.call(sender, {
      operationId: "createPayment",
      method: "POST",
      path: "/v1/payments",
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
    cancelPayment: calls.call(sender, {
      operationId: "cancelPayment",
      method: "POST",
      path: "/v1/payments/{id}/cancel",
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
