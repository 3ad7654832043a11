// After a reorganisation the same place may hold another transfer of the same transaction: nothing of what was
// there before is said of that one.

import { describe, expect, test } from "vitest";
import { recordX402Arrival } from "../../service/chains/arrivals.sql.ts";
import { findReplacedDeposits, recordDeposits } from "../../service/chains/recording.sql.ts";
import { startCursor } from "../../service/chains/watcher.sql.ts";
import { base } from "../payments/progress-quotes.ts";
import { openWorld } from "../payments/progress-world.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";

const place = { tx_hash: "0xf", log_index: 4 };
const transfer = { deployment_id: "dep_usdc_base", address: "0xa", sender: "0xb", amount_raw: "5" };

/** One that was booked for a payment is orphaned. */
async function openOrphaned(engine: Engine, source: "address" | "settlement") {
  const world = await openWorld(await openDatabase(engine));
  const { database, clock } = world;
  const payment = await world.addPayment();
  const time = clock.now();
  await query(database)`
    insert into deposits (
      chain_id, tx_hash, log_index, deployment_id, payment_id, address, sender, amount_raw,
      block_number, block_hash, block_time, status, source, bookings, regular_raw, surplus_raw, unmatched_raw, booked_at
    )
    values (${base}, '0xf', 4, 'dep_usdc_base', ${payment}, '0xa', '0xb', 5, 1, '0xc', ${time},
      'orphaned', ${source}, 1, 5, 0, 0, ${time}) returning tx_hash`;
  const block = { block_number: "2", block_hash: "0xd", block_time: time.toISOString() };
  /** What came to a settlement account, as the watcher finds it. */
  const found = (change: Partial<typeof transfer> & { readonly least_raw?: string }) => {
    const one = { ...place, ...transfer, ...change, payment_id: null, ...block, source };
    return { chainId: base, deposits: JSON.stringify([one]) };
  };
  const deposit = async () => {
    const [row] = await query(database)<object>`
      select status, source, payment_id, deployment_id, address, sender, amount_raw::text as amount_raw
      from deposits`;
    return row;
  };
  return { database, payment, time, found, deposit };
}

describe.each(engines)("on %s", (engine) => {
  test("what comes back to a settlement account as it was is still its payment's", async () => {
    const { database, payment, found, deposit } = await openOrphaned(engine, "settlement");
    expect(await database.run(findReplacedDeposits, found({}))).toEqual([]);
    expect(await database.run(recordDeposits, found({}))).toEqual([{ payment_id: payment }]);
    expect(await deposit()).toEqual({
      ...transfer,
      status: "seen",
      source: "settlement",
      payment_id: payment,
    });
  });

  test.each<[string, Partial<typeof transfer>]>([
    ["another amount", { amount_raw: "6" }],
    ["another sender", { sender: "0xc" }],
    ["another recipient", { address: "0xe" }],
    ["another token", { deployment_id: "dep_eth_base" }],
  ])("%s in its place is nobody's, and the payment's is taken back", async (_what, change) => {
    const { database, payment, found, deposit } = await openOrphaned(engine, "settlement");
    expect(await database.run(findReplacedDeposits, found(change))).toEqual([
      { payment_id: payment },
    ]);
    await query(database)`update deposits set reversals = bookings`;
    expect(await database.run(recordDeposits, found(change))).toEqual([{ payment_id: null }]);
    expect(await deposit()).toEqual({
      ...transfer,
      ...change,
      status: "seen",
      source: "settlement",
      payment_id: null,
    });
  });

  test("what was measured in the very place and block counts for what came, and nothing is nothing", async () => {
    const { database, found: foundOf, deposit } = await openOrphaned(engine, "settlement");
    const found = () => foundOf({ least_raw: "2" });
    await query(database)`update deposits set reversals = bookings`;
    const measure = (change: Readonly<Record<string, unknown>>, arrived: string | null) => {
      const there = { chain: base, tx: "0xf", log: 4, block: "0xd", ...change };
      return query(database)`insert into measured_transfers
        values (${there.chain}, ${there.tx}, ${there.log}, ${there.block}, 2, 'dep_usdc_base', '0xa', 5,
          ${arrived}, now(), now(), null) returning tx_hash`;
    };
    await measure({}, null);
    for (const arrived of [null, 0, 1]) {
      await query(database)`update measured_transfers set arrived_raw = ${arrived}::numeric`;
      expect(await database.run(recordDeposits, found())).toEqual([]);
      expect(await database.run(recordDeposits, foundOf({}))).toHaveLength(arrived === 1 ? 1 : 0);
    }
    await query(database)`update deposits set status = 'orphaned'`;
    await query(database)`update measured_transfers set arrived_raw = 2`;
    expect(await database.run(recordDeposits, found())).toHaveLength(1);
    expect(await deposit()).toMatchObject({ status: "seen", amount_raw: "2" });
    // Elsewhere it says nothing of this one.
    for (const change of [{ chain: "eip155:1" }, { tx: "0xe" }, { log: 5 }, { block: "0xc" }]) {
      await query(database)`delete from measured_transfers`;
      await query(database)`update deposits set status = 'orphaned'`;
      await measure(change, "0");
      expect([change, await database.run(recordDeposits, found())]).toMatchObject([change, [{}]]);
      expect(await deposit()).toMatchObject({ status: "seen", amount_raw: "5" });
    }
  });

  test("what an authorization has brought in the place of a swept deposit is in no sweep", async () => {
    const { database, payment, time, deposit } = await openOrphaned(engine, "address");
    await query(database)`insert into sweeps (id, kind, chain_id, deployment_id, address,
        derivation_index, method, target, target_address, amount_raw, covered_raw, status, created_at, updated_at)
      values ('swp_1', 'sweep', ${base}, 'dep_usdc_base', '0xa', 1, 'collect', 'hot', '0xh', 5, 5,
        'moving', now(), now())`;
    await query(database)`update deposits set sweep_id = 'swp_1', reversals = bookings`;
    const block = { number: 2n, hash: "0xd", parentHash: "0xc", time };
    await database.run(startCursor, { chainId: base, headNumber: 2n, now: time, ...block });
    const rows = await database.run(recordX402Arrival, {
      settlementId: null,
      chainId: base,
      txHash: place.tx_hash,
      logIndex: place.log_index,
      deploymentId: transfer.deployment_id,
      paymentId: payment,
      address: "0xe",
      sender: "0xb",
      amountRaw: 5n,
      blockNumber: 2n,
      blockHash: "0xd",
      finalTime: null,
    });
    expect(rows).toEqual([{ payment_id: payment }]);
    expect(await deposit()).toMatchObject({ status: "seen", source: "settlement", address: "0xe" });
    expect(await query(database)<object>`select sweep_id from deposits`).toEqual([
      { sweep_id: null },
    ]);
  });
});
