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

/** PUT /v1/currency-acceptance: the request, checked */
export interface ReplaceCurrencyAcceptanceRequest {
  readonly headers: answers.Present<
    types.operations["replaceCurrencyAcceptance"]["parameters"]["header"]
  >;
  readonly body: types.ReplaceCurrencyAcceptanceRequest;
}

/** PUT /v1/currency-acceptance: every documented answer; the edge adds the headers named in `Edge` */
export type ReplaceCurrencyAcceptanceAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.CurrencyAcceptance,
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
      409 | 413 | 415 | 429 | 500 | 503,
      types.ApiError,
      responses.DefaultHeaders,
      Edge
    >;

export const replaceCurrencyAcceptance: runtime.Operation = {
  operationId: "replaceCurrencyAcceptance",
  route: createRoute<string, RouteConfig>({
    method: "put",
    path: "/v1/currency-acceptance",
    tags: ["currency-acceptance"],
    operationId: "replaceCurrencyAcceptance",
    summary: "Replace the accepted currencies and chains",
    "x-default-statuses": [409, 413, 415, 429, 500, 503],
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
        content: { "application/json": { schema: schemas.ReplaceCurrencyAcceptanceRequest } },
      },
    },
    responses: {
      200: {
        description: "The acceptance as it is now, with the chains resolved and sorted.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.CurrencyAcceptance } },
      },
      400: responses.BadRequest,
      401: responses.Unauthorized,
      403: responses.Forbidden,
      422: {
        description:
          "The request is well formed, and the rules refuse it. Codes: `currency_not_found`,\n`chain_not_accepted` (the currency is not on this chain, or the list is empty),\n`deposits_disabled`, `idempotency_key_reused`.\n",
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
  answerHeaders: { default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } } },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "currencies:write",
    "x-emitted-events": ["currency_acceptance.updated"],
    "x-rate-limit-policy": "write",
  },
};
