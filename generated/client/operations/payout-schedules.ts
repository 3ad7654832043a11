// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "../runtime/answers.ts";
import * as calls from "../runtime/calls.ts";
import type * as types from "../../types.ts";

/** POST /v1/payout-schedules: what a call is given */
export type CreatePayoutScheduleArguments = types.CreatePayoutScheduleRequest;

/** POST /v1/payout-schedules: every documented answer */
export type CreatePayoutScheduleAnswer =
  | answers.Answer<201, types.PayoutSchedule>
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        | "invalid_json"
        | "invalid_request"
        | "missing_header"
        | "invalid_header"
        | "unknown_parameter"
      >
    >
  | answers.Answer<
      401,
      answers.WithCode<
        types.ApiError,
        "authentication_failed" | "timestamp_out_of_range" | "nonce_reused"
      >
    >
  | answers.Answer<
      409,
      answers.WithCode<
        types.ApiError,
        "schedule_already_exists" | "idempotency_in_progress" | "idempotency_key_expired"
      >
    >
  | answers.Answer<
      422,
      answers.WithCode<
        types.ApiError,
        | "currency_not_found"
        | "chain_not_accepted"
        | "withdrawals_disabled"
        | "withdraw_address_not_found"
        | "withdraw_address_inactive"
        | "withdraw_address_chain_mismatch"
        | "interval_out_of_range"
        | "first_run_in_past"
        | "amount_precision"
        | "amount_too_small"
        | "amount_too_large"
        | "idempotency_key_reused"
      >
    >
  | answers.Answer<
      403,
      answers.WithCode<
        types.ApiError,
        "insufficient_scope" | "ip_not_allowed" | "merchant_suspended"
      >
    >
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<415, answers.WithCode<types.ApiError, "unsupported_media_type">>
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** GET /v1/payout-schedules: what a call is given */
export type ListPayoutSchedulesArguments = {
  /**
   * @description Only schedules with this status.
   * @example active
   */
  readonly status?: types.PayoutScheduleStatus;
  /**
   * @description Only schedules of this currency.
   * @example cur_usdc
   */
  readonly currency_id?: string;
  /**
   * @description Only schedules that pay out on this chain (CAIP-2).
   * @example eip155:8453
   */
  readonly target_chain_id?: string;
  /**
   * @description The `X-Next-Cursor` of the page before. Opaque; a changed cursor, or one made for other
   *     filters, is 400 `invalid_cursor`.
   * @example eyJ2IjoxLCJhZnRlciI6InBvc18wMUtEVkROQTAwIn0
   */
  readonly cursor?: string;
  /**
   * @description The most entries a page has. Out of range is 400 `invalid_limit`, not clamped.
   * @example 20
   */
  readonly limit?: number;
};

/** GET /v1/payout-schedules: every documented answer */
export type ListPayoutSchedulesAnswer =
  | answers.Answer<200, types.PayoutScheduleList>
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        | "invalid_cursor"
        | "invalid_limit"
        | "unknown_parameter"
        | "invalid_request"
        | "missing_header"
        | "invalid_header"
      >
    >
  | answers.Answer<
      401,
      answers.WithCode<
        types.ApiError,
        "authentication_failed" | "timestamp_out_of_range" | "nonce_reused"
      >
    >
  | answers.Answer<
      403,
      answers.WithCode<
        types.ApiError,
        "insufficient_scope" | "ip_not_allowed" | "merchant_suspended"
      >
    >
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** POST /v1/payout-schedules/{id}/pause: what a call is given */
export type PausePayoutScheduleArguments = {
  /**
   * @description The payout schedule.
   * @example pos_01KDVDNA00A7Z3DJ8FSSZ5AWSH
   */
  readonly id: types.Identifier;
};

/** POST /v1/payout-schedules/{id}/pause: every documented answer */
export type PausePayoutScheduleAnswer =
  | answers.Answer<200, types.PausedPayoutSchedule>
  | answers.Answer<
      401,
      answers.WithCode<
        types.ApiError,
        "authentication_failed" | "timestamp_out_of_range" | "nonce_reused"
      >
    >
  | answers.Answer<
      403,
      answers.WithCode<
        types.ApiError,
        "insufficient_scope" | "ip_not_allowed" | "merchant_suspended"
      >
    >
  | answers.Answer<404, answers.WithCode<types.ApiError, "not_found">>
  | answers.Answer<409, answers.WithCode<types.ApiError, "idempotency_in_progress">>
  | answers.Answer<
      400,
      answers.WithCode<
        types.ApiError,
        "invalid_request" | "missing_header" | "invalid_header" | "unknown_parameter"
      >
    >
  | answers.Answer<413, answers.WithCode<types.ApiError, "body_too_large">>
  | answers.Answer<422, answers.WithCode<types.ApiError, "idempotency_key_reused">>
  | answers.Answer<429, answers.WithCode<types.ApiError, "rate_limited">>
  | answers.Answer<500, answers.WithCode<types.ApiError, "internal_error">>
  | answers.Answer<503, answers.WithCode<types.ApiError, "service_unavailable">>;

