// Statements about merchants.

import { sql } from "kysely";
import { recordingAudit } from "./audit.ts";
import type { AuditValues } from "./audit.ts";
import { queries, statement } from "./statement.ts";

interface NewMerchantValues extends AuditValues {
  readonly id: string;
  readonly name: string;
  readonly now: Date;
}

export const insertMerchant = statement<NewMerchantValues>("insert_merchant")((p) =>
  recordingAudit(
    queries.with("made", (q) =>
      q
        .insertInto("merchants")
        .values({ id: p.id, name: p.name, created_at: p.now })
        .returningAll(),
    ),
    "made",
    p,
  )
    .selectFrom("made")
    .selectAll(),
);

export const listMerchants = statement<object>("list_merchants")(() =>
  queries.selectFrom("merchants").selectAll().orderBy("created_at").orderBy("id"),
);

export const findMerchant = statement<{ id: string }>("find_merchant")((p) =>
  queries.selectFrom("merchants").selectAll().where("id", "=", p.id),
);

export const anyMerchant = statement<object>("any_merchant")(() =>
  queries.selectFrom("merchants").select("id").limit(sql.lit(1)),
);

interface StatusValues extends AuditValues {
  readonly id: string;
  readonly status: "active" | "suspended";
}

/** No entry for a merchant that has this status already. */
export const setMerchantStatus = statement<StatusValues>("set_merchant_status")((p) =>
  recordingAudit(
    queries
      .with("old", (q) =>
        q.selectFrom("merchants").selectAll().where("id", "=", p.id).forNoKeyUpdate(),
      )
      .with("changed", (q) =>
        q
          .updateTable("merchants as m")
          .from("old")
          .set({ status: p.status })
          .whereRef("m.id", "=", "old.id")
          .where("old.status", "<>", p.status)
          .returning("m.id"),
      ),
    "changed",
    p,
  )
    .selectFrom("old")
    .select(["id", "name", "created_at", "fee_bps"])
    .select(sql<"active" | "suspended">`${p.status}::text`.as("status")),
);

interface FeeValues extends AuditValues {
  readonly id: string;
  readonly feeBps: number;
}

/** No entry for a merchant that has this fee already. */
export const setMerchantFee = statement<FeeValues>("set_merchant_fee")((p) =>
  recordingAudit(
    queries
      .with("old", (q) =>
        q.selectFrom("merchants").selectAll().where("id", "=", p.id).forNoKeyUpdate(),
      )
      .with("changed", (q) =>
        q
          .updateTable("merchants as m")
          .from("old")
          .set({ fee_bps: p.feeBps })
          .whereRef("m.id", "=", "old.id")
          .where("old.fee_bps", "<>", p.feeBps)
          .returning("m.id"),
      ),
    "changed",
    p,
  )
    .selectFrom("old")
    .select(["id", "name", "created_at", "status"])
    .select(sql<number>`${p.feeBps}::integer`.as("fee_bps")),
);
