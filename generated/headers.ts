// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";
import * as schemas from "./schemas.ts";

export const XRequestId: z.ZodType = schemas.RequestId;

export const WWWAuthenticate: z.ZodType = z.literal(
  'HMAC-SHA256 headers="X-Api-Key X-Timestamp X-Nonce X-Signature"',
);

export const Allow: z.ZodType = z.string().regex(/^[A-Z]+(, [A-Z]+)*$/u);

export const AcceptEncoding: z.ZodType = z.literal("identity");

export const RateLimitPolicy: z.ZodType = schemas.RateLimitPolicyText;

export const RateLimit: z.ZodType = schemas.RateLimitText;

export const RateLimitPolicyOnceKnown: z.ZodType = schemas.RateLimitPolicyText;

export const RateLimitOnceKnown: z.ZodType = schemas.RateLimitText;

export const CacheControl: z.ZodType = z.literal("private, no-store");

export const CacheControlOfRead: z.ZodType = z.literal("private, no-cache");

export const CacheControlOfAny: z.ZodType = z.enum(["private, no-cache", "private, no-store"]);

export const CacheControlOnceKnown: z.ZodType = z.enum(["private, no-cache", "private, no-store"]);

export const Vary: z.ZodType = z.literal("X-Api-Key");

export const VaryOnceKnown: z.ZodType = z.literal("X-Api-Key");

export const RetryAfterInProgress: z.ZodType = z.int32().min(1).max(1);

export const RetryAfterOfDefault: z.ZodType = z.int32().min(1).max(86400);

export const RequiredRetryAfter: z.ZodType = z.int32().min(1).max(86400);

export const IdempotentReplayed: z.ZodType = z.literal("true");

export const Location: z.ZodType = z
  .string()
  .regex(/^\/v1\/webhook-endpoints\/whe_[0-9A-HJKMNP-TV-Z]{26}$/u)
  .check(keywords.format("uri-reference"));

export const Link: z.ZodType = z
  .string()
  .check(
    keywords.pattern(/^<\/v1\/[a-z-]+\?[^<>" ]+>; rel="next"$/u, 4096),
    keywords.maxLength(4096),
  );

export const HelpLink: z.ZodType = z
  .string()
  .check(
    keywords.pattern(/^<\/docs\/errors#[a-z][a-z0-9_]*>; rel="help"$/u, 128),
    keywords.maxLength(128),
  );

export const XNextCursor: z.ZodType = z
  .string()
  .check(keywords.pattern(/^[A-Za-z0-9_-]+$/u, 1024), keywords.maxLength(1024));

export const ETag: z.ZodType = z.string().regex(/^"(?:0|[1-9][0-9]*)-(?:live|test)"$/u);
