// The rules say no: one closed list of reasons, thrown as ServiceError anywhere in service/.
// What each reason means on the wire (HTTP status) is decided by one table of the handlers, nowhere else.

/**
 * In order of precedence: where several reasons hold at once, the first one here is given. It is
 * the order in which a request meets them, so that a caller without rights learns nothing about
 * what exists, and a caller with rights learns the most basic mistake first.
 */
export const serviceErrorCodes = [
  // who is calling
  "timestamp_out_of_range",
  "authentication_failed",
  "merchant_suspended",
  "ip_not_allowed",
  "nonce_reused",
  "insufficient_scope",
  "rate_limited",
  // the request itself, where the contract cannot say it
  "invalid_cursor",
  "webhook_url_not_allowed",
  "unknown_event_type",
  // was it sent before
  "idempotency_key_reused",
  "idempotency_in_progress",
  "idempotency_key_expired",
  // what it is about
  "not_found",
  "payment_not_found",
  // what the body refers to
  "currency_not_found",
  "currency_not_accepted",
  "chain_not_accepted",
  "deposits_disabled",
  "withdrawals_disabled",
  "invalid_address",
  "address_not_allowed",
  "withdraw_address_not_found",
  "withdraw_address_chain_mismatch",
  "withdraw_address_inactive",
  "split_merchant_not_found",
  "split_merchant_duplicate",
  "split_self",
  "splits_exceed_total",
  "expires_in_out_of_range",
  "interval_out_of_range",
  "first_run_in_past",
  // how much
  "amount_precision",
  "amount_too_small",
  "amount_too_large",
  "usage_not_upto",
  "usage_exceeds_max",
  "insufficient_balance",
  // the state it would change
  "endpoint_already_exists",
  "endpoint_limit_reached",
  "order_already_exists",
  "address_already_registered",
  "schedule_already_exists",
  "payment_already_settled",
  "settlement_in_progress",
  "payment_not_payable",
  "payment_not_cancellable",
  "withdrawal_not_cancellable",
  "subscription_not_cancellable",
  "usage_already_reported",
  "usage_closed",
  // the payer's signed authorization, in the order settlement checks it
  "x402_requirements_mismatch",
  "x402_payload_scheme_mismatch",
  "x402_facilitator_mismatch",
  "x402_not_yet_valid",
  "x402_expired",
  "x402_amount_mismatch",
  "x402_recipient_mismatch",
  "x402_nonce_mismatch",
  "x402_invalid_signature",
  "x402_authorization_cancelled",
  "x402_authorization_used",
  "x402_insufficient_funds",
  "x402_allowance_required",
  "x402_simulation_failed",
  "x402_reverted",
  "x402_transfer_mismatch",
  // nobody's fault but ours
  "chain_unavailable",
  "service_unavailable",
] as const;

export type ServiceErrorCode = (typeof serviceErrorCodes)[number];

export interface ServiceErrorMore {
  /** named public facts for the caller, in wire names: shown as they are, so nothing secret */
  readonly details?: Readonly<Record<string, unknown>>;
  /** when the same request can succeed */
  readonly retryAfterSeconds?: number;
  /** what happened inside: for the log only */
  readonly cause?: unknown;
}

export class ServiceError extends Error {
  readonly code: ServiceErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  /** `message` is public: a sentence for the merchant's engineer. */
  constructor(code: ServiceErrorCode, message: string, more: ServiceErrorMore = {}) {
    super(message, { cause: more.cause });
    this.name = "ServiceError";
    this.code = code;
    this.details = more.details ?? {};
    this.retryAfterSeconds = more.retryAfterSeconds;
  }
}

/** Of several reasons, the one that is given. */
export function firstInPrecedence(errors: readonly ServiceError[]): ServiceError | undefined {
  const place = ({ code }: ServiceError): number => serviceErrorCodes.indexOf(code);
  // The sort is stable: of several with one code, the first stays first.
  return errors.toSorted((one, other) => place(one) - place(other))[0];
}

/** What these checks refuse, each for itself: none of them needs another one to have passed. */
export function refusalsOf(checks: readonly (() => unknown)[]): readonly ServiceError[] {
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof ServiceError) return [error];
      throw error;
    }
  });
}

export function isChainAway(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "chain_unavailable";
}

/** The database is away, or others were in the way: that is nobody's trouble in particular. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "service_unavailable";
}
