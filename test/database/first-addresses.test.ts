// A database from before chains remembered their first address, with what reorganisations had left in it.

import { expect, test } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import { readOldestDepositAddress } from "../../service/chains/watcher.sql.ts";
import { openOldDatabase } from "../support/old-database.ts";
import { query } from "../support/service-parts.ts";

const lastBefore = 37;

test("what was given is noted by family and chain, and only what was swept stays so", async () => {
  const { client, database } = await openOldDatabase(lastBefore);
  // What these rows refer to says nothing here.
  await client.query("set session_replication_role = replica");
  await query(
    database,
  )`insert into payments (id, merchant_id, environment, merchant_order_no, status,
      quotes, chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    select id, 'mer_1', 'live', id, 'expired', '[{}]', chain_ids, 'to_primary', 100, id,
      '2026-01-01', '2026-01-02', '2026-01-01'
    from (values ('pay_1', array['eip155:1', 'eip155:10']), ('pay_2', array['eip155:10']),
      ('pay_3', array['eip155:10', 'solana:x'])) as one (id, chain_ids)`;
  await query(database)`insert into deposit_addresses (chain_family, derivation_index, address,
      payment_id, created_at)
    values ('evm', 1, '0x1', 'pay_1', '2026-01-03'), ('evm', 2, '0x2', 'pay_2', '2026-01-02'),
      ('solana', 3, 's3', 'pay_3', '2026-01-04')`;
  await query(database)`insert into sweeps (id, kind, chain_id, deployment_id, address,
      derivation_index, method, target, target_address, amount_raw, covered_raw, status, created_at, updated_at)
    values ('swp_1', 'sweep', 'eip155:1', 'dep_1', '0x1', 1, 'collect', 'hot', '0xh', 5, 5, 'moving',
      '2026-01-04', '2026-01-04')`;
  await query(
    database,
  )`insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id,
      address, sender, amount_raw, block_number, block_hash, block_time, status, sweep_id)
    select 'eip155:1', '0xf', place, deployment, 'pay_1', address, '0xb', 5, 1, '0xc', '2026-01-03',
      'final', 'swp_1'
    from (values (1, 'dep_1', '0x1'), (2, 'dep_1', '0x2'), (3, 'dep_2', '0x1'))
      as one (place, deployment, address)`;
  await client.query("set session_replication_role = origin");
  await migrate(client);
  const since = async (family: "evm" | "solana", chainId: string) =>
    (await database.run(readOldestDepositAddress, { family, chainId })).map((row) => row.since);
  expect(await since("evm", "eip155:1")).toEqual([new Date("2026-01-03T00:00:00Z")]);
  expect(await since("evm", "eip155:10")).toEqual([new Date("2026-01-02T00:00:00Z")]);
  expect(await since("solana", "solana:x")).toEqual([new Date("2026-01-04T00:00:00Z")]);
  expect(await since("evm", "eip155:8453")).toEqual([]);
  expect(
    await query(database)`select log_index, sweep_id from deposits order by log_index`,
  ).toEqual([
    { log_index: 1, sweep_id: "swp_1" },
    { log_index: 2, sweep_id: null },
    { log_index: 3, sweep_id: null },
  ]);
});
