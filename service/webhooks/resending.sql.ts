// Deliveries that have ended unsent, put into the queue once more: of one endpoint and one period, in pages by the
// index that has the deliveries of a merchant by their time.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Environment, Owner } from "../owner.ts";
import { queries, statement } from "../database/statement.ts";
import type { WebhookDeliveriesTable } from "../database/tables/webhooks.ts";

/** Of a part of a statement that only other parts read. */
type Rows = Readonly<Record<string, unknown>>;

export interface ResentEndpoint {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly url: string;
  readonly active: boolean;
  readonly inactive_reason: "merchant" | "gone" | "failing" | null;
  readonly inactive_since: Date | null;
  /** since when every attempt has failed */
  readonly failing_since: Date | null;
  readonly generation: number;
  readonly cancelled_generation: number;
  /** when the event that was asked for was recorded for it; null: it never was, or none was asked for */
  readonly event_at: Date | null;
}

export const findResentEndpoint = statement<{
  readonly id: string;
  readonly eventId: string | null;
}>("find_resent_webhook_endpoint")(
  (p) => sql<ResentEndpoint>`
    select e.id, e.merchant_id, e.environment, e.url, e.active, e.inactive_reason, e.inactive_since,
      e.failing_since, e.generation, e.cancelled_generation,
      (select d.created_at from webhook_deliveries d
        where d.event_id = ${p.eventId}::text and d.endpoint_id = e.id) as event_at
    from webhook_endpoints e where e.id = ${p.id}::text`,
);

interface PageValues extends Owner {
  readonly endpointId: string;
  /** null: of every event */
  readonly eventId: string | null;
  /** of the endpoint */
  readonly generation: number;
  readonly cancelledGeneration: number;
  /** goes on behind the delivery of this time and id */
  readonly afterAt: Date;
  readonly afterId: string;
}

export interface DeliveryPage {
  /** of any endpoint of the merchant */
  readonly rows: number;
  readonly last_at: Date | null;
  readonly last_id: string | null;
  readonly failed: number;
  readonly skipped: number;
  readonly pending: number;
  readonly delivered: number;
  readonly cancelled: number;
  /** when the last one of all that wait for their first attempt is due, whatever their time */
  readonly busy_until: Date | null;
}

/** What became of the wanted ones among so many deliveries, also where the sweep has yet to write it. */
export const readDeliveryPage = statement<
  PageValues & { readonly until: Date; readonly rowsMax: number }
>("read_webhook_delivery_page")((p) =>
  queries
    .with(
      (cte) => cte("page").materialized(),
      () => sql<Rows>`(
      select d.id, d.created_at,
        case when ${isWanted(p)} then ${endOf(p)} end as status
      from webhook_deliveries d
      where d.merchant_id = ${p.merchantId} and d.environment = ${p.environment}
        and (d.created_at, d.id) > (${p.afterAt}::timestamptz, ${p.afterId}::text)
        and d.created_at < ${p.until}::timestamptz
      order by d.created_at, d.id
      limit ${p.rowsMax}::integer)`,
    )
    .with(
      "last",
      () => sql<Rows>`(
      select created_at, id from page order by created_at desc, id desc limit 1)`,
    )
    .selectFrom(
      sql<DeliveryPage>`(
      select count(*)::integer as rows,
        (select created_at from last) as last_at, (select id from last) as last_id,
        ${countOf("failed")}, ${countOf("skipped")}, ${countOf("pending")}, ${countOf("delivered")},
        ${countOf("cancelled")},
        (select d.next_attempt_at from webhook_deliveries d
          where d.endpoint_id = ${p.endpointId}::text and d.merchant_id = ${p.merchantId}
            and d.environment = ${p.environment} and d.generation = ${p.generation}::integer
            and d.status = 'pending' and d.attempts = 0
          order by d.next_attempt_at desc limit 1) as busy_until
      from page)`.as("counted"),
    )
    .selectAll(),
);

