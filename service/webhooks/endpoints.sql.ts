// The statements of webhook endpoints. Each change is one: the endpoint locked and compared, the
// idempotency key finished, the effect, the event.

import { sql } from "kysely";
import type { UpdateObject } from "kysely";
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
import { endpointsMax } from "../database/words.ts";
import { queries, statement } from "../database/statement.ts";
import type { Tables } from "../database/tables.ts";

export const findEndpoint = statement<Owner & { readonly id: string }>("find_webhook_endpoint")(
  (p) =>
    queries
      .selectFrom("webhook_endpoints")
      .select(["id", "url", "event_types", "active", "inactive_since", "created_at"])
      .where("merchant_id", "=", p.merchantId)
      .where("environment", "=", p.environment)
      .where("id", "=", p.id),
);

/** Of the merchant's endpoints the one that has the URL. */
export const findEndpointByUrl = statement<Owner & { readonly url: string }>(
  "find_webhook_endpoint_by_url",
)((p) =>
  queries
    .selectFrom("webhook_endpoints")
    .select("id")
    .where("merchant_id", "=", p.merchantId)
    .where("environment", "=", p.environment)
    .where("url", "=", p.url),
);

export interface RegisterValues extends FinishingValues, Owner {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly secretSealed: Uint8Array;
  readonly now: Date;
}

/** Why there is room for the endpoint, or none. */
export interface RegisterFacts {
  /** null: all are taken */
  readonly slot: number | null;
  /** of the endpoint that has the URL; null: none */
  readonly url_owner_id: string | null;
  readonly has_key: boolean;
  readonly is_finished: boolean;
}

/**
 * One row that says how it went; the endpoint was made if `is_finished`. Two registrations at once
 * may choose the same slot: then one of them throws `UniqueViolation`, and has written nothing.
 */
export const registerEndpoint = statement<RegisterValues>("register_webhook_endpoint")((p) =>
  queries
    .with("room", () => room(p))
    .with("fence", () =>
      finishing(
        p,
        sql<boolean>`exists (
          select from room where slot is not null and url_owner_id is null and not has_key)`,
      ),
    )
    .with("endpoint", (q) =>
      q
        .insertInto("webhook_endpoints")
        .columns([
          "id",
          "merchant_id",
          "environment",
          "slot",
          "url",
          "event_types",
          "active",
          "secret_sealed",
          "created_at",
          "updated_at",
          "idempotency_key",
        ])
        .expression(
          sql<never>`
            select ${p.id}::text, ${p.merchantId}::text, ${p.environment}::text, room.slot,
              ${p.url}::text, ${p.eventTypes}::text[], true,
              ${p.secretSealed}::bytea, ${p.now}::timestamptz, ${p.now}::timestamptz,
              ${p.fenceKey}::text
            from fence, room`,
        )
        .returning("id"),
    )
    .selectFrom("room")
    .select(["slot", "url_owner_id", "has_key"])
    .select(sql<boolean>`exists (select from fence)`.as("is_finished")),
);

function room(p: RegisterValues) {
  return sql<Omit<RegisterFacts, "is_finished">>`(
    select
      (select min(free.slot) from generate_series(1, ${sql.lit(endpointsMax)}) as free (slot)
        where not exists (select from webhook_endpoints e
          where e.merchant_id = ${p.merchantId} and e.environment = ${p.environment}
            and e.slot = free.slot)) as slot,
      (select id from webhook_endpoints
        where merchant_id = ${p.merchantId} and environment = ${p.environment}
          and url = ${p.url}) as url_owner_id,
      exists (select from webhook_endpoints
        where merchant_id = ${p.merchantId} and environment = ${p.environment}
          and idempotency_key = ${p.fenceKey}) as has_key)`;
}

/** What was read, and must still be so. */
export interface ReadValues extends Owner {
  readonly id: string;
  readonly urlRead: string;
  readonly eventTypesRead: readonly string[];
  readonly activeRead: boolean;
  readonly now: Date;
}

interface ChangeValues extends ReadValues, FinishingValues, EventValues {}
type Columns = UpdateObject<Tables, "webhook_endpoints">;

/**
 * The CTEs `current`, `fence` and `changed`, and the event about it.
 */
function changing(p: ChangeValues, columns: Columns) {
  const isAsRead = sql<boolean>`url = ${p.urlRead} and event_types = ${p.eventTypesRead}
    and active = ${p.activeRead}`;
  const changed = queries
    .with("current", () => currentRow("webhook_endpoints", p, isAsRead))
    .with("fence", () => finishingIfCurrent(p))
    .with("changed", (q) =>
      q
        .updateTable("webhook_endpoints")
        .set(columns)
        .set("updated_at", p.now)
        .where("id", "=", p.id)
        .where(isFenced)
        .returning("id"),
    );
  return recordingEvent(changed, "changed", p);
}

export interface ReplaceValues extends ChangeValues {
  readonly url: string;
  readonly eventTypes: readonly string[];
}

/** Throws `UniqueViolation`: another endpoint has the URL. */
export const replaceEndpoint = statement<ReplaceValues>("replace_webhook_endpoint")((p) =>
  changing(p, { url: p.url, event_types: p.eventTypes }).selectNoFrom(changeFacts),
);

export const rotateEndpointSecret = statement<
  ChangeValues & { readonly secretSealed: Uint8Array; readonly previousSecretExpiresAt: Date }
>("rotate_webhook_endpoint_secret")((p) =>
  changing(p, {
    secret_sealed: p.secretSealed,
    // The secret before the previous one is gone at once: two live at most.
    previous_secret_sealed: sql<Uint8Array>`secret_sealed`,
    previous_secret_expires_at: p.previousSecretExpiresAt,
  }).selectNoFrom(changeFacts),
);

/** Open deliveries wait as they are until it is switched on again: a claim asks for active ones. */
export const switchEndpointOff = statement<ChangeValues>("switch_webhook_endpoint_off")((p) =>
  changing(p, {
    active: false,
    inactive_reason: "merchant",
    inactive_since: p.now,
  }).selectNoFrom(changeFacts),
);

/**
 * What has waited can be sent at once, or is given up if it has waited since `resumableSince` or
 * longer: then by a new generation, whatever the number of deliveries.
 */
export const switchEndpointOn = statement<ChangeValues & { readonly resumableSince: Date }>(
  "switch_webhook_endpoint_on",
)((p) =>
  changing(p, {
    active: true,
    inactive_reason: null,
    inactive_since: null,
    failing_since: null,
    generation: sql<number>`
      generation + case when inactive_since <= ${p.resumableSince}::timestamptz then 1 else 0 end`,
  }).selectNoFrom(changeFacts),
);
