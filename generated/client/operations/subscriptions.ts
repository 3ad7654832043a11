// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "../runtime/answers.ts";
import * as calls from "../runtime/calls.ts";
import type * as types from "../../types.ts";

/** POST /v1/subscriptions/{id}/cancel: what a call is given */
export type CancelSubscriptionArguments = {
  /**
   * @description The subscription.
   * @example sub_01KDVDNA00TPRE95B9EE0ZBGJ0
   */
  readonly id: types.Identifier;
};

/** POST /v1/subscriptions/{id}/cancel: every documented answer */
export type CancelSubscriptionAnswer =
  | answers.Answer<200, types.Subscription>
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
      answers.WithCode<types.ApiError, "subscription_not_cancellable" | "idempotency_in_progress">
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

/** The operations of "subscriptions". */
export interface SubscriptionsOperations {
  /**
   * Cancel a subscription
   *
   * Ends an `incomplete`, `active` or `past_due` subscription at once, without proration. An
   * open bill payment is cancelled when no funds were seen for it. A subscription that is
   * cancelled already is returned unchanged with 200; an expired one is 409
   * `subscription_not_cancellable`. Emits `subscription.cancelled`, and `payment.cancelled`
   * for an open bill.
   *
   * POST /v1/subscriptions/{id}/cancel
   */
  readonly cancelSubscription: calls.Call<
    CancelSubscriptionArguments,
    CancelSubscriptionAnswer,
    calls.KeyedOptions
  >;
}

/** How they are sent. */
export function subscriptionsOperations(sender: calls.Sender): SubscriptionsOperations {
  return {
    cancelSubscription: calls.call(sender, {
      operationId: "cancelSubscription",
      method: "POST",
      path: "/v1/subscriptions/{id}/cancel",
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