export interface QueueValues extends PageValues {
  /** to the delivery of this time and id, which is one of them */
  readonly lastAt: Date;
  readonly lastId: string;
  /** when the first of them is due */
  readonly dueFrom: Date;
  /** between one and the next */
  readonly gapMilliseconds: number;
  /** where they are sent to, as somebody was shown it */
  readonly url: string;
  /** so many were found; are there others, then somebody else is at it, and none is queued */
  readonly count: number;
}

interface QueuedRow {
  readonly failed: number;
  readonly skipped: number;
  readonly last_due_at: Date | null;
}

/**
 * As if they had just been recorded: no attempt was made. Until it ends the endpoint stays as it is. Each delivery is
 * locked and looked at again, so that what somebody else has queued meanwhile is none of them. Due one after the other,
 * in the order of their resources. A statement of its own: in a serializable transaction so many rows would be in the
 * way of all that write deliveries.
 */
export const queueDeliveriesAgain = statement<QueueValues>("queue_webhook_deliveries_again")((p) =>
  queries
    .with("held", () => held(p))
    .with("chosen", () => chosen(p))
    .with(
      "placed",
      () => sql<Rows>`(
      select id, status, row_number() over (order by created_at, sequence, id) - 1 as place
      from chosen where (select count(*) from chosen) = ${p.count}::integer)`,
    )
    .with(
      "queued",
      () => sql<Pick<WebhookDeliveriesTable, "status" | "next_attempt_at">>`(
      update webhook_deliveries d
      set status = 'pending', attempts = 0, generation = ${p.generation}::integer,
        next_attempt_at = ${p.dueFrom}::timestamptz
          + placed.place * ${p.gapMilliseconds}::integer * interval '1 millisecond',
        claim_token = null, claim_expires_at = null, claim_slot = null,
        last_status = null, last_error = null, finished_at = null
      from placed where d.id = placed.id
      returning placed.status, d.next_attempt_at)`,
    )
    .selectFrom(
      sql<QueuedRow>`(
      select count(*) filter (where status <> 'skipped')::integer as failed, ${countOf("skipped")},
        max(next_attempt_at) as last_due_at
      from queued)`.as("counted"),
    )
    .selectAll(),
);

function held(p: QueueValues) {
  return sql<Rows>`(
    select e.id from webhook_endpoints e
    where e.merchant_id = ${p.merchantId} and e.environment = ${p.environment}
      and e.id = ${p.endpointId}::text and e.active and e.url = ${p.url}::text
      and e.generation = ${p.generation}::integer
    for no key update of e)`;
}

function chosen(p: QueueValues) {
  return sql<Rows>`(
    select d.id, d.created_at, d.sequence, d.status
    from held cross join webhook_deliveries d
    where d.merchant_id = ${p.merchantId} and d.environment = ${p.environment}
      and (d.created_at, d.id) > (${p.afterAt}::timestamptz, ${p.afterId}::text)
      and (d.created_at, d.id) <= (${p.lastAt}::timestamptz, ${p.lastId}::text)
      and ${isWanted(p)} and ${endOf(p)} in ('failed', 'skipped')
    for no key update of d)`;
}

function isWanted(p: PageValues): RawBuilder<boolean> {
  return sql`d.endpoint_id = ${p.endpointId}
    and (${p.eventId}::text is null or d.event_id = ${p.eventId}::text)`;
}

/** As merchants are shown it while their endpoint is on. */
function endOf(p: PageValues): RawBuilder<string> {
  return sql`case
    when d.status <> 'pending' then d.status
    when d.generation <= ${p.cancelledGeneration}::integer then 'cancelled'
    when d.generation < ${p.generation}::integer then 'failed'
    else 'pending' end`;
}

function countOf(status: WebhookDeliveriesTable["status"]) {
  return sql`count(*) filter (where status = ${sql.lit(status)})::integer as ${sql.ref(status)}`;
}
