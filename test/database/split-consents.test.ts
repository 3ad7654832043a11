// A database from before partners had to agree: whoever shares live payments already goes on.

import { expect, test } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import { openOldDatabase } from "../support/old-database.ts";

test("partners of live payments have agreed, those of test payments have not", async () => {
  const { client } = await openOldDatabase(18);
  await client.query(`insert into merchants (id, name, created_at)
    select id, id, now() from unnest(array['mer_shop', 'mer_live', 'mer_test']) as one (id)`);
  await client.query(`insert into payments (id, merchant_id, environment, merchant_order_no, status,
      quotes, chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    select 'pay_' || n, 'mer_shop', case when n < 3 then 'live' else 'test' end, n, 'pending', '[{}]',
      '{eip155:1}', 'to_primary', 100, n, '2026-01-01', '2026-01-02', '2026-01-01'
    from generate_series(1, 3) as n`);
  await client.query(`insert into payment_splits (payment_id, position, merchant_id, bps)
    values ('pay_1', 0, 'mer_live', 100), ('pay_2', 0, 'mer_live', 100),
      ('pay_3', 0, 'mer_live', 100), ('pay_3', 1, 'mer_test', 100)`);
  expect(await migrate(client)).toContain("0019_split_consents.sql");
  const { rows } = await client.query<object>(
    "select partner_id, creator_id, granted_at from split_consents",
  );
  const grantedAt = new Date("2026-01-01T00:00:00Z");
  expect(rows).toEqual([{ partner_id: "mer_live", creator_id: "mer_shop", granted_at: grantedAt }]);
});
