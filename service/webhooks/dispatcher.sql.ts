// The deliveries table as a queue. Any number of workers, in any number of processes, take from it:
// a claim holds a delivery for a while, and only the holder of the claim may say how it ended.
//
// What a claim reads is bounded for each endpoint, whatever is queued behind it: some of its oldest
// deliveries, some of its resources, and for each place that it has free the head of one resource. And it is
// bounded in endpoints: a worker goes round those that have something to do, some at a time.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Environment } from "../owner.ts";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";

export interface DueEndpointValues {
  readonly now: Date;
  /** goes on behind this one; empty: from the first on */
  readonly after: string;
  /** endpoints that have anything due, at most */
  readonly dueMax: number;
}

export interface WaitingEndpoint {
  readonly endpoint_id: string;
  readonly merchant_id: string;
  /** or under way */
  readonly is_due: boolean;
}

/** How many endpoints where nothing is due are passed by to find those where something is. */
export const passedMax = 512;

/**
 * Endpoints with anything pending, in the order of their ids, one step in the index for each: a receiver that is
 * down for days, with a hundred thousand deliveries behind it, costs as much as one with a single one. It ends
 * with `dueMax` that have anything due, and with `passedMax` rows.
 */
export const listWaitingEndpoints = statement<DueEndpointValues>("list_waiting_endpoints")((p) => {
  // The order and the limit of 1 make each a step in the index, neither a join with everything that is due nor a scan.
  const nextAfter = (after: RawBuilder<unknown>) => sql`(
    select e.id as endpoint_id, e.merchant_id, e.active and (
        select true from webhook_deliveries d
        where d.endpoint_id = e.id and d.generation = e.generation and d.status = 'pending'
          and d.next_attempt_at <= ${p.now}::timestamptz
        order by d.next_attempt_at limit 1
      ) is not null as is_due
    from (
      select d.endpoint_id from webhook_deliveries d
      where d.status = 'pending' and d.endpoint_id > ${after}
      order by d.endpoint_id limit 1
    ) as next
    join webhook_endpoints e on e.id = next.endpoint_id)`;
  return queries
    .withRecursive(
      "waiting",
      () => sql<WaitingEndpoint>`(
      select first.*, 1 as passed, first.is_due::integer as due
      from ${nextAfter(sql`${p.after}::text`)} as first
      union all
      select next.*, waiting.passed + 1, waiting.due + next.is_due::integer
      from waiting cross join lateral ${nextAfter(sql`waiting.endpoint_id`)} as next
      where waiting.passed < ${sql.lit(passedMax)} and waiting.due < ${p.dueMax}::integer)`,
    )
    .selectFrom("waiting")
    .select(["endpoint_id", "merchant_id", "is_due"])
    .orderBy("endpoint_id");
});

export interface ClaimValues {
  readonly now: Date;
  /** of these only */
  readonly endpointIds: readonly string[];
  /** new for each claim */
  readonly token: string;
  readonly expiresAt: Date;
  /** deliveries at most */
  readonly room: number;
  /** under way at once for one endpoint, at most, over all workers; 64 is the most that can be said */
  readonly perEndpointMax: number;
  /** the same for one merchant; two workers that choose at the same moment may go beyond it */
  readonly perMerchantMax: number;
}

/** Of a part of a statement that only other parts read. */
type Rows = Readonly<Record<string, unknown>>;

interface ClaimedColumns {
  readonly id: string;
  readonly attempts: number;
  readonly event_id: string;
  readonly endpoint_id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
}

/** Places that an endpoint can have; a plan is made for so many. */
const slotsMax = 64;
/** How many due deliveries of an endpoint are looked at to find the oldest resources. */
const windowRows = 32;
/** From the chosen point on, and as many from the start: resources that are looked at beside them. */
const resourceSteps = 8;
/** Deliveries of a resource that are looked at to find the lowest number that is due. */
const headRows = 64;

/**
 * Takes what is due at these endpoints, fairly: a merchant with less under way before one with more, the same among
 * the endpoints of each, and then the oldest. Of a resource the lowest number first, and none while
 * another one is under way. Two workers that choose at the same moment skip what the other has
 * locked; should they still choose two of one resource, or the same place of an endpoint, a unique
 * index refuses one of them (`UniqueViolation`: claim again).
 */
