// Recording an event in the statement of its effect.

import { sql } from "kysely";
import type { QueryCreator } from "kysely";
import { oneRow } from "../database/row-source.ts";
import type { ColumnTypes } from "../database/row-source.ts";
import { adding } from "../database/statement.ts";
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

export const eventColumns: ColumnTypes<EventValues> = {
  eventId: "text",
  eventMerchantId: "text",
  eventEnvironment: "text",
  eventType: "text",
  eventOccurredAt: "timestamptz",
  eventResourceType: "text",
  eventResourceId: "text",
  eventData: "text",
  eventExceptEndpointId: "text",
  eventDeliveryIds: "text[]",
};

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
export function recordingEvent<Known>(
  creator: QueryCreator<Known>,
  cause: string,
  p: EventValues,
): QueryCreator<Known> {
  const told = adding(creator, (q) =>
    q.with("told", () => sql<object>`(${oneRow(p, eventColumns)} from ${sql.table(cause)})`),
  );
  return recordingEvents(told, "told");
}

/** The same for each row of the CTE `told`, which has `eventColumns`; at most one for a resource. */
export function recordingEvents<Known>(
  creator: QueryCreator<Known>,
  told: string,
): QueryCreator<Known> {
  return adding(creator, (q) =>
    q
      .with(
        "event_sequence",
        () => sql<object>`(
      insert into event_sequences (merchant_id, environment, resource_type, resource_id, last)
      select "eventMerchantId", "eventEnvironment", "eventResourceType", "eventResourceId", 1
      from ${sql.table(told)}
      order by "eventMerchantId", "eventEnvironment", "eventResourceType", "eventResourceId"
      on conflict (merchant_id, environment, resource_type, resource_id)
      do update set last = event_sequences.last + 1
      returning *)`,
      )
      .with(
        "event",
        () => sql<object>`(
      insert into events (
        id, merchant_id, environment, type, occurred_at, resource_type, resource_id, sequence, data
      )
      select t."eventId", t."eventMerchantId", t."eventEnvironment", t."eventType",
        t."eventOccurredAt", t."eventResourceType", t."eventResourceId", s.last, t."eventData"
      from ${sql.table(told)} t join event_sequence s on s.merchant_id = t."eventMerchantId"
        and s.environment = t."eventEnvironment" and s.resource_type = t."eventResourceType"
        and s.resource_id = t."eventResourceId"
      returning id, sequence)`,
      )
      .with("event_deliveries", () => deliveries(told)),
  );
}

function deliveries(told: string) {
  return sql<object>`(
      insert into webhook_deliveries (
        id, merchant_id, environment, endpoint_id, event_id, event_type, resource_type, resource_id,
        sequence, generation, status, next_attempt_at, created_at, finished_at
      )
      select t."eventDeliveryIds"[e.slot], e.merchant_id, e.environment, e.id, event.id,
        t."eventType", t."eventResourceType", t."eventResourceId", event.sequence, e.generation,
        case when e.active then 'pending' else 'skipped' end,
        case when e.active then t."eventOccurredAt" end,
        t."eventOccurredAt",
        case when not e.active then t."eventOccurredAt" end
      from ${sql.table(told)} t join event on event.id = t."eventId", webhook_endpoints e
      where e.merchant_id = t."eventMerchantId" and e.environment = t."eventEnvironment"
        and e.event_types && array[${sql.lit(everyEvent)}::text, t."eventType"]
        and e.id is distinct from t."eventExceptEndpointId"
      returning id)`;
}
