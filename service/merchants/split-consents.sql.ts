// The statements of who may name whom as a partner.

import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";

interface ConsentValues extends AuditValues, EventValues {
  readonly merchantId: string;
  readonly creatorId: string;
  readonly now: Date;
}

/** A row, an entry and an event, if it did not stand before. */
export const insertSplitConsent = statement<ConsentValues>("insert_split_consent")((p) => {
  const granted = queries.with("granted", (q) =>
    q
      .insertInto("split_consents")
      .values({ partner_id: p.merchantId, creator_id: p.creatorId, granted_at: p.now })
      .onConflict((conflict) => conflict.doNothing())
      .returning("partner_id"),
  );
  return recordingEvent(recordingAudit(granted, "granted", p), "granted", p)
    .selectFrom("granted")
    .select("partner_id");
});

/** A row, an entry and an event, if it stood. */
export const deleteSplitConsent = statement<ConsentValues>("delete_split_consent")((p) => {
  const ended = queries.with("ended", (q) =>
    q
      .deleteFrom("split_consents")
      .where("partner_id", "=", p.merchantId)
      .where("creator_id", "=", p.creatorId)
      .returning("partner_id"),
  );
  return recordingEvent(recordingAudit(ended, "ended", p), "ended", p)
    .selectFrom("ended")
    .select("partner_id");
});

export const listSplitConsents = statement<object>("list_split_consents")(() =>
  queries.selectFrom("split_consents").selectAll().orderBy("partner_id").orderBy("creator_id"),
);

export const findMerchants = statement<{ readonly ids: readonly string[] }>("find_merchants")((p) =>
  queries.selectFrom("merchants").select("id").where("id", "=", anyOf(p.ids)),
);
