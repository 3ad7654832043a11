// The one table from an error to what the caller sees: code, HTTP status, public text.
// Whatever is thrown becomes an answer here; causes, stacks and texts of foreign errors never do.

import { NotImplementedError, RequestError } from "../generated/runtime/runtime.ts";
import type { RequestProblem, Violation, WireAnswer } from "../generated/runtime/runtime.ts";
import { ServiceError } from "../service/errors.ts";
import type { ServiceErrorCode } from "../service/errors.ts";
import { isSensitiveName } from "../service/secrets/sensitive-names.ts";

/** Reasons that exist only at the HTTP edge. */
type EdgeErrorCode =
  | RequestProblem
  | "missing_header"
  | "invalid_header"
  | "unknown_parameter"
  | "invalid_limit"
  | "invalid_cursor"
  | "headers_too_large"
  | "request_timeout"
  | "not_implemented"
  | "internal_error";

export type ErrorCode = ServiceErrorCode | EdgeErrorCode;

export const statusByCode: Readonly<Record<ErrorCode, number>> = {
  invalid_json: 400,
  invalid_request: 400,
  missing_header: 400,
  invalid_header: 400,
  unknown_parameter: 400,
  invalid_cursor: 400,
  invalid_limit: 400,
  webhook_url_not_allowed: 400,
  unknown_event_type: 400,

  authentication_failed: 401,
  timestamp_out_of_range: 401,
  nonce_reused: 401,

  x402_invalid_signature: 402,
  x402_payload_scheme_mismatch: 402,
  x402_requirements_mismatch: 402,
  x402_amount_mismatch: 402,
  x402_recipient_mismatch: 402,
  x402_not_yet_valid: 402,
  x402_expired: 402,
  x402_nonce_mismatch: 402,
  x402_insufficient_funds: 402,
  x402_authorization_used: 402,
  x402_authorization_cancelled: 402,
  x402_allowance_required: 402,
  x402_facilitator_mismatch: 402,
  x402_simulation_failed: 402,
  x402_reverted: 402,
  x402_transfer_mismatch: 402,

  insufficient_scope: 403,
  ip_not_allowed: 403,
  merchant_suspended: 403,

  not_found: 404,
  payment_not_found: 404,
  method_not_allowed: 405,
  // Our choice: 408, 431 and 501 are outside the catalogue of the interface, since they are
  // answers of the transport and of unfinished work; they wear the same body.
  request_timeout: 408,

  idempotency_in_progress: 409,
  idempotency_key_expired: 409,
  order_already_exists: 409,
  payment_not_cancellable: 409,
  payment_not_payable: 409,
  settlement_in_progress: 409,
  payment_already_settled: 409,
  withdrawal_not_cancellable: 409,
  address_already_registered: 409,
  schedule_already_exists: 409,
  subscription_not_cancellable: 409,
  endpoint_already_exists: 409,
  endpoint_limit_reached: 409,
  usage_already_reported: 409,
  usage_closed: 409,

  body_too_large: 413,
  unsupported_media_type: 415,

  idempotency_key_reused: 422,
  currency_not_found: 422,
  currency_not_accepted: 422,
  chain_not_accepted: 422,
  deposits_disabled: 422,
  withdrawals_disabled: 422,
  amount_precision: 422,
  amount_too_small: 422,
  amount_too_large: 422,
  insufficient_balance: 422,
  withdraw_address_not_found: 422,
  withdraw_address_inactive: 422,
  withdraw_address_chain_mismatch: 422,
  invalid_address: 422,
  address_not_allowed: 422,
  splits_exceed_total: 422,
  split_merchant_not_found: 422,
  split_merchant_duplicate: 422,
  split_self: 422,
  expires_in_out_of_range: 422,
  interval_out_of_range: 422,
  first_run_in_past: 422,
  usage_exceeds_max: 422,
  usage_not_upto: 422,

  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  not_implemented: 501,
  service_unavailable: 503,
  chain_unavailable: 503,
};

/** Fixed texts: what went wrong inside us is for the log. */
const internalTexts = {
  internal_error:
    "Something went wrong on our side. Nothing is known to be wrong with the request.",
  service_unavailable: "The service cannot answer right now. Send the same request again later.",
  chain_unavailable: "The chain cannot be reached right now. Send the same request again later.",
} as const;

/** Our choice of a name: no registered scheme signs a whole request. */
const challenge = 'HMAC-SHA256 headers="X-Api-Key X-Timestamp X-Nonce X-Signature"';

/** Refused before there was a request that generated code could look at. */
export type TransportCode =
  | "invalid_request"
  | "invalid_header"
  | "headers_too_large"
  | "request_timeout"
  | "not_implemented";

export class TransportError extends Error {
  readonly code: TransportCode;
  readonly violations: readonly Violation[];
  constructor(
    code: TransportError["code"],
    message: string,
    violations: readonly Violation[] = [],
  ) {
    super(message);
    this.name = "TransportError";
    this.code = code;
    this.violations = violations;
  }
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly answer: WireAnswer;
}

