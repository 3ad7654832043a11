// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import { z } from "zod";
import { createRoute } from "@hono/zod-openapi";
import type { RouteConfig } from "@hono/zod-openapi";
import type * as runtime from "../runtime/runtime.ts";
import type * as answers from "../runtime/answers.ts";
import * as headers from "../headers.ts";
import * as parameters from "../parameters.ts";
import * as responses from "../responses.ts";
import * as schemas from "../schemas.ts";
import * as security from "../security.ts";
import type * as types from "../types.ts";

/** POST /v1/webhook-endpoints: the request, checked */
export interface RegisterWebhookEndpointRequest {
  readonly headers: answers.Present<
    types.operations["registerWebhookEndpoint"]["parameters"]["header"]
  >;
  readonly body: types.RegisterWebhookEndpointRequest;
}

/** POST /v1/webhook-endpoints: every documented answer; the edge adds the headers named in `Edge` */
export type RegisterWebhookEndpointAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      201,
      types.RegisteredWebhookEndpoint,
      {
        "X-Request-Id": string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
        "Idempotent-Replayed"?: string;
        Location: string;
      },
      Edge
    >
  | answers.JsonAnswer<400, types.ApiError, responses.BadWebhookEndpointHeaders, Edge>
  | answers.JsonAnswer<401, types.ApiError, responses.UnauthorizedHeaders, Edge>
  | answers.JsonAnswer<403, types.ApiError, responses.ForbiddenHeaders, Edge>
  | answers.JsonAnswer<
      409,
      types.ApiError,
      {
        "X-Request-Id": string;
        Link: string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
        "Retry-After"?: number;
      },
      Edge
    >
  | answers.JsonAnswer<
      413 | 415 | 422 | 429 | 500 | 503,
      types.ApiError,
      responses.DefaultHeaders,
      Edge
    >;

export const registerWebhookEndpoint: runtime.Operation = {
  operationId: "registerWebhookEndpoint",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/webhook-endpoints",
    tags: ["webhook-endpoints"],
    operationId: "registerWebhookEndpoint",
    summary: "Register a webhook endpoint",
    "x-default-statuses": [413, 415, 422, 429, 500, 503],
    request: {
      headers: z.looseObject({
        "X-Api-Key": parameters.XApiKey.schema,
        "X-Signature": parameters.XSignature.schema,
        "X-Timestamp": parameters.XTimestamp.schema,
        "X-Nonce": parameters.XNonce.schema,
        "Idempotency-Key": parameters.IdempotencyKey.schema,
      }),
      body: {
        required: true,
        content: { "application/json": { schema: schemas.RegisterWebhookEndpointRequest } },
      },
    },
    responses: {
      201: {
        description: "The endpoint is registered and active. Store the secret now.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
          Location: headers.Location,
        }),
        content: { "application/json": { schema: schemas.RegisteredWebhookEndpoint } },
      },
      400: responses.BadWebhookEndpoint,
      401: responses.Unauthorized,
      403: responses.Forbidden,
      409: {
        description:
          "The request conflicts with what exists. Codes: `endpoint_already_exists` (the URL is\nregistered, by `details.endpoint_id`), `endpoint_limit_reached` (the merchant has 20 in the environment of the key), `idempotency_in_progress`\n(with `Retry-After`), `idempotency_key_expired` (a replay after the stored secret was\ndeleted: rotate the secret instead).\n",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          Link: headers.HelpLink,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Retry-After": headers.RetryAfterInProgress.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.ApiError } },
      },
      default: responses.Default,
    },
  }),
  parameters: [
    parameters.XApiKey,
    parameters.XSignature,
    parameters.XTimestamp,
    parameters.XNonce,
    parameters.IdempotencyKey,
  ],
  answerHeaders: {
    409: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "webhooks:write",
    "x-emitted-events": [],
    "x-rate-limit-policy": "write",
  },
};

