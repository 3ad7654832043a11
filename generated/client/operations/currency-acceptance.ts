// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "../runtime/answers.ts";
import * as calls from "../runtime/calls.ts";
import type * as types from "../../types.ts";

/** PUT /v1/currency-acceptance: what a call is given */
export type ReplaceCurrencyAcceptanceArguments = types.ReplaceCurrencyAcceptanceRequest;

/** PUT /v1/currency-acceptance: every documented answer */
export type ReplaceCurrencyAcceptanceAnswer =
  | answers.Answer<200, types.CurrencyAcceptance>
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
      403,
      answers.WithCode<
        types.ApiError,
        "insufficient_scope" | "ip_not_allowed" | "merchant_suspended"
      >
    >
  | answers.Answer<
      422,
      answers.WithCode<
        types.ApiError,
        "currency_not_found" | "chain_not_accepted" | "deposits_disabled" | "idempotency_key_reused"
      >
    >
  | answers.Answer<409, answers.WithCode<types.ApiError, "idempotency_in_progress">>
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<415, answers.WithCode<types.ApiError, "unsupported_media_type">>
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** The operations of "currency-acceptance". */
export interface CurrencyAcceptanceOperations {
  /**
   * Replace the accepted currencies and chains
   *
   * Replaces the whole acceptance: a currency that is left out is no longer accepted, and an
   * empty map accepts nothing. Without `chain_ids` a currency is accepted on all its chains with
   * deposits enabled; the answer lists them. An empty `chain_ids` is refused with 422
   * `chain_not_accepted`. Existing payments keep their quotes. Emits
   * `currency_acceptance.updated`.
   *
   * PUT /v1/currency-acceptance
   */
  readonly replaceCurrencyAcceptance: calls.Call<
    ReplaceCurrencyAcceptanceArguments,
    ReplaceCurrencyAcceptanceAnswer,
    calls.KeyedOptions
  >;
}

/** How they are sent. */
export function currencyAcceptanceOperations(sender: calls.Sender): CurrencyAcceptanceOperations {
  return {
    replaceCurrencyAcceptance: calls.call(sender, {
      operationId: "replaceCurrencyAcceptance",
      method: "PUT",
      path: "/v1/currency-acceptance",
      parameters: [],
      body: { mediaType: "application/json", isRequired: true, isSpread: true },
      key: { header: "Idempotency-Key", isRequired: true },
      accept: "application/json",
      answers: {
        200: "application/json",
        400: "application/json",
        401: "application/json",
        403: "application/json",
        422: "application/json",
        default: "application/json",
      },
      defaultStatuses: [409, 413, 415, 429, 500, 503],
    }),
  };
}
