// Statements about merchants.

import { sql } from "kysely";
import { queries, statement } from "./statement.ts";

export const insertMerchant = statement<{ id: string; name: string; now: Date }>("insert_merchant")(
  (p) =>
    queries
      .insertInto("merchants")
      .values({ id: p.id, name: p.name, created_at: p.now })
      .returningAll(),
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

export const setMerchantStatus = statement<{ id: string; status: "active" | "suspended" }>(
  "set_merchant_status",
)((p) =>
  queries.updateTable("merchants").set({ status: p.status }).where("id", "=", p.id).returningAll(),
);
