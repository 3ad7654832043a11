// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import { z } from "zod";
import type { RouteConfig } from "@hono/zod-openapi";
import * as headers from "./headers.ts";
import * as schemas from "./schemas.ts";

export const NotModified: RouteConfig["responses"][string] = {
  description: "The catalog still has the version named in `If-None-Match`. There is no body.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "RateLimit-Policy": headers.RateLimitPolicy.exactOptional(),
    RateLimit: headers.RateLimit.exactOptional(),
    ETag: headers.ETag.exactOptional(),
  }),
};

export type NotModifiedHeaders = {
  "X-Request-Id": string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
  ETag?: string;
};

export const BadRequest: RouteConfig["responses"][string] = {
  description:
    "The request breaks the contract. Codes: `invalid_json` (the body is not JSON),\n`invalid_request` (`details.violations` lists every problem), `missing_header`,\n`invalid_header`, `unknown_parameter`. Also where a schema allows any JSON, a text or a name\nthat holds U+0000 or half of a surrogate pair is `invalid_request` (rule `unicode`), and so\nis a number that no double holds, such as 1e400 (rule `finite`).\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "RateLimit-Policy": headers.RateLimitPolicy.exactOptional(),
    RateLimit: headers.RateLimit.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type BadRequestHeaders = {
  "X-Request-Id": string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const BadWebhookEndpoint: RouteConfig["responses"][string] = {
  description:
    "The request breaks the contract. Codes: `webhook_url_not_allowed` (not an absolute https URL,\nmore than 2048 characters, anything but visible ASCII, a backslash, user information, a\nfragment, a port other than 443 and 8443, an IP address in any spelling, a host name that is\nnot spelled plainly, ends with a dot, has a single label, is no valid name, or ends with a\nsuffix of private networks, or a host of this service), `unknown_event_type` (an unknown name, an empty list,\nor `*` beside other names), `invalid_json`, `invalid_request` (`details.violations` lists\nevery problem), `missing_header`, `invalid_header`, `unknown_parameter`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "RateLimit-Policy": headers.RateLimitPolicy.exactOptional(),
    RateLimit: headers.RateLimit.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type BadWebhookEndpointHeaders = {
  "X-Request-Id": string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const BadPage: RouteConfig["responses"][string] = {
  description:
    "The request breaks the contract. Codes: `invalid_cursor`, `invalid_limit`,\n`unknown_parameter`, `invalid_request` (another parameter has a wrong value;\n`details.violations` lists every problem), `missing_header`, `invalid_header`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "RateLimit-Policy": headers.RateLimitPolicy.exactOptional(),
    RateLimit: headers.RateLimit.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type BadPageHeaders = {
  "X-Request-Id": string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const Unauthorized: RouteConfig["responses"][string] = {
  description:
    "The request is not proven to come from the merchant. Codes: `authentication_failed`\n(unknown, revoked or expired key, or a wrong signature: one code for all),\n`timestamp_out_of_range` (`details.server_time`), `nonce_reused`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "WWW-Authenticate": headers.WWWAuthenticate,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type UnauthorizedHeaders = { "X-Request-Id": string; "WWW-Authenticate": string };

export const Forbidden: RouteConfig["responses"][string] = {
  description:
    "The key is genuine, and may not do this. Codes: `insufficient_scope`\n(`details.required_scope`, or `details.excluded_scope` for one that a key which moves money\nmay not have), `ip_not_allowed`, `merchant_suspended`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "RateLimit-Policy": headers.RateLimitPolicy.exactOptional(),
    RateLimit: headers.RateLimit.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type ForbiddenHeaders = {
  "X-Request-Id": string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const NotFound: RouteConfig["responses"][string] = {
  description:
    "The resource in the path does not exist or belongs to another merchant, which look the same.\nCode: `not_found`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "RateLimit-Policy": headers.RateLimitPolicy.exactOptional(),
    RateLimit: headers.RateLimit.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type NotFoundHeaders = {
  "X-Request-Id": string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const Conflict: RouteConfig["responses"][string] = {
  description:
    "The first request with this Idempotency-Key still runs; send it again after `Retry-After`.\nCode: `idempotency_in_progress`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "RateLimit-Policy": headers.RateLimitPolicy.exactOptional(),
    RateLimit: headers.RateLimit.exactOptional(),
    "Retry-After": headers.RetryAfter.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type ConflictHeaders = {
  "X-Request-Id": string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
  "Retry-After"?: string;
};

export const TooManyRequests: RouteConfig["responses"][string] = {
  description:
    "A bucket is empty; send the request again after `Retry-After`. Code: `rate_limited`\n(`details.policy` names the bucket).\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "RateLimit-Policy": headers.RateLimitPolicy.exactOptional(),
    RateLimit: headers.RateLimit.exactOptional(),
    "Retry-After": headers.RequiredRetryAfter,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type TooManyRequestsHeaders = {
  "X-Request-Id": string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
  "Retry-After": string;
};

export const Default: RouteConfig["responses"][string] = {
  description:
    "Any of the statuses in the operation's `x-default-statuses`, and no other. Codes by status:\n\n- 400 as in BadRequest: `invalid_json`, `invalid_request`, `missing_header`,\n  `invalid_header`, `unknown_parameter`\n- 403 `insufficient_scope`, `ip_not_allowed`, `merchant_suspended`\n- 404 `payment_not_found` (settle only)\n- 409 `idempotency_in_progress`; on the update of a webhook endpoint also\n  `endpoint_already_exists`\n- 413 `body_too_large` (64 kB; 16 kB for the evidence of a usage report)\n- 415 `unsupported_media_type`\n- 422 `idempotency_key_reused`\n- 429 `rate_limited`, always with `Retry-After`\n- 500 `internal_error`\n- 503 `service_unavailable`, `chain_unavailable`; nothing was done, so try again later\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "RateLimit-Policy": headers.RateLimitPolicy.exactOptional(),
    RateLimit: headers.RateLimit.exactOptional(),
    "Accept-Encoding": headers.AcceptEncoding.exactOptional(),
    "Retry-After": headers.RetryAfter.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type DefaultHeaders = {
  "X-Request-Id": string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
  "Accept-Encoding"?: string;
  "Retry-After"?: string;
};
