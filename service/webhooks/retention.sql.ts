// What time does to deliveries, in batches: nobody waits long for the locks of one.

import { sql } from "kysely";
import { queries, statement } from "../database/statement.ts";

interface OldValues {
  readonly before: Date;
  /** rows at most, so that nobody waits long for their locks */
  readonly rowsMax: number;
}

interface GiveUpValues {
  readonly now: Date;
  /** endpoints that have been off since then will not resume anything */
  readonly resumableSince: Date;
  readonly rowsMax: number;
}

/** Of a part of a statement that only other parts read. */
type Rows = Readonly<Record<string, unknown>>;

/**
 * Writes down what became of deliveries that their endpoint has given up. The index has the oldest
 * generation first: one step in it for each endpoint says whether there is anything to do.
 */
export const finishGivenUpDeliveries = statement<GiveUpValues>("finish_given_up_deliveries")((p) =>
  queries
    .withRecursive("oldest", () => oldestGenerations())
    .with("given_up", () => givenUp(p))
    .with(
      "finished",
      () => sql<{ id: string }>`(
      update webhook_deliveries d
      set status = given_up.status, next_attempt_at = null, finished_at = ${p.now}::timestamptz,
        claim_token = null, claim_expires_at = null, claim_slot = null
      from given_up where d.id = given_up.id
      returning d.id)`,
    )
    .selectFrom("finished")
    .select("id"),
);

function oldestGenerations() {
  return sql<Rows>`(
    (select endpoint_id, generation from webhook_deliveries where status = 'pending'
      order by endpoint_id, generation limit 1)
    union all
    select next.endpoint_id, next.generation
    from oldest cross join lateral (
      select d.endpoint_id, d.generation from webhook_deliveries d
      where d.status = 'pending' and d.endpoint_id > oldest.endpoint_id
      order by d.endpoint_id, d.generation limit 1
    ) as next)`;
}

/** A delivery of an endpoint that is gone stays cancelled, however long the endpoint is off. */
function givenUp(p: GiveUpValues) {
  return sql<Rows>`(
    select d.id, chosen.status
    from (
      select one.id, one.status
      from oldest
      join webhook_endpoints e on e.id = oldest.endpoint_id
      cross join lateral (
        select e.inactive_since is not null
          and e.inactive_since <= ${p.resumableSince}::timestamptz as is_late
      ) as off
      cross join lateral (
        select o.id, case when o.generation <= e.cancelled_generation
          then 'cancelled' else 'failed' end as status
        from webhook_deliveries o
        where o.endpoint_id = e.id and o.status = 'pending'
          and o.generation < e.generation + case when off.is_late then 1 else 0 end
        order by o.generation
        limit ${p.rowsMax}::integer
      ) as one
      where oldest.generation < e.generation or off.is_late
      limit ${p.rowsMax}::integer
    ) as chosen
    join webhook_deliveries d on d.id = chosen.id
    where d.status = 'pending'
    for no key update of d skip locked)`;
}

/** Old events and their deliveries; one that is still on its way keeps its event. */
export const deleteOldEvents = statement<OldValues>("delete_old_events")((p) =>
  queries
    .with(
      "old",
      () => sql<{ id: string }>`(
      select v.id from events v
      where v.occurred_at < ${p.before}::timestamptz and not exists (
        select 1 from webhook_deliveries d where d.event_id = v.id and d.status = 'pending'
      )
      order by v.occurred_at, v.id
      limit ${p.rowsMax}::integer
      for update of v skip locked)`,
    )
    .with(
      "deliveries",
      () => sql<{ id: string }>`(
      delete from webhook_deliveries d where d.event_id = any(array(select id from old))
      returning d.id)`,
    )
    .with(
      "deleted",
      () => sql<{ id: string }>`(
      delete from events v where v.id = any(array(select id from old)) returning v.id)`,
    )
    .selectFrom("deleted")
    .select("id"),
);

/** One step in its index. */
export const readOldestEvent = statement<object>("read_oldest_event")(() =>
  queries.selectFrom("events").select(({ fn }) => fn.min<Date | null>("occurred_at").as("at")),
);
