// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import { z } from "zod";
import * as keywords from "./runtime/keywords.ts";
import type * as runtime from "./runtime/runtime.ts";
import * as schemas from "./schemas.ts";

interface Parameter extends runtime.ParameterPlan {
  readonly schema: z.ZodType;
}

export const XApiKey: Parameter = {
  in: "header",
  name: "X-Api-Key",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: z.string().regex(/^mk_(live|test)_[A-Za-z0-9]{16,64}$/u),
};

export const XSignature: Parameter = {
  in: "header",
  name: "X-Signature",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: z.string().regex(/^[0-9a-f]{64}$/u),
};

export const XTimestamp: Parameter = {
  in: "header",
  name: "X-Timestamp",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: z.string().regex(/^[0-9]{10}$/u),
};

export const XNonce: Parameter = {
  in: "header",
  name: "X-Nonce",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: z.string().regex(/^[A-Za-z0-9_-]{16,64}$/u),
};

export const IdempotencyKey: Parameter = {
  in: "header",
  name: "Idempotency-Key",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: schemas.IdempotencyKey,
};

export const OptionalIdempotencyKey: Parameter = {
  in: "header",
  name: "Idempotency-Key",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: schemas.IdempotencyKey,
};

export const WebhookEndpointId: Parameter = {
  in: "path",
  name: "id",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: schemas.Identifier,
};

export const PaymentId: Parameter = {
  in: "path",
  name: "id",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: schemas.Identifier,
};

export const WithdrawalId: Parameter = {
  in: "path",
  name: "id",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: schemas.Identifier,
};

export const PayoutScheduleId: Parameter = {
  in: "path",
  name: "id",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: schemas.Identifier,
};

export const SubscriptionId: Parameter = {
  in: "path",
  name: "id",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: schemas.Identifier,
};

export const CurrencyId: Parameter = {
  in: "path",
  name: "id",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: schemas.Identifier,
};

export const UsagePaymentId: Parameter = {
  in: "path",
  name: "payment_id",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: schemas.Identifier,
};

export const PayoutScheduleStatus: Parameter = {
  in: "query",
  name: "status",
  style: "form",
  explode: true,
  kind: { scalar: ["string"] },
  schema: schemas.PayoutScheduleStatus,
};

export const FilterCurrencyId: Parameter = {
  in: "query",
  name: "currency_id",
  style: "form",
  explode: true,
  kind: { scalar: ["string"] },
  schema: z.string().check(keywords.maxLength(128)),
};

export const FilterTargetChainId: Parameter = {
  in: "query",
  name: "target_chain_id",
  style: "form",
  explode: true,
  kind: { scalar: ["string"] },
  schema: z.string().check(keywords.maxLength(128)),
};

export const Cursor: Parameter = {
  in: "query",
  name: "cursor",
  style: "form",
  explode: true,
  kind: { scalar: ["string"] },
  schema: z.string().check(keywords.minLength(1), keywords.maxLength(1024)),
};

export const Limit: Parameter = {
  in: "query",
  name: "limit",
  style: "form",
  explode: true,
  kind: { scalar: ["integer"] },
  default: 20,
  schema: z.int().min(1).max(100),
};

export const IfNoneMatch: Parameter = {
  in: "header",
  name: "If-None-Match",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: z.string().check(keywords.maxLength(4096)),
};

export const WebhookId: Parameter = {
  in: "header",
  name: "webhook-id",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: z.string().regex(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/u),
};

export const WebhookTimestamp: Parameter = {
  in: "header",
  name: "webhook-timestamp",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: z.string().regex(/^[0-9]{10}$/u),
};

export const WebhookSignature: Parameter = {
  in: "header",
  name: "webhook-signature",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: z.string().regex(/^v1,[A-Za-z0-9+/=]+( v1,[A-Za-z0-9+/=]+)*$/u),
};

export const WebhookTraceparent: Parameter = {
  in: "header",
  name: "traceparent",
  style: "simple",
  explode: false,
  kind: { scalar: ["string"] },
  schema: z.string().regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/u),
};
