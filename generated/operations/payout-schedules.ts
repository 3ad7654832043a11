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

/** POST /v1/payout-schedules: the request, checked */
export interface CreatePayoutScheduleRequest {
  readonly headers: answers.Present<
    types.operations["createPayoutSchedule"]["parameters"]["header"]
  >;
  readonly body: types.CreatePayoutScheduleRequest;
}

/** POST /v1/payout-schedules: every documented answer; the edge adds the headers named in `Edge` */
export type CreatePayoutScheduleAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      201,
      types.PayoutSchedule,
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

export const createPayoutSchedule: runtime.Operation = {
  operationId: "createPayoutSchedule",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/payout-schedules",
    tags: ["payout-schedules"],
    operationId: "createPayoutSchedule",
    summary: "Create a payout schedule",
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
        content: { "application/json": { schema: schemas.CreatePayoutScheduleRequest } },
      },
    },
    responses: {
      201: {
        description: "The schedule is active.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.PayoutSchedule } },
      },
      400: responses.BadRequest,
      401: responses.Unauthorized,
      409: {
        description:
          "The request conflicts with what exists. Codes: `schedule_already_exists` (an active\nschedule for this currency, chain and address), `idempotency_in_progress` (with\n`Retry-After`), `idempotency_key_expired` (the key made a schedule so long ago that its\nanswer is no longer kept).\n",
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
          "The request is well formed, and the rules refuse it. Codes: `currency_not_found`\n(`details.near_currency_ids` are what may have been meant), `chain_not_accepted` (the\ncurrency is not on this chain), `withdrawals_disabled` (also where this server sends nothing on the chain: `details.reason` is `chain_not_watched`),\n`withdraw_address_not_found`, `withdraw_address_inactive`,\n`withdraw_address_chain_mismatch`, `interval_out_of_range`, `first_run_in_past`,\n`amount_precision`, `amount_too_small`, `amount_too_large`,\n`idempotency_key_reused`.\n",
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
    "x-required-scope": "payouts:write",
    "x-emitted-events": ["payout_schedule.created", "payout_schedule.retired"],
    "x-rate-limit-policy": "money",
  },
};

/** GET /v1/payout-schedules: the request, checked */
export interface ListPayoutSchedulesRequest {
  readonly query: answers.Present<
    types.operations["listPayoutSchedules"]["parameters"]["query"],
    "limit"
  >;
  readonly headers: answers.Present<
    types.operations["listPayoutSchedules"]["parameters"]["header"]
  >;
}

/** GET /v1/payout-schedules: every documented answer; the edge adds the headers named in `Edge` */
export type ListPayoutSchedulesAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.PayoutScheduleList,
      {
        "X-Request-Id": string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
        Link?: string;
        "X-Next-Cursor"?: string;
      },
      Edge
    >
  | answers.JsonAnswer<400, types.ApiError, responses.BadPageHeaders, Edge>
  | answers.JsonAnswer<401, types.ApiError, responses.UnauthorizedHeaders, Edge>
  | answers.JsonAnswer<403, types.ApiError, responses.ForbiddenHeaders, Edge>
  | answers.JsonAnswer<429, types.ApiError, responses.TooManyRequestsHeaders, Edge>
  | answers.JsonAnswer<413 | 500 | 503, types.ApiError, responses.DefaultHeaders, Edge>;

export const listPayoutSchedules: runtime.Operation = {
  operationId: "listPayoutSchedules",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/v1/payout-schedules",
    tags: ["payout-schedules"],
    operationId: "listPayoutSchedules",
    summary: "List payout schedules",
    "x-default-statuses": [413, 500, 503],
    request: {
      query: z.looseObject({
        status: parameters.PayoutScheduleStatus.schema.exactOptional(),
        currency_id: parameters.FilterCurrencyId.schema.exactOptional(),
        target_chain_id: parameters.FilterTargetChainId.schema.exactOptional(),
        cursor: parameters.Cursor.schema.exactOptional(),
        limit: parameters.Limit.schema.exactOptional(),
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
        description: "One page of schedules.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControlOfRead,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          Link: headers.Link.exactOptional(),
          "X-Next-Cursor": headers.XNextCursor.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.PayoutScheduleList } },
      },
      400: responses.BadPage,
      401: responses.Unauthorized,
      403: responses.Forbidden,
      429: responses.TooManyRequests,
      default: responses.Default,
    },
  }),
  parameters: [
    parameters.XApiKey,
    parameters.XSignature,
    parameters.XTimestamp,
    parameters.XNonce,
    parameters.PayoutScheduleStatus,
    parameters.FilterCurrencyId,
    parameters.FilterTargetChainId,
    parameters.Cursor,
    parameters.Limit,
  ],
  answerHeaders: {
    429: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "payouts:read",
    "x-emitted-events": [],
    "x-rate-limit-policy": "read",
  },
};

/** POST /v1/payout-schedules/{id}/pause: the request, checked */
export interface PausePayoutScheduleRequest {
  readonly path: answers.Present<types.operations["pausePayoutSchedule"]["parameters"]["path"]>;
  readonly headers: answers.Present<
    types.operations["pausePayoutSchedule"]["parameters"]["header"]
  >;
}

/** POST /v1/payout-schedules/{id}/pause: every documented answer; the edge adds the headers named in `Edge` */
export type PausePayoutScheduleAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.PausedPayoutSchedule,
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
  | answers.JsonAnswer<409, types.ApiError, responses.ConflictHeaders, Edge>
  | answers.JsonAnswer<
      400 | 413 | 422 | 429 | 500 | 503,
      types.ApiError,
      responses.DefaultHeaders,
      Edge
    >;

export const pausePayoutSchedule: runtime.Operation = {
  operationId: "pausePayoutSchedule",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/payout-schedules/{id}/pause",
    tags: ["payout-schedules"],
    operationId: "pausePayoutSchedule",
    summary: "Pause a payout schedule",
    "x-default-statuses": [400, 413, 422, 429, 500, 503],
    request: {
      params: z.looseObject({
        id: parameters.PayoutScheduleId.schema,
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
        description: "The schedule is not running.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.PausedPayoutSchedule } },
      },
      401: responses.Unauthorized,
      403: responses.Forbidden,
      404: responses.NotFound,
      409: responses.Conflict,
      default: responses.Default,
    },
  }),
  parameters: [
    parameters.XApiKey,
    parameters.XSignature,
    parameters.XTimestamp,
    parameters.XNonce,
    parameters.IdempotencyKey,
    parameters.PayoutScheduleId,
  ],
  answerHeaders: {
    409: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "payouts:write",
    "x-emitted-events": ["payout_schedule.paused"],
    "x-rate-limit-policy": "write",
  },
};
