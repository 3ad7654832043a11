// Statements about merchants.

import { sql } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { effectWith, queries, statement } from "../database/statement.ts";

interface NewMerchantValues extends AuditValues {
  readonly id: string;
  readonly name: string;
  readonly now: Date;
}

export const insertMerchant = statement<NewMerchantValues>("insert_merchant")((p) =>
  effectWith(recordingAudit, p)("made", (q) =>
    q.insertInto("merchants").values({ id: p.id, name: p.name, created_at: p.now }).returningAll(),
  ).selectAll(),
);

export const listMerchants = statement<object>("list_merchants")(() =>
  queries.selectFrom("merchants").selectAll().orderBy("created_at").orderBy("id"),
);

export const findMerchant = statement<{ id: string }>("find_merchant")((p) =>
  queries.selectFrom("merchants").selectAll().where("id", "=", p.id),
);

export const findAnyMerchant = statement<object>("find_any_merchant")(() =>
  queries.selectFrom("merchants").select("id").limit(sql.lit(1)),
);

export interface ChangeMerchantValues extends AuditValues {
  readonly id: string;
  /** null: as it is */
  readonly status: "active" | "suspended" | null;
  /** null: as it is */
  readonly feeBps: number | null;
}

/** No entry for a merchant that is like this already. */
export const changeMerchant = statement<ChangeMerchantValues>("change_merchant")((p) => {
  const status = sql<"active" | "suspended">`coalesce(${p.status}::text, old.status)`;
  const feeBps = sql<number>`coalesce(${p.feeBps}::integer, old.fee_bps)`;
  return recordingAudit(
    queries
      .with("old", (q) =>
        q.selectFrom("merchants").selectAll().where("id", "=", p.id).forNoKeyUpdate(),
      )
      .with("changed", (q) =>
        q
          .updateTable("merchants as m")
          .from("old")
          .set({ status, fee_bps: feeBps })
          .whereRef("m.id", "=", "old.id")
          .where((where) =>
            where.or([where("old.status", "<>", status), where("old.fee_bps", "<>", feeBps)]),
          )
          .returning("m.id"),
      ),
    "changed",
    p,
  )
    .selectFrom("old")
    .select(["id", "name", "created_at"])
    .select([status.as("status"), feeBps.as("fee_bps")]);
});
