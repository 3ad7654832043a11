// The deliveries table as a queue. Any number of workers, in any number of processes, take from it:
// a claim holds a delivery for a while, and only the holder of the claim may say how it ended.

import { sql } from "kysely";
import { recordingEvent } from "./events.ts";
import type { EventValues } from "./events.ts";
import { queries, statement } from "./statement.ts";
import type { WebhookDeliveriesTable } from "./tables.ts";

export interface ClaimValues {
  readonly now: Date;
  /** new for each claim */
  readonly token: string;
  readonly expiresAt: Date;
  /** deliveries at most */
  readonly room: number;
  /** under way at once for one endpoint, at most, over all workers */
  readonly perEndpointMax: number;
}

/** Of a part of a statement that only other parts read. */
type Rows = Readonly<Record<string, unknown>>;

interface ClaimedColumns {
  readonly id: string;
  readonly attempts: number;
  readonly event_id: string;
  readonly endpoint_id: string;
}

/** How many due deliveries of an endpoint are looked at to find different resources. */
const windowRows = 32;

/**
 * Takes what is due, fairly: the first of every endpoint before the second of any. Of a resource the
 * lowest number first, and none while another one is under way. Two workers that choose at the same
 * moment skip what the other has locked; should they still choose two of one resource, or the same
 * place of an endpoint, a unique index refuses one of them (`UniqueViolation`: claim again).
 */
export const claimDueDeliveries = statement<ClaimValues>("claim_due_deliveries")((p) =>
  queries
    .withRecursive("waiting", () => waitingEndpoints())
    // Each of these once: a planner that expects one row would work them out for every row again.
    .with(
      (cte) => cte("places").materialized(),
      () => freePlaces(p),
    )
    .with(
      (cte) => cte("due").materialized(),
      () => firstOfEachResource(p),
    )
    .with(
      (cte) => cte("candidates").materialized(),
      () => candidates(p),
    )
    .with("picked", () => picked(p))
    .with("claimed", () => claimed(p))
    .selectFrom("claimed")
    .innerJoin("events", "events.id", "claimed.event_id")
    .innerJoin("webhook_endpoints as endpoint", "endpoint.id", "claimed.endpoint_id")
    .select([
      "claimed.id",
      "claimed.attempts",
      "events.id as event_id",
      "events.type",
      "events.occurred_at",
      "events.merchant_id",
      "events.sequence",
      "events.resource_type",
      "events.resource_id",
      "events.data",
      "endpoint.id as endpoint_id",
      "endpoint.url",
      "endpoint.event_types",
      "endpoint.created_at as endpoint_created_at",
      "endpoint.failing_since",
      "endpoint.secret_sealed",
      "endpoint.previous_secret_sealed",
      "endpoint.previous_secret_expires_at",
    ]),
);

/**
 * Endpoints with anything pending, one step in the index for each: a receiver that is down for days,
 * with a hundred thousand deliveries behind it, costs as much as one with a single one.
 */
function waitingEndpoints() {
  return sql<Rows>`(
    (select endpoint_id from webhook_deliveries where status = 'pending'
      order by endpoint_id limit 1)
    union all
    select (
      select d.endpoint_id from webhook_deliveries d
      where d.status = 'pending' and d.endpoint_id > waiting.endpoint_id
      order by d.endpoint_id limit 1
    )
    from waiting where waiting.endpoint_id is not null)`;
}

/**
 * Of endpoints with anything due, numbered from 1 for each. The limit of 1 makes it one step in the
 * index for each endpoint, not a join with everything that is due.
 */
function freePlaces(p: ClaimValues) {
  return sql<Rows>`(
    select e.id as endpoint_id, place.slot,
      row_number() over (partition by e.id order by place.slot) as number
    from waiting
    join webhook_endpoints e on e.id = waiting.endpoint_id and e.active
    cross join lateral (
      select 1 from webhook_deliveries d
      where d.endpoint_id = e.id and d.status = 'pending'
        and d.next_attempt_at <= ${p.now}::timestamptz
      limit 1
    ) as anything
    cross join generate_series(1, ${p.perEndpointMax}::integer) as place (slot)
    where not exists (
      select 1 from webhook_deliveries d
      where d.endpoint_id = e.id and d.status = 'pending'
        and d.claim_token is not null and d.claim_slot = place.slot
    ))`;
}

