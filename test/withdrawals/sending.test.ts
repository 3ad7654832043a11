// Sending: whatever dies, gets lost or happens twice, the chain sees one transfer, and the ledger
// adds up (threats 14 to 20).

import { beforeEach, describe, expect, test } from "vitest";
import { leaseMilliseconds } from "../../service/sending/lease.ts";
import { engines } from "../support/engines.ts";
import { addressOf, ScriptedKeys } from "../support/scripted-signer.ts";
import { coin, finalBlocks, openScene, type Scene, usdc, whole } from "./scene.ts";
import { dyingAt } from "../support/dying.ts";

const story = [
  "withdrawal.requested",
  "withdrawal.processing",
  "withdrawal.broadcast",
  "withdrawal.confirmed",
];

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(engine);
  });

  /** One withdrawal of 100 with a fee of 0.5, of somebody who has 1000. */
  const start = async () => {
    const owner = await scene.newOwner();
    await scene.fund(owner, 1000n * whole);
    await scene.policy.setFee(usdc.deploymentId, "0.5");
    const { id: addressId, address } = await scene.register(owner);
    const { id } = await scene.request(owner, addressId, "100");
    return { owner, addressId, address, id };
  };

  /** Somebody else with the key. */
  const stranger = () => new ScriptedKeys(scene.hotAddress);

  /** As long as it takes until nothing more happens. */
  const settle = async (process = scene.startProcess()): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      await process.send();
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await process.confirm();
    }
  };

  test("from the request to the confirmation, with all money where it belongs", async () => {
    const { owner, address, id } = await start();
    expect(await scene.balance(owner, "merchant:available")).toBe(899_500_000n);
    expect(await scene.balance(owner, "merchant:withdrawing")).toBe(100_500_000n);
    const process = scene.startProcess();
    await process.send();
    expect(await scene.statusOf(id)).toBe("broadcast");
    scene.chain.mine(finalBlocks - 1);
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("broadcast");
    scene.chain.mine();
    scene.clock.advance(20_000);
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.eventsOf(id)).toEqual(story);
    expect(scene.chain.transfersTo(address)).toMatchObject([{ amountRaw: 100n * whole }]);
    expect(await scene.balance(owner, "merchant:withdrawing")).toBe(0n);
    expect(await scene.isLedgerWhole()).toBe(true);
    const all = await scene.ledger.balances(null);
    const of = (account: string, deploymentId: string): bigint | undefined =>
      all.find((one) => one.account === account && one.deploymentId === deploymentId)?.raw;
    expect(of("chain:hot", usdc.deploymentId)).toBe(900n * whole);
    expect(of("platform:fees", usdc.deploymentId)).toBe(500_000n);
    const gas = of("platform:gas", coin.deploymentId);
    expect(gas).toBeGreaterThan(0n);
    expect(of("chain:gas", coin.deploymentId)).toBe(-(gas ?? 0n));
  });

  test("the chain's own coin as well", async () => {
    const owner = await scene.newOwner();
    await scene.fund(owner, 10n ** 18n, coin);
    const { id: addressId, address } = await scene.register(owner);
    const { id } = await scene.request(owner, addressId, { amount: "0.25", ...coin });
    await settle();
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(scene.chain.transfersTo(address)).toMatchObject([{ amountRaw: 25n * 10n ** 16n }]);
  });

  describe("a process that dies", () => {
    test.each(["leased", "claimed", "signed", "stored", "sent", "asked", "ended"] as const)(
      "when it has just %s: another one goes on, and the chain sees one transfer",
      async (point) => {
        const { owner, address, id } = await start();
        const { reached, died } = dyingAt(point);
        const doomed = scene.startProcess({ reached });
        void settle(doomed);
        await died;
        const heir = scene.startProcess();
        if (!["asked", "ended"].includes(point)) {
          // The dead one still has the account.
          await heir.send();
          scene.clock.advance(leaseMilliseconds);
        }
        await settle(heir);
        expect(await scene.statusOf(id)).toBe("confirmed");
        expect(await scene.eventsOf(id)).toEqual(story);
        expect(scene.chain.transfersTo(address)).toHaveLength(1);
        expect(await scene.nonces()).toEqual([0n]);
        expect(await scene.balance(owner, "merchant:available")).toBe(899_500_000n);
        expect(await scene.isLedgerWhole()).toBe(true);
      },
    );
  });

  test("nodes that forget what waits get the same bytes again, with no step back", async () => {
    const { address, id } = await start();
    const process = scene.startProcess();
    await process.send();
    for (let round = 0; round < 3; round++) {
      scene.chain.dropPool();
      scene.chain.mine();
      await process.confirm();
      expect(await scene.statusOf(id)).toBe("broadcast");
      expect(scene.chain.waiting).toEqual([]);
      scene.clock.advance(15_000);
      await process.send();
      expect(scene.chain.waiting).toEqual((await scene.attempts(id)).map((one) => one.tx_hash));
    }
    await settle(process);
    expect(await scene.eventsOf(id)).toEqual(story);
    expect(scene.chain.transfersTo(address)).toHaveLength(1);
  });

  test("the older transaction of a number may be the one that is mined", async () => {
    const { address, id } = await start();
    const process = scene.startProcess();
    await process.send();
    scene.chain.perBlockMax = 0;
    scene.chain.mine(5);
    scene.chain.faults.next("send", { kind: "unavailable" });
    await expect(process.send()).rejects.toMatchObject({ code: "chain_unavailable" });
    const [older, newer] = await scene.attempts(id);
    expect(newer).toBeDefined();
    const owner = await scene.ownerOf(id);
    expect((await scene.withdrawals.get(owner, id)).txHash).toBe(newer?.tx_hash);
    // The nodes never saw the newer one.
    expect(scene.chain.waiting).toEqual([older?.tx_hash]);
    scene.chain.perBlockMax = 10;
    scene.chain.mine(finalBlocks);
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect((await scene.withdrawals.get(owner, id)).txHash).toBe(older?.tx_hash);
    expect(scene.chain.transfersTo(address)).toHaveLength(1);
  });

  test("what reverts has failed once that is final, and the money is there again", async () => {
    const { owner, address, id } = await start();
    scene.chain.reverting.add(usdc.contractAddress);
    await settle();
    expect(await scene.statusOf(id)).toBe("failed");
    expect((await scene.eventsOf(id)).at(-1)).toBe("withdrawal.failed");
    expect(scene.chain.transfersTo(address)).toHaveLength(0);
    expect(await scene.balance(owner, "merchant:available")).toBe(1000n * whole);
    expect(await scene.balance(owner, "merchant:withdrawing")).toBe(0n);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("a number that a stranger used is a failure when that is final and somebody says so", async () => {
    const { owner, id } = await start();
    const { chain } = scene;
    const process = scene.startProcess();
    chain.faults.next("send", { kind: "unavailable" });
    await expect(process.send()).rejects.toMatchObject({ code: "chain_unavailable" });
    const intent = { nonce: 0n, to: addressOf("a thief"), contractAddress: null, amountRaw: 1n };
    const foreign = await stranger().sign(chain.chainId, { ...intent, fees: await chain.fees() });
    await chain.send(foreign.raw);
    chain.mine();
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(scene.alarms.map(([what]) => what)).toEqual(["number_used_by_another"]);
    chain.mine(finalBlocks - 1);
    scene.clock.advance(20_000);
    await process.confirm();
    // It may be our own, of a database that was lost: the money is not given back for that.
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(await scene.balance(owner, "merchant:withdrawing")).toBeGreaterThan(0n);
    expect(scene.alarms.map(([what]) => what)).toContain("unclear_transfer");
    await scene.policy.decide(id, "failed", "a thief has used it");
    scene.clock.advance(20_000);
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("failed");
    expect(await scene.balance(owner, "merchant:available")).toBe(1000n * whole);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("many senders at once: every number once, no gap, every withdrawal once", async () => {
    const { owner, addressId, address } = await start();
    const wanted = 24;
    for (let count = 1; count < wanted; count++) await scene.request(owner, addressId, "1");
    const processes = Array.from({ length: 4 }, () => scene.startProcess());
    for (let round = 0; round < 8; round++) {
      if (round % 3 === 1) scene.chain.faults.next("send", { kind: "lost" });
      await Promise.allSettled(processes.map(({ send }) => send()));
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await Promise.all(processes.map(({ confirm }) => confirm()));
    }
    expect(await scene.nonces()).toEqual(
      Array.from({ length: wanted }, (_, index) => BigInt(index)),
    );
    expect(scene.chain.transfersTo(address)).toHaveLength(wanted);
    expect(await scene.balance(owner, "merchant:withdrawing")).toBe(0n);
    expect(await scene.isLedgerWhole()).toBe(true);
    scene.chain.assertConserved();
  });

  test("an account that somebody else has used goes on from the chain's number, once somebody has looked", async () => {
    const { address, id } = await start();
    const { chain } = scene;
    const intent = {
      nonce: 0n,
      to: addressOf("a colleague"),
      contractAddress: null,
      amountRaw: 1n,
    };
    const other = await stranger().sign(chain.chainId, { ...intent, fees: await chain.fees() });
    await chain.send(other.raw);
    chain.mine();
    await settle();
    expect(await scene.nonces()).toEqual([]);
    expect(await scene.statusOf(id)).toBe("pending");
    expect(scene.alarms.map(([what]) => what)).toEqual(["account_used_by_others"]);
    await scene.policy.resume(chain.chainId);
    await settle();
    expect(await scene.nonces()).toEqual([1n]);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(chain.transfersTo(address)).toHaveLength(1);
  });

  test("what the account cannot pay for waits as pending, and can be cancelled", async () => {
    const owner = await scene.newOwner();
    await scene.fund(owner, 5_000_000n * whole);
    const { id: addressId } = await scene.register(owner);
    const { id: large } = await scene.request(owner, addressId, "2000000");
    const { id: small } = await scene.request(owner, addressId, "1");
    await scene.startProcess().send();
    expect(await scene.statusOf(large)).toBe("pending");
    expect(await scene.statusOf(small)).toBe("broadcast");
    expect(scene.alarms).toMatchObject([["account_cannot_pay", { withdrawal_id: large }]]);
    await scene.cancel(owner, large);
    expect(await scene.eventsOf(large)).toEqual(["withdrawal.requested", "withdrawal.cancelled"]);
    expect(await scene.isLedgerWhole()).toBe(true);
  });
});
