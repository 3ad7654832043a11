// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "../runtime/answers.ts";
import * as calls from "../runtime/calls.ts";
import type * as types from "../../types.ts";

/** GET /v1/webhook-deliveries: what a call is given */
export type ListWebhookDeliveriesArguments = Record<string, never>;

/** GET /v1/webhook-deliveries: every documented answer */
export type ListWebhookDeliveriesAnswer =
  | answers.Answer<200, types.WebhookDeliveryList>
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        "missing_header" | "invalid_header" | "unknown_parameter" | "invalid_request"
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
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** The operations of "webhook-deliveries". */
export interface WebhookDeliveriesOperations {
  /**
   * List recent webhook deliveries
   *
   * The newest 100 deliveries of the last 30 days over all endpoints of the merchant, newest
   * first. There are no query parameters; any is refused with 400 `unknown_parameter`.
   *
   * GET /v1/webhook-deliveries
   */
  readonly listWebhookDeliveries: calls.Call<
    ListWebhookDeliveriesArguments,
    ListWebhookDeliveriesAnswer
  >;
}

/** How they are sent. */
export function webhookDeliveriesOperations(sender: calls.Sender): WebhookDeliveriesOperations {
  return {
    listWebhookDeliveries: calls.call(sender, {
      operationId: "listWebhookDeliveries",
      method: "GET",
      path: "/v1/webhook-deliveries",
      parameters: [],
      accept: "application/json",
      answers: {
        200: "application/json",
        400: "application/json",
        401: "application/json",
        403: "application/json",
        429: "application/json",
        default: "application/json",
      },
      defaultStatuses: [413, 500, 503],
    }),
  };
}
