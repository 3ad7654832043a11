// Exactly one transfer on a real chain, whatever dies, gets lost or happens twice, with the keys in
// their own process (threats 14, 15, 18, 19, 20 and 33).

import { beforeEach, describe, expect, test } from "vitest";
import type { Owner } from "../../service/owner.ts";
import { leaseMilliseconds } from "../../service/sending/lease.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { startSigner } from "../signer/process.ts";
import {
  type ChainScene,
  openChainScene,
  runUntilKilled,
  tellSigner,
  useChain,
  useForeign,
} from "./on-chain.ts";
import { coin, finalBlocks, usdc, whole } from "./scene.ts";
import { dyingAt } from "../support/dying.ts";

const world = useChain();
let scene: ChainScene;
let owner: Owner;
let addressId: string;
let address: string;
let names = 0;

beforeEach(async () => {
  const { node } = world();
  // What is taken back in a test is not what the one before it did.
  await node.mine(2);
  scene = await openChainScene(world());
  owner = await scene.newOwner();
  await scene.fund(owner, 1000n * whole);
  ({ id: addressId, address } = await scene.register(owner, addressOf(`on chain ${++names}`)));
});

const ask = async (amount = "100") => (await scene.request(owner, addressId, amount)).id;
const statuses = (ids: readonly string[]) => Promise.all(ids.map((id) => scene.statusOf(id)));
const alarms = (): readonly string[] => scene.alarms.map(([what]) => what);

/** As long as it takes until nothing more happens. */
async function settle(process = scene.startProcess(), rounds = 2): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await process.send();
    await world().node.mine(finalBlocks);
    scene.clock.advance(20_000);
    await process.confirm();
  }
}

test("from the request to the confirmation, with token and coin", async () => {
  const id = await ask("12.5");
  await scene.fund(owner, 10n ** 18n, coin);
  const { id: coinId } = await scene.request(owner, addressId, { amount: "0.25", ...coin });
  await settle();
  expect(await statuses([id, coinId])).toEqual(["confirmed", "confirmed"]);
  expect(await scene.arrived(address)).toBe(12_500_000n);
  expect(await scene.coinArrived(address)).toBe(25n * 10n ** 16n);
  expect(await scene.isLedgerWhole()).toBe(true);
});

