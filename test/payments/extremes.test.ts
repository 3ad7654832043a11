// What a stranger can send without limit: the largest amounts, and the largest numbers of them.

import { describe, expect, test } from "vitest";
import { rawAmountMax } from "../../service/amounts.ts";
import { countFinalDeposits, finalizeDeposits } from "../../service/chains/watcher.sql.ts";
import { verifyLedger } from "../../service/ledger/verifier.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { base } from "./progress-quotes.ts";
import { openWorld, price } from "./progress-world.ts";

const deploymentId = "dep_usdc_base";

describe.each(engines)("on %s", (engine) => {
  test("a coin of which anybody can mint 2^256-1 at a time fills no account up (threat 36)", async () => {
    const world = await openWorld(await openDatabase(engine));
    const id = await world.addPayment({ feeBps: 0 });
    const times = 12;
    const hashes: string[] = [];
    for (let count = 0; count < times; count++) {
      const hash = await world.see({ payment: id, amountRaw: rawAmountMax });
      await world.finalize(hash);
      hashes.push(hash);
    }
    const sum = BigInt(times) * rawAmountMax;
    // More than one amount has room for.
    expect(sum.toString().length).toBeGreaterThan(78);
    expect(await world.balances()).toEqual({
      "chain:deposit_addresses": sum,
      "merchant:available creator": sum,
    });
    expect((await verifyLedger(world)).differences).toEqual([]);
    for (const hash of hashes) await world.orphan(hash);
    expect(await world.balances()).toEqual({});
    expect(await world.status(id)).toBe("reversed");
  });

  test("tens of thousands of deposits of one payment do not stop the chain (threat 77)", async () => {
    const world = await openWorld(await openDatabase(engine));
    const id = await world.addPayment();
    const count = 20_000;
    await query(
      world.database,
    )`insert into deposits (chain_id, tx_hash, log_index, deployment_id, payment_id, address,
        amount_raw, block_number, block_hash, block_time, status)
      select ${base}, '0x' || n, 0, ${deploymentId}, ${id}, '0xa', 10000, 100, '0xb',
        ${world.clock.now()}, 'seen' from generate_series(1, ${count}::integer) n`;
    const rule = { deployment_id: deploymentId, number_max: "100", high_number_max: "50" };
    const values = (highValueRaw: bigint) => ({
      chainId: base,
      rules: JSON.stringify([{ ...rule, high_value_raw: highValueRaw.toString() }]),
      rowsMax: 20,
    });
    const total = BigInt(count) * 10_000n;
    // A statement that takes ten seconds is ended by the server.
    const high = await world.database.run(countFinalDeposits, values(total - 1n));
    expect(high).toEqual([{ count: 0 }]);
    await world.database.transaction(async (inside) => {
      const rows = await inside.run(finalizeDeposits, values(total));
      expect(rows).toHaveLength(20);
      await world.progress.refresh(inside, [id]);
    });
    expect(await world.balances()).toMatchObject({ "chain:deposit_addresses": 200_000n });
    expect(await world.status(id)).toBe("confirming");
    expect(BigInt(count) * 10_000n).toBeGreaterThan(price);
  });
});
