// How an attempt ended. Only the holder of a claim (`claimDueDeliveries`) may say so.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import { oneRow, together } from "../database/row-source.ts";
import type { ColumnTypes } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";
import type { WebhookDeliveriesTable } from "../database/tables/webhooks.ts";

export interface FinishedAttempt {
  readonly deliveryId: string;
  readonly token: string;
  readonly now: Date;
  readonly status: WebhookDeliveriesTable["status"];
  readonly nextAttemptAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
}

interface RecordValues extends FinishedAttempt {
  readonly isSuccess: boolean;
}

const recordColumns: ColumnTypes<RecordValues> = {
  deliveryId: "text",
  token: "text",
  now: "timestamptz",
  status: "text",
  nextAttemptAt: "timestamptz",
  lastStatus: "integer",
  lastError: "text",
  isSuccess: "boolean",
};

interface RecordedRow {
  readonly endpoint_id: string;
}

/**
 * Attempts in their order. Of several of one endpoint the last success says that it works; what has failed
 * after that, or without one, says since when it does not. Most attempts end like the one before: then the row of
 * the endpoint is left alone.
 *
 * The status is compared in a way that no index is used for, as where deliveries are claimed: each is found by
 * its key, whatever the planner thinks of how many are pending.
 */
function recording<Row extends RecordedRow>(sets: RawBuilder<never>, own: RawBuilder<unknown>) {
  return sql<Row>`
    with sets as materialized (${sets}),
    mine as (
      update webhook_deliveries d
      set status = s.status, attempts = d.attempts + 1, next_attempt_at = s."nextAttemptAt",
        claim_token = null, claim_expires_at = null, claim_slot = null,
        last_status = s."lastStatus", last_error = s."lastError",
        finished_at = case when s.status = 'pending' then null else s.now end
      from sets s, webhook_endpoints e
      where d.id = s."deliveryId" and d.claim_token = s.token and d.status || '' = 'pending'
        and e.id = d.endpoint_id and e.generation = d.generation
      returning d.endpoint_id, s.set, s.now, s."isSuccess" as is_success
    ),
    works as (select endpoint_id, max(set) as set from mine where is_success group by endpoint_id),
    found as (
      select mine.endpoint_id, bool_or(mine.is_success) as has_worked,
        (array_agg(mine.now order by mine.set)
          filter (where mine.set > coalesce(works.set, -1)))[1] as failing_since
      from mine left join works using (endpoint_id)
      group by mine.endpoint_id
    ),
    -- in one order: two of these never wait for each other
    held as materialized (
      select e.id, found.failing_since
      from webhook_endpoints e join found on found.endpoint_id = e.id
      where case when found.failing_since is null or found.has_worked
        then e.failing_since is distinct from found.failing_since
        else e.failing_since is null end
      order by e.id
      for no key update of e
    ),
    health as (
      update webhook_endpoints e set failing_since = held.failing_since
      from held where e.id = held.id
    )
    select ${own} endpoint_id from mine`;
}

/**
 * Writes down how an attempt ended, and since when its endpoint fails. No row comes back, and nothing
 * is written, if the claim has been taken over or the delivery has been given up meanwhile.
 */
export const recordAttempt = statement<RecordValues>("record_attempt")(
  (p) => recording<RecordedRow>(sql`${oneRow(p, recordColumns)}, 0 as "set"`, sql``),
  together<RecordValues>(
    "record_attempts",
    recordColumns,
  )((rows) => recording<RecordedRow & { readonly set: number }>(rows, sql`"set",`)),
);

interface DisablingValues extends FinishedAttempt, EventValues, AuditValues {
  readonly reason: "gone" | "failing";
  /** as it was when the delivery was claimed */
  readonly failingSince: Date | null;
}

/**
 * The same where the endpoint is switched off by it: because it says that it is gone, and then
 * nothing more is sent, or because it has failed for too long and nothing else has succeeded since.
 * Deliveries of the latter wait for it to be switched on again. There may be very many of either, so
 * that only the endpoint says it: what belongs to an older generation is given up.
 */
export const recordDisablingAttempt = statement<DisablingValues>("record_disabling_attempt")((p) =>
  recordingAudit(
    recordingEvent(
      queries.with("mine", () => finishing(p)).with("disabled", () => disabling(p)),
      "disabled",
      p,
    ),
    "disabled",
    p,
  )
    .selectFrom("mine")
    .leftJoin("disabled", "disabled.id", "mine.endpoint_id")
    .select(["mine.endpoint_id", "disabled.id as disabled_id"]),
);

function disabling(p: DisablingValues) {
  return sql<{ id: string }>`(
    update webhook_endpoints e
    set active = false, inactive_reason = ${p.reason}::text, failing_since = null,
      inactive_since = ${p.now}::timestamptz, updated_at = ${p.now}::timestamptz,
      cancelled_generation = case when ${p.reason}::text = 'gone'
        then e.generation else e.cancelled_generation end,
      generation = e.generation + case when ${p.reason}::text = 'gone' then 1 else 0 end
    from mine
    where e.id = mine.endpoint_id and e.active and (
      ${p.reason}::text = 'gone'
      or e.failing_since is not distinct from ${p.failingSince}::timestamptz
    )
    returning e.id)`;
}

/** Only by the holder of the claim, only once, and only what has not been given up meanwhile. */
function finishing(p: FinishedAttempt) {
  return sql<{ endpoint_id: string }>`(
    update webhook_deliveries d
    set status = ${p.status}::text, attempts = d.attempts + 1,
      next_attempt_at = ${p.nextAttemptAt}::timestamptz,
      claim_token = null, claim_expires_at = null, claim_slot = null,
      last_status = ${p.lastStatus}::integer, last_error = ${p.lastError}::text,
      finished_at = case when ${p.status}::text = 'pending' then null else ${p.now}::timestamptz end
    from webhook_endpoints e
    where d.id = ${p.deliveryId}::text and d.claim_token = ${p.token}::text
      and d.status = 'pending' and e.id = d.endpoint_id and e.generation = d.generation
    returning d.endpoint_id)`;
}
