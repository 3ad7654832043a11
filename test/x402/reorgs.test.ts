// Reorganisations take settlements away and bring them back: no money is counted twice, none is lost,
// and nobody is charged twice (threats 24 and 25).

import { encodeFunctionData, erc20Abi, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import { query } from "../support/service-parts.ts";
import { beforeTransaction } from "../support/world.ts";
import { authorize, otherPayer, payer } from "./payers.ts";
import { merchant, price, settleDown, startProcess } from "./scene.ts";
import { expectRefusal } from "../support/refusal.ts";
import { impatient, scene, signedPayment, local, shop, useStage } from "./stage.ts";
import { submit } from "./strangers.ts";

useStage();

/** Deposits at the settlement account, and the events that a merchant would trust. */
async function deposits() {
  return query(scene.database)<{
    status: string;
    source: string;
    bookings: number;
    reversals: number;
  }>`
    select status, source, bookings, reversals from deposits order by block_number`;
}

async function expectPaidOnce(id: string): Promise<void> {
  expect(await scene.status(id)).toBe("paid");
  const balances = await scene.balances();
  expect(balances["chain:settlement"]).toBe(price);
  expect(await scene.differences()).toEqual([]);
}

describe.each([1, 2, 3])("a reorganisation of %i blocks after 200", (depth) => {
  test("brings the settlement back by the stored bytes, and pays once", async () => {
    const id = await scene.addPayment();
    const { txHash } = await shop.x402.settle(merchant, await authorize(scene, id));
    await scene.watch();
    await shop.reconcile();
    if (depth > 1) await scene.mine(depth - 1);
    await local.reorg(depth);
    await scene.mine();
    await settleDown(scene, shop);
    await settleDown(scene, shop);
    expect(await scene.sent()).toEqual([txHash]);
    expect(await scene.events(id)).toEqual([
      "payment.confirming",
      "x402.settlement_submitted",
      "x402.settled",
      "payment.paid",
    ]);
    await expectPaidOnce(id);
  });

  test("that has the same transaction changes nothing", async () => {
    const { id, command } = await signedPayment();
    const { txHash } = await shop.x402.settle(merchant, command);
    await scene.watch();
    await shop.reconcile();
    if (depth > 1) await scene.mine(depth - 1);
    await local.reorg(depth, [txHash as `0x${string}`]);
    await scene.mine();
    await settleDown(scene, shop);
    expect(await scene.sent()).toEqual([txHash]);
    await expectPaidOnce(id);
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ isSettled: true, txHash });
  });
});

describe.each([
  { when: "before it is final", rounds: 0 },
  { when: "that was final", rounds: 4 },
])("a settlement $when, in a branch where it is", ({ rounds }) => {
  /** A branch without the block of its settlement, and without what came after it. */
  async function leave(block: bigint, again: readonly Hex[] = []): Promise<void> {
    const { number } = await local.newestBlock();
    await local.reorg(Number(number - block) + 1, again);
  }

  async function settled() {
    const { id, command } = await signedPayment();
    const { txHash } = await shop.x402.settle(merchant, command);
    const hash = txHash as Hex;
    const block = (await local.receipt(hash))?.blockNumber ?? 0n;
    await scene.watch();
    await shop.reconcile();
    await settleDown(scene, shop, rounds);
    return { id, command, hash, block };
  }

  /** Of nothing, and it comes first in its block. */
  async function expensiveTransfer(): Promise<Hex> {
    const fee = "0x174876e800"; // 100 gwei
    const { address: from } = otherPayer;
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: "transfer",
      args: [from, 0n],
    });
    const wanted = { from, to: local.usdAddress, data, maxFeePerGas: fee };
    return (await local.rpc("eth_sendTransaction", [
      { ...wanted, maxPriorityFeePerGas: fee },
    ])) as Hex;
  }

  test("somebody else's, has the hash and the money of that one", async () => {
    const { id, command, hash, block } = await settled();
    await leave(block);
    const other = await submit(command);
    await scene.mine();
    await settleDown(scene, shop);
    expect(other).not.toBe(hash);
    expect(await scene.settlements(id)).toMatchObject([{ status: "final", tx_hash: other }]);
    expect(await shop.x402.settle(merchant, command)).toMatchObject({ txHash: other });
    await expectPaidOnce(id);
  });

  test.each([
    ["another transaction", `0x${"7".repeat(64)}`],
    ["another place of its transaction", null],
  ])("what another process has seen since then stays: %s", async (_, otherHash) => {
    const { id, command, block, hash } = await settled();
    const newer = otherHash ?? hash;
    await leave(block);
    await submit(command);
    await scene.mine();
    await scene.watch();
    let isOther = true;
    const database = beforeTransaction(scene.database, async () => {
      if (!isOther) return;
      isOther = false;
      await query(scene.database)`
        update x402_settlements set tx_hash = ${newer}, transfer_log = 7 where payment_id = ${id}`;
    });
    const late = startProcess({ ...scene, database }, {});
    await late.reconcile();
    expect(isOther).toBe(false);
    expect(await scene.settlements(id)).toMatchObject([{ tx_hash: newer, transfer_log: 7 }]);
  });

  test("at another place of its block, has that place", async () => {
    const { id, hash, block } = await settled();
    const [first] = await scene.settlements(id);
    const before = await expensiveTransfer();
    await scene.mine();
    await leave(block, [before, hash]);
    await scene.mine();
    await settleDown(scene, shop);
    const [deposit] = await query(scene.database)<{ log_index: number }>`
      select log_index from deposits where payment_id = ${id} and status = 'final'`;
    expect(await scene.settlements(id)).toMatchObject([
      { status: "final", tx_hash: hash, transfer_log: deposit?.log_index },
    ]);
    expect(deposit?.log_index).not.toBe(first?.transfer_log);
    await expectPaidOnce(id);
  });
});

