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

/** POST /v1/subscriptions/{id}/cancel: the request, checked */
export interface CancelSubscriptionRequest {
  readonly path: answers.Present<types.operations["cancelSubscription"]["parameters"]["path"]>;
  readonly headers: answers.Present<types.operations["cancelSubscription"]["parameters"]["header"]>;
}

/** POST /v1/subscriptions/{id}/cancel: every documented answer; the edge adds the headers named in `Edge` */
export type CancelSubscriptionAnswer<Edge extends string = never> =
  | answers.JsonAnswer<
      200,
      types.Subscription,
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

export const cancelSubscription: runtime.Operation = {
  operationId: "cancelSubscription",
  route: createRoute<string, RouteConfig>({
    method: "post",
    path: "/v1/subscriptions/{id}/cancel",
    tags: ["subscriptions"],
    operationId: "cancelSubscription",
    summary: "Cancel a subscription",
    "x-default-statuses": [400, 413, 422, 429, 500, 503],
    request: {
      params: z.looseObject({
        id: parameters.SubscriptionId.schema,
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
        description: "The subscription is cancelled.",
        headers: z.looseObject({
          "X-Request-Id": headers.XRequestId,
          "Cache-Control": headers.CacheControl,
          Vary: headers.Vary,
          "RateLimit-Policy": headers.RateLimitPolicy,
          RateLimit: headers.RateLimit,
          "Idempotent-Replayed": headers.IdempotentReplayed.exactOptional(),
        }),
        content: { "application/json": { schema: schemas.Subscription } },
      },
      401: responses.Unauthorized,
      403: responses.Forbidden,
      404: responses.NotFound,
      409: {
        description:
          "The subscription cannot be cancelled. Codes: `subscription_not_cancellable`\n(`details.status`), `idempotency_in_progress` (with `Retry-After`).\n",
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
    parameters.SubscriptionId,
  ],
  answerHeaders: {
    409: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
    default: { "Retry-After": { kind: { scalar: ["integer"] }, explode: false } },
  },
  security: [[{ scheme: security.ApiKey, scopes: [] }]],
  extensions: {
    "x-required-scope": "subscriptions:write",
    "x-emitted-events": ["subscription.cancelled", "payment.cancelled"],
    "x-rate-limit-policy": "write",
  },
};
