// The statements of running payout schedules.

import { sql } from "kysely";
import type { PayoutRunsTable } from "../database/tables/schedules.ts";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";
import { isNotPayable } from "../withdrawals/own-accounts.sql.ts";
import { isMadeByBound } from "./makers.sql.ts";

/**
 * The time of day as all processes see it: two whose machines differ by an hour must still agree on
 * what is due.
 */
export const readDatabaseTime = statement<object>("read_database_time")(() =>
  queries.selectNoFrom(sql<Date>`date_trunc('milliseconds', clock_timestamp())`.as("now")),
);

/** Nothing is sent for a merchant whose own requests would be refused; its grid waits. */
const isOfActiveMerchant = sql<boolean>`exists (
  select from merchants where id = payout_schedules.merchant_id and status = 'active')`;

/** Schedules that are due, the longest overdue first. */
export const listDueSchedules = statement<{
  readonly now: Date;
  /** of the others nothing is known that could be acted on */
  readonly chainIds: readonly string[];
  readonly rowsMax: number;
}>("list_due_payout_schedules")((p) =>
  queries
    .selectFrom("payout_schedules")
    .select(["id", "merchant_id", "environment", "next_run_at"])
    .where("status", "=", "active")
    .where("next_run_at", "<=", p.now)
    .where("chain_id", "=", anyOf(p.chainIds))
    .where(isOfActiveMerchant)
    .orderBy("next_run_at")
    .orderBy("id")
    .limit(p.rowsMax),
);

/** Since when the longest overdue one on one of the other chains has waited. */
export const readSchedulesWaitingSince = statement<{
  readonly now: Date;
  readonly chainIds: readonly string[];
}>("read_payout_schedules_waiting_since")((p) =>
  queries
    .selectFrom("payout_schedules")
    .select(sql<Date | null>`min(next_run_at)`.as("since"))
    .where("status", "=", "active")
    .where("next_run_at", "<=", p.now)
    .where(sql<boolean>`not (chain_id = ${anyOf(p.chainIds)})`)
    .where(isOfActiveMerchant),
);

/** Schedules that nothing can make run again. */
export const listEndedSchedules = statement<{ readonly rowsMax: number }>(
  "list_ended_payout_schedules",
)((p) =>
  queries
    .selectFrom("payout_schedules as s")
    .innerJoin("deployments as d", "d.id", "s.deployment_id")
    .innerJoin("withdraw_addresses as a", "a.id", "s.withdraw_address_id")
    .leftJoin("api_keys as k", "k.id", "s.api_key_id")
    .select(["s.id", "s.merchant_id", "s.environment"])
    .where("s.status", "<>", "retired")
    .where((e) =>
      e.or([
        e("k.revoked_for_cause", "=", true),
        sql<boolean>`not (${isMadeByBound} or d.is_test_network)`,
        e("a.disabled_at", "is not", null),
        isNotPayable("a"),
        e("d.listing_status", "=", "delisted"),
      ]),
    )
    .orderBy("s.id")
    .limit(p.rowsMax),
);

/** One row if it is still due at that point of its grid and nobody else has it. */
export const lockDueSchedule = statement<{ readonly id: string; readonly nextRunAt: Date }>(
  "lock_due_payout_schedule",
)((p) =>
  queries
    .selectFrom("payout_schedules")
    .select("version")
    .where("id", "=", p.id)
    .where("status", "=", "active")
    .where("next_run_at", "=", p.nextRunAt)
    .where(isOfActiveMerchant)
    .forNoKeyUpdate()
    .skipLocked(),
);

export interface RunValues extends EventValues {
  readonly scheduleId: string;
  readonly slot: Date;
  readonly missed: number;
  readonly nextRunAt: Date;
  readonly now: Date;
  readonly outcome: PayoutRunsTable["outcome"];
  readonly reason: string | null;
  readonly withdrawalId: string | null;
}

/** The run, the next point of the grid, and the event. The row of the schedule is locked. */
export const recordPayoutRun = statement<RunValues>("record_payout_run")((p) => {
  const run = queries
    .with("run", (q) =>
      q
        .insertInto("payout_runs")
        .values({
          schedule_id: p.scheduleId,
          slot: p.slot,
          ran_at: p.now,
          missed: p.missed,
          outcome: p.outcome,
          reason: p.reason,
          withdrawal_id: p.withdrawalId,
        })
        .returning("schedule_id"),
    )
    .with("moved", (q) =>
      q
        .updateTable("payout_schedules")
        .set({ next_run_at: p.nextRunAt, version: sql`version + 1`, updated_at: p.now })
        .where("id", "=", p.scheduleId)
        .returning("id"),
    );
  return recordingEvent(run, "run", p).selectFrom("moved").select("id");
});
