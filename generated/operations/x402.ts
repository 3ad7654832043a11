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

/** POST /v1/x402/{payment_id}/usage: the request, checked */
export interface ReportX402UsageRequest {
  readonly path: answers.Present<types.operations["reportX402Usage"]["parameters"]["path"]>;
  readonly headers: answers.Present<types.operations["reportX402Usage"]["parameters"]["header"]>;
  readonly body: types.ReportX402UsageRequest;
}

/** POST /v1/x402/{payment_id}/usage: every documented answer; the edge adds the headers named in `Edge` */
export type ReportX402UsageAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      201,
      types.X402Usage,
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
      400 | 403 | 413 | 415 | 429 | 500 | 503,
      types.ApiError,
      responses.DefaultHeaders,
      Edge
    >;

export const reportX402Usage: runtime.Operation = {
  operationId: "reportX402Usage",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/x402/{payment_id}/usage",
    tags: ["x402"],
    operationId: "reportX402Usage",
    summary: "Report the usage of an upto payment",
    "x-default-statuses": [400, 403, 413, 415, 429, 500, 503],
    request: {
      params: z.looseObject({
        payment_id: parameters.UsagePaymentId.schema,
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
        content: { "application/json": { schema: schemas.ReportX402UsageRequest } },
      },
    },
    responses: {
      201: {
        description: "The usage is recorded.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.X402Usage } },
      },
      401: responses.Unauthorized,
      404: responses.NotFound,
      409: {
        description:
          "The usage cannot be recorded any more. Codes: `usage_already_reported` (another usage or\nanother amount), `usage_closed` (released, lapsed or expired; `details.status`),\n`idempotency_in_progress` (with `Retry-After`).\n",
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
          "The request is well formed, and the rules refuse it. Codes: `usage_exceeds_max`,\n`usage_not_upto` (the payment was settled by the exact scheme), `amount_precision`,\n`amount_too_large`, `idempotency_key_reused`.\n",
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
    parameters.UsagePaymentId,
  ],
  answerHeaders: {
    409: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "x402:usage",
    "x-emitted-events": ["x402.usage_reported", "x402.released"],
    "x-rate-limit-policy": "money",
  },
};

/** POST /v1/x402/settle: the request, checked */
export interface SettleX402PaymentRequest {
  readonly headers: answers.Present<types.operations["settleX402Payment"]["parameters"]["header"]>;
  readonly body: types.SettleX402PaymentRequest;
}

/** POST /v1/x402/settle: every documented answer; the edge adds the headers named in `Edge` */
export type SettleX402PaymentAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.SettledX402Payment,
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
  | answers.JsonAnswer<
      202,
      types.UnsettledX402Payment,
      {
        "X-Request-Id": string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
        "Idempotent-Replayed"?: string;
        "Retry-After": number;
      },
      Edge
    >
  | answers.JsonAnswer<400, types.ApiError, responses.BadRequestHeaders, Edge>
  | answers.JsonAnswer<401, types.ApiError, responses.UnauthorizedHeaders, Edge>
  | answers.JsonAnswer<
      402,
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
      403 | 404 | 413 | 415 | 422 | 429 | 500 | 503,
      types.ApiError,
      responses.DefaultHeaders,
      Edge
    >;

export const settleX402Payment: runtime.Operation = {
  operationId: "settleX402Payment",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/x402/settle",
    tags: ["x402"],
    operationId: "settleX402Payment",
    summary: "Settle an x402 payment authorization",
    "x-default-statuses": [403, 404, 413, 415, 422, 429, 500, 503],
    request: {
      headers: z.looseObject({
        "X-Api-Key": parameters.XApiKey.schema,
        "X-Signature": parameters.XSignature.schema,
        "X-Timestamp": parameters.XTimestamp.schema,
        "X-Nonce": parameters.XNonce.schema,
        "Idempotency-Key": parameters.OptionalIdempotencyKey.schema.exactOptional(),
      }),
      body: {
        required: true,
        content: { "application/json": { schema: schemas.SettleX402PaymentRequest } },
      },
    },
    responses: {
      200: {
        description: "The authorization is settled on the chain.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.SettledX402Payment } },
      },
      202: {
        description:
          "The authorization is accepted; the outcome is not known yet, or the capture waits for\nthe usage report. Send the same request again after `Retry-After`.\n",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
          "Retry-After": headers.RequiredRetryAfter,
        }),
        content: { "application/json": { schema: schemas.UnsettledX402Payment } },
      },
      400: responses.BadRequest,
      401: responses.Unauthorized,
      402: {
        description:
          "The authorization was rejected, or its transaction failed; the payer has to sign a new\none. `details.x402_reason` carries the identifier x402 uses, and `details.tx_hash` the\ntransaction where there is one. Codes: `x402_invalid_signature`,\n`x402_payload_scheme_mismatch`, `x402_requirements_mismatch` (`details.field`),\n`x402_amount_mismatch`, `x402_recipient_mismatch`, `x402_not_yet_valid`,\n`x402_expired`, `x402_nonce_mismatch`, `x402_insufficient_funds`,\n`x402_authorization_used`, `x402_authorization_cancelled`,\n`x402_allowance_required`, `x402_facilitator_mismatch`, `x402_simulation_failed`,\n`x402_reverted`, `x402_transfer_mismatch`.\n",
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
      409: {
        description:
          "The payment cannot be settled now. Codes: `payment_not_payable` (`details.status`),\n`settlement_in_progress` (another authorization for this payment is being settled;\n`details.tx_hash` where known), `payment_already_settled` (by another authorization;\n`details.tx_hash`), `idempotency_in_progress` (with `Retry-After`).\n",
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
    parameters.OptionalIdempotencyKey,
  ],
  answerHeaders: {
    202: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    409: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "x402:settle",
    "x-emitted-events": [
      "x402.authorized",
      "x402.settlement_submitted",
      "x402.settled",
      "x402.settlement_failed",
      "x402.released",
    ],
    "x-rate-limit-policy": "money",
  },
};
