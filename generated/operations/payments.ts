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

/** POST /v1/payments: the request, checked */
export interface CreatePaymentRequest {
  readonly headers: answers.Present<types.operations["createPayment"]["parameters"]["header"]>;
  readonly body: types.CreatePaymentRequest;
}

/** POST /v1/payments: every documented answer; the edge adds the headers named in `Edge` */
export type CreatePaymentAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      201,
      types.Payment,
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
      422,
      types.ApiError,
      {
        "X-Request-Id": string;
        Link: string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
      },
      Edge
    >
  | answers.JsonAnswer<
      403 | 413 | 415 | 429 | 500 | 503,
      types.ApiError,
      responses.DefaultHeaders,
      Edge
    >;

export const createPayment: runtime.Operation = {
  operationId: "createPayment",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/payments",
    tags: ["payments"],
    operationId: "createPayment",
    summary: "Create a payment",
    "x-default-statuses": [403, 413, 415, 429, 500, 503],
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
        content: { "application/json": { schema: schemas.CreatePaymentRequest } },
      },
    },
    responses: {
      201: {
        description: "The payment is created and waits for funds.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.Payment } },
      },
      400: responses.BadRequest,
      401: responses.Unauthorized,
      409: {
        description:
          "The request conflicts with what exists. Codes: `order_already_exists` (the order number\nwas used before, with another Idempotency-Key or so long ago that the answer is no longer\nkept; `details.payment_id`), `idempotency_in_progress` (with `Retry-After`),\n`idempotency_key_expired` (the key made a payment of another order number so long ago).\n",
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
      422: {
        description:
          "The request is well formed, and the rules refuse it. Codes: `currency_not_found`\n(`details.near_currency_ids` are what may have been meant), `currency_not_accepted` (see\n`PUT /v1/currency-acceptance`), `chain_not_accepted`, `deposits_disabled` (also where this\nserver watches none of the chains, so that nobody could pay: `details.reason` is\n`chain_not_watched`, `details.watched_chain_ids` are those that could be accepted),\n`amount_precision`, `amount_too_small` (zero), `amount_too_large` (above 2^256-1 raw),\n`splits_exceed_total`, `split_merchant_not_found`, `split_merchant_duplicate`,\n`split_self`, `expires_in_out_of_range` (above 604800), `idempotency_key_reused`.\n",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          Link: headers.HelpLink,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
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
    "x-required-scope": "payments:write",
    "x-emitted-events": ["payment.created"],
    "x-rate-limit-policy": "write",
  },
};

/** POST /v1/payments/{id}/cancel: the request, checked */
export interface CancelPaymentRequest {
  readonly path: answers.Present<types.operations["cancelPayment"]["parameters"]["path"]>;
  readonly headers: answers.Present<types.operations["cancelPayment"]["parameters"]["header"]>;
}

/** POST /v1/payments/{id}/cancel: every documented answer; the edge adds the headers named in `Edge` */
export type CancelPaymentAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.PaymentWithoutCheckout,
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

export const cancelPayment: runtime.Operation = {
  operationId: "cancelPayment",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/payments/{id}/cancel",
    tags: ["payments"],
    operationId: "cancelPayment",
    summary: "Cancel a payment",
    "x-default-statuses": [400, 413, 422, 429, 500, 503],
    request: {
      params: z.looseObject({
        id: parameters.PaymentId.schema,
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
        description: "The payment is cancelled.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.PaymentWithoutCheckout } },
      },
      401: responses.Unauthorized,
      403: responses.Forbidden,
      404: responses.NotFound,
      409: {
        description:
          "The payment cannot be cancelled. Codes: `payment_not_cancellable` (`details.status` is\nthe status it has), `idempotency_in_progress` (with `Retry-After`).\n",
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
    parameters.PaymentId,
  ],
  answerHeaders: {
    409: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "payments:write",
    "x-emitted-events": ["payment.cancelled"],
    "x-rate-limit-policy": "write",
  },
};
