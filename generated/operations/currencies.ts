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

/** GET /v1/currencies: the request, checked */
export interface ListCurrenciesRequest {
  readonly query: answers.Present<
    types.operations["listCurrencies"]["parameters"]["query"],
    "limit"
  >;
  readonly headers: answers.Present<types.operations["listCurrencies"]["parameters"]["header"]>;
}

/** GET /v1/currencies: every documented answer; the edge adds the headers named in `Edge` */
export type ListCurrenciesAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.CurrencyList,
      {
        "X-Request-Id": string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
        ETag: string;
        Link?: string;
        "X-Next-Cursor"?: string;
      },
      Edge
    >
  | answers.EmptyAnswer<304, responses.NotModifiedHeaders, Edge>
  | answers.JsonAnswer<400, types.ApiError, responses.BadPageHeaders, Edge>
  | answers.JsonAnswer<401, types.ApiError, responses.UnauthorizedHeaders, Edge>
  | answers.JsonAnswer<403, types.ApiError, responses.ForbiddenHeaders, Edge>
  | answers.JsonAnswer<429, types.ApiError, responses.TooManyRequestsHeaders, Edge>
  | answers.JsonAnswer<413 | 500 | 503, types.ApiError, responses.DefaultHeaders, Edge>;

export const listCurrencies: runtime.Operation = {
  operationId: "listCurrencies",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/v1/currencies",
    tags: ["currencies"],
    operationId: "listCurrencies",
    summary: "List the currency catalog",
    "x-default-statuses": [413, 500, 503],
    request: {
      query: z.looseObject({
        cursor: parameters.Cursor.schema.exactOptional(),
        limit: parameters.Limit.schema.exactOptional(),
      }),
      headers: z.looseObject({
        "X-Api-Key": parameters.XApiKey.schema,
        "X-Signature": parameters.XSignature.schema,
        "X-Timestamp": parameters.XTimestamp.schema,
        "X-Nonce": parameters.XNonce.schema,
        "If-None-Match": parameters.IfNoneMatch.schema.exactOptional(),
      }),
    },
    responses: {
      200: {
        description: "One page of the catalog.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControlOfRead,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          ETag: headers.ETag,
          Link: headers.Link.exactOptional(),
          "X-Next-Cursor": headers.XNextCursor.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.CurrencyList } },
      },
      304: responses.NotModified,
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
    parameters.Cursor,
    parameters.Limit,
    parameters.IfNoneMatch,
  ],
  answerHeaders: {
    429: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "currencies:read",
    "x-emitted-events": [],
    "x-rate-limit-policy": "read",
  },
};

/** GET /v1/currencies/{id}: the request, checked */
export interface GetCurrencyRequest {
  readonly path: answers.Present<types.operations["getCurrency"]["parameters"]["path"]>;
  readonly headers: answers.Present<types.operations["getCurrency"]["parameters"]["header"]>;
}

/** GET /v1/currencies/{id}: every documented answer; the edge adds the headers named in `Edge` */
export type GetCurrencyAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.CurrencyDetail,
      {
        "X-Request-Id": string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
        ETag: string;
      },
      Edge
    >
  | answers.EmptyAnswer<304, responses.NotModifiedHeaders, Edge>
  | answers.JsonAnswer<401, types.ApiError, responses.UnauthorizedHeaders, Edge>
  | answers.JsonAnswer<403, types.ApiError, responses.ForbiddenHeaders, Edge>
  | answers.JsonAnswer<404, types.ApiError, responses.NotFoundHeaders, Edge>
  | answers.JsonAnswer<429, types.ApiError, responses.TooManyRequestsHeaders, Edge>
  | answers.JsonAnswer<400 | 413 | 500 | 503, types.ApiError, responses.DefaultHeaders, Edge>;

export const getCurrency: runtime.Operation = {
  operationId: "getCurrency",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/v1/currencies/{id}",
    tags: ["currencies"],
    operationId: "getCurrency",
    summary: "Read a currency",
    "x-default-statuses": [400, 413, 500, 503],
    request: {
      params: z.looseObject({
        id: parameters.CurrencyId.schema,
      }),
      headers: z.looseObject({
        "X-Api-Key": parameters.XApiKey.schema,
        "X-Signature": parameters.XSignature.schema,
        "X-Timestamp": parameters.XTimestamp.schema,
        "X-Nonce": parameters.XNonce.schema,
        "If-None-Match": parameters.IfNoneMatch.schema.exactOptional(),
      }),
    },
    responses: {
      200: {
        description: "The currency.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControlOfRead,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          ETag: headers.ETag,
        }),
        content: { "application/json": { schema: schemas.CurrencyDetail } },
      },
      304: responses.NotModified,
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
    parameters.CurrencyId,
    parameters.IfNoneMatch,
  ],
  answerHeaders: {
    429: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "currencies:read",
    "x-emitted-events": [],
    "x-rate-limit-policy": "read",
  },
};
