// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "../runtime/answers.ts";
import * as calls from "../runtime/calls.ts";
import type * as types from "../../types.ts";

/** POST /v1/webhook-endpoints: what a call is given */
export type RegisterWebhookEndpointArguments = types.RegisterWebhookEndpointRequest;

/** POST /v1/webhook-endpoints: every documented answer */
export type RegisterWebhookEndpointAnswer =
  | answers.Answer<201, types.RegisteredWebhookEndpoint>
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        | "webhook_url_not_allowed"
        | "unknown_event_type"
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
      409,
      answers.WithCode<
        types.ApiError,
        | "endpoint_already_exists"
        | "endpoint_limit_reached"
        | "idempotency_in_progress"
        | "idempotency_key_expired"
      >
    >
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<415, answers.WithCode<types.ApiError, "unsupported_media_type">>
  | answers.Answer<422, answers.WithCode<types.ApiError, "idempotency_key_reused">>
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** GET /v1/webhook-endpoints/{id}: what a call is given */
export type GetWebhookEndpointArguments = {
  /**
   * @description The webhook endpoint.
   * @example whe_01KDVDNA0083XSSSS6YS3C4DWA
   */
  readonly id: types.Identifier;
};

/** GET /v1/webhook-endpoints/{id}: every documented answer */
export type GetWebhookEndpointAnswer =
  | answers.Answer<200, types.WebhookEndpoint>
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
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        "invalid_request" | "missing_header" | "invalid_header" | "unknown_parameter"
      >
    >
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** PUT /v1/webhook-endpoints/{id}: what a call is given */
export type UpdateWebhookEndpointArguments = {
  /**
   * @description The webhook endpoint.
   * @example whe_01KDVDNA0083XSSSS6YS3C4DWA
   */
  readonly id: types.Identifier;
} & types.UpdateWebhookEndpointRequest;

/** PUT /v1/webhook-endpoints/{id}: every documented answer */
export type UpdateWebhookEndpointAnswer =
  | answers.Answer<200, types.WebhookEndpoint>
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        | "webhook_url_not_allowed"
        | "unknown_event_type"
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
  | answers.Answer<404, answers.WithCode<types.ApiError, "not_found">>
  | answers.Answer<
      409,
      answers.WithCode<types.ApiError, "endpoint_already_exists" | "idempotency_in_progress">
    >
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<415, answers.WithCode<types.ApiError, "unsupported_media_type">>
  | answers.Answer<422, answers.WithCode<types.ApiError, "idempotency_key_reused">>
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** POST /v1/webhook-endpoints/{id}/status: what a call is given */
export type SetWebhookEndpointStatusArguments = {
  /**
   * @description The webhook endpoint.
   * @example whe_01KDVDNA0083XSSSS6YS3C4DWA
   */
  readonly id: types.Identifier;
} & types.SetWebhookEndpointStatusRequest;

/** POST /v1/webhook-endpoints/{id}/status: every documented answer */
export type SetWebhookEndpointStatusAnswer =
  | answers.Answer<200, types.WebhookEndpoint>
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
  | answers.Answer<404, answers.WithCode<types.ApiError, "not_found">>
  | answers.Answer<409, answers.WithCode<types.ApiError, "idempotency_in_progress">>
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<415, answers.WithCode<types.ApiError, "unsupported_media_type">>
  | answers.Answer<422, answers.WithCode<types.ApiError, "idempotency_key_reused">>
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** POST /v1/webhook-endpoints/{id}/rotate-secret: what a call is given */
export type RotateWebhookEndpointSecretArguments = {
  /**
   * @description The webhook endpoint.
   * @example whe_01KDVDNA0083XSSSS6YS3C4DWA
   */
  readonly id: types.Identifier;
};

/** POST /v1/webhook-endpoints/{id}/rotate-secret: every documented answer */
export type RotateWebhookEndpointSecretAnswer =
  | answers.Answer<200, types.RotatedWebhookEndpointSecret>
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
      answers.WithCode<types.ApiError, "idempotency_in_progress" | "idempotency_key_expired">
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

