// The statements of payout schedules: creating, listing, pausing, retiring.

import { sql } from "kysely";
import type { Owner } from "../owner.ts";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import {
  changeFacts,
  finishing,
  currentRow,
  finishingIfCurrent,
  isFenced,
} from "../idempotency/idempotency.sql.ts";
import type { FinishingValues } from "../idempotency/idempotency.sql.ts";
import type { PayoutMode, PayoutScheduleStatus } from "../database/words.ts";
import { queries, statement } from "../database/statement.ts";
import { isNotPayable } from "../withdrawals/own-accounts.sql.ts";
import { isMadeByBound } from "./makers.sql.ts";

/** With what decides whether a run would do something. */
export type PayoutScheduleRow = NonNullable<(typeof findSchedule)["row"]>;

function withConditions() {
  return queries
    .selectFrom("payout_schedules as s")
    .innerJoin("deployments as d", "d.id", "s.deployment_id")
    .innerJoin("currencies as c", "c.id", "d.currency_id")
    .innerJoin("withdraw_addresses as a", "a.id", "s.withdraw_address_id")
    .leftJoin("api_keys as k", "k.id", "s.api_key_id")
    .select(["s.id", "s.merchant_id", "s.environment", "s.currency_id", "s.deployment_id"])
    .select(["s.chain_id", "s.withdraw_address_id", "s.interval_seconds", "s.mode", "s.status"])
    .select(["s.version", "s.next_run_at", "s.created_at", "s.updated_at", "s.retired_at"])
    .select(sql<string>`s.min_send_raw::text`.as("min_send_raw"))
    .select(["d.decimals", "d.withdrawal_enabled", "d.listing_status", "d.is_test_network"])
    .select(["c.status as currency_status", "a.activates_at", "a.disabled_at"])
    .select(["s.api_key_id", isMadeByBound.as("is_key_bound")])
    .select(sql<boolean>`coalesce(k.revoked_for_cause, false)`.as("is_key_revoked"))
    .select(isNotPayable("a").as("is_not_payable"));
}

export const findSchedule = statement<Owner & { readonly id: string }>("find_payout_schedule")(
  (p) =>
    withConditions()
      .where("s.merchant_id", "=", p.merchantId)
      .where("s.environment", "=", p.environment)
      .where("s.id", "=", p.id),
);

/** The one that is not retired, of a currency on a chain to an address. */
export const findOpenSchedule = statement<
  Owner & { readonly deploymentId: string; readonly withdrawAddressId: string }
>("find_open_payout_schedule")((p) =>
  withConditions()
    .where("s.merchant_id", "=", p.merchantId)
    .where("s.environment", "=", p.environment)
    .where("s.deployment_id", "=", p.deploymentId)
    .where("s.withdraw_address_id", "=", p.withdrawAddressId)
    .where("s.status", "<>", "retired"),
);

export interface ListValues extends Owner {
  /** null: any */
  readonly status: PayoutScheduleStatus | null;
  readonly currencyId: string | null;
  readonly chainId: string | null;
  /** of the last one shown; null: from the newest on */
  readonly afterCreatedAt: Date | null;
  readonly afterId: string | null;
  readonly rowsMax: number;
}

export const listSchedules = statement<ListValues>("list_payout_schedules", { mayBeStale: true })(
  (p) =>
    withConditions()
      .where("s.merchant_id", "=", p.merchantId)
      .where("s.environment", "=", p.environment)
      .where(sql<boolean>`(${p.status}::text is null or s.status = ${p.status})`)
      .where(sql<boolean>`(${p.currencyId}::text is null or s.currency_id = ${p.currencyId})`)
      .where(sql<boolean>`(${p.chainId}::text is null or s.chain_id = ${p.chainId})`)
      .where(
        sql<boolean>`(${p.afterCreatedAt}::timestamptz is null
        or (s.created_at, s.id) < (${p.afterCreatedAt}, ${p.afterId}::text))`,
      )
      .orderBy("s.created_at", "desc")
      .orderBy("s.id", "desc")
      .limit(p.rowsMax),
);

export interface CreateScheduleValues extends FinishingValues, EventValues, Owner {
  readonly id: string;
  readonly currencyId: string;
  readonly deploymentId: string;
  readonly chainId: string;
  readonly withdrawAddressId: string;
  readonly intervalSeconds: number;
  readonly minSendRaw: bigint;
  readonly mode: PayoutMode;
  readonly nextRunAt: Date;
  readonly keyId: string | null;
  readonly isKeyBound: boolean;
  readonly now: Date;
}

/**
 * No row: the key is taken. Throws `UniqueViolation("payout_schedules_one_open")` if there is one
 * that is not retired.
 */
export const createSchedule = statement<CreateScheduleValues>("create_payout_schedule")((p) => {
  const created = queries
    .with("fence", () => finishing(p))
    .with(
      "created",
      () => sql<{ id: string }>`(
      insert into payout_schedules (
        id, merchant_id, environment, currency_id, deployment_id, chain_id, withdraw_address_id,
        interval_seconds, min_send_raw, mode, next_run_at, api_key_id, is_key_bound,
        created_at, updated_at, idempotency_key
      )
      select ${p.id}::text, ${p.merchantId}::text, ${p.environment}::text, ${p.currencyId}::text,
        ${p.deploymentId}::text, ${p.chainId}::text, ${p.withdrawAddressId}::text,
        ${p.intervalSeconds}::bigint, ${p.minSendRaw}::numeric, ${p.mode}::text,
        ${p.nextRunAt}::timestamptz, ${p.keyId}::text, ${p.isKeyBound}::boolean,
        ${p.now}::timestamptz, ${p.now}::timestamptz,
        ${p.fenceKey}::text
      from fence
      returning id)`,
    );
  return recordingEvent(created, "created", p).selectFrom("created").select("id");
});

interface ChangeValues extends EventValues, Owner {
  readonly id: string;
  readonly versionRead: bigint;
  readonly now: Date;
}

/** One row that says how it went; it was paused if `is_finished`. */
export const pauseSchedule = statement<ChangeValues & FinishingValues>("pause_payout_schedule")((
  p,
) => {
  const paused = queries
    .with("current", () => currentRow("payout_schedules", p, sql`version = ${p.versionRead}`))
    .with("fence", () => finishingIfCurrent(p))
    .with("paused", (q) =>
      q
        .updateTable("payout_schedules")
        .set({ status: "paused", version: sql`version + 1`, updated_at: p.now })
        .where("merchant_id", "=", p.merchantId)
        .where("id", "=", p.id)
        .where(isFenced)
        .returning("id"),
    );
  return recordingEvent(paused, "paused", p).selectNoFrom(changeFacts);
});

/** One row if it was still what had been read. */
export const retireSchedule = statement<ChangeValues>("retire_payout_schedule")((p) => {
  const retired = queries.with("retired", (q) =>
    q
      .updateTable("payout_schedules")
      .set({ status: "retired", version: sql`version + 1`, updated_at: p.now, retired_at: p.now })
      .where("merchant_id", "=", p.merchantId)
      .where("environment", "=", p.environment)
      .where("id", "=", p.id)
      .where("version", "=", p.versionRead)
      .where("status", "<>", "retired")
      .returning("id"),
  );
  return recordingEvent(retired, "retired", p).selectFrom("retired").select("id");
});
