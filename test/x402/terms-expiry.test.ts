// Since when terms say how long they are open: those of before get it from their payment, and so do those of a
// process of the version before.

import { expect, test } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import { openOldDatabase } from "../support/old-database.ts";
import { query } from "../support/service-parts.ts";

const lastBefore = 38;

test("terms end with their payment, also those that a version before tells", async () => {
  const { client, database } = await openOldDatabase(lastBefore);
  // What these rows refer to says nothing here.
  await client.query("set session_replication_role = replica");
  await query(
    database,
  )`insert into payments (id, merchant_id, environment, merchant_order_no, status,
      quotes, chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    select id, 'mer_1', 'live', id, 'expired', '[{}]', '{eip155:1}', 'to_primary', 100, id,
      '2026-01-01', expires_at, '2026-01-01'
    from (values ('pay_1', '2026-01-02'::timestamptz), ('pay_2', '2026-01-03'))
      as one (id, expires_at)`;
  const tell = (nonce: string, paymentId: string) =>
    query(database)`insert into x402_nonces (nonce, payer, payment_id, deployment_id, due_raw)
      values ('0x' || repeat(${nonce}::text, 64), '', ${paymentId}::text, 'dep_1', 5)`;
  await tell("1", "pay_1");
  await tell("2", "pay_2");
  await client.query("set session_replication_role = origin");
  await migrate(client);
  await client.query("alter table x402_nonces drop constraint x402_nonces_deployment_id_fkey");
  await tell("3", "pay_2");
  expect(
    await query(database)`select left(nonce, 3) as nonce, expires_at from x402_nonces order by 1`,
  ).toEqual([
    { nonce: "0x1", expires_at: new Date("2026-01-02T00:00:00Z") },
    { nonce: "0x2", expires_at: new Date("2026-01-03T00:00:00Z") },
    { nonce: "0x3", expires_at: new Date("2026-01-03T00:00:00Z") },
  ]);
});
