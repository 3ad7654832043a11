// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";

export const XRequestId: z.ZodType = z
  .string()
  .check(keywords.minLength(1), keywords.maxLength(128));

export const WWWAuthenticate: z.ZodType = z.literal(
  'HMAC-SHA256 headers="X-Api-Key X-Timestamp X-Nonce X-Signature"',
);

export const AcceptEncoding: z.ZodType = z.literal("identity");

export const RateLimitPolicy: z.ZodType = z.string();

export const RateLimit: z.ZodType = z.string();

export const RetryAfter: z.ZodType = z.int32().min(0);

export const RequiredRetryAfter: z.ZodType = z.int32().min(0);

export const IdempotentReplayed: z.ZodType = z.literal("true");

export const Location: z.ZodType = z.string().check(keywords.format("uri-reference"));

export const Link: z.ZodType = z.string();

export const XNextCursor: z.ZodType = z
  .string()
  .check(keywords.minLength(1), keywords.maxLength(1024));

export const ETag: z.ZodType = z.string().regex(/^"[0-9]+-(?:live|test)"$/u);
