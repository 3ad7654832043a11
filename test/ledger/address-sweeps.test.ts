// What sweeps do to the comparison of addresses of payments with the books: they take from it what they have
// moved, and hide nothing.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { bookDeposit } from "../sending/deposits.ts";
import { chainId, coin, ether, finalBlocks, usdc, whole } from "../sending/scene.ts";
import { engines } from "../support/engines.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { hour, openCheck } from "./account-scene.ts";

type Check = Awaited<ReturnType<typeof openCheck>>;

const address = addressOf("deposit 1");
const less = "deposit_addresses_with_less";

/** Booked at the address, and as much of it there. */
async function deposited(
  check: Check,
  of: typeof coin | typeof usdc,
  amounts: { readonly booked: bigint; readonly held: bigint },
): Promise<void> {
  const { deploymentId, contractAddress } = of;
  const wish = { chainId, deploymentId, index: 1n, address };
  await bookDeposit(check, { ...wish, amountRaw: amounts.booked });
  check.chain.mint(address, contractAddress, amounts.held);
}

async function sweepAll(check: Check): Promise<void> {
  const process = check.startProcess();
  for (let round = 1; round <= 4; round++) {
    await process.sweep();
    await process.send();
    check.chain.mine(finalBlocks);
    check.clock.advance(20_000);
    await process.confirm();
  }
  check.clock.advance(hour);
  check.chain.mine(1, check.clock.now());
  await check.read();
}

const names = ({ alarms }: Check) => alarms.map(([what]) => what);

async function putSweep(check: Check, status: "moving" | "failed", of: string) {
  await query(
    check.database,
    sql.raw(`
    insert into sweeps (id, kind, chain_id, deployment_id, address, derivation_index, method, target,
      target_address, amount_raw, covered_raw, status, created_at, updated_at)
    values ('swp_1', 'sweep', '${chainId}', '${of}', '${address}', 1, 'transfer', 'hot', '0x', 1, 1,
      '${status}', now(), now())`),
  );
}

describe.each(engines)("on %s", (engine) => {
  test("coin that is missing before its sweep is told then, and by the comparison after it", async () => {
    const check = await openCheck(engine);
    await deposited(check, coin, { booked: ether, held: ether / 2n });
    await sweepAll(check);
    expect(names(check)).toEqual(["address_holds_less"]);
    expect(await check.compare()).toEqual([`${coin.deploymentId} ${less} -${ether / 2n}`]);
  });

  test("coin that is swept as it should be differs in nothing, whoever has paid the gas", async () => {
    const check = await openCheck(engine);
    await deposited(check, coin, { booked: ether, held: ether });
    await sweepAll(check);
    expect(await check.compare()).toEqual([]);
    // The token's sweep is paid with what is left of the coin, and with more of it from us.
    await deposited(check, usdc, { booked: whole, held: whole });
    await sweepAll(check);
    expect(await check.chain.balance(address, usdc.contractAddress)).toBe(0n);
    const leftRaw = await check.chain.balance(address, null);
    expect(leftRaw).toBeGreaterThan(0n);
    expect(leftRaw).toBeLessThan(ether / 100n);
    expect(await check.compare()).toEqual([]);
    expect((await check.admin("ledger balances")).output).not.toContain("LEFT OUT");
    // What is left for gas is in the books of the address, and is missed.
    check.chain.mint(address, null, -leftRaw);
    check.chain.mine();
    await check.read();
    await check.look();
    const found = await query(check.database, sql`select booked_raw from address_differences`);
    expect(found).toEqual([{ booked_raw: leftRaw.toString() }]);
    expect(names(check)).toEqual([]);
  });

  test("tokens that are missing before their sweep stay missed after it", async () => {
    const check = await openCheck(engine);
    await deposited(check, usdc, { booked: whole, held: whole / 2n });
    await sweepAll(check);
    expect(names(check)).toEqual(["address_holds_less"]);
    expect(await check.compare()).toEqual([`${usdc.deploymentId} ${less} -${whole / 2n}`]);
  });

  test("a gap that was told stays shown whatever sweep is planned, fails or moves something else", async () => {
    for (const [status, of] of [
      ["failed", usdc.deploymentId],
      ["moving", usdc.deploymentId],
      ["moving", coin.deploymentId],
    ] as const) {
      const check = await openCheck(engine);
      await deposited(check, usdc, { booked: whole, held: whole / 2n });
      check.chain.mine(3);
      await check.read();
      expect(await check.compare()).toEqual([`${usdc.deploymentId} ${less} -${whole / 2n}`]);
      await putSweep(check, status, of);
      check.clock.advance(hour);
      await check.look();
      expect((await check.admin("ledger balances")).output).toContain(`${less}: -0.5 `);
    }
  });

  test.each(["failed", "moving"] as const)(
    "a loss is found though a sweep of the coin there is %s",
    async (status) => {
      const check = await openCheck(engine);
      await deposited(check, usdc, { booked: whole, held: whole / 2n });
      await putSweep(check, status, coin.deploymentId);
      check.chain.mine(3);
      await check.read();
      expect(await check.compare()).toEqual([`${usdc.deploymentId} ${less} -${whole / 2n}`]);
    },
  );

  test("while a sweep is on its way its address is left out and counted, and is compared after it", async () => {
    const check = await openCheck(engine);
    await deposited(check, usdc, { booked: whole, held: whole });
    const process = check.startProcess();
    await process.sweep();
    await process.send();
    check.chain.mine();
    await check.read();
    expect(await check.compare()).toEqual([]);
    const shown = async () => (await check.admin("ledger balances")).output;
    expect(await shown()).toContain("; LEFT OUT 1 since ");
    await sweepAll(check);
    expect(await check.compare()).toEqual([]);
    expect(await shown()).not.toContain("LEFT OUT");
  });
});
