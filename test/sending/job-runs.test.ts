// What the jobs of the queue say of their runs: how much was done, whether there is more to do at once, and how
// long the oldest has waited. And accounts that fail: they wait, longer each time, and no other one does.

import { beforeEach, describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { coin, ether, finalBlocks, openScene, type Scene, usdc, whole } from "./scene.ts";

const hour = 3_600_000;

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(engine);
  });
  const queueMany = async (count: number) => {
    for (let index = 0; index < count; index++) await scene.queue();
  };
  const nothing = { done: 0, isMore: false, lagMilliseconds: 0 };

  test("nodes keep 16 waiting transactions of an account: the rest waits, and is not asked for at once", async () => {
    await queueMany(20);
    scene.clock.advance(4_000);
    const process = scene.startProcess();
    expect(await process.send()).toEqual({ done: 16, isMore: true, lagMilliseconds: 4_000 });
    // Without room nothing more can be done before something is mined.
    expect(await process.send()).toMatchObject({ done: 0, isMore: false });
    expect(scene.chain.waiting).toHaveLength(16);
    scene.chain.mine(2);
    expect(await process.send()).toMatchObject({ done: 4, isMore: false });
    expect(await process.send()).toEqual(nothing);
    expect(await scene.nonces()).toHaveLength(20);
  });

  test("as many as there is room for may be all there is", async () => {
    await queueMany(16);
    const process = scene.startProcess();
    expect(await process.send()).toMatchObject({ done: 16, isMore: true });
    scene.chain.mine(2);
    expect(await process.send()).toEqual(nothing);
  });

  test("what stops a run stops the next one as well: nothing is asked for at once", async () => {
    await queueMany(16);
    const reached = (point: string): Promise<void> =>
      point === "claimed" ? Promise.reject(new Error("it ends here")) : Promise.resolve();
    await expect(scene.startProcess({ reached }).send()).rejects.toThrow("it ends here");
    const { settlementAddress } = scene.signer.accounts;
    scene.chain.mint(
      settlementAddress,
      null,
      -(await scene.chain.balance(settlementAddress, null)),
    );
    scene.clock.advance(hour);
    // One has a nonce, which nothing may overtake, and there is nothing to pay with.
    expect(await scene.startProcess().send()).toMatchObject({ done: 0, isMore: false });
    expect(scene.alarms.map(([what]) => what)).toEqual(["account_cannot_pay"]);
    expect(await scene.nonces()).toEqual([]);
  });

  test("what is handed over again counts as well, and no earlier than after 15 seconds", async () => {
    await queueMany(3);
    const process = scene.startProcess();
    await process.send();
    scene.chain.dropPool();
    scene.clock.advance(14_999);
    expect(await process.send()).toMatchObject({ done: 0 });
    expect(scene.chain.waiting).toEqual([]);
    scene.clock.advance(1);
    expect(await process.send()).toMatchObject({ done: 3, isMore: false });
    expect(scene.chain.waiting).toHaveLength(3);
  });

  test("what has waited for 5 blocks gets higher fees, and that counts", async () => {
    await queueMany(2);
    const process = scene.startProcess();
    scene.chain.perBlockMax = 0;
    await process.send();
    scene.chain.mine(4);
    expect(await process.send()).toMatchObject({ done: 0 });
    scene.chain.mine(1);
    scene.clock.advance(15_000);
    expect(await process.send()).toMatchObject({ done: 2 });
    expect(await process.send()).toMatchObject({ done: 0 });
  });

  test("20 times fees are raised, and then people are told", async () => {
    const { id } = await scene.queue();
    const process = scene.startProcess();
    scene.chain.perBlockMax = 0;
    for (let round = 0; round < 20; round++) {
      expect(await process.send()).toMatchObject({ done: 1 });
      scene.chain.mine(5);
      scene.clock.advance(15_000);
    }
    expect(scene.alarms).toEqual([]);
    scene.chain.dropPool();
    expect(await process.send()).toMatchObject({ done: 0 });
    expect(await scene.attempts(id)).toHaveLength(20);
    expect(scene.alarms).toMatchObject([
      ["fees_raised_too_often", { outgoing_id: id, attempts: 20 }],
    ]);
    // The newest is handed over all the same.
    expect(scene.chain.waiting).toEqual([(await scene.attempts(id)).at(-1)?.tx_hash]);
  });

  test("the confirmer counts what has ended, and says how long the oldest has waited", async () => {
    const process = scene.startProcess();
    expect(await process.confirm()).toEqual({ done: 0, isMore: false });
    await queueMany(3);
    await process.send();
    scene.clock.advance(5_000);
    expect(await process.confirm()).toEqual({ done: 0, isMore: false, lagMilliseconds: 5_000 });
    // Not every five seconds at the most.
    scene.clock.advance(4_999);
    expect(await process.confirm()).toEqual({ done: 0, isMore: false });
    scene.chain.mine(finalBlocks);
    scene.clock.advance(1);
    expect(await process.confirm()).toEqual({ done: 3, isMore: false, lagMilliseconds: 10_000 });
    expect(await process.confirm()).toEqual({ done: 0, isMore: false });
  });

  test("the confirmer asks about 50 at once, and says that there are more", async () => {
    const process = scene.startProcess();
    for (let round = 0; round < 4; round++) {
      await queueMany(13);
      await process.send();
      scene.chain.mine(2);
    }
    scene.chain.mine(finalBlocks);
    expect(await process.confirm()).toMatchObject({ done: 50, isMore: true });
    expect(await process.confirm()).toMatchObject({ done: 2, isMore: false });
  });

  describe("an account that fails beside one that does not", () => {
    /** Both have something to send in every run; the first one is older. */
    const start = async () => {
      const { signer, chain } = scene;
      const index = 7n;
      const address = signer.addressOf({ role: "deposit", index });
      chain.mint(address, null, ether);
      chain.mint(address, usdc.contractAddress, 1000n * whole);
      const own = await scene.queue();
      const queueOther = () =>
        scene.queue({ account: address, signsAs: { role: "deposit", index }, purpose: "sweep" });
      const process = scene.startProcess();
      const fail = async () => {
        await queueOther();
        // Nothing is left to be handed over again.
        chain.mine(2);
        chain.faults.clear();
        chain.faults.next("head", { kind: "unavailable" });
        return process.send();
      };
      const goWell = async () => {
        await queueOther();
        // Nothing is left to be handed over again.
        chain.mine(2);
        chain.faults.clear();
        return process.send();
      };
      return { own, process, fail, goWell };
    };
    const told = () => scene.alarms.filter(([what]) => what === "account_turn_failed").length;

    test("waits a second, and twice as long each time, up to five minutes", async () => {
      const { own, fail, goWell } = await start();
      const waits = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1000);
      expect(await fail()).toMatchObject({ done: 1, isHindered: true });
      for (const [index, wait] of waits.entries()) {
        expect(told()).toBe(index + 1);
        scene.clock.advance(wait - 1);
        // It is left out, and another process may try.
        expect(await goWell()).toMatchObject({ done: 1, isHindered: true });
        expect(await scene.statusOf(own.id)).toBe("queued");
        scene.clock.advance(1);
        await fail();
      }
      expect(scene.alarms[0]).toMatchObject([
        "account_turn_failed",
        { chain_id: scene.chain.chainId, account: scene.signer.accounts.settlementAddress },
      ]);
    });

    test("waits a second again once it went well in between", async () => {
      const { own, fail, goWell } = await start();
      await fail();
      scene.clock.advance(1_000);
      await fail();
      scene.clock.advance(2_000);
      const well = await goWell();
      expect(well).toMatchObject({ done: 2 });
      expect(well).not.toHaveProperty("isHindered");
      expect(await scene.statusOf(own.id)).toBe("broadcast");
      const next = await scene.queue();
      await query(scene.database)`update outgoing_transactions
        set created_at = created_at - interval '1 day' where id = ${next.id}`;
      await fail();
      expect(told()).toBe(3);
      scene.clock.advance(999);
      await goWell();
      expect(await scene.statusOf(next.id)).toBe("queued");
      scene.clock.advance(1);
      await goWell();
      expect(await scene.statusOf(next.id)).toBe("broadcast");
    });

    test("is the failure of the job where there is no other one", async () => {
      await scene.queue();
      scene.chain.faults.next("head", { kind: "unavailable" });
      const process = scene.startProcess();
      await expect(process.send()).rejects.toMatchObject({ code: "chain_unavailable" });
      expect(told()).toBe(0);
      expect(await process.send()).toMatchObject({ done: 1 });
    });
  });

  test.each([1, 3])("what the signer has signed for others stops a queue of %i", async (count) => {
    const { signer, chain } = scene;
    const { settlementAddress } = signer.accounts;
    const action = {
      kind: "transfer",
      to: settlementAddress,
      contractAddress: null,
      amountRaw: 1n,
    } as const;
    const fees = await chain.fees();
    const intent = {
      account: { role: "settlement" },
      nonce: 5n,
      action,
      gasUnitsMax: 1n,
      fees,
    } as const;
    await signer.signAction(chain.chainId, intent);
    await queueMany(count);
    expect(await scene.startProcess().send()).toMatchObject({ done: 0 });
    expect(scene.alarms).toMatchObject([
      [
        "account_used_by_others",
        { next_nonce: "0", signed_count: "6", account: settlementAddress },
      ],
    ]);
  });

  test("of an account's own coin nothing is promised twice in a turn", async () => {
    const { settlementAddress } = scene.signer.accounts;
    const held = await scene.chain.balance(settlementAddress, null);
    const half = (held * 6n) / 10n;
    const action = { kind: "transfer", contractAddress: null, amountRaw: half } as const;
    const draft = { deploymentId: coin.deploymentId };
    await scene.queue({ ...draft, action: { ...action, to: settlementAddress } });
    await scene.queue({ ...draft, action: { ...action, to: settlementAddress } });
    expect(await scene.startProcess().send()).toMatchObject({ done: 1 });
    expect(scene.alarms.map(([what]) => what)).toEqual(["account_cannot_pay"]);
  });
});