describe("a sender that is killed", () => {
  test.each(["leased", "claimed", "signed", "stored", "sent", "asked", "ended"] as const)(
    "when it has just %s: another one goes on, and exactly one transfer arrives",
    async (dieAt) => {
      const id = await ask();
      const isConfirmer = dieAt === "asked" || dieAt === "ended";
      if (isConfirmer) {
        await scene.startProcess().send();
        await world().node.mine(finalBlocks);
        scene.clock.advance(20_000);
      }
      const steps = isConfirmer ? (["confirm"] as const) : (["send"] as const);
      await runUntilKilled(world(), scene, { steps, dieAt });
      const heir = scene.startProcess();
      if (!isConfirmer) {
        // The dead one still has the account.
        expect(await heir.send()).toMatchObject({ done: 0, isMore: false });
        scene.clock.advance(leaseMilliseconds);
      }
      await settle(heir);
      expect(await scene.statusOf(id)).toBe("confirmed");
      expect(await scene.arrived(address)).toBe(100n * whole);
      expect(await scene.attempts(id)).toHaveLength(1);
      expect(await scene.nonces()).toHaveLength(1);
      expect(await scene.balance(owner, "merchant:available")).toBe(900n * whole);
      expect(await scene.isLedgerWhole()).toBe(true);
    },
  );

  test("when it has just replaced a transaction: one of the two is mined", async () => {
    const { node } = world();
    const id = await ask();
    await scene.startProcess().send();
    const [first] = await scene.attempts(id);
    await node.rpc("anvil_dropTransaction", [first?.tx_hash]);
    await node.mine(5);
    await runUntilKilled(world(), scene, { steps: ["send"], dieAt: "replaced" });
    scene.clock.advance(leaseMilliseconds);
    await settle();
    expect(await scene.attempts(id)).toHaveLength(2);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.arrived(address)).toBe(100n * whole);
  });

  test.each(["claimed", "signed"] as const)(
    "when it has just %s, and another withdrawal waits: each has a number of its own",
    async (dieAt) => {
      const id = await ask();
      await runUntilKilled(world(), scene, { steps: ["send"], dieAt });
      scene.clock.advance(leaseMilliseconds);
      const later = await ask("7");
      await settle();
      expect(await statuses([id, later])).toEqual(["confirmed", "confirmed"]);
      expect(await scene.arrived(address)).toBe(107n * whole);
      const numbers = [...(await scene.attempts(id)), ...(await scene.attempts(later))];
      expect(numbers).toHaveLength(2);
      expect((numbers[1]?.nonce ?? 0n) - (numbers[0]?.nonce ?? 0n)).toBe(1n);
    },
  );

  test.each([
    ["claimed", []],
    ["signed", ["given_up", "signed"]],
  ] as const)(
    "when it has just %s, and may not send it any more: it fails, and the others go on, whoever dies",
    async (dieFirst, deaths) => {
      const id = await ask();
      await runUntilKilled(world(), scene, { steps: ["send"], dieAt: dieFirst });
      await scene.addresses.disable(addressId);
      const other = await scene.newOwner();
      await scene.fund(other, 1000n * whole);
      const target = await scene.register(other, addressOf(`behind ${++names}`));
      const { id: later } = await scene.request(other, target.id, "7");
      for (const dieAt of deaths) {
        scene.clock.advance(leaseMilliseconds);
        await runUntilKilled(world(), scene, { steps: ["send"], dieAt });
      }
      scene.clock.advance(leaseMilliseconds);
      await settle();
      expect(await statuses([id, later])).toEqual(["failed", "confirmed"]);
      expect(await scene.arrived(address)).toBe(0n);
      expect(await scene.arrived(target.address)).toBe(7n * whole);
      expect(await scene.balance(owner, "merchant:available")).toBe(1000n * whole);
      // Whoever gave it up said so; the others are dead.
      expect(alarms()).toEqual(deaths.length === 0 ? ["withdrawal_given_up"] : []);
      expect(await scene.isLedgerWhole()).toBe(true);
    },
  );

  test("with its signer, in the middle of signing: the next one signs the same", async () => {
    const { signerProcess } = world();
    const id = await ask();
    const { reached, died } = dyingAt("signed");
    void scene.startProcess({ reached }).send();
    await died;
    signerProcess.kill("SIGKILL");
    await signerProcess.ended;
    world().signerProcess = await startSigner({ SIGNER_DIR: signerProcess.folder });
    scene.clock.advance(leaseMilliseconds);
    await settle();
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.arrived(address)).toBe(100n * whole);
  });
});

test("a reorganisation that takes back several: all are mined again, each once", async () => {
  const { node } = world();
  const ids = [];
  for (let count = 0; count < 4; count++) ids.push(await ask("1"));
  const process = scene.startProcess();
  await process.send();
  await node.mine(2);
  expect(await scene.arrived(address)).toBe(4n * whole);
  await node.reorg(2);
  expect(await scene.arrived(address)).toBe(0n);
  await process.confirm();
  expect(new Set(await statuses(ids))).toEqual(new Set(["broadcast"]));
  scene.clock.advance(20_000);
  await settle(process);
  expect(new Set(await statuses(ids))).toEqual(new Set(["confirmed"]));
  expect(await scene.arrived(address)).toBe(4n * whole);
  expect(await scene.nonces()).toHaveLength(4);
  expect(await scene.isLedgerWhole()).toBe(true);
});