export const claimDueDeliveries = statement<ClaimValues>("claim_due_deliveries")((p) =>
  // Materialized: a planner that expects one row would work them out for every row again.
  queries
    // The word stands at the first, for all of them.
    .withRecursive(
      (cte) => cte("under_way").materialized(),
      () => underWay(p),
    )
    .with(
      (cte) => cte("places").materialized(),
      () => freePlaces(p),
    )
    .with(
      (cte) => cte("oldest").materialized(),
      () => oldest(p),
    )
    .with(
      "endpoints",
      () => sql<Rows>`(
      select endpoint_id, generation from oldest
      group by endpoint_id, generation having count(*) = ${sql.lit(windowRows)})`,
    )
    .with("resources", () => resources(p))
    .with(
      (cte) => cte("due").materialized(),
      () => dueResources(p),
    )
    .with(
      (cte) => cte("candidates").materialized(),
      () => candidates(p),
    )
    .with("ranked", () => ranked())
    .with("picked", () => picked(p))
    .with("claimed", () => claimed(p))
    .selectFrom("claimed")
    .innerJoin("events", (join) =>
      join
        .onRef("events.id", "=", "claimed.event_id")
        .onRef("events.merchant_id", "=", "claimed.merchant_id")
        .onRef("events.environment", "=", "claimed.environment"),
    )
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
      "endpoint.environment",
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
 * By a select, like the room: with statistics that are older than what is due, a planner that sees the time expects
 * nothing to be due, takes that for better than the plan that it keeps, and makes one at every claim.
 */
function timeOf(p: ClaimValues) {
  return sql<Date>`(select ${p.now}::timestamptz)`;
}

/** No more than all workers have room for, and what workers that are gone have left behind. */
function underWay(p: ClaimValues) {
  return sql<Rows>`(
    select d.id, d.merchant_id, d.endpoint_id, d.generation, d.resource_key, d.next_attempt_at,
      d.claim_slot as slot, d.claim_expires_at <= ${timeOf(p)} as is_abandoned
    from webhook_deliveries d
    where d.status = 'pending' and d.claim_token is not null)`;
}

/** Of those that are asked for, numbered from 1 for each. */
function freePlaces(p: ClaimValues) {
  return sql<Rows>`(
    select e.id as endpoint_id, e.merchant_id, e.generation, place.slot,
      row_number() over (partition by e.id order by place.slot) as number
    from webhook_endpoints e
    cross join generate_series(1, ${sql.lit(slotsMax)}) as place (slot)
    where place.slot <= ${p.perEndpointMax}::integer
      and e.id = ${anyOf(p.endpointIds)} and e.active
      and not exists (
        select 1 from under_way u
        where u.endpoint_id = e.id and u.generation = e.generation and u.slot = place.slot
      ))`;
}

/** Of each endpoint with a free place. Fewer than `windowRows`: that is all that is due there. */
function oldest(p: ClaimValues) {
  return sql<Rows>`(
    select e.endpoint_id, e.generation, one.resource_key, one.next_attempt_at
    from (select distinct endpoint_id, generation from places) as e
    cross join lateral (
      select d.resource_key, d.next_attempt_at from webhook_deliveries d
      where d.endpoint_id = e.endpoint_id and d.generation = e.generation
        and d.status = 'pending' and d.next_attempt_at <= ${timeOf(p)}
      order by d.next_attempt_at
      limit ${sql.lit(windowRows)}
    ) as one)`;
}

/**
 * Where more may be due than the oldest: from resource to resource, one step in the index for each, with the first
 * time that anything of it is due. The token makes every claim begin somewhere else, so that none of very many is
 * forgotten while the oldest deliveries all belong to a few.
 */
function resources(p: ClaimValues) {
  const columns = sql`e.endpoint_id, e.generation, part.upto, next.resource_key,
      next.next_attempt_at`;
  const nextOne = (after: string, upto: string) => sql`
    cross join lateral (
      select d.resource_key, d.next_attempt_at from webhook_deliveries d
      where d.endpoint_id = e.endpoint_id and d.generation = e.generation
        and d.status = 'pending' and d.resource_key > ${sql.ref(after)}
        and d.resource_key <= ${sql.ref(upto)}
      order by d.resource_key, d.next_attempt_at limit 1
    ) as next`;
  return sql<Rows>`(
    select ${columns}, 1 as step
    from endpoints e
    cross join (select hashtextextended(${p.token}::text, 0) as key) as start
    cross join lateral (values
      (start.key, 9223372036854775807::bigint), ((-9223372036854775808)::bigint, start.key)
    ) as part (after, upto)
    ${nextOne("part.after", "part.upto")}
    union all
    select ${columns}, e.step + 1
    from resources e cross join lateral (select e.upto) as part
    ${nextOne("e.resource_key", "part.upto")}
    where e.step < ${sql.lit(resourceSteps)})`;
}

/** Those that nothing is under way of, numbered from 1 for each endpoint, the oldest first. */
function dueResources(p: ClaimValues) {
  return sql<Rows>`(
    select found.endpoint_id, found.generation, found.resource_key,
      row_number() over (
        partition by found.endpoint_id order by min(found.next_attempt_at), found.resource_key
      ) as number
    from (
      select endpoint_id, generation, resource_key, next_attempt_at from resources
      where next_attempt_at <= ${timeOf(p)}
      union all
      select endpoint_id, generation, resource_key, next_attempt_at from oldest
    ) as found
    where not exists (
      select 1 from under_way u
      where u.endpoint_id = found.endpoint_id and u.generation = found.generation
        and u.resource_key = found.resource_key
    )
    group by found.endpoint_id, found.generation, found.resource_key)`;
}

/**
 * Of each resource the lowest number that is due. Should very many wait for a retry before it, what
 * was due first will do. And what was left behind by a worker that is gone, in the place that it
 * still takes up.
 *
 * The resource is given by two bounds, since a planner takes an order by it seriously only then: it
 * must step in the index of the resource, not walk or sort everything that is due.
 */
function candidates(p: ClaimValues) {
  const ofResource = sql`
    from webhook_deliveries d
    where d.endpoint_id = due.endpoint_id and d.generation = due.generation
      and d.resource_key >= due.resource_key and d.resource_key <= due.resource_key
      and d.status = 'pending'`;
  return sql<Rows>`(
    select coalesce(low.id, early.id) as id, places.merchant_id, due.endpoint_id, places.slot, due.number,
      coalesce(low.next_attempt_at, early.next_attempt_at) as next_attempt_at
    from due join places using (endpoint_id, number)
    left join lateral (
      select head.id, head.next_attempt_at
      from (select d.id, d.next_attempt_at, d.sequence ${ofResource}
        order by d.resource_key, d.sequence limit ${sql.lit(headRows)}) as head
      where head.next_attempt_at <= ${timeOf(p)}
      order by head.sequence limit 1
    ) as low on true
    left join lateral (
      select d.id, d.next_attempt_at ${ofResource}
        and low.id is null and d.next_attempt_at <= ${timeOf(p)}
      order by d.resource_key, d.next_attempt_at limit 1
    ) as early on true
    where low.id is not null or early.id is not null
    union all
    select u.id, e.merchant_id, u.endpoint_id, u.slot, 0, u.next_attempt_at
    from under_way u
    join webhook_endpoints e
      on e.id = u.endpoint_id and e.generation = u.generation and e.active
    where u.is_abandoned)`;
}

/** How many each would be under way: of its merchant, beginning with endpoints that have fewest. */
function ranked() {
  return sql<Rows>`(
    select c.id, c.slot, c.next_attempt_at,
      coalesce(merchant.count, 0) + row_number() over (
        partition by c.merchant_id
        order by c.number > 0, coalesce(endpoint.count, 0) + c.number, c.next_attempt_at, c.id
      ) as load
    from candidates c
    left join (
      select merchant_id, count(*) from under_way where not is_abandoned group by merchant_id
    ) as merchant using (merchant_id)
    left join (
      select endpoint_id, count(*) from under_way where not is_abandoned group by endpoint_id
    ) as endpoint using (endpoint_id))`;
}

/**
 * The conditions are looked at again once a row is locked: it may have changed since the start. The status is
 * compared in a way that no index is used for: a planner that has not heard of a backlog yet thinks that nothing
 * is pending, and would read all of it for each candidate in place of the one row that its key leads to.
 */
function picked(p: ClaimValues) {
  return sql<Rows>`(
    select d.id, ranked.slot
    from ranked join webhook_deliveries d on d.id = ranked.id
    where ranked.load <= ${p.perMerchantMax}::integer
      and d.status || '' = 'pending' and d.next_attempt_at <= ${timeOf(p)}
      and (d.claim_token is null or d.claim_expires_at <= ${timeOf(p)})
    order by ranked.load, ranked.next_attempt_at, ranked.id
    limit (select ${p.room}::integer)
    for no key update of d skip locked)`;
}

function claimed(p: ClaimValues) {
  return sql<ClaimedColumns>`(
    update webhook_deliveries d
    set claim_token = ${p.token}::text, claim_expires_at = ${p.expiresAt}::timestamptz,
      claim_slot = picked.slot
    from picked where d.id = picked.id
    returning d.id, d.attempts, d.event_id, d.endpoint_id, d.merchant_id, d.environment)`;
}

export type ClaimedRow = NonNullable<(typeof claimDueDeliveries)["row"]>;