/** The answer to whatever was thrown. Never throws itself. */
export function refusalOf(error: unknown, requestId: string): Refusal {
  if (error instanceof RequestError) return refuseRequest(error, requestId);
  if (error instanceof ServiceError) return refuseService(error, requestId);
  if (error instanceof TransportError) {
    const violations = statusByCode[error.code] === 400 ? { violations: error.violations } : {};
    return build(error.code, error.message, { request_id: requestId, ...violations });
  }
  if (error instanceof NotImplementedError) {
    const message = `Operation ${error.operationId} is described but not built yet.`;
    return build("not_implemented", message, { request_id: requestId });
  }
  return build("internal_error", internalTexts.internal_error, { request_id: requestId });
}

function refuseService(error: ServiceError, requestId: string): Refusal {
  const isInternal = error.code === "service_unavailable" || error.code === "chain_unavailable";
  const message = isInternal ? internalTexts[error.code] : error.message;
  const refusal = build(error.code, message, { ...error.details, request_id: requestId });
  // RFC 9110 section 15.5.2: a 401 must say how to authenticate.
  if (refusal.answer.status === 401) return withHeaders(refusal, { "WWW-Authenticate": challenge });
  // What is away is back in a moment, as far as anybody knows.
  const seconds = error.retryAfterSeconds ?? (isInternal ? 1 : undefined);
  if (seconds === undefined) return refusal;
  return withHeaders(refusal, { "Retry-After": String(Math.ceil(seconds)) });
}

function refuseRequest(error: RequestError, requestId: string): Refusal {
  const details: Record<string, unknown> = { request_id: requestId };
  if (error.status === 400) {
    details["violations"] = error.violations.map(withoutSecrets);
  }
  if (error.problem === "invalid_request") {
    const code = codeOf(error.violations);
    return build(code, textOf(code, error), details);
  }
  const refusal = build(error.problem, error.message, details);
  // RFC 9110 section 15.5.6: a 405 must say which methods there are.
  if (error.problem === "method_not_allowed") {
    return withHeaders(refusal, { Allow: error.allow.join(", ") });
  }
  // Section 15.5.16: whether it was the coding or the type.
  return error.isAboutCoding ? withHeaders(refusal, { "Accept-Encoding": "identity" }) : refusal;
}

function withHeaders(refusal: Refusal, headers: Readonly<Record<string, string>>): Refusal {
  const { answer } = refusal;
  return { ...refusal, answer: { ...answer, headers: { ...answer.headers, ...headers } } };
}

/** Where the code is explained (RFC 8288). From the root, as every other path that an answer names. */
function helpLink(code: ErrorCode): string {
  return `</docs/errors#${code}>; rel="help"`;
}

function build(
  code: ErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>>,
): Refusal {
  const headers = { Link: helpLink(code) };
  return {
    code,
    answer: { status: statusByCode[code], headers, body: { code, message, details } },
  };
}

/** The one code for all violations: whatever has to be repaired first names the answer. */
function codeOf(violations: readonly Violation[]): EdgeErrorCode {
  const has = (matches: (violation: Violation) => boolean): boolean => violations.some(matches);
  if (has(({ in: part, rule }) => part === "header" && rule === "required")) {
    return "missing_header";
  }
  if (has(({ in: part }) => part === "header")) return "invalid_header";
  if (has(({ in: part, rule }) => part === "query" && rule === "unknown")) {
    return "unknown_parameter";
  }
  if (has(({ in: part, pointer }) => part === "query" && pointer === "/limit")) {
    return "invalid_limit";
  }
  if (has(({ in: part, pointer }) => part === "query" && pointer === "/cursor")) {
    return "invalid_cursor";
  }
  return "invalid_request";
}

function textOf(code: EdgeErrorCode, error: RequestError): string {
  const count = error.violations.length;
  if (count === 0) return error.message;
  const list = `${count === 1 ? "1 problem" : `${count} problems`}, see details.violations`;
  if (code !== "missing_header") return `The request does not follow the contract: ${list}.`;
  const missing = error.violations.filter((one) => one.in === "header" && one.rule === "required");
  return `Required header missing: ${missing.map(nameOf).join(", ")}; ${list}.`;
}

/**
 * No message of the generated runtime quotes a value; those about a secret, a signature or a nonce
 * are replaced all the same, so that none of these ever depends on how a message is worded.
 */
function withoutSecrets(violation: Violation): Violation {
  const isHarmless = violation.rule === "required" || !isSensitiveName(nameOf(violation));
  return isHarmless ? violation : { ...violation, message: "does not have the required form" };
}

/** Last token of the pointer: the parameter's or the field's own name. */
function nameOf(violation: Violation): string {
  const token = violation.pointer.slice(violation.pointer.lastIndexOf("/") + 1);
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