/**
 * Numbered from 1 for each endpoint, in the order in which they became due. The resources are found
 * among the oldest deliveries; then each gives its lowest number that is due.
 */
function firstOfEachResource(p: ClaimValues) {
  return sql<Rows>`(
    select free.endpoint_id, head.id, head.next_attempt_at,
      row_number() over (
        partition by free.endpoint_id order by head.next_attempt_at, head.id
      ) as number
    from (select distinct endpoint_id from places) as free
    cross join lateral (
      select distinct on (d.resource_type, d.resource_id) d.id, d.next_attempt_at
      from (
        select distinct resource_type, resource_id
        from (
          select o.resource_type, o.resource_id from webhook_deliveries o
          where o.endpoint_id = free.endpoint_id and o.status = 'pending'
            and o.next_attempt_at <= ${p.now}::timestamptz
            and not exists (
              select 1 from webhook_deliveries busy
              where busy.endpoint_id = o.endpoint_id and busy.resource_type = o.resource_type
                and busy.resource_id = o.resource_id and busy.status = 'pending'
                and busy.claim_token is not null
            )
          order by o.next_attempt_at
          limit ${sql.lit(windowRows)}
        ) as oldest
      ) as resource
      join webhook_deliveries d
        on d.endpoint_id = free.endpoint_id and d.resource_type = resource.resource_type
        and d.resource_id = resource.resource_id and d.status = 'pending'
        and d.next_attempt_at <= ${p.now}::timestamptz
      join events v on v.id = d.event_id
      order by d.resource_type, d.resource_id, v.sequence
    ) as head)`;
}

/** And those left behind by a worker that is gone, in the places that they still take up. */
function candidates(p: ClaimValues) {
  return sql<Rows>`(
    select due.id, places.slot, due.number, due.next_attempt_at
    from due join places using (endpoint_id, number)
    union all
    select d.id, d.claim_slot, 0, d.next_attempt_at
    from waiting
    join webhook_endpoints e on e.id = waiting.endpoint_id and e.active
    join webhook_deliveries d on d.endpoint_id = e.id and d.status = 'pending'
      and d.claim_token is not null and d.claim_expires_at <= ${p.now}::timestamptz)`;
}

/** The conditions are looked at again once a row is locked: it may have changed since the start. */
function picked(p: ClaimValues) {
  return sql<Rows>`(
    select d.id, candidates.slot
    from candidates join webhook_deliveries d on d.id = candidates.id
    where d.status = 'pending' and d.next_attempt_at <= ${p.now}::timestamptz
      and (d.claim_token is null or d.claim_expires_at <= ${p.now}::timestamptz)
    order by candidates.number, candidates.next_attempt_at
    limit ${p.room}::integer
    for no key update of d skip locked)`;
}

function claimed(p: ClaimValues) {
  return sql<ClaimedColumns>`(
    update webhook_deliveries d
    set claim_token = ${p.token}::text, claim_expires_at = ${p.expiresAt}::timestamptz,
      claim_slot = picked.slot
    from picked where d.id = picked.id
    returning d.id, d.attempts, d.event_id, d.endpoint_id)`;
}

export type ClaimedRow = NonNullable<(typeof claimDueDeliveries)["row"]>;

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

/**
 * Writes down how an attempt ended, and since when its endpoint fails. No row comes back, and nothing
 * is written, if the claim has been taken over or the delivery has been cancelled meanwhile.
 */
export const recordAttempt = statement<RecordValues>("record_attempt")((p) =>
  queries
    .with("mine", () => finishing(p))
    // Most attempts end like the one before: then the row of the endpoint is left alone.
    .with(
      "health",
      () => sql<{ id: string }>`(
      update webhook_endpoints e
      set failing_since = case when ${p.isSuccess}::boolean then null else ${p.now}::timestamptz end
      from mine
      where e.id = mine.endpoint_id and (e.failing_since is null) <> ${p.isSuccess}::boolean
      returning e.id)`,
    )
    .selectFrom("mine")
    .select("endpoint_id"),
);

interface DisablingValues extends FinishedAttempt, EventValues {
  readonly reason: "gone" | "failing";
  /** as it was when the delivery was claimed */
  readonly failingSince: Date | null;
}

/**
 * The same where the endpoint is switched off by it: because it says that it is gone, and then
 * nothing more is sent, or because it has failed for too long and nothing else has succeeded since.
 * Deliveries of the latter wait for it to be switched on again.
 */
