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

/** GET /v1/webhook-deliveries: the request, checked */
export interface ListWebhookDeliveriesRequest {
  readonly headers: answers.Present<
    types.operations["listWebhookDeliveries"]["parameters"]["header"]
  >;
}

/** GET /v1/webhook-deliveries: every documented answer; the edge adds the headers named in `Edge` */
export type ListWebhookDeliveriesAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.WebhookDeliveryList,
      {
        "X-Request-Id": string;
        "Cache-Control": string;
        Vary: string;
        "RateLimit-Policy": string;
        RateLimit: string;
      },
      Edge
    >
  | answers.JsonAnswer<
      400,
      types.ApiError,
      {
        "X-Request-Id": string;
        Link: string;
        "Cache-Control"?: string;
        Vary?: string;
        "RateLimit-Policy"?: string;
        RateLimit?: string;
      },
      Edge
    >
  | answers.JsonAnswer<401, types.ApiError, responses.UnauthorizedHeaders, Edge>
  | answers.JsonAnswer<403, types.ApiError, responses.ForbiddenHeaders, Edge>
  | answers.JsonAnswer<429, types.ApiError, responses.TooManyRequestsHeaders, Edge>
  | answers.JsonAnswer<413 | 500 | 503, types.ApiError, responses.DefaultHeaders, Edge>;

export const listWebhookDeliveries: runtime.Operation = {
  operationId: "listWebhookDeliveries",
  route: createRoute<string, RouteConfig>({
    method: "get",
    path: "/v1/webhook-deliveries",
    tags: ["webhook-deliveries"],
    operationId: "listWebhookDeliveries",
    summary: "List recent webhook deliveries",
    "x-default-statuses": [413, 500, 503],
    request: {
      headers: z.looseObject({
        "X-Api-Key": parameters.XApiKey.schema,
        "X-Signature": parameters.XSignature.schema,
        "X-Timestamp": parameters.XTimestamp.schema,
        "X-Nonce": parameters.XNonce.schema,
      }),
    },
    responses: {
      200: {
        description: "The deliveries, newest first.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControlOfRead,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
        }),
        content: { "application/json": { schema: schemas.WebhookDeliveryList } },
      },
      400: {
        description:
          "The request breaks the contract. Codes: `unknown_parameter` (this operation has no query\nparameters), `invalid_request` (a body was sent, and this operation takes none),\n`missing_header`, `invalid_header`.\n",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          Link: headers.HelpLink,
          "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
          Vary: headers.VaryOnceKnown.exactOptional(),
          "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
          RateLimit: headers.RateLimitOnceKnown.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.ApiError } },
      },
      401: responses.Unauthorized,
      403: responses.Forbidden,
      429: responses.TooManyRequests,
      default: responses.Default,
    },
  }),
  parameters: [parameters.XApiKey, parameters.XSignature, parameters.XTimestamp, parameters.XNonce],
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