/** GET /v1/webhook-endpoints/{id}: the request, checked */
export interface GetWebhookEndpointRequest {
  readonly path: answers.Present<types.operations["getWebhookEndpoint"]["parameters"]["path"]>;
  readonly headers: answers.Present<types.operations["getWebhookEndpoint"]["parameters"]["header"]>;
}

/** GET /v1/webhook-endpoints/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type GetWebhookEndpointAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.WebhookEndpoint,
      {
        "X-Request-Id": string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
      },
      Edge
    >
  | answers.JsonAnswer<401, types.ApiError, responses.UnauthorizedHeaders, Edge>
  | answers.JsonAnswer<403, types.ApiError, responses.ForbiddenHeaders, Edge>
  | answers.JsonAnswer<404, types.ApiError, responses.NotFoundHeaders, Edge>
  | answers.JsonAnswer<429, types.ApiError, responses.TooManyRequestsHeaders, Edge>
  | answers.JsonAnswer<400 | 413 | 500 | 503, types.ApiError, responses.DefaultHeaders, Edge>;

export const getWebhookEndpoint: runtime.Operation = {
  operationId: "getWebhookEndpoint",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/v1/webhook-endpoints/{id}",
    tags: ["webhook-endpoints"],
    operationId: "getWebhookEndpoint",
    summary: "Read a webhook endpoint",
    "x-default-statuses": [400, 413, 500, 503],
    request: {
      params: z.looseObject({
        id: parameters.WebhookEndpointId.schema,
      }),
      headers: z.looseObject({
        "X-Api-Key": parameters.XApiKey.schema,
        "X-Signature": parameters.XSignature.schema,
        "X-Timestamp": parameters.XTimestamp.schema,
        "X-Nonce": parameters.XNonce.schema,
      }),
    },
    responses: {
      200: {
        description: "The endpoint.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControlOfRead,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
        }),
        content: { "application/json": { schema: schemas.WebhookEndpoint } },
      },
      401: responses.Unauthorized,
      403: responses.Forbidden,
      404: responses.NotFound,
      429: responses.TooManyRequests,
      default: responses.Default,
    },
  }),
  parameters: [
    parameters.XApiKey,
    parameters.XSignature,
    parameters.XTimestamp,
    parameters.XNonce,
    parameters.WebhookEndpointId,
  ],
  answerHeaders: {
    429: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "webhooks:read",
    "x-emitted-events": [],
    "x-rate-limit-policy": "read",
  },
};

/** PUT /v1/webhook-endpoints/{id}: the request, checked */
export interface UpdateWebhookEndpointRequest {
  readonly path: answers.Present<types.operations["updateWebhookEndpoint"]["parameters"]["path"]>;
  readonly headers: answers.Present<
    types.operations["updateWebhookEndpoint"]["parameters"]["header"]
  >;
  readonly body: types.UpdateWebhookEndpointRequest;
}