export const recordDisablingAttempt = statement<DisablingValues>("record_disabling_attempt")((p) =>
  recordingEvent(
    queries
      .with("mine", () => finishing(p))
      .with(
        "disabled",
        () => sql<{ id: string }>`(
        update webhook_endpoints e
        set active = false, inactive_reason = ${p.reason}::text, failing_since = null,
          inactive_since = ${p.now}::timestamptz, updated_at = ${p.now}::timestamptz
        from mine
        where e.id = mine.endpoint_id and e.active and (
          ${p.reason}::text = 'gone'
          or e.failing_since is not distinct from ${p.failingSince}::timestamptz
        )
        returning e.id)`,
      )
      .with(
        "others",
        () => sql<{ id: string }>`(
        update webhook_deliveries d
        set next_attempt_at = null,
          status = case when gone.yes then 'cancelled' else d.status end,
          finished_at = case when gone.yes then ${p.now}::timestamptz end,
          claim_token = case when gone.yes then null else d.claim_token end,
          claim_expires_at = case when gone.yes then null else d.claim_expires_at end,
          claim_slot = case when gone.yes then null else d.claim_slot end
        from disabled, (select ${p.reason}::text = 'gone' as yes) as gone
        where d.endpoint_id = disabled.id and d.status = 'pending' and d.id <> ${p.deliveryId}::text
        returning d.id)`,
      ),
    "disabled",
    p,
  )
    .selectFrom("mine")
    .leftJoin("disabled", "disabled.id", "mine.endpoint_id")
    .select(["mine.endpoint_id", "disabled.id as disabled_id"]),
);

/** Only by the holder of the claim, and only once. */
function finishing(p: FinishedAttempt) {
  return sql<{ endpoint_id: string }>`(
    update webhook_deliveries
    set status = ${p.status}::text, attempts = attempts + 1,
      next_attempt_at = ${p.nextAttemptAt}::timestamptz,
      claim_token = null, claim_expires_at = null, claim_slot = null,
      last_status = ${p.lastStatus}::integer, last_error = ${p.lastError}::text,
      finished_at = case when ${p.status}::text = 'pending' then null else ${p.now}::timestamptz end
    where id = ${p.deliveryId}::text and claim_token = ${p.token}::text and status = 'pending'
    returning endpoint_id)`;
}

interface BatchValues {
  readonly now: Date;
  readonly before: Date;
  /** rows at most, so that nobody waits long for their locks */
  readonly rowsMax: number;
}

/** Deliveries that have waited too long for their endpoint to be switched on again. */
export const failPausedDeliveries = statement<BatchValues>("fail_paused_deliveries")((p) =>
  queries
    .with(
      "late",
      () => sql<{ id: string }>`(
      select d.id
      from webhook_endpoints e
      join webhook_deliveries d on d.endpoint_id = e.id and d.status = 'pending'
      where not e.active and e.inactive_since <= ${p.before}::timestamptz
      limit ${p.rowsMax}::integer
      for no key update of d skip locked)`,
    )
    .with(
      "failed",
      () => sql<{ id: string }>`(
      update webhook_deliveries d
      set status = 'failed', next_attempt_at = null, finished_at = ${p.now}::timestamptz,
        claim_token = null, claim_expires_at = null, claim_slot = null
      from late where d.id = late.id
      returning d.id)`,
    )
    .selectFrom("failed")
    .select("id"),
);

/** Old events and their deliveries; one that is still on its way keeps its event. */
export const deleteOldEvents = statement<Omit<BatchValues, "now">>("delete_old_events")((p) =>
  queries
    .with(
      "old",
      () => sql<{ id: string }>`(
      select v.id from events v
      where v.occurred_at < ${p.before}::timestamptz and not exists (
        select 1 from webhook_deliveries d where d.event_id = v.id and d.status = 'pending'
      )
      order by v.occurred_at
      limit ${p.rowsMax}::integer)`,
    )
    .with(
      "deliveries",
      () => sql<{ id: string }>`(
      delete from webhook_deliveries d using old where d.event_id = old.id returning d.id)`,
    )
    .with(
      "deleted",
      () => sql<{ id: string }>`(
      delete from events v using old where v.id = old.id returning v.id)`,
    )
    .selectFrom("deleted")
    .select("id"),
);
