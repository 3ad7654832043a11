// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import { z } from "zod";
import type { RouteConfig } from "@hono/zod-openapi";
import * as headers from "./headers.ts";
import * as schemas from "./schemas.ts";

export const NotModified: RouteConfig["responses"][string] = {
  description: "The catalog still has the version named in `If-None-Match`. There is no body.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    "Cache-Control": headers.CacheControlOfRead,
    Vary: headers.Vary,
    "RateLimit-Policy": headers.RateLimitPolicy,
    RateLimit: headers.RateLimit,
    ETag: headers.ETag,
  }),
};

export type NotModifiedHeaders = {
  "X-Request-Id": string;
  "Cache-Control": string;
  Vary: string;
  "RateLimit-Policy": string;
  RateLimit: string;
  ETag: string;
};

export const BadRequest: RouteConfig["responses"][string] = {
  description:
    "The request breaks the contract. Codes: `invalid_json` (the body is not JSON),\n`invalid_request` (`details.violations` lists every problem), `missing_header`,\n`invalid_header`, `unknown_parameter`. Also where a schema allows any JSON, a text or a name\nthat holds U+0000 or half of a surrogate pair is `invalid_request` (rule `unicode`), and so\nis a number that no double holds, such as 1e400 (rule `finite`) or 9007199254740993 (rule\n`precision`).\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
    Vary: headers.VaryOnceKnown.exactOptional(),
    "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
    RateLimit: headers.RateLimitOnceKnown.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type BadRequestHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control"?: string;
  Vary?: string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const BadWebhookEndpoint: RouteConfig["responses"][string] = {
  description:
    "The request breaks the contract. Codes: `webhook_url_not_allowed` (not an absolute https URL,\nmore than 2048 characters, anything but visible ASCII, a backslash, user information, a\nfragment, a port other than 443 and 8443, an IP address in any spelling, a host name that is\nnot spelled plainly, ends with a dot, has a single label, is no valid name, or ends with a\nsuffix of private networks, or a host of this service), `unknown_event_type` (an unknown name, an empty list,\nor `*` beside other names), `invalid_json`, `invalid_request` (`details.violations` lists\nevery problem), `missing_header`, `invalid_header`, `unknown_parameter`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
    Vary: headers.VaryOnceKnown.exactOptional(),
    "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
    RateLimit: headers.RateLimitOnceKnown.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type BadWebhookEndpointHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control"?: string;
  Vary?: string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const BadPage: RouteConfig["responses"][string] = {
  description:
    "The request breaks the contract. Codes: `invalid_cursor`, `invalid_limit`,\n`unknown_parameter`, `invalid_request` (another parameter has a wrong value;\n`details.violations` lists every problem), `missing_header`, `invalid_header`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
    Vary: headers.VaryOnceKnown.exactOptional(),
    "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
    RateLimit: headers.RateLimitOnceKnown.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type BadPageHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control"?: string;
  Vary?: string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const Unauthorized: RouteConfig["responses"][string] = {
  description:
    "The request is not proven to come from the merchant. Codes: `authentication_failed`\n(unknown, revoked or expired key, or a wrong signature: one code for all),\n`timestamp_out_of_range` (`details.server_time`), `nonce_reused`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "WWW-Authenticate": headers.WWWAuthenticate,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type UnauthorizedHeaders = {
  "X-Request-Id": string;
  Link: string;
  "WWW-Authenticate": string;
};

export const Forbidden: RouteConfig["responses"][string] = {
  description:
    "The key is genuine, and may not do this. Codes: `insufficient_scope`\n(`details.required_scope`, or `details.excluded_scope` for one that a key which moves money\nmay not have), `ip_not_allowed`, `merchant_suspended`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOfAny,
    Vary: headers.Vary,
    "RateLimit-Policy": headers.RateLimitPolicy,
    RateLimit: headers.RateLimit,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type ForbiddenHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control": string;
  Vary: string;
  "RateLimit-Policy": string;
  RateLimit: string;
};

export const NotFound: RouteConfig["responses"][string] = {
  description:
    "The resource in the path does not exist or belongs to another merchant, which look the same.\nCode: `not_found`.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOfAny,
    Vary: headers.Vary,
    "RateLimit-Policy": headers.RateLimitPolicy,
    RateLimit: headers.RateLimit,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type NotFoundHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control": string;
  Vary: string;
  "RateLimit-Policy": string;
  RateLimit: string;
};

export const Conflict: RouteConfig["responses"][string] = {
  description:
    "The first request with this Idempotency-Key still runs; send it again after `Retry-After`.\nCode: `idempotency_in_progress`.\n",
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
};

export type ConflictHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control": string;
  Vary: string;
  "RateLimit-Policy": string;
  RateLimit: string;
  "Retry-After"?: number;
};

export const KeyConflict: RouteConfig["responses"][string] = {
  description:
    "This Idempotency-Key has been here. Codes: `idempotency_in_progress` (the first request with it\nstill runs; send it again after `Retry-After`), `idempotency_key_expired` (it was done, and its\nanswer is no longer kept).\n",
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
};

export type KeyConflictHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control": string;
  Vary: string;
  "RateLimit-Policy": string;
  RateLimit: string;
  "Retry-After"?: number;
};

export const BadRequestWithoutBody: RouteConfig["responses"][string] = {
  description:
    "The request breaks the contract: a header, an identifier, a query or a body that nobody asked for.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
    Vary: headers.VaryOnceKnown.exactOptional(),
    "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
    RateLimit: headers.RateLimitOnceKnown.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type BadRequestWithoutBodyHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control"?: string;
  Vary?: string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const PaymentNotFound: RouteConfig["responses"][string] = {
  description:
    "There is no payment with this id, or it belongs to another merchant, which look the same.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControl,
    Vary: headers.Vary,
    "RateLimit-Policy": headers.RateLimitPolicy,
    RateLimit: headers.RateLimit,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type PaymentNotFoundHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control": string;
  Vary: string;
  "RateLimit-Policy": string;
  RateLimit: string;
};

export const EndpointConflict: RouteConfig["responses"][string] = {
  description:
    "The URL is registered already, or the first request with this Idempotency-Key still runs.\n",
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
};

export type EndpointConflictHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control": string;
  Vary: string;
  "RateLimit-Policy": string;
  RateLimit: string;
  "Retry-After"?: number;
};

export const BodyTooLarge: RouteConfig["responses"][string] = {
  description:
    "The body is larger than 64 kB, or the evidence of a usage report larger than 16 kB.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
    Vary: headers.VaryOnceKnown.exactOptional(),
    "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
    RateLimit: headers.RateLimitOnceKnown.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type BodyTooLargeHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control"?: string;
  Vary?: string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const UnsupportedMediaType: RouteConfig["responses"][string] = {
  description: "The body is not JSON, or comes in a content coding.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControl,
    Vary: headers.Vary,
    "RateLimit-Policy": headers.RateLimitPolicy,
    RateLimit: headers.RateLimit,
    "Accept-Encoding": headers.AcceptEncoding.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type UnsupportedMediaTypeHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control": string;
  Vary: string;
  "RateLimit-Policy": string;
  RateLimit: string;
  "Accept-Encoding"?: string;
};

export const KeyReused: RouteConfig["responses"][string] = {
  description: "The Idempotency-Key names another request.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControl,
    Vary: headers.Vary,
    "RateLimit-Policy": headers.RateLimitPolicy,
    RateLimit: headers.RateLimit,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type KeyReusedHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control": string;
  Vary: string;
  "RateLimit-Policy": string;
  RateLimit: string;
};

export const InternalError: RouteConfig["responses"][string] = {
  description:
    "Our fault. A write may have happened: send the same again with the same Idempotency-Key.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
    Vary: headers.VaryOnceKnown.exactOptional(),
    "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
    RateLimit: headers.RateLimitOnceKnown.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type InternalErrorHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control"?: string;
  Vary?: string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
};

export const Unavailable: RouteConfig["responses"][string] = {
  description:
    "The service cannot answer now. A write may have been done all the same: send it again with\nthe same `Idempotency-Key`, and never with a new one.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
    Vary: headers.VaryOnceKnown.exactOptional(),
    "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
    RateLimit: headers.RateLimitOnceKnown.exactOptional(),
    "Retry-After": headers.RequiredRetryAfter,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type UnavailableHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control"?: string;
  Vary?: string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
  "Retry-After": number;
};

export const ChainUnavailable: RouteConfig["responses"][string] = {
  description:
    "The service cannot answer now, or the chain cannot be read. A write may have been done all\nthe same: send it again with the same `Idempotency-Key`, and never with a new one.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
    Vary: headers.VaryOnceKnown.exactOptional(),
    "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
    RateLimit: headers.RateLimitOnceKnown.exactOptional(),
    "Retry-After": headers.RequiredRetryAfter,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type ChainUnavailableHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control"?: string;
  Vary?: string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
  "Retry-After": number;
};

export const BrokenRequest: RouteConfig["responses"][string] = {
  description: "Not a request of HTTP, or one of which the headers cannot be read (RFC 9112).\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type BrokenRequestHeaders = { "X-Request-Id": string; Link: string };

export const UnknownPath: RouteConfig["responses"][string] = {
  description: "No operation has this path.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type UnknownPathHeaders = { "X-Request-Id": string; Link: string };

export const MethodNotAllowed: RouteConfig["responses"][string] = {
  description: "The path has no such method.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    Allow: headers.Allow,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type MethodNotAllowedHeaders = { "X-Request-Id": string; Link: string; Allow: string };

export const RequestTimeout: RouteConfig["responses"][string] = {
  description: "The request did not arrive in time.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type RequestTimeoutHeaders = { "X-Request-Id": string; Link: string };

export const HeadersTooLarge: RouteConfig["responses"][string] = {
  description: "The headers are larger than 16 kB.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type HeadersTooLargeHeaders = { "X-Request-Id": string; Link: string };

export const NotImplemented: RouteConfig["responses"][string] = {
  description: "HTTP does not have this method.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type NotImplementedHeaders = { "X-Request-Id": string; Link: string };

export const TooManyRequests: RouteConfig["responses"][string] = {
  description:
    "A bucket is empty; send the request again after `Retry-After`. Code: `rate_limited`\n(`details.policy` names the bucket).\nWhat is counted before it is known who calls (`address`, `failed_authentication`) tells no rate.\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
    Vary: headers.VaryOnceKnown.exactOptional(),
    "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
    RateLimit: headers.RateLimitOnceKnown.exactOptional(),
    "Retry-After": headers.RequiredRetryAfter,
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type TooManyRequestsHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control"?: string;
  Vary?: string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
  "Retry-After": number;
};

export const Default: RouteConfig["responses"][string] = {
  description:
    "Any of the statuses in the operation's `x-default-statuses`, and no other. Codes by status:\n\n- 400 as in BadRequest: `invalid_json`, `invalid_request`, `missing_header`,\n  `invalid_header`, `unknown_parameter`\n- 403 `insufficient_scope`, `ip_not_allowed`, `merchant_suspended`\n- 404 `payment_not_found` (settle only)\n- 409 `idempotency_in_progress`; on the update of a webhook endpoint also\n  `endpoint_already_exists`\n- 413 `body_too_large` (64 kB; 16 kB for the evidence of a usage report)\n- 415 `unsupported_media_type`\n- 422 `idempotency_key_reused`\n- 429 `rate_limited`, always with `Retry-After`\n- 500 `internal_error`\n- 503 `service_unavailable`, `chain_unavailable`; send it again with the same\n  `Idempotency-Key`\n",
  headers: z.looseObject({
    "X-Request-Id": headers.XRequestId,
    Link: headers.HelpLink,
    "Cache-Control": headers.CacheControlOnceKnown.exactOptional(),
    Vary: headers.VaryOnceKnown.exactOptional(),
    "RateLimit-Policy": headers.RateLimitPolicyOnceKnown.exactOptional(),
    RateLimit: headers.RateLimitOnceKnown.exactOptional(),
    "Accept-Encoding": headers.AcceptEncoding.exactOptional(),
    "Retry-After": headers.RetryAfterOfDefault.exactOptional(),
  }),
  content: { "application/json": { schema: schemas.ApiError } },
};

export type DefaultHeaders = {
  "X-Request-Id": string;
  Link: string;
  "Cache-Control"?: string;
  Vary?: string;
  "RateLimit-Policy"?: string;
  RateLimit?: string;
  "Accept-Encoding"?: string;
  "Retry-After"?: number;
};