/** The operations of "payout-schedules". */
export interface PayoutSchedulesOperations {
  /**
   * Create a payout schedule
   *
   * Every `interval_secs`, what is available minus the fee is withdrawn to the address when it
   * is at least `min_send_amount` (`auto_request`), or the merchant is told that it is due
   * (`notify_only`). The first run is at `first_run_at`, or one interval from now. Missed runs
   * collapse into one. What a token with the capability `transfer_fee` keeps of a run, the recipient
   * lacks.
   *
   * A paused schedule for the same currency, chain and address is retired by this one: this is
   * how a paused payout is resumed. An active one is a conflict. Emits
   * `payout_schedule.created`, and `payout_schedule.retired` for a replaced one; runs emit
   * `payout_schedule.run_requested`, `payout_schedule.run_skipped` or `payout_schedule.due`.
   *
   * Our choice: a schedule is a standing withdrawal, so what is asked of a key that withdraws is
   * asked of one that makes a schedule. On a main network it is bound to addresses (403
   * `ip_not_allowed`), and a live one cannot register withdraw addresses as well (403
   * `insufficient_scope`). The schedule remembers the key that made it. When the operator revokes
   * that key for cause, it runs no more and is retired: `payout_schedule.retired` with the
   * `reason` `api_key_revoked`. It is retired as well when its address is disabled
   * (`withdraw_address_disabled`) or becomes an account of the service
   * (`withdraw_address_not_allowed`), when the deployment is delisted (`deployment_delisted`), and
   * on a main network when no bound key has made it (`api_key_not_bound`).
   *
   * POST /v1/payout-schedules
   */
  readonly createPayoutSchedule: calls.Call<
    CreatePayoutScheduleArguments,
    CreatePayoutScheduleAnswer,
    calls.KeyedOptions
  >;
  /**
   * List payout schedules
   *
   * The merchant's schedules, newest first (`created_at`, then `id`, both descending). The
   * filters combine; a currency or chain that no schedule has gives an empty page, a status
   * that does not exist is 400.
   *
   * GET /v1/payout-schedules
   */
  readonly listPayoutSchedules: calls.PagedCall<
    ListPayoutSchedulesArguments,
    ListPayoutSchedulesAnswer,
    types.PayoutSchedule
  >;
  /**
   * Pause a payout schedule
   *
   * Stops further runs of an `active` schedule; a withdrawal already requested goes on. A paused
   * schedule is returned unchanged with 200. A retired one is too, and only then `retired_at`
   * is not null. `next_run_at` keeps the time grid while paused. To resume, create a schedule
   * for the same currency, chain and address. Emits `payout_schedule.paused`.
   *
   * POST /v1/payout-schedules/{id}/pause
   */
  readonly pausePayoutSchedule: calls.Call<
    PausePayoutScheduleArguments,
    PausePayoutScheduleAnswer,
    calls.KeyedOptions
  >;
}

/** How they are sent. */
export function payoutSchedulesOperations(sender: calls.Sender): PayoutSchedulesOperations {
  return {
    createPayoutSchedule: calls.call(sender, {
      operationId: "createPayoutSchedule",
      method: "POST",
      path: "/v1/payout-schedules",
      parameters: [],
      body: { mediaType: "application/json", isRequired: true, isSpread: true },
      key: { header: "Idempotency-Key", isRequired: true },
      accept: "application/json",
      answers: {
        201: "application/json",
        400: "application/json",
        401: "application/json",
        409: "application/json",
        422: "application/json",
        default: "application/json",
      },
      defaultStatuses: [403, 413, 415, 429, 500, 503],
    }),
    listPayoutSchedules: calls.pagedCall(
      sender,
      {
        operationId: "listPayoutSchedules",
        method: "GET",
        path: "/v1/payout-schedules",
        parameters: [
          { in: "query", name: "status", explode: true },
          { in: "query", name: "currency_id", explode: true },
          { in: "query", name: "target_chain_id", explode: true },
          { in: "query", name: "cursor", explode: true },
          { in: "query", name: "limit", explode: true },
        ],
        accept: "application/json",
        answers: {
          200: "application/json",
          400: "application/json",
          401: "application/json",
          403: "application/json",
          429: "application/json",
          default: "application/json",
        },
        defaultStatuses: [413, 500, 503],
      },
      { items: "schedules", isAlways: true },
    ),
    pausePayoutSchedule: calls.call(sender, {
      operationId: "pausePayoutSchedule",
      method: "POST",
      path: "/v1/payout-schedules/{id}/pause",
      parameters: [{ in: "path", name: "id", isRequired: true }],
      key: { header: "Idempotency-Key", isRequired: true },
      accept: "application/json",
      answers: {
        200: "application/json",
        401: "application/json",
        403: "application/json",
        404: "application/json",
        409: "application/json",
        default: "application/json",
      },
      defaultStatuses: [400, 413, 422, 429, 500, 503],
    }),
  };
}