test("a stuck transaction gets higher fees on its number, and those behind it go with it", async () => {
  const { node } = world();
  const stuck = await ask("1");
  const process = scene.startProcess();
  await process.send();
  const [before] = await scene.attempts(stuck);
  const waiting = (await node.rpc("eth_getBlockByNumber", ["latest", false])) as {
    readonly baseFeePerGas: `0x${string}`;
  };
  // Above what the account has offered: no block takes it.
  const baseFee = BigInt(waiting.baseFeePerGas) + BigInt(before?.max_fee_per_gas ?? 0) * 2n;
  await node.rpc("anvil_dropTransaction", [before?.tx_hash]);
  await node.rpc("anvil_setNextBlockBaseFeePerGas", [`0x${baseFee.toString(16)}`]);
  await node.mine();
  const behind = await ask("2");
  await node.mine(5);
  await process.send();
  const attempts = await scene.attempts(stuck);
  expect(attempts).toHaveLength(2);
  const [older, newer] = attempts.map((one) => BigInt(one.max_fee_per_gas));
  expect((newer ?? 0n) * 100n).toBeGreaterThanOrEqual((older ?? 0n) * 113n);
  await settle(process);
  expect(await statuses([stuck, behind])).toEqual(["confirmed", "confirmed"]);
  expect(await scene.arrived(address)).toBe(3n * whole);
  expect(await scene.nonces()).toHaveLength(2);
});

test("the older transaction of a number may be the one that is mined", async () => {
  const { node, chain } = world();
  const id = await ask();
  const process = scene.startProcess();
  await process.send();
  const [older] = await scene.attempts(id);
  const raw = await node.rpc("eth_getRawTransactionByHash", [older?.tx_hash]);
  await node.rpc("anvil_dropTransaction", [older?.tx_hash]);
  await node.mine(5);
  await process.send();
  const [, newer] = await scene.attempts(id);
  await node.rpc("anvil_dropTransaction", [newer?.tx_hash]);
  await chain.send(Buffer.from(String(raw).slice(2), "hex"));
  await settle(process);
  expect(await scene.statusOf(id)).toBe("confirmed");
  expect((await scene.withdrawals.get(owner, id)).txHash).toBe(older?.tx_hash);
  expect(await scene.arrived(address)).toBe(100n * whole);
});