/** PUT /v1/webhook-endpoints/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type UpdateWebhookEndpointAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.WebhookEndpoint,
      {
        "X-Request-Id": string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
        "Idempotent-Replayed"?: string;
      },
      Edge
    >
  | answers.JsonAnswer<400, types.ApiError, responses.BadWebhookEndpointHeaders, Edge>
  | answers.JsonAnswer<401, types.ApiError, responses.UnauthorizedHeaders, Edge>
  | answers.JsonAnswer<403, types.ApiError, responses.ForbiddenHeaders, Edge>
  | answers.JsonAnswer<404, types.ApiError, responses.NotFoundHeaders, Edge>
  | answers.JsonAnswer<
      409 | 413 | 415 | 422 | 429 | 500 | 503,
      types.ApiError,
      responses.DefaultHeaders,
      Edge
    >;

export const updateWebhookEndpoint: runtime.Operation = {
  operationId: "updateWebhookEndpoint",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/v1/webhook-endpoints/{id}",
    tags: ["webhook-endpoints"],
    operationId: "updateWebhookEndpoint",
    summary: "Replace a webhook endpoint's URL and events",
    "x-default-statuses": [409, 413, 415, 422, 429, 500, 503],
    request: {
      params: z.looseObject({
        id: parameters.WebhookEndpointId.schema,
      }),
      headers: z.looseObject({
        "X-Api-Key": parameters.XApiKey.schema,
        "X-Signature": parameters.XSignature.schema,
        "X-Timestamp": parameters.XTimestamp.schema,
        "X-Nonce": parameters.XNonce.schema,
        "Idempotency-Key": parameters.IdempotencyKey.schema,
      }),
      body: {
        required: true,
        content: { "application/json": { schema: schemas.UpdateWebhookEndpointRequest } },
      },
    },
    responses: {
      200: {
        description: "The endpoint as it is now.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.WebhookEndpoint } },
      },
      400: responses.BadWebhookEndpoint,
      401: responses.Unauthorized,
      403: responses.Forbidden,
      404: responses.NotFound,
      default: responses.Default,
    },
  }),
  parameters: [
    parameters.XApiKey,
    parameters.XSignature,
    parameters.XTimestamp,
    parameters.XNonce,
    parameters.IdempotencyKey,
    parameters.WebhookEndpointId,
  ],
  answerHeaders: { default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } } },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "webhooks:write",
    "x-emitted-events": ["webhook_endpoint.updated"],
    "x-rate-limit-policy": "write",
  },
};

/** POST /v1/webhook-endpoints/{id}/status: the request, checked */
export interface SetWebhookEndpointStatusRequest {
  readonly path: answers.Present<
    types.operations["setWebhookEndpointStatus"]["parameters"]["path"]
  >;
  readonly headers: answers.Present<
    types.operations["setWebhookEndpointStatus"]["parameters"]["header"]
  >;
  readonly body: types.SetWebhookEndpointStatusRequest;
}

/** POST /v1/webhook-endpoints/{id}/status: every documented answer; the edge adds the headers named in `Edge` */
export type SetWebhookEndpointStatusAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.WebhookEndpoint,
      {
        "X-Request-Id": string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
        "Idempotent-Replayed"?: string;
      },
      Edge
    >
  | answers.JsonAnswer<400, types.ApiError, responses.BadRequestHeaders, Edge>
  | answers.JsonAnswer<401, types.ApiError, responses.UnauthorizedHeaders, Edge>
  | answers.JsonAnswer<403, types.ApiError, responses.ForbiddenHeaders, Edge>
  | answers.JsonAnswer<404, types.ApiError, responses.NotFoundHeaders, Edge>
  | answers.JsonAnswer<
      409 | 413 | 415 | 422 | 429 | 500 | 503,
      types.ApiError,
      responses.DefaultHeaders,
      Edge
    >;

export const setWebhookEndpointStatus: runtime.Operation = {
  operationId: "setWebhookEndpointStatus",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/webhook-endpoints/{id}/status",
    tags: ["webhook-endpoints"],
    operationId: "setWebhookEndpointStatus",
    summary: "Switch a webhook endpoint on or off",
    "x-default-statuses": [409, 413, 415, 422, 429, 500, 503],
    request: {
      params: z.looseObject({
        id: parameters.WebhookEndpointId.schema,
      }),
      headers: z.looseObject({
        "X-Api-Key": parameters.XApiKey.schema,
        "X-Signature": parameters.XSignature.schema,
        "X-Timestamp": parameters.XTimestamp.schema,
        "X-Nonce": parameters.XNonce.schema,
        "Idempotency-Key": parameters.IdempotencyKey.schema,
      }),
      body: {
        required: true,
        content: { "application/json": { schema: schemas.SetWebhookEndpointStatusRequest } },
      },
    },
    responses: {
      200: {
        description: "The endpoint as it is now.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.WebhookEndpoint } },
      },
      400: responses.BadRequest,
      401: responses.Unauthorized,
      403: responses.Forbidden,
      404: responses.NotFound,
      default: responses.Default,
    },
  }),
  parameters: [
    parameters.XApiKey,
    parameters.XSignature,
    parameters.XTimestamp,
    parameters.XNonce,
    parameters.IdempotencyKey,
    parameters.WebhookEndpointId,
  ],
  answerHeaders: { default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } } },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "webhooks:write",
    "x-emitted-events": ["webhook_endpoint.updated", "webhook_endpoint.disabled"],
    "x-rate-limit-policy": "write",
  },
};

