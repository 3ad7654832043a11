// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "../runtime/answers.ts";
import * as calls from "../runtime/calls.ts";
import type * as types from "../../types.ts";

/** POST /v1/withdraw-addresses: what a call is given */
export type RegisterWithdrawAddressArguments = types.RegisterWithdrawAddressRequest;

/** POST /v1/withdraw-addresses: every documented answer */
export type RegisterWithdrawAddressAnswer =
  | answers.Answer<201, types.WithdrawAddress>
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
        "address_already_registered" | "idempotency_in_progress" | "idempotency_key_expired"
      >
    >
  | answers.Answer<
      422,
      answers.WithCode<
        types.ApiError,
        "chain_not_accepted" | "invalid_address" | "address_not_allowed" | "idempotency_key_reused"
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

/** The operations of "withdraw-addresses". */
export interface WithdrawAddressesOperations {
  /**
   * Register a withdraw address
   *
   * Registers an address that withdrawals and payouts may go to. It is stored in its normalised
   * form and becomes usable at `activates_at`, after a cooling-off period, so that a stolen key
   * cannot add an address and drain to it at once.
   *
   * Refuses a wrong checksum or form, the zero address, token contracts, addresses of this
   * service, and an address already registered on that chain. Emits
   * `withdraw_address.registered`, and `withdraw_address.activated` when the period ends.
   *
   * POST /v1/withdraw-addresses
   */
  readonly registerWithdrawAddress: calls.Call<
    RegisterWithdrawAddressArguments,
    RegisterWithdrawAddressAnswer,
    calls.KeyedOptions
  >;
}

/** How they are sent. */
export function withdrawAddressesOperations(sender: calls.Sender): WithdrawAddressesOperations {
  return {
    registerWithdrawAddress: calls.call(sender, {
      operationId: "registerWithdrawAddress",
      method: "POST",
      path: "/v1/withdraw-addresses",
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
  };
}
