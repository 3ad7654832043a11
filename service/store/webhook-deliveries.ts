// Reading deliveries for the merchant; the dispatcher's own statements are in deliveries.ts.

import { queries, statement } from "./statement.ts";

export const listNewestDeliveries = statement<{
  readonly merchantId: string;
  readonly since: Date;
  readonly rowsMax: number;
}>("list_newest_deliveries")((p) =>
  queries
    .selectFrom("webhook_deliveries")
    .select(["id", "event_type", "status", "attempts", "created_at"])
    .where("merchant_id", "=", p.merchantId)
    .where("created_at", ">", p.since)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(p.rowsMax),
);
