// What happens beside one that is remembered: others that were sent before it are forgotten as well, and are not sent
// again; others do something with it at the same time (threats 19 and 121).

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import type { Owner } from "../../service/owner.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { engines } from "../support/engines.ts";
import { ScriptedKeys } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";
import { chainId, finalBlocks, openScene, type Scene, usdc, whole } from "./scene.ts";

const reason = "found in the log of the signer";
const gwei = 1_000_000_000n;

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  let owner: Owner;
  let addressId: string;
  let address: string;

  beforeEach(async () => {
    scene = await openScene(engine);
    const { hotAddress, database, clock } = scene;
    await rememberOwnAccounts({ database, clock }, [{ account: hotAddress, role: "hot" }]);
    owner = await scene.newOwner();
    await scene.fund(owner, 1000n * whole);
    ({ id: addressId, address } = await scene.register(owner));
  });

  const ask = async (amount: string) => (await scene.request(owner, addressId, amount)).id;
  const sentTo = () => scene.chain.transfersTo(address).map(({ amountRaw }) => amountRaw / whole);
  const stops = async () => {
    const rows = await query(
      scene.database,
      sql<{ reason: string }>`select reason from withdrawal_stops where chain_id = ${chainId}`,
    );
    return rows.map(({ reason: why }) => why);
  };

  const balances = async () => ({
    available: (await scene.balance(owner, "merchant:available")) / whole,
    withdrawing: (await scene.balance(owner, "merchant:withdrawing")) / whole,
    isWhole: await scene.isLedgerWhole(),
  });

  /** Each was signed by the process that is lost. */
  async function sendForgotten(amount: bigint): Promise<string> {
    const { chain, hotAddress } = scene;
    const fees = { maxFeePerGas: 90n * gwei, maxPriorityFeePerGas: 3n * gwei };
    const nonce = await chain.minedCount(hotAddress);
    const transfer = {
      to: address,
      contractAddress: usdc.contractAddress,
      amountRaw: amount * whole,
    };
    const { raw, txHash } = await new ScriptedKeys(hotAddress).sign(chainId, {
      ...transfer,
      nonce,
      fees,
    });
    await chain.send(raw);
    chain.mine();
    return txHash;
  }

  const settle = async (process = scene.startProcess()) => {
    for (let round = 0; round < 3; round++) {
      await process.send();
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await process.confirm();
    }
  };

  test("before the service has looked at all: everything stops, and nothing is paid twice", async () => {
    const ids = [await ask("100"), await ask("50"), await ask("25")];
    await sendForgotten(100n);
    await sendForgotten(50n);
    const last = await sendForgotten(25n);
    await scene.forgotten.remember(ids[2] ?? "", last, reason);
    const [stop = ""] = await stops();
    expect(stop).toContain(`the account ${scene.hotAddress} used 3 nonces, and only those below 0`);
    await settle();
    expect(sentTo()).toEqual([100n, 50n, 25n]);
    const statuses = await Promise.all(ids.map((id) => scene.statusOf(id)));
    expect(statuses).toEqual(["pending", "pending", "confirmed"]);
    const entries = await scene.audit.list({ after: undefined, limit: 20 });
    expect(entries.map(({ action }) => action)).toContain("withdrawals.stopped");
  });

  test("above what it has seen when it stopped: that is said as well", async () => {
    const ids = [await ask("100"), await ask("50"), await ask("25")];
    const first = await sendForgotten(100n);
    // It finds the first one; the others are mined later.
    await scene.startProcess().send();
    await sendForgotten(50n);
    const last = await sendForgotten(25n);
    const before = await stops();
    await scene.forgotten.remember(ids[0] ?? "", first, reason);
    expect(await stops()).toEqual(before);
    await scene.forgotten.remember(ids[2] ?? "", last, reason);
    const [stop = ""] = await stops();
    expect(stop).toContain("used 3 nonces, and only those below 1 were given here");
    expect(stop).toContain(before[0] ?? "nothing");
    await settle();
    expect(sentTo()).toEqual([100n, 50n, 25n]);
    expect(await scene.statusOf(ids[1] ?? "")).toBe("pending");
  });

  test("in the order of the nonces, after the service has looked, nothing stops again", async () => {
    const ids = [await ask("100"), await ask("50")];
    const hashes = [await sendForgotten(100n), await sendForgotten(50n)];
    await scene.startProcess().send();
    const before = await stops();
    expect(before).toHaveLength(1);
    for (const [index, id] of ids.entries()) {
      await scene.forgotten.remember(id, hashes[index] ?? "", reason);
    }
    expect(await stops()).toEqual(before);
    await scene.policy.resume(chainId);
    await settle();
    expect(await stops()).toEqual([]);
    expect(sentTo()).toEqual([100n, 50n]);
  });

  test("the next nonce hides nothing: the service finds by itself that the account went on", async () => {
    const ids = [await ask("100"), await ask("50"), await ask("25")];
    const hashes = [await sendForgotten(100n), await sendForgotten(50n)];
    await sendForgotten(25n);
    for (const index of [0, 1]) {
      await scene.forgotten.remember(ids[index] ?? "", hashes[index] ?? "", reason);
    }
    expect(await stops()).toEqual([]);
    await settle();
    expect(await stops()).toHaveLength(1);
    expect(scene.alarms.map(([what]) => what)).toEqual(["account_used_by_others"]);
    expect(sentTo()).toEqual([100n, 50n, 25n]);
    expect(await scene.statusOf(ids[2] ?? "")).toBe("pending");
  });

  test("others that wait for the same are shown, whosever they are", async () => {
    const id = await ask("100");
    scene.clock.advance(1_000);
    const mine = await ask("100");
    scene.clock.advance(1_000);
    const other = await scene.newOwner();
    await scene.fund(other, 1000n * whole);
    const { id: theirAddress } = await scene.register(other, address);
    const { id: theirs } = await scene.request(other, theirAddress, "100");
    await ask("99");
    const txHash = await sendForgotten(100n);
    await scene.startProcess().send();
    const { same } = await scene.forgotten.remember(id, txHash, reason);
    expect(same).toMatchObject([
      { id: mine, merchantId: owner.merchantId },
      { id: theirs, merchantId: other.merchantId },
    ]);
  });

  test("two operators at once: one of them does it", async () => {
    const id = await ask("100");
    const txHash = await sendForgotten(100n);
    await scene.startProcess().send();
    const { id: other } = await scene.request(owner, addressId, "100");
    const both = await Promise.allSettled([
      scene.forgotten.remember(id, txHash, reason),
      scene.forgotten.remember(other, txHash, reason),
      scene.forgotten.remember(id, txHash, reason),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await scene.policy.resume(chainId);
    await settle();
    const statuses = [await scene.statusOf(id), await scene.statusOf(other)];
    expect(statuses).toEqual(["confirmed", "confirmed"]);
    // One was sent before, the other one is a second withdrawal.
    expect(sentTo()).toEqual([100n, 100n]);
    expect(await balances()).toEqual({ available: 800n, withdrawing: 0n, isWhole: true });
  });

  test("the merchant cancels at the same time: one of both counts", async () => {
    const id = await ask("100");
    const txHash = await sendForgotten(100n);
    await scene.startProcess().send();
    const [remembered, cancelled] = await Promise.allSettled([
      scene.forgotten.remember(id, txHash, reason),
      scene.cancel(owner, id),
    ]);
    const isRemembered = remembered.status === "fulfilled";
    expect(cancelled.status).toBe(isRemembered ? "rejected" : "fulfilled");
    await settle();
    expect(await scene.statusOf(id)).toBe(isRemembered ? "confirmed" : "cancelled");
    expect(await balances()).toEqual({
      available: isRemembered ? 900n : 1000n,
      withdrawing: 0n,
      isWhole: true,
    });
  });
});