/** POST /v1/webhook-endpoints/{id}/rotate-secret: the request, checked */
export interface RotateWebhookEndpointSecretRequest {
  readonly path: answers.Present<
    types.operations["rotateWebhookEndpointSecret"]["parameters"]["path"]
  >;
  readonly headers: answers.Present<
    types.operations["rotateWebhookEndpointSecret"]["parameters"]["header"]
  >;
}

/** POST /v1/webhook-endpoints/{id}/rotate-secret: every documented answer; the edge adds the headers named in `Edge` */
export type RotateWebhookEndpointSecretAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.RotatedWebhookEndpointSecret,
      {
        "X-Request-Id": string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
        "Idempotent-Replayed"?: string;
      },
      Edge
    >
  | answers.JsonAnswer<401, types.ApiError, responses.UnauthorizedHeaders, Edge>
  | answers.JsonAnswer<403, types.ApiError, responses.ForbiddenHeaders, Edge>
  | answers.JsonAnswer<404, types.ApiError, responses.NotFoundHeaders, Edge>
  | answers.JsonAnswer<
      409,
      types.ApiError,
      {
        "X-Request-Id": string;
        Link: string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
        "Retry-After"?: number;
      },
      Edge
    >
  | answers.JsonAnswer<
      400 | 413 | 422 | 429 | 500 | 503,
      types.ApiError,
      responses.DefaultHeaders,
      Edge
    >;

export const rotateWebhookEndpointSecret: runtime.Operation = {
  operationId: "rotateWebhookEndpointSecret",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/webhook-endpoints/{id}/rotate-secret",
    tags: ["webhook-endpoints"],
    operationId: "rotateWebhookEndpointSecret",
    summary: "Replace a webhook endpoint's secret",
    "x-default-statuses": [400, 413, 422, 429, 500, 503],
    request: {
      params: z.looseObject({
        id: parameters.WebhookEndpointId.schema,
      }),
      headers: z.looseObject({
        "X-Api-Key": parameters.XApiKey.schema,
        "X-Signature": parameters.XSignature.schema,
        "X-Timestamp": parameters.XTimestamp.schema,
        "X-Nonce": parameters.XNonce.schema,
        "Idempotency-Key": parameters.IdempotencyKey.schema,
      }),
    },
    responses: {
      200: {
        description: "The new secret. Store it now; it is not shown again.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.RotatedWebhookEndpointSecret } },
      },
      401: responses.Unauthorized,
      403: responses.Forbidden,
      404: responses.NotFound,
      409: {
        description:
          "The key cannot be answered now. Codes: `idempotency_in_progress` (the first request with\nthis key still runs; with `Retry-After`), `idempotency_key_expired` (a replay after the\nstored secret was deleted: rotate with a new key).\n",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          Link: headers.HelpLink,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Retry-After": headers.RetryAfterInProgress.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.ApiError } },
      },
      default: responses.Default,
    },
  }),
  parameters: [
    parameters.XApiKey,
    parameters.XSignature,
    parameters.XTimestamp,
    parameters.XNonce,
    parameters.IdempotencyKey,
    parameters.WebhookEndpointId,
  ],
  answerHeaders: {
    409: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "webhooks:write",
    "x-emitted-events": ["webhook_endpoint.secret_rotated"],
    "x-rate-limit-policy": "write",
  },
};
