// Sending what is queued: whatever dies, gets lost or happens twice, the chain sees one
// transaction of each, and the ledger adds up (threats 14 to 20).

import { beforeEach, describe, expect, test } from "vitest";
import { outgoingInFlightRaw } from "../../service/sending/confirmer.ts";
import { leaseMilliseconds, withSenderLease } from "../../service/sending/lease.ts";
import { stopIfUsedByOthers } from "../../service/sending/nonces.ts";
import { withdrawOutgoing } from "../../service/sending/queue.sql.ts";
import { Cuts } from "../support/cuts.ts";
import { engines } from "../support/engines.ts";
import { addressOf, encodeTransfer } from "../support/scripted-signer.ts";
import { coin, finalBlocks, openScene, type Scene, usdc, whole } from "./scene.ts";
import { dyingAt } from "../support/dying.ts";

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(engine);
  });

  const settlement = () => scene.signer.accounts.settlementAddress;
  const alarms = () => scene.alarms.map(([what]) => what);

  /** As long as it takes until nothing more happens. */
  const settle = async (process = scene.startProcess()): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      await process.send();
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await process.confirm();
    }
  };

  /** Somebody else with the key uses a number. */
  const useNumber = async (nonce: bigint) => {
    const { chain } = scene;
    const fees = await chain.fees();
    const intent = { nonce, to: addressOf("a thief"), contractAddress: null, amountRaw: 1n, fees };
    const from = settlement();
    const foreign = encodeTransfer({ chainId: chain.chainId, from, source: from, intent });
    await chain.send(foreign.raw);
    return foreign.txHash;
  };

  test("from the queue to the end, once it is final, with the gas where it belongs", async () => {
    const { id, to, subjectId } = await scene.queue();
    const process = scene.startProcess();
    await process.send();
    expect(await scene.statusOf(id)).toBe("broadcast");
    scene.chain.mine(finalBlocks - 1);
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(scene.ended).toEqual([]);
    scene.chain.mine();
    scene.clock.advance(20_000);
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("succeeded");
    expect(scene.chain.transfersTo(to)).toMatchObject([{ amountRaw: whole }]);
    const [attempt] = await scene.attempts(id);
    expect(scene.ended).toMatchObject([
      { subjectId, status: "succeeded", receipt: { txHash: attempt?.tx_hash } },
    ]);
    const gas = await scene.balance("platform:gas", coin.deploymentId);
    expect(gas).toBeGreaterThan(0n);
    expect(await scene.balance("chain:settlement", coin.deploymentId)).toBe(-gas);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("what takes something out of our accounts counts as in flight until it is decided", async () => {
    const { deploymentId } = usdc;
    const inFlight = () => outgoingInFlightRaw(scene.database, deploymentId);
    const { id } = await scene.queue();
    const process = scene.startProcess();
    expect(await inFlight()).toBe(0n);
    await process.send();
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(await inFlight()).toBe(whole);
    expect(await outgoingInFlightRaw(scene.database, coin.deploymentId)).toBe(0n);
    await settle(process);
    expect(await inFlight()).toBe(0n);
  });

  describe("a process that dies", () => {
    const points = ["leased", "claimed", "signed", "stored", "sent", "asked", "ended"] as const;
    test.each(points)(
      "when it has just %s: another one goes on, and the chain sees one transfer",
      async (point) => {
        const { id, to } = await scene.queue();
        const { reached, died } = dyingAt(point);
        void settle(scene.startProcess({ reached }));
        await died;
        const heir = scene.startProcess();
        if (!["asked", "ended"].includes(point)) {
          // The dead one still has the account.
          await heir.send();
          scene.clock.advance(leaseMilliseconds);
        }
        await settle(heir);
        expect(await scene.statusOf(id)).toBe("succeeded");
        expect(scene.chain.transfersTo(to)).toHaveLength(1);
        expect(await scene.nonces()).toEqual([0n]);
        expect(await scene.isLedgerWhole()).toBe(true);
      },
    );

    test("when it has just replaced a transaction: one of the two is mined", async () => {
      const { id, to } = await scene.queue();
      const { reached, died } = dyingAt("replaced");
      const doomed = scene.startProcess({ reached });
      scene.chain.perBlockMax = 0;
      await doomed.send();
      scene.chain.mine(5);
      scene.clock.advance(20_000);
      void doomed.send();
      await died;
      scene.chain.perBlockMax = 10;
      scene.clock.advance(leaseMilliseconds);
      await settle();
      expect(await scene.attempts(id)).toHaveLength(2);
      expect(scene.chain.transfersTo(to)).toHaveLength(1);
      expect(await scene.statusOf(id)).toBe("succeeded");
    });

    test("that only slept writes nothing more once another one has the account", async () => {
      const { id, to } = await scene.queue();
      const { chain, clock, startProcess } = scene;
      const fees = chain.faults.hang("fees");
      const asleep = startProcess().send();
      await fees.reached;
      clock.advance(leaseMilliseconds);
      await startProcess().send();
      fees.release();
      await asleep;
      expect(await scene.attempts(id)).toHaveLength(1);
      await settle();
      expect(chain.transfersTo(to)).toHaveLength(1);
    });

    test("while it signed: its number is for nothing else, also for what is in more of a hurry", async () => {
      const first = await scene.queue();
      const { reached, died } = dyingAt("signed");
      void scene.startProcess({ reached }).send();
      await died;
      const urgent = await scene.queue({ purpose: "x402_settlement" });
      const taken = { ...first, purpose: "x402_release", now: scene.clock.now() } as const;
      const withdrawn = await scene.database.run(withdrawOutgoing, { ...taken, problem: null });
      expect(withdrawn).toEqual([]);
      scene.clock.advance(leaseMilliseconds);
      await settle();
      expect(await scene.statusOf(first.id)).toBe("succeeded");
      expect(await scene.statusOf(urgent.id)).toBe("succeeded");
      expect(alarms()).toEqual([]);
    });
  });

  test("an answer that got lost changes nothing: the same bytes are sent again", async () => {
    const { id, to } = await scene.queue();
    scene.chain.faults.next("send", { kind: "lost" });
    const process = scene.startProcess();
    await expect(process.send()).rejects.toMatchObject({ code: "chain_unavailable" });
    expect(await scene.statusOf(id)).toBe("broadcast");
    await settle(process);
    expect(await scene.attempts(id)).toHaveLength(1);
    expect(scene.chain.transfersTo(to)).toHaveLength(1);
  });

  test("a chain that does not answer decides nothing, whatever was asked", async () => {
    const { id } = await scene.queue();
    const process = scene.startProcess();
    for (const method of ["head", "minedCount", "fees", "balance"] as const) {
      scene.chain.faults.next(method, { kind: "unavailable" });
      await expect(process.send()).rejects.toMatchObject({ code: "chain_unavailable" });
      expect(await scene.statusOf(id)).toBe("queued");
    }
    await settle(process);
    expect(await scene.statusOf(id)).toBe("succeeded");
  });

  test("nodes that forget what waits get the same bytes again", async () => {
    const { id } = await scene.queue();
    const process = scene.startProcess();
    await process.send();
    for (let round = 0; round < 3; round++) {
      scene.chain.dropPool();
      scene.chain.mine();
      scene.clock.advance(15_000);
      await process.send();
      expect(scene.chain.waiting).toEqual((await scene.attempts(id)).map((one) => one.tx_hash));
    }
  });

  test("a fee too low for the nodes is raised on the same number, and the queue drains", async () => {
    const all = [await scene.queue(), await scene.queue(), await scene.queue()];
    const process = scene.startProcess();
    await process.send();
    scene.chain.baseFee *= 8n;
    scene.chain.mine(5);
    scene.clock.advance(20_000);
    await process.send();
    scene.chain.mine();
    for (const { to } of all) expect(scene.chain.transfersTo(to)).toHaveLength(1);
    expect(await scene.nonces()).toEqual([0n, 1n, 2n]);
    await settle(process);
    expect(scene.ended).toHaveLength(3);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("raised fees are 13 % more at least, so that nodes take them", async () => {
    const { id } = await scene.queue();
    const process = scene.startProcess();
    scene.chain.perBlockMax = 0;
    for (let round = 0; round < 4; round++) {
      await process.send();
      scene.chain.mine(5);
      scene.clock.advance(20_000);
    }
    const fees = (await scene.attempts(id)).map((one) => BigInt(one.max_fee_per_gas));
    expect(fees).toHaveLength(4);
    for (const [index, fee] of fees.slice(1).entries()) {
      expect(fee * 100n).toBeGreaterThanOrEqual((fees[index] ?? 0n) * 113n);
    }
  });

  test("the older transaction of a number may be the one that is mined", async () => {
    const { id, to } = await scene.queue();
    const process = scene.startProcess();
    await process.send();
    scene.chain.perBlockMax = 0;
    scene.chain.mine(5);
    scene.clock.advance(20_000);
    scene.chain.faults.next("send", { kind: "unavailable" });
    await expect(process.send()).rejects.toMatchObject({ code: "chain_unavailable" });
    const [older, newer] = await scene.attempts(id);
    expect(newer).toBeDefined();
    scene.chain.perBlockMax = 10;
    scene.chain.mine(finalBlocks);
    await process.confirm();
    expect(scene.ended).toMatchObject([{ receipt: { txHash: older?.tx_hash } }]);
    expect(scene.chain.transfersTo(to)).toHaveLength(1);
  });

  test("what reverts ends as reverted once that is final, and its gas is paid", async () => {
    const { id } = await scene.queue();
    const process = scene.startProcess();
    await process.send();
    scene.chain.reverting.add(usdc.contractAddress);
    await settle(process);
    expect(await scene.statusOf(id)).toBe("reverted");
    expect(scene.ended).toMatchObject([{ status: "reverted" }]);
    expect(await scene.balance("platform:gas", coin.deploymentId)).toBeGreaterThan(0n);
  });

  test("a number that a stranger used is an end only when that is final, and an alarm", async () => {
    const { id } = await scene.queue({ purpose: "x402_settlement" });
    const process = scene.startProcess();
    scene.chain.faults.next("send", { kind: "unavailable" });
    await expect(process.send()).rejects.toMatchObject({ code: "chain_unavailable" });
    await useNumber(0n);
    scene.chain.mine();
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(alarms()).toEqual(["number_used_by_another"]);
    scene.chain.mine(finalBlocks - 1);
    scene.clock.advance(20_000);
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("replaced");
    expect(scene.ended).toMatchObject([{ status: "replaced", receipt: undefined }]);
  });

  test("numbers that were never given here stop what leaves, and nothing that comes in", async () => {
    const process = scene.startProcess();
    await scene.queue();
    await settle(process);
    await useNumber(1n);
    scene.chain.mine();
    const leaves = await scene.queue();
    const comes = await scene.queue({ purpose: "x402_settlement" });
    await process.send();
    await process.send();
    expect(alarms()).toEqual(["account_used_by_others"]);
    expect(await scene.statusOf(leaves.id)).toBe("queued");
    expect(await scene.statusOf(comes.id)).toBe("broadcast");
    expect(await scene.nonces()).toEqual([0n, 2n]);
  });

  test("are told of by whoever has the account, and by nobody who has lost it", async () => {
    await scene.queue();
    await settle(scene.startProcess());
    const { chain, signer } = scene;
    const account = signer.accounts.settlementAddress;
    const told: string[] = [];
    const ports = { ...scene, alarm: (what: string) => void told.push(what) };
    const lease = { chainId: chain.chainId, account, leaseToken: "an earlier turn's" };
    await stopIfUsedByOthers(ports, { lease, signer }, 9n);
    expect(told).toEqual([]);
    await withSenderLease(scene, lease, (own) =>
      stopIfUsedByOthers(ports, { lease: own, signer }, 9n),
    );
    expect(told).toEqual(["account_used_by_others"]);
  });

  test("are told of also where nobody hears whether it is written that they are", async () => {
    await scene.queue();
    await settle(scene.startProcess());
    const { chain, signer, database } = scene;
    const told: string[] = [];
    const look = (kind: "done" | "not done", minedCount: bigint) => {
      const cuts = new Cuts(new Map([[1, kind]]));
      const cut = { ...scene, database: cuts.of(database) };
      const ports = { ...cut, alarm: (what: string) => void told.push(`${what}: ${kind}`) };
      const lease = { chainId: chain.chainId, account: settlement(), leaseToken: "a turn's" };
      return withSenderLease(scene, lease, (own) =>
        cuts.during(() => stopIfUsedByOthers(ports, { lease: own, signer }, minedCount)),
      );
    };
    const away = { code: "service_unavailable" };
    await expect(look("not done", 9n)).rejects.toMatchObject(away);
    await expect(look("done", 9n)).rejects.toMatchObject(away);
    // That was written, and is known the next time.
    await look("not done", 9n);
    expect(told).toEqual(["account_used_by_others: not done", "account_used_by_others: done"]);
  });

  test("a reorganisation that brings ours back is no end", async () => {
    const { id } = await scene.queue();
    const { chain } = scene;
    const process = scene.startProcess();
    await process.send();
    const [ours] = await scene.attempts(id);
    chain.dropPool();
    const foreign = await useNumber(0n);
    chain.mine();
    await process.confirm();
    chain.reorg(1, { drop: [foreign] });
    scene.clock.advance(20_000);
    await process.send();
    expect(chain.waiting).toEqual([ours?.tx_hash]);
    await settle(process);
    expect(await scene.statusOf(id)).toBe("succeeded");
  });

  test("a reorganisation takes back a whole run of numbers: all of them are sent again", async () => {
    const all = [await scene.queue(), await scene.queue(), await scene.queue()];
    const process = scene.startProcess();
    await process.send();
    scene.chain.mine(2);
    scene.chain.reorg(2, { transactions: "dropped" });
    scene.clock.advance(20_000);
    await settle(process);
    for (const { id, to } of all) {
      expect(scene.chain.transfersTo(to)).toHaveLength(1);
      expect(await scene.statusOf(id)).toBe("succeeded");
    }
  });

  test("many senders at once: every number once, no gap, everything once", async () => {
    const all = await Promise.all(Array.from({ length: 24 }, () => scene.queue()));
    const processes = Array.from({ length: 4 }, () => scene.startProcess());
    for (let round = 0; round < 8; round++) {
      if (round % 3 === 1) scene.chain.faults.next("send", { kind: "lost" });
      await Promise.allSettled(
        processes.flatMap(({ send, sendNow }) => [send(), sendNow(settlement())]),
      );
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await Promise.all(processes.map(({ confirm }) => confirm()));
    }
    expect(await scene.nonces()).toEqual(all.map((_, index) => BigInt(index)));
    for (const { to } of all) expect(scene.chain.transfersTo(to)).toHaveLength(1);
    expect(scene.ended).toHaveLength(all.length);
    expect(await scene.isLedgerWhole()).toBe(true);
    scene.chain.assertConserved();
  });

  test("whoever waits gets it sent at once, many of them with few turns", async () => {
    const process = scene.startProcess();
    const all = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { id } = await scene.queue({ purpose: "x402_settlement" });
        expect(await process.sendNow(settlement())).toBe(true);
        return { id, status: await scene.statusOf(id) };
      }),
    );
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(["broadcast"]));
    expect(await process.sendNow(addressOf("nobody"))).toBe(true);
  });

  test("another chain behind the same address decides nothing", async () => {
    const { id } = await scene.queue();
    const process = scene.startProcess();
    await process.send();
    scene.chain.mine(finalBlocks);
    scene.chain.faults.next("head", { kind: "other_chain" }, 2);
    scene.clock.advance(20_000);
    await expect(process.confirm()).rejects.toMatchObject({ code: "chain_unavailable" });
    await expect(process.send()).rejects.toMatchObject({ code: "chain_unavailable" });
    expect(await scene.statusOf(id)).toBe("broadcast");
  });
});
