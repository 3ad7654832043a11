// Payments that only need an address.

import { sql } from "kysely";
import type { Database } from "../../service/ports/database.ts";
import { addMerchant, query } from "../support/service-parts.ts";

export async function addPayments(database: Database, ids: readonly string[]): Promise<void> {
  const merchant = await addMerchant(database, "mer_indexes");
  const now = new Date("2026-01-01T00:00:00Z");
  const end = new Date("2026-01-02T00:00:00Z");
  const quotes = JSON.stringify([{ currencyId: "cur_none", deployments: [] }]);
  for (const id of ids) {
    await query(
      database,
      sql`insert into payments (id, merchant_id, environment, merchant_order_no, status, quotes,
          chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
        values (${id}, ${merchant}, 'live', ${id}, 'pending', ${quotes}::jsonb, ${["eip155:1"]}::text[],
          'to_primary', 100, ${id}, ${now}, ${end}, ${now})`,
    );
  }
}
