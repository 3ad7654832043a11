// What happens beside one that is remembered: others that were sent before it are forgotten as well, and are not sent
// again; others do something with it at the same time (threats 19 and 121).

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { ForgottenWithdrawals } from "../../service/withdrawals/forgotten.ts";
import { Cuts } from "../support/cuts.ts";
import { openForgotten, reason } from "./forgotten-scene.ts";
import type { ForgottenScene } from "./forgotten-scene.ts";
import { chainId, whole } from "./scene.ts";

const gwei = 1_000_000_000n;

describe.each(engines)("on %s", (engine) => {
  let scene: ForgottenScene;
  beforeEach(async () => {
    scene = await openForgotten(engine);
  });

  const ask = async (amount: string) =>
    (await scene.request(scene.owner, scene.addressId, amount)).id;
  const sentTo = () => scene.sentTo().map((raw) => raw / whole);
  const stops = async () => {
    const rows = await query(
      scene.database,
      sql<{ reason: string }>`select reason from withdrawal_stops where chain_id = ${chainId}`,
    );
    return rows.map(({ reason: why }) => why);
  };

  const sendForgotten = (amount: bigint) => scene.sendForgotten(scene.transferOf(amount));

  test("before the service has looked at all: everything stops, and nothing is paid twice", async () => {
    const ids = [await ask("100"), await ask("50"), await ask("25")];
    await sendForgotten(100n);
    await sendForgotten(50n);
    const last = await sendForgotten(25n);
    const { stopped } = await scene.forgotten.remember(ids[2] ?? "", last, reason);
    const [stop = ""] = await stops();
    expect(stopped).toBe(stop);
    expect(stop).toContain(`the account ${scene.hotAddress} used 3 nonces, and only those below 0`);
    await scene.settle();
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
    await scene.settle();
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
    await scene.settle();
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
    await scene.settle();
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
    const { id: theirAddress } = await scene.register(other, scene.address);
    const { id: theirs } = await scene.request(other, theirAddress, "100");
    await ask("99");
    const txHash = await sendForgotten(100n);
    await scene.startProcess().send();
    const { same } = await scene.forgotten.remember(id, txHash, reason);
    expect(same).toMatchObject([
      { id: mine, merchantId: scene.owner.merchantId },
      { id: theirs, merchantId: other.merchantId },
    ]);
  });

  test("two operators at once: one of them does it", async () => {
    const id = await ask("100");
    const txHash = await sendForgotten(100n);
    await scene.startProcess().send();
    const { id: other } = await scene.request(scene.owner, scene.addressId, "100");
    const both = await Promise.allSettled([
      scene.forgotten.remember(id, txHash, reason),
      scene.forgotten.remember(other, txHash, reason),
      scene.forgotten.remember(id, txHash, reason),
    ]);
    expect(both.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await scene.policy.resume(chainId);
    await scene.settle();
    const statuses = [await scene.statusOf(id), await scene.statusOf(other)];
    expect(statuses).toEqual(["confirmed", "confirmed"]);
    // One was sent before, the other one is a second withdrawal.
    expect(sentTo()).toEqual([100n, 100n]);
    expect(await scene.balances()).toEqual({ available: 800n, withdrawing: 0n, isWhole: true });
  });

  test("the merchant cancels at the same time: one of both counts", async () => {
    const id = await ask("100");
    const txHash = await sendForgotten(100n);
    await scene.startProcess().send();
    const [remembered, cancelled] = await Promise.allSettled([
      scene.forgotten.remember(id, txHash, reason),
      scene.cancel(scene.owner, id),
    ]);
    const isRemembered = remembered.status === "fulfilled";
    expect(cancelled.status).toBe(isRemembered ? "rejected" : "fulfilled");
    await scene.settle();
    expect(await scene.statusOf(id)).toBe(isRemembered ? "confirmed" : "cancelled");
    expect(await scene.balances()).toEqual({
      available: isRemembered ? 900n : 1000n,
      withdrawing: 0n,
      isWhole: true,
    });
  });

  test("a sender that raises the fees at that moment goes on with its turn", async () => {
    const id = await ask("100");
    await scene.startProcess().send();
    // It is not mined for so long that its fees are raised.
    scene.chain.baseFee = 200n * gwei;
    scene.chain.mine(6);
    scene.clock.advance(60_000);
    const remembered: string[] = [];
    const process = scene.startProcess({
      reached: async (point) => {
        if (point !== "signed" || remembered.length > 0) return;
        scene.chain.dropPool();
        scene.chain.baseFee = 10n * gwei;
        const txHash = await scene.sendForgotten(scene.transferOf(100n), { nonce: 0n });
        remembered.push(txHash);
        expect(await scene.forgotten.remember(id, txHash, reason)).toMatchObject({ as: "further" });
      },
    });
    await process.send();
    expect(remembered).toHaveLength(1);
    expect(scene.alarms).toEqual([]);
    await scene.settle(process);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(sentTo()).toEqual([100n]);
    const hashes = (await scene.attempts(id)).map(({ tx_hash: txHash }) => txHash);
    expect(hashes.slice(1)).toEqual(remembered);
  });

  test.each(["not done", "done"] as const)("the database was away, and it was %s", async (kind) => {
    const id = await ask("100");
    const txHash = await sendForgotten(100n);
    await scene.startProcess().send();
    const cuts = new Cuts(new Map([[1, kind]]));
    const database = cuts.of(scene.database);
    const chainOf = () => Promise.resolve(scene.chain);
    const forgotten = new ForgottenWithdrawals({ ...scene, database, chainOf });
    const remember = () => cuts.during(() => forgotten.remember(id, txHash, reason));
    await expect(remember()).rejects.toMatchObject({ code: "service_unavailable" });
    expect(await scene.statusOf(id)).toBe(kind === "done" ? "broadcast" : "pending");
    // Said again, it is done once.
    if (kind === "done")
      await expect(remember()).rejects.toThrow(`${txHash} is known here already`);
    else await remember();
    await scene.policy.resume(chainId);
    await scene.settle();
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(sentTo()).toEqual([100n]);
    expect(await scene.balances()).toEqual({ available: 900n, withdrawing: 0n, isWhole: true });
  });
});
