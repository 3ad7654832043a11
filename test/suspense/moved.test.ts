// What an operator has accepted for a payment stays accepted when a reorganisation moves it to another place
// of its transaction (threat 107).

import { describe, expect, test } from "vitest";
import { claimUnmatched } from "../../service/chains/unmatched.sql.ts";
import { recordDeposits } from "../../service/chains/recording.sql.ts";
import { base } from "../payments/progress-quotes.ts";
import { openWorld } from "../payments/progress-world.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";

const deploymentId = "dep_usdc_base";

/** Accepted at the place 4, and orphaned. */
async function openMoved(engine: Engine, source: "address" | "settlement") {
  const world = await openWorld(await openDatabase(engine));
  const { database, clock } = world;
  const payment = await world.addPayment();
  await query(database)`
    insert into deposits (
      chain_id, tx_hash, log_index, deployment_id, payment_id, address, sender, amount_raw,
      block_number, block_hash, block_time, status, source, accepted_at
    )
    values (${base}, '0xf', 4, ${deploymentId}, ${payment}, '0xa', '0xb', 5, 1, '0xc',
      ${clock.now()}, 'orphaned', ${source}, ${clock.now()}) returning tx_hash`;
  const see = (places: readonly number[], paymentId: string | null) =>
    database.run(recordDeposits, {
      chainId: base,
      deposits: JSON.stringify(
        places.map((place) => ({
          tx_hash: "0xf",
          log_index: place,
          deployment_id: deploymentId,
          payment_id: paymentId,
          address: "0xa",
          sender: "0xb",
          amount_raw: "5",
          block_number: "2",
          block_hash: "0xd",
          block_time: clock.now().toISOString(),
          source,
        })),
      ),
    });
  const accepted = () =>
    query(database)<{ log_index: number; is_accepted: boolean }>`
      select log_index, accepted_at is not null as is_accepted from deposits
      where status <> 'orphaned' order by log_index`;
  return { database, payment, see, accepted };
}

describe.each(engines)("on %s", (engine) => {
  test("at the address of the payment", async () => {
    const { see, payment, accepted } = await openMoved(engine, "address");
    await see([6], payment);
    expect(await accepted()).toEqual([{ log_index: 6, is_accepted: true }]);
  });

  test("at the address of the payment, and its equal twin is not", async () => {
    const { see, payment, accepted } = await openMoved(engine, "address");
    await see([4, 6], payment);
    expect(await accepted()).toEqual([
      { log_index: 4, is_accepted: true },
      { log_index: 6, is_accepted: false },
    ]);
  });

  test("what takes the place of a swept deposit is nobody's to sweep yet, unless it is the same", async () => {
    const { database, see, payment } = await openMoved(engine, "address");
    const sweepOf = () =>
      query(database)<object>`select log_index, sweep_id from deposits order by 1`;
    await query(database)`insert into sweeps (id, kind, chain_id, deployment_id, address,
        derivation_index, method, target, target_address, amount_raw, covered_raw, status, created_at, updated_at)
      values ('swp_1', 'sweep', ${base}, ${deploymentId}, '0xa', 1, 'collect', 'hot', '0xh', 5, 5,
        'moving', now(), now())`;
    await query(database)`update deposits set sweep_id = 'swp_1'`;
    await see([4], payment);
    expect(await sweepOf()).toEqual([{ log_index: 4, sweep_id: "swp_1" }]);
    await query(database)`update deposits set status = 'orphaned', address = '0xc'`;
    await see([4], payment);
    expect(await sweepOf()).toEqual([{ log_index: 4, sweep_id: null }]);
  });

  test("at the settlement account, once it is the payment's again", async () => {
    const { database, see, payment, accepted } = await openMoved(engine, "settlement");
    await see([6], null);
    expect(await accepted()).toEqual([{ log_index: 6, is_accepted: false }]);
    const place = { chainId: base, txHash: "0xf", logIndex: 6 };
    await database.run(claimUnmatched, { ...place, paymentId: payment });
    expect(await accepted()).toEqual([{ log_index: 6, is_accepted: true }]);
  });

  test("a transaction of the same hash on another chain is another one", async () => {
    const { database, see, payment } = await openMoved(engine, "settlement");
    await see([6], null);
    const place = { chainId: "eip155:1", txHash: "0xf", logIndex: 6 };
    expect(await database.run(claimUnmatched, { ...place, paymentId: payment })).toEqual([]);
  });
});