describe.each([
  ["is paused", "setPaused", (isOn: boolean) => [isOn]],
  ["blocks the recipient", "setBlocked", (isOn: boolean) => [address, isOn]],
] as const)("a token that %s", (_name, functionName, parametersOf) => {
  const set = async (isOn: boolean): Promise<void> => {
    const { node } = world();
    const call = { contract: "TestUSD", address: usdc.contractAddress, functionName };
    await node.write(node.ownerAddress, { ...call, parameters: parametersOf(isOn) });
    await node.mine();
  };
  const numbersUsed = () => world().chain.minedCount(world().signer.accounts.hotAddress);

  test("takes no gas: withdrawals wait, with an alarm, until it moves again or they are cancelled", async () => {
    await set(true);
    const [id, cancelled] = [await ask(), await ask("5")];
    const process = scene.startProcess();
    const before = await numbersUsed();
    await settle(process, 3);
    expect(await statuses([id, cancelled])).toEqual(["pending", "pending"]);
    expect(await numbersUsed()).toBe(before);
    expect(new Set(alarms())).toEqual(new Set(["transaction_would_fail"]));
    await scene.cancel(owner, cancelled);
    await set(false);
    scene.clock.advance(60_000);
    await settle(process);
    expect(await statuses([id, cancelled])).toEqual(["confirmed", "cancelled"]);
    expect(await scene.arrived(address)).toBe(100n * whole);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("after it was sent makes it fail once, with an alarm, and the money is there", async () => {
    const id = await ask();
    const process = scene.startProcess();
    const before = await numbersUsed();
    await process.send();
    const { node } = world();
    const [ours] = await scene.attempts(id);
    const raw = await node.rpc("eth_getRawTransactionByHash", [ours?.tx_hash]);
    await node.rpc("anvil_dropTransaction", [ours?.tx_hash]);
    await set(true);
    await world().chain.send(Buffer.from(String(raw).slice(2), "hex"));
    await settle(process, 3);
    await set(false);
    await settle(process);
    expect(await scene.statusOf(id)).toBe("failed");
    expect(alarms()).toEqual(["transaction_reverted"]);
    expect(await scene.attempts(id)).toHaveLength(1);
    expect((await numbersUsed()) - before).toBe(1n);
    expect(await scene.arrived(address)).toBe(0n);
    expect(await scene.balance(owner, "merchant:available")).toBe(1000n * whole);
    expect(await scene.isLedgerWhole()).toBe(true);
  });
});

describe("somebody else with the key", () => {
  test("who takes the number of a withdrawal makes it fail, when that is final and somebody says so", async () => {
    const { node, chain, signer } = world();
    const id = await ask();
    const process = scene.startProcess();
    await process.send();
    const [ours] = await scene.attempts(id);
    await node.rpc("anvil_dropTransaction", [ours?.tx_hash]);
    await useForeign(world(), ours?.nonce ?? -1n);
    await node.mine();
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("broadcast");
    expect(alarms()).toContain("number_used_by_another");
    await node.mine(finalBlocks);
    scene.clock.advance(20_000);
    await process.confirm();
    expect(alarms()).toContain("unclear_transfer");
    expect(await scene.balance(owner, "merchant:available")).toBe(900n * whole);
    await scene.policy.decide(id, "failed", "somebody else has the key");
    scene.clock.advance(20_000);
    await process.confirm();
    expect(await scene.statusOf(id)).toBe("failed");
    expect(await scene.arrived(address)).toBe(0n);
    expect(await scene.balance(owner, "merchant:available")).toBe(1000n * whole);
    // What was signed for it can never be mined any more.
    expect(await chain.minedCount(signer.accounts.hotAddress)).toBe((ours?.nonce ?? 0n) + 1n);
  });

  test("who uses a number that was never given stops the withdrawals of the chain", async () => {
    const { node, chain, signer } = world();
    await ask("1");
    const process = scene.startProcess();
    await settle(process);
    const next = await chain.minedCount(signer.accounts.hotAddress);
    await useForeign(world(), next);
    await node.mine();
    const id = await ask();
    await process.send();
    expect(await scene.statusOf(id)).toBe("pending");
    expect(alarms()).toEqual(["account_used_by_others"]);
    await scene.policy.resume(chain.chainId);
    // The signer signs numbers in their order, until somebody says what was used.
    await expect(process.send()).rejects.toThrow(/is not the next one/);
    expect(await scene.statusOf(id)).toBe("pending");
    await tellSigner(world(), [
      "next",
      chain.chainId,
      "hot",
      `${next + 1n}`,
      "a stranger used one",
    ]);
    scene.clock.advance(60_000);
    await settle(process);
    expect(await scene.statusOf(id)).toBe("confirmed");
    expect(await scene.arrived(address)).toBe(101n * whole);
  });
});

test("a database from a backup sends nothing while what it forgot is not mined", async () => {
  const { node, chain, keys, signer } = world();
  await ask("1");
  const before = await chain.minedCount(signer.accounts.hotAddress);
  await scene.startProcess().send();
  // As restored: another withdrawal comes first now, and would get the number of the one that waits.
  const restored = await openChainScene(world());
  const other = await restored.newOwner();
  await restored.fund(other, 1000n * whole);
  const target = await restored.register(other, addressOf("after the backup"));
  const { id } = await restored.request(other, target.id, "100");
  await restored.startProcess().send();
  expect(await restored.statusOf(id)).toBe("pending");
  expect(restored.alarms.map(([what]) => what)).toEqual(["account_used_by_others"]);
  // Whoever lets it go on too early: the signer signs no number for a second thing.
  await restored.policy.resume(chain.chainId);
  await expect(restored.startProcess().send()).rejects.toThrow(/was signed for something else/);
  expect(await restored.statusOf(id)).toBe("pending");
  expect(keys.accounts.hotAddress).toBe(signer.accounts.hotAddress);
  await node.mine();
  expect(await chain.minedCount(signer.accounts.hotAddress)).toBe(before + 1n);
  expect(await restored.arrived(target.address)).toBe(0n);
  await settle();
});