describe("a reorganisation", () => {
  test("before the watcher has read the block leaves nothing behind", async () => {
    const id = await scene.addPayment();
    await shop.x402.settle(merchant, await authorize(scene, id));
    await local.reorg(1);
    await scene.watch();
    await shop.reconcile();
    expect(await deposits()).toEqual([]);
    expect(await scene.status(id)).toBe("confirming");
    await settleDown(scene, shop);
    await settleDown(scene, shop);
    await expectPaidOnce(id);
  });

  test("leaves an answer of 202 until the transaction is there again", async () => {
    const { command } = await signedPayment();
    const { txHash } = await shop.x402.settle(merchant, command);
    await local.reorg(1);
    const { x402 } = impatient();
    expect(await x402.settle(merchant, command)).toMatchObject({ isSettled: false, txHash });
    await settleDown(scene, shop);
    expect(await x402.settle(merchant, command)).toMatchObject({ isSettled: true, txHash });
  });

  test("deeper than the finality takes the money back, and gives it again with the new block", async () => {
    const id = await scene.addPayment();
    await shop.x402.settle(merchant, await authorize(scene, id));
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    const { number } = await local.newestBlock();
    const [row] = await query(scene.database)<{
      block_number: bigint;
    }>`select block_number from deposits`;
    const depth = Number(number - (row?.block_number ?? 0n)) + 1;
    await local.reorg(depth);
    await scene.mine();
    await scene.watch();
    expect(await scene.status(id)).toBe("reversed");
    expect(await scene.balances()).toEqual({});
    await settleDown(scene, shop);
    await settleDown(scene, shop);
    expect(await deposits()).toMatchObject([
      { status: "final", source: "x402", bookings: 2, reversals: 1 },
    ]);
    expect(await scene.status(id)).toBe("paid");
    expect(await scene.balances()).toMatchObject({ "chain:settlement": price });
    expect(await scene.differences()).toEqual([]);
  });

  test("deeper than the finality, of an upto payment whose rest went back: the merchant owes it", async () => {
    const id = await scene.addPayment();
    await shop.x402.settle(merchant, await authorize(scene, id, { scheme: "upto" }));
    await settleDown(scene, shop);
    const { number: before } = await local.newestBlock();
    await query(
      scene.database,
    )`insert into x402_usages (payment_id, merchant_id, environment, deployment_id, usage_id,
        max_raw, actual_raw, evidence, evidence_hash, reported_at)
      values (${id}, ${merchant.merchantId}, 'test', 'dep_usdc_local', 'usage-1', ${price},
        1000000, '{}', ${Buffer.alloc(32)}, now()) returning payment_id`;
    await scene.database.transaction((inside) => scene.progress.refresh(inside, [id]));
    await settleDown(scene, shop);
    expect(await scene.status(id)).toBe("paid");
    const whole = { ...(await scene.balances()) };
    expect(whole["chain:settlement"]).toBe(1_000_000n);
    const { number } = await local.newestBlock();
    await local.reorg(Number(number - before) + 6);
    await scene.mine();
    await scene.watch();
    expect(await scene.status(id)).toBe("reversed");
    const gone = await scene.balances();
    expect(gone["merchant:debt"]).toBe(price - 1_000_000n);
    expect(await scene.differences()).toEqual([]);
    await settleDown(scene, shop, 6);
    await settleDown(scene, shop, 6);
    expect(await scene.balances()).toEqual(whole);
    expect(await scene.differences()).toEqual([]);
    expect(await scene.status(id)).toBe("paid");
    const events = await query(scene.database)<{ type: string }>`
      select type from events where resource_id = ${id} order by sequence desc limit 2`;
    expect(events.map(({ type }) => type)).toEqual(["payment.restored", "payment.reversed"]);
  });

  test("that revives a failed authorization charges nobody twice", async () => {
    const id = await scene.addPayment();
    const draining = scene.startProcess({
      onPause: async () => {
        const { address } = payer;
        if ((await local.balanceOf(address)) >= price) await scene.drain(payer);
        return local.mine();
      },
    });
    const snapshotBlock = (await local.newestBlock()).number;
    const command = await authorize(scene, id);
    await expectRefusal(draining.x402.settle(merchant, command), "x402_reverted");
    // The branch without the draining: the payer has everything again.
    const { number } = await local.newestBlock();
    await local.reorg(Number(number - snapshotBlock));
    await scene.mine();
    const second = await authorize(scene, id);
    await expectRefusal(shop.x402.settle(merchant, second), "settlement_in_progress");
    await settleDown(scene, shop);
    await settleDown(scene, shop);
    await expectPaidOnce(id);
    expect(await scene.settlements(id)).toHaveLength(1);
  });
});
