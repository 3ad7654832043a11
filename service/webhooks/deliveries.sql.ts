// Reading deliveries for the merchant. What is sent, how it ended, and what time does to it are
// statements of their own.

import { sql } from "kysely";
import type { Owner } from "../owner.ts";
import { queries, statement } from "../database/statement.ts";
import type { WebhookDeliveriesTable } from "../database/tables/webhooks.ts";

export const listNewestDeliveries = statement<
  Owner & {
    readonly since: Date;
    /** endpoints that have been off since then will not resume anything */
    readonly resumableSince: Date;
    readonly rowsMax: number;
  }
>("list_newest_deliveries", { mayBeStale: true })((p) =>
  queries
    .selectFrom("webhook_deliveries as d")
    .innerJoin("webhook_endpoints as e", "e.id", "d.endpoint_id")
    .select(["d.id", "d.event_type", "d.attempts", "d.created_at"])
    // What an endpoint has given up is given up at once, also while the sweep has yet to write it.
    .select(
      sql<WebhookDeliveriesTable["status"]>`case
        when d.status <> 'pending' then d.status
        when d.generation <= e.cancelled_generation then 'cancelled'
        when d.generation < e.generation then 'failed'
        when e.inactive_since <= ${p.resumableSince}::timestamptz then 'failed'
        else d.status end`.as("status"),
    )
    .where("d.merchant_id", "=", p.merchantId)
    .where("d.environment", "=", p.environment)
    .where("d.created_at", ">", p.since)
    .orderBy("d.created_at", "desc")
    .orderBy("d.id", "desc")
    .limit(p.rowsMax),
);
