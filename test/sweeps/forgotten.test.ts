// A sweep was sent, and the database was put back to a moment before: an operator says by which transaction, and
// the books agree with the chain again (threat 19).

import { beforeEach, describe, expect, test } from "vitest";
import { Audit } from "../../service/audit/audit.ts";
import type { ChainAction } from "../../service/ports/signer.ts";
import { chainId, coin, ether, usdc, whole } from "../sending/scene.ts";
import { engines } from "../support/engines.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { treasury } from "../ledger/account-scene.ts";
import { openForgotten, reason } from "./forgotten-scene.ts";
import type { ForgottenScene } from "./forgotten-scene.ts";

const settlementRole = { role: "settlement" } as const;

describe.each(engines)("on %s", (engine) => {
  let scene: ForgottenScene;
  beforeEach(async () => {
    scene = await openForgotten(engine);
  });

  const deposit = (index: bigint) => ({ role: "deposit", index }) as const;
  const transfer = (
    to: string,
    contractAddress: string | null,
    amountRaw: bigint,
  ): ChainAction => ({ kind: "transfer", to, contractAddress, amountRaw });
  const remember = (txHash: string) => scene.forgotten.remember(chainId, txHash, reason);
  /** What people would be told of accounts and addresses. */
  const differences = async () => {
    scene.clock.advance(3_600_000);
    scene.chain.mine(1, scene.clock.now());
    await scene.read();
    return await scene.compare();
  };
  const expectWhole = async () => {
    expect(await differences()).toEqual([]);
    expect(await scene.isLedgerWhole()).toBe(true);
    scene.chain.assertConserved();
  };

  test("an authorization that was handed in: the money is booked where it is, and the gas", async () => {
    const address = await scene.arrived(1n);
    const txHash = await scene.sendForgotten(settlementRole, scene.collect(1n));
    await scene.settle();
    expect(await scene.sweeps()).toEqual([]);
    expect(scene.alarms.map(([what]) => what)).toContain("address_holds_less");
    expect(await differences()).not.toEqual([]);
    const remembered = await remember(txHash);
    expect(remembered).toMatchObject({ purpose: "sweep", as: "first", isPlanned: true });
    await scene.settle();
    expect(await scene.sweeps()).toMatchObject([
      { id: remembered.subjectId, status: "moved", method: "collect", target: "hot" },
    ]);
    expect(await scene.balance("chain:hot")).toBe(100n * whole);
    expect(await scene.balance("chain:deposit_addresses")).toBe(0n);
    expect(await scene.balance("platform:gas", coin.deploymentId)).toBeGreaterThan(0n);
    expect(await scene.chain.balance(address, usdc.contractAddress)).toBe(0n);
    expect(scene.chain.transfersTo(scene.hot)).toHaveLength(1);
    await expectWhole();
    const entries = await new Audit(scene).list({ after: undefined, limit: 50 });
    const entry = entries.find(({ action }) => action === "sweep.remembered");
    expect(entry).toMatchObject({ actor: "operator", subject: { id: remembered.subjectId } });
    expect(JSON.parse(entry?.details ?? "")).toMatchObject({ tx_hash: txHash, nonce: "0", reason });
  });

  test("the command shows it first, and then does it", async () => {
    await scene.arrived(1n);
    const txHash = await scene.sendForgotten(settlementRole, scene.collect(1n));
    const before = await scene.contents();
    const tried = await scene.admin(txHash, "--dry-run");
    expect(tried.output).toContain("an authorization of 100000000 of");
    expect(tried.output).not.toContain("swp_");
    const json = await scene.admin(txHash, "--dry-run", "--json");
    expect(JSON.parse(json.output)).toMatchObject({ subject_id: null, dry_run: true });
    expect(await scene.contents()).toEqual(before);
    const done = await scene.admin(txHash, "--json");
    const [sweep] = await scene.sweeps();
    expect(JSON.parse(done.output)).toMatchObject({
      subject_id: sweep?.id,
      purpose: "sweep",
      tx_hash: txHash,
      nonce: { nonce: "0", account: scene.settlement },
      as: "first",
    });
    const again = await scene.admin(txHash);
    expect([again.exitCode, again.errors]).toEqual([
      1,
      `${txHash} is known here already: it is of the sweep ${sweep?.id}.\n`,
    ]);
  });

  test("the coin that an address has sent itself, to the treasury", async () => {
    const address = await scene.arrived(1n, { of: coin, amountRaw: ether });
    const sent = ether - ether / 50n;
    const txHash = await scene.sendForgotten(deposit(1n), transfer(treasury, null, sent));
    await remember(txHash);
    await scene.settle();
    expect(await scene.sweeps()).toMatchObject([{ status: "moved", target: "treasury" }]);
    expect(await scene.balance("chain:treasury", coin.deploymentId)).toBe(sent);
    const left = await scene.chain.balance(address, null);
    expect(await scene.balance("chain:deposit_addresses", coin.deploymentId)).toBe(left);
    await expectWhole();
  });

  test("the coin for a transfer, and the transfer, each as what it was", async () => {
    const address = await scene.arrived(1n);
    const gas = await scene.sendForgotten(settlementRole, transfer(address, null, ether / 50n));
    const moved = await scene.sendForgotten(
      deposit(1n),
      transfer(scene.hot, usdc.contractAddress, 100n * whole),
    );
    expect(await remember(gas)).toMatchObject({ purpose: "sweep_gas", isPlanned: true });
    expect(await remember(moved)).toMatchObject({ purpose: "sweep", isPlanned: true });
    await scene.resume();
    await scene.settle();
    expect((await scene.sweeps()).map(({ status }) => status).toSorted()).toEqual([
      "failed",
      "moved",
    ]);
    expect(scene.chain.transfersTo(address)).toHaveLength(1);
    expect(scene.chain.transfersTo(scene.hot)).toHaveLength(1);
    expect(await scene.balance("chain:hot")).toBe(100n * whole);
    await expectWhole();
  });

  test("the coin for a transfer that was not sent any more pays for that one", async () => {
    const address = await scene.arrived(1n);
    const gas = await scene.sendForgotten(settlementRole, transfer(address, null, ether / 50n));
    await remember(gas);
    await scene.resume();
    await scene.settle();
    expect(await scene.balance("chain:hot")).toBe(100n * whole);
    await expectWhole();
  });

  test("what the settlement account had too much of", async () => {
    const txHash = await scene.sendForgotten(
      settlementRole,
      transfer(scene.hot, usdc.contractAddress, 400n * whole),
    );
    expect(await remember(txHash)).toMatchObject({ purpose: "consolidation" });
    await scene.settle();
    expect(await scene.balance("chain:settlement")).toBe(600n * whole);
    expect(await scene.balance("chain:hot")).toBe(400n * whole);
    await expectWhole();
  });

  test("what has come since is swept by itself, and several are said one after the other", async () => {
    const address = await scene.arrived(1n);
    const first = await scene.sendForgotten(settlementRole, scene.collect(1n));
    await scene.arrived(1n, { amountRaw: 7n * whole, block: 4n });
    const second = await scene.sendForgotten(settlementRole, scene.collect(1n, 7n * whole));
    await scene.arrived(1n, { amountRaw: 5n * whole, block: 1_000n });
    await remember(first);
    await expect(remember(second)).rejects.toThrow("is under way here (swp_");
    const process = scene.startProcess();
    scene.chain.mine(6);
    await process.confirm();
    await remember(second);
    await scene.resume();
    await scene.settle();
    expect(scene.chain.transfersTo(scene.hot).map(({ amountRaw }) => amountRaw)).toEqual([
      100n * whole,
      7n * whole,
      5n * whole,
    ]);
    expect(await scene.chain.balance(address, usdc.contractAddress)).toBe(0n);
    expect(await scene.balance("chain:hot")).toBe(112n * whole);
    await expectWhole();
  });

  test("one whose deposits another sweep took care of since, and did not find", async () => {
    await scene.arrived(1n);
    const txHash = await scene.sendForgotten(settlementRole, scene.collect(1n));
    await scene.arrived(1n, { amountRaw: 7n * whole });
    await scene.settle();
    await scene.resume();
    await scene.settle();
    expect(await scene.sweeps()).toMatchObject([{ status: "moved" }]);
    expect(await differences()).not.toEqual([]);
    await remember(txHash);
    await scene.settle();
    expect(await scene.balance("chain:hot")).toBe(107n * whole);
    await expectWhole();
  });

  test("one that waits in the queue is sent by it, and not again", async () => {
    await scene.arrived(1n);
    const process = scene.startProcess();
    await process.sweep();
    const [planned] = await scene.sweeps();
    const action = await scene.queuedAction();
    const txHash = await scene.sendForgotten(settlementRole, action);
    const remembered = await remember(txHash);
    expect(remembered).toMatchObject({ subjectId: planned?.id, as: "first", isPlanned: false });
    await scene.resume();
    await scene.settle(process);
    expect(await scene.sweeps()).toMatchObject([{ status: "moved" }]);
    expect(scene.chain.transfersTo(scene.hot)).toHaveLength(1);
    await expectWhole();
  });

  test("one whose fees were raised ends by the newer transaction, while it is under way", async () => {
    const { action, process } = await scene.sweepUnderWay();
    const txHash = await scene.sendForgotten(settlementRole, action, { nonce: 0n });
    expect(await remember(txHash)).toMatchObject({ as: "further", isPlanned: false });
    await scene.settle(process);
    expect(await scene.sweeps()).toMatchObject([{ status: "moved" }]);
    await expectWhole();
  });

  test("one of an account that has sent nothing here before", async () => {
    await scene.arrived(1n);
    const txHash = await scene.sendForgotten(settlementRole, scene.collect(1n));
    expect(await scene.nonces()).toEqual([]);
    await remember(txHash);
    expect(await scene.nonces(scene.settlement)).toEqual([0n]);
    // What is planned next leaves with the next nonce.
    await scene.arrived(2n);
    await scene.resume();
    await scene.settle();
    expect(await scene.nonces(scene.settlement)).toEqual([0n, 1n]);
    await expectWhole();
  });

  test("two operators at once, and the job: it is one sweep", async () => {
    await scene.arrived(1n);
    await scene.arrived(1n, { amountRaw: 7n * whole, block: 1_000n });
    const txHash = await scene.sendForgotten(settlementRole, scene.collect(1n));
    const processes = [scene.startProcess(), scene.startProcess()];
    const [one, other] = await Promise.allSettled([
      remember(txHash),
      remember(txHash),
      ...processes.map((process) => process.sweep()),
    ]);
    const isSaid = [one, other].filter(({ status }) => status === "fulfilled").length;
    expect(isSaid).toBeLessThanOrEqual(1);
    await scene.resume();
    await scene.settle();
    // The job was faster: its sweep finds nothing there, and ends first.
    for (let round = 0, isLeft = isSaid === 0; isLeft && round < 6; round++) {
      const [said] = await Promise.allSettled([remember(txHash)]);
      isLeft = said.status === "rejected";
      if (said.status === "rejected") expect(String(said.reason)).toContain("is under way here");
      // The account has sent what nobody knows here, and stopped everything once more.
      await scene.resume();
      await scene.settle();
    }
    // What the job had planned made way; what failed is tried again after hours.
    scene.clock.advance(86_400_000);
    await scene.resume();
    await scene.settle();
    expect(await scene.balance("chain:hot")).toBe(107n * whole);
    // What was found in between stays found until the address is looked at again.
    for (let hours = 0; hours < 3; hours++) await differences();
    await expectWhole();
  });

  describe("is refused, and nothing is written, for", () => {
    const refused = async (txHash: string, message: string) => {
      const before = await scene.contents();
      await expect(remember(txHash)).rejects.toThrow(message);
      expect(await scene.contents()).toEqual(before);
    };

    test("what is no hash, of no chain, or not mined", async () => {
      await refused("0x12", "A transaction is named by its hash");
      await refused(`0x${"7".repeat(64)}`, "is not mined on eip155:84532");
      const elsewhere = scene.forgotten.remember("eip155:1", `0x${"7".repeat(64)}`, reason);
      await expect(elsewhere).rejects.toThrow("eip155:1 is not connected.");
    });

    test("what is known", async () => {
      await scene.arrived(1n);
      const txHash = await scene.sendForgotten(settlementRole, scene.collect(1n));
      const { subjectId } = await remember(txHash);
      await refused(txHash, `${txHash} is known here already: it is of the sweep ${subjectId}.`);
    });

    test("the address of no payment here", async () => {
      scene.chain.mint(addressOf("deposit 9"), usdc.contractAddress, 100n * whole);
      scene.chain.mint(addressOf("deposit 9"), null, ether);
      const collected = await scene.sendForgotten(settlementRole, scene.collect(9n, whole));
      await refused(collected, "is the address of no payment here");
      const sent = await scene.sendForgotten(deposit(9n), transfer(scene.hot, null, ether / 2n));
      await refused(sent, `${sent} was sent by none of our accounts on ${chainId}`);
    });

    test("what went to somebody else, or is no sweep", async () => {
      await scene.arrived(1n);
      const thief = addressOf("a thief");
      const collected = await scene.sendForgotten(
        settlementRole,
        scene.collect(1n, 100n * whole, thief),
      );
      await refused(collected, "which is neither our hot account nor our treasury");
      const paid = await scene.sendForgotten(
        settlementRole,
        transfer(thief, usdc.contractAddress, whole),
      );
      await refused(paid, "which is neither our hot account nor our treasury");
      const coins = await scene.sendForgotten(settlementRole, transfer(scene.hot, null, ether));
      await refused(coins, "and nothing that a sweep does");
      scene.chain.mint(scene.hot, null, ether);
      const withdrawn = await scene.sendForgotten({ role: "hot" }, transfer(thief, null, 5n));
      await refused(withdrawn, "is no account that sweeps");
      const nothing = await scene.sendForgotten(
        settlementRole,
        transfer(scene.settlement, null, 0n),
      );
      await refused(nothing, "moves nothing");
    });

    test("a token that the catalog does not have", async () => {
      await scene.arrived(1n);
      const token = addressOf("a token");
      scene.chain.mint(addressOf("deposit 1"), token, whole);
      scene.chain.mint(addressOf("deposit 1"), null, ether);
      const txHash = await scene.sendForgotten(deposit(1n), transfer(scene.hot, token, whole));
      await refused(txHash, `The catalog does not have the token ${token} of ${chainId}.`);
    });

    test("what has failed on the chain", async () => {
      await scene.arrived(1n);
      scene.chain.reverting.add(usdc.contractAddress);
      const txHash = await scene.sendForgotten(settlementRole, scene.collect(1n));
      await refused(txHash, `${txHash} has failed on the chain and has moved nothing`);
    });

    test("deposits that were not read, are not final, or do not fit", async () => {
      await scene.arrived(1n);
      const txHash = await scene.sendForgotten(settlementRole, scene.collect(1n));
      await scene.unread(3n);
      await refused(txHash, `and ${chainId} was read to 3 so far: wait`);
      await scene.read();
      await scene.setDeposits("status = 'seen'");
      await refused(txHash, "1 of the deposits to");
      await scene.setDeposits("status = 'final', amount_raw = 101, regular_raw = 101");
      await refused(txHash, "do not fit: they come to 101.");
    });

    test("an address of which a sweep is under way", async () => {
      await scene.arrived(1n);
      const txHash = await scene.sendForgotten(settlementRole, scene.collect(1n, 60n * whole));
      const process = scene.startProcess();
      await process.sweep();
      await scene.resume();
      await process.send();
      await scene.resume();
      await process.send();
      const [known] = await scene.sweeps();
      expect(known).toMatchObject({ status: "moving", kind: "sweep" });
      await refused(txHash, `is under way here (${known?.id})`);
    });

    test("the nonce of something else", async () => {
      const process = scene.startProcess();
      await scene.queue();
      await process.send();
      scene.chain.dropPool();
      const nothing = await scene.sendForgotten(
        settlementRole,
        transfer(scene.settlement, null, 0n),
        { nonce: 0n },
      );
      await refused(nothing, "which belongs to the x402_release subject_");
      const chainAway = scene.chain.faults;
      for (const method of ["receipt", "minedTransaction"] as const) {
        chainAway.next(method, { kind: "unavailable" });
        await refused(nothing, "The chain does not answer. Nothing was changed.");
      }
    });
  });
});