/** The operations of "webhook-endpoints". */
export interface WebhookEndpointsOperations {
  /**
   * Register a webhook endpoint
   *
   * Registers a URL that receives the merchant's events, active at once, and shows the secret
   * that signs them. The secret is shown here and by rotate-secret only: store it. Without
   * `event_types` the endpoint receives every event, and `["*"]` is returned.
   *
   * Refuses a URL that the static policy forbids, unknown event names, a URL that is already
   * registered, and a 21st endpoint. Emits no event.
   *
   * POST /v1/webhook-endpoints
   */
  readonly registerWebhookEndpoint: calls.Call<
    RegisterWebhookEndpointArguments,
    RegisterWebhookEndpointAnswer,
    calls.KeyedOptions
  >;
  /**
   * Read a webhook endpoint
   *
   * Returns the endpoint without its secret. An endpoint that kept failing for 120 hours, or
   * answered 410, is found here with `active: false`.
   *
   * GET /v1/webhook-endpoints/{id}
   */
  readonly getWebhookEndpoint: calls.Call<GetWebhookEndpointArguments, GetWebhookEndpointAnswer>;
  /**
   * Replace a webhook endpoint's URL and events
   *
   * Replaces both fields; `active` and the secret stay as they are. Pending deliveries go to the
   * new URL. Deliveries of events that are no longer wanted, and already recorded, are still
   * sent.
   *
   * Refuses the same URLs and event names as the registration, with 409
   * `endpoint_already_exists` when another endpoint has the URL. Emits
   * `webhook_endpoint.updated` to the merchant's other endpoints.
   *
   * PUT /v1/webhook-endpoints/{id}
   */
  readonly updateWebhookEndpoint: calls.Call<
    UpdateWebhookEndpointArguments,
    UpdateWebhookEndpointAnswer,
    calls.KeyedOptions
  >;
  /**
   * Switch a webhook endpoint on or off
   *
   * Sets `active`. Setting the value it has already changes nothing and answers 200. While an
   * endpoint is inactive its new events are recorded as `skipped` and open deliveries pause;
   * switching it on within 72 hours resumes those, later they become `failed`.
   *
   * Emits `webhook_endpoint.disabled` when it goes off and `webhook_endpoint.updated` when it
   * goes on, to the merchant's other endpoints.
   *
   * POST /v1/webhook-endpoints/{id}/status
   */
  readonly setWebhookEndpointStatus: calls.Call<
    SetWebhookEndpointStatusArguments,
    SetWebhookEndpointStatusAnswer,
    calls.KeyedOptions
  >;
  /**
   * Replace a webhook endpoint's secret
   *
   * Makes a new secret that signs from now on. The previous one signs beside it for 24 hours, so
   * that receivers can be switched without a gap. At most two secrets live: rotating twice drops
   * a leaked one at once.
   *
   * Two calls at once with one key make one secret: the second gets 409
   * `idempotency_in_progress`, or the answer of the first. Emits
   * `webhook_endpoint.secret_rotated` to the merchant's other endpoints.
   *
   * POST /v1/webhook-endpoints/{id}/rotate-secret
   */
  readonly rotateWebhookEndpointSecret: calls.Call<
    RotateWebhookEndpointSecretArguments,
    RotateWebhookEndpointSecretAnswer,
    calls.KeyedOptions
  >;
}

/** How they are sent. */
export function webhookEndpointsOperations(sender: calls.Sender): WebhookEndpointsOperations {
  return {
    registerWebhookEndpoint: calls.call(sender, {
      operationId: "registerWebhookEndpoint",
      method: "POST",
      path: "/v1/webhook-endpoints",
      parameters: [],
      body: { mediaType: "application/json", isRequired: true, isSpread: true },
      key: { header: "Idempotency-Key", isRequired: true },
      accept: "application/json",
      answers: {
        201: "application/json",
        400: "application/json",
        401: "application/json",
        403: "application/json",
        409: "application/json",
        default: "application/json",
      },
      defaultStatuses: [413, 415, 422, 429, 500, 503],
    }),
    getWebhookEndpoint: calls.call(sender, {
      operationId: "getWebhookEndpoint",
      method: "GET",
      path: "/v1/webhook-endpoints/{id}",
      parameters: [{ in: "path", name: "id", isRequired: true }],
      accept: "application/json",
      answers: {
        200: "application/json",
        401: "application/json",
        403: "application/json",
        404: "application/json",
        429: "application/json",
        default: "application/json",
      },
      defaultStatuses: [400, 413, 500, 503],
    }),
    updateWebhookEndpoint: calls.call(sender, {
      operationId: "updateWebhookEndpoint",
      method: "PUT",
      path: "/v1/webhook-endpoints/{id}",
      parameters: [{ in: "path", name: "id", isRequired: true }],
      body: { mediaType: "application/json", isRequired: true, isSpread: true },
      key: { header: "Idempotency-Key", isRequired: true },
      accept: "application/json",
      answers: {
        200: "application/json",
        400: "application/json",
        401: "application/json",
        403: "application/json",
        404: "application/json",
        default: "application/json",
      },
      defaultStatuses: [409, 413, 415, 422, 429, 500, 503],
    }),
    setWebhookEndpointStatus: calls.call(sender, {
      operationId: "setWebhookEndpointStatus",
      method: "POST",
      path: "/v1/webhook-endpoints/{id}/status",
      parameters: [{ in: "path", name: "id", isRequired: true }],
      body: { mediaType: "application/json", isRequired: true, isSpread: true },
      key: { header: "Idempotency-Key", isRequired: true },
      accept: "application/json",
      answers: {
        200: "application/json",
        400: "application/json",
        401: "application/json",
        403: "application/json",
        404: "application/json",
        default: "application/json",
      },
      defaultStatuses: [409, 413, 415, 422, 429, 500, 503],
    }),
    rotateWebhookEndpointSecret: calls.call(sender, {
      operationId: "rotateWebhookEndpointSecret",
      method: "POST",
      path: "/v1/webhook-endpoints/{id}/rotate-secret",
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
