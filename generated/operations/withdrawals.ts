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

/** POST /v1/withdrawals: the request, checked */
export interface RequestWithdrawalRequest {
  readonly headers: answers.Present<types.operations["requestWithdrawal"]["parameters"]["header"]>;
  readonly body: types.RequestWithdrawalRequest;
}

/** POST /v1/withdrawals: every documented answer; the edge adds the headers named in `Edge` */
export type RequestWithdrawalAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      201,
      types.Withdrawal,
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
  | answers.JsonAnswer<409, types.ApiError, responses.KeyConflictHeaders, Edge>
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

export const requestWithdrawal: runtime.Operation = {
  operationId: "requestWithdrawal",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/withdrawals",
    tags: ["withdrawals"],
    operationId: "requestWithdrawal",
    summary: "Request a withdrawal",
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
        content: { "application/json": { schema: schemas.RequestWithdrawalRequest } },
      },
    },
    responses: {
      201: {
        description: "The amount and the fee are reserved, and the transfer is queued.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.Withdrawal } },
      },
      400: responses.BadRequest,
      401: responses.Unauthorized,
      409: responses.KeyConflict,
      422: {
        description:
          "The request is well formed, and the rules refuse it. Codes: `currency_not_found`\n(`details.near_currency_ids` are what may have been meant), `chain_not_accepted` (the\ncurrency is not on this chain), `withdrawals_disabled` (also where this server sends nothing on the chain: `details.reason` is `chain_not_watched`),\n`withdraw_address_not_found`, `withdraw_address_inactive`,\n`withdraw_address_chain_mismatch`, `amount_precision`, `amount_too_small`,\n`amount_too_large`, `insufficient_balance` (`details.available_raw`,\n`details.required_raw`), `idempotency_key_reused`.\n",
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
    "x-required-scope": "withdrawals:write",
    "x-emitted-events": ["withdrawal.requested"],
    "x-rate-limit-policy": "money",
  },
};

/** POST /v1/withdrawals/{id}/cancel: the request, checked */
export interface CancelWithdrawalRequest {
  readonly path: answers.Present<types.operations["cancelWithdrawal"]["parameters"]["path"]>;
  readonly headers: answers.Present<types.operations["cancelWithdrawal"]["parameters"]["header"]>;
}

/** POST /v1/withdrawals/{id}/cancel: every documented answer; the edge adds the headers named in `Edge` */
export type CancelWithdrawalAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.CancelledWithdrawal,
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

export const cancelWithdrawal: runtime.Operation = {
  operationId: "cancelWithdrawal",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/withdrawals/{id}/cancel",
    tags: ["withdrawals"],
    operationId: "cancelWithdrawal",
    summary: "Cancel a withdrawal",
    "x-default-statuses": [400, 413, 422, 429, 500, 503],
    request: {
      params: z.looseObject({
        id: parameters.WithdrawalId.schema,
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
        description: "The withdrawal is cancelled, and the reservation released.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.CancelledWithdrawal } },
      },
      401: responses.Unauthorized,
      403: responses.Forbidden,
      404: responses.NotFound,
      409: {
        description:
          "The withdrawal cannot be cancelled. Codes: `withdrawal_not_cancellable`\n(`details.status`, and `details.tx_hash` where known), `idempotency_in_progress` (with\n`Retry-After`).\n",
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
    parameters.WithdrawalId,
  ],
  answerHeaders: {
    409: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "withdrawals:write",
    "x-emitted-events": ["withdrawal.cancelled"],
    "x-rate-limit-policy": "write",
  },
};
