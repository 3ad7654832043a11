// Recording an event in the statement of its effect.

import { sql } from "kysely";
import type { QueryCreator } from "kysely";
import { everyEvent } from "../database/words.ts";
import type { Environment } from "../owner.ts";

/** Flat, since a statement's values are; `eventValues` makes them. */
export interface EventValues {
  readonly eventId: string;
  readonly eventMerchantId: string;
  readonly eventEnvironment: Environment;
  readonly eventType: string;
  readonly eventOccurredAt: Date;
  readonly eventResourceType: string;
  readonly eventResourceId: string;
  /** exact JSON text */
  readonly eventData: string;
  readonly eventExceptEndpointId: string | null;
  /** one for each slot an endpoint can have */
  readonly eventDeliveryIds: readonly string[];
}

/**
 * Adds to a statement the recording of one event: the next number of its resource, the event, and a
 * delivery for every endpoint of the merchant and the environment that wants its type, `skipped` where
 * the endpoint is inactive. `cause` is the name of a CTE before: no row there, no event. It must not have two.
 *
 *     recordingEvent(queries.with("fence", ...).with("changed", ...), "changed", p).selectFrom(...)
 *
 * The row of the counter stays locked until the commit, which is what keeps the numbers without
 * gaps: a second event of the same resource waits, and a rolled back one never had a number.
 */
export function recordingEvent<Tables>(
  creator: QueryCreator<Tables>,
  cause: string,
  p: EventValues,
): QueryCreator<Tables> {
  const recording = creator
    .with(
      "event_sequence",
      () => sql<{ last: bigint }>`(
      insert into event_sequences (merchant_id, environment, resource_type, resource_id, last)
      select ${p.eventMerchantId}::text, ${p.eventEnvironment}::text,
        ${p.eventResourceType}::text, ${p.eventResourceId}::text, 1
      from ${sql.table(cause)}
      on conflict (merchant_id, environment, resource_type, resource_id)
      do update set last = event_sequences.last + 1
      returning last)`,
    )
    .with(
      "event",
      () => sql<{ id: string; sequence: bigint }>`(
      insert into events (
        id, merchant_id, environment, type, occurred_at, resource_type, resource_id, sequence, data
      )
      select ${p.eventId}::text, ${p.eventMerchantId}::text, ${p.eventEnvironment}::text,
        ${p.eventType}::text, ${p.eventOccurredAt}::timestamptz, ${p.eventResourceType}::text, ${p.eventResourceId}::text,
        last, ${p.eventData}::text
      from event_sequence
      returning id, sequence)`,
    )
    .with("event_deliveries", () => deliveries(p));
  // Nobody needs the columns of these CTEs, so the type stays what the caller had.
  return recording as unknown as QueryCreator<Tables>;
}

function deliveries(p: EventValues) {
  return sql<{ id: string }>`(
      insert into webhook_deliveries (
        id, merchant_id, environment, endpoint_id, event_id, event_type, resource_type, resource_id,
        sequence, generation, status, next_attempt_at, created_at, finished_at
      )
      select (${p.eventDeliveryIds}::text[])[e.slot], e.merchant_id, e.environment, e.id, event.id,
        ${p.eventType}::text, ${p.eventResourceType}::text, ${p.eventResourceId}::text,
        event.sequence, e.generation, case when e.active then 'pending' else 'skipped' end,
        case when e.active then ${p.eventOccurredAt}::timestamptz end,
        ${p.eventOccurredAt}::timestamptz,
        case when not e.active then ${p.eventOccurredAt}::timestamptz end
      from event, webhook_endpoints e
      where e.merchant_id = ${p.eventMerchantId} and e.environment = ${p.eventEnvironment}
        and e.event_types && array[${everyEvent}::text, ${p.eventType}::text]
        and e.id is distinct from ${p.eventExceptEndpointId}::text
      returning id)`;
}
