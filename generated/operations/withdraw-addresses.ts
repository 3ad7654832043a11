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

/** POST /v1/withdraw-addresses: the request, checked */
export interface RegisterWithdrawAddressRequest {
  readonly headers: answers.Present<
    types.operations["registerWithdrawAddress"]["parameters"]["header"]
  >;
  readonly body: types.RegisterWithdrawAddressRequest;
}

/** POST /v1/withdraw-addresses: every documented answer; the edge adds the headers named in `Edge` */
export type RegisterWithdrawAddressAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      201,
      types.WithdrawAddress,
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

export const registerWithdrawAddress: runtime.Operation = {
  operationId: "registerWithdrawAddress",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/withdraw-addresses",
    tags: ["withdraw-addresses"],
    operationId: "registerWithdrawAddress",
    summary: "Register a withdraw address",
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
        content: { "application/json": { schema: schemas.RegisterWithdrawAddressRequest } },
      },
    },
    responses: {
      201: {
        description: "The address is registered. It can be used from `activates_at` on.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.WithdrawAddress } },
      },
      400: responses.BadRequest,
      401: responses.Unauthorized,
      409: {
        description:
          "The request conflicts with what exists. Codes: `address_already_registered` (on that\nchain, as `details.withdraw_address_id`), `idempotency_in_progress` (with `Retry-After`), `idempotency_key_expired` (the key\nregistered an address so long ago that its answer is no longer kept).\n",
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
          "The request is well formed, and the rules refuse it. Codes: `chain_not_accepted` (a\nchain the service does not know), `invalid_address` (form or checksum),\n`address_not_allowed` (zero, token contract or own address),\n`idempotency_key_reused`.\n",
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
    "x-required-scope": "withdraw_addresses:write",
    "x-emitted-events": ["withdraw_address.registered"],
    "x-rate-limit-policy": "write",
  },
};
