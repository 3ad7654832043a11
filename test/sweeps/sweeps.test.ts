// Sweeps: what arrived at the addresses of payments is brought together once, whatever dies when, and
// the ledger says where everything is (threat 67).

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { Audit } from "../../service/audit/audit.ts";
import { ChainOperations } from "../../service/sweeps/operations.ts";
import { chainHoldings } from "../../service/ledger/reserve-holdings.ts";
import { leaseMilliseconds } from "../../service/sending/lease.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { bookDeposit } from "../sending/deposits.ts";
import type { DepositWish } from "../sending/deposits.ts";
import { chainId, coin, ether, finalBlocks, openScene, usdc, whole } from "../sending/scene.ts";
import type { Scene } from "../sending/scene.ts";
import { dyingAt } from "../support/dying.ts";

const treasury = addressOf("treasury");

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(engine);
  });
  const hot = () => scene.signer.accounts.hotAddress;
  const alarms = () => scene.alarms.map(([what]) => what);

  /** A deposit that the chain has, and the ledger too. */
  const arrived = async (index: bigint, wish: Partial<DepositWish> = {}) => {
    const asset = wish.deploymentId === coin.deploymentId ? coin : usdc;
    const address = addressOf(`deposit ${index}`);
    const given = { chainId, deploymentId: asset.deploymentId, amountRaw: 100n * whole, ...wish };
    scene.chain.mint(address, asset.contractAddress, given.amountRaw);
    await bookDeposit(scene, { ...given, address, index });
    return address;
  };

  /** As long as it takes until nothing more happens. */
  const settle = async (process = scene.startProcess()): Promise<void> => {
    for (let round = 0; round < 4; round++) {
      await process.sweep();
      await process.send();
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await process.confirm();
    }
  };

  const sweeps = () =>
    query(
      scene.database,
      sql<{ status: string; method: string; target: string; address: string; problem: string }>`
        select status, method, target, address, problem from sweeps order by created_at, id`,
    );

  /** As the catalog of the test network has it: without EIP-3009. */
  const withoutAuthorizations = () =>
    query(
      scene.database,
      sql`update capabilities set status = 'unsupported' where key = 'eip3009'`,
    );
  const withAuthorizations = () =>
    query(scene.database, sql`update capabilities set status = 'supported' where key = 'eip3009'`);

  test("a token with authorizations leaves an address that has no coin, at once", async () => {
    await withAuthorizations();
    const address = await arrived(1n);
    const seconds = BigInt(Math.floor(scene.clock.nowMilliseconds() / 1_000));
    await settle();
    expect(await sweeps()).toMatchObject([{ status: "moved", method: "collect", target: "hot" }]);
    // Whoever gets hold of it can use it for a week, and for this only.
    const authorization = { from: address, to: hot(), validBefore: seconds + 604_800n };
    expect(scene.signer.intents.map(({ action }) => action)).toMatchObject([
      { kind: "collect", authorization: { ...authorization, amountRaw: 100n * whole } },
    ]);
    expect(scene.chain.transfersTo(hot())).toMatchObject([
      { from: address, amountRaw: 100n * whole },
    ]);
    expect(await scene.balance("chain:hot")).toBe(100n * whole);
    expect(await scene.balance("chain:deposit_addresses")).toBe(0n);
    const gas = await scene.balance("platform:gas", coin.deploymentId);
    expect(await scene.balance("chain:settlement", coin.deploymentId)).toBe(-gas);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("any other token gets coin for its transfer first, and what is left of that is booked", async () => {
    await withoutAuthorizations();
    const address = await arrived(1n);
    await settle();
    expect(await sweeps()).toMatchObject([{ status: "moved", method: "topped_up" }]);
    expect(scene.chain.transfersTo(hot())).toMatchObject([
      { from: address, amountRaw: 100n * whole },
    ]);
    const left = await scene.chain.balance(address, null);
    expect(left).toBeGreaterThan(0n);
    expect(await scene.balance("chain:deposit_addresses", coin.deploymentId)).toBe(left);
    expect(await scene.balance("chain:deposit_addresses")).toBe(0n);
    expect(await scene.nonces(address)).toEqual([0n]);
    const spent =
      (await scene.chain.balance(scene.signer.accounts.settlementAddress, null)) - 100n * ether;
    expect(await scene.balance("chain:settlement", coin.deploymentId)).toBe(spent);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("the chain's own coin leaves but for its gas, and what stays is booked", async () => {
    const address = await arrived(1n, { deploymentId: coin.deploymentId, amountRaw: ether });
    await settle();
    expect(await sweeps()).toMatchObject([{ status: "moved", method: "transfer" }]);
    const [moved] = scene.chain.transfersTo(hot());
    expect(moved?.amountRaw).toBeGreaterThan((ether * 99n) / 100n);
    expect(await scene.balance("chain:hot", coin.deploymentId)).toBe(moved?.amountRaw);
    const left = await scene.chain.balance(address, null);
    expect(await scene.balance("chain:deposit_addresses", coin.deploymentId)).toBe(left);
    expect(await scene.isLedgerWhole()).toBe(true);
    scene.chain.assertConserved();
  });

  test("what is less than its gas stays, and so does what is less than an operator says", async () => {
    await withAuthorizations();
    await arrived(1n, { deploymentId: coin.deploymentId, amountRaw: 1_000n });
    // The default: a ten-thousandth of a high value.
    await arrived(2n, { amountRaw: 1n });
    await settle();
    expect(await sweeps()).toEqual([]);
    const { configuration } = scene.sweeping;
    scene.sweeping.configuration = { ...configuration, minimumRaw: () => 0n };
    await settle();
    expect(await sweeps()).toMatchObject([{ status: "moved", address: addressOf("deposit 2") }]);
  });

  test("nothing is swept before the payment is over", async () => {
    await withAuthorizations();
    await arrived(1n, { paymentStatus: "partially_paid" });
    await settle();
    expect(await sweeps()).toEqual([]);
    await query(scene.database, sql`update payments set status = 'underpaid'`);
    await settle();
    expect(await sweeps()).toMatchObject([{ status: "moved" }]);
  });

  test("nothing is swept of what nobody can say has arrived", async () => {
    await query(
      scene.database,
      sql`update capabilities set status = 'unsupported'
        where key = 'finality' and deployment_id = ${usdc.deploymentId}`,
    );
    await arrived(1n);
    await arrived(2n, { deploymentId: coin.deploymentId, amountRaw: ether });
    await settle();
    expect(await sweeps()).toMatchObject([{ address: addressOf("deposit 2") }]);
  });

  test("with its float the hot account has enough, and more goes to the treasury (threat 67)", async () => {
    await withAuthorizations();
    scene.chain.mint(hot(), usdc.contractAddress, 50n * whole);
    const floatRawMax = () => Promise.resolve(200n * whole);
    scene.sweeping.configuration = {
      ...scene.sweeping.configuration,
      treasuryAddress: treasury,
      floatRawMax,
    };
    for (const index of [1n, 2n, 3n]) await arrived(index);
    await settle();
    expect((await sweeps()).map(({ target }) => target).toSorted()).toEqual([
      "hot",
      "hot",
      "treasury",
    ]);
    expect(scene.chain.transfersTo(treasury)).toHaveLength(1);
    expect(await scene.balance("chain:treasury")).toBe(100n * whole);
    expect(await scene.balance("chain:hot")).toBe(200n * whole);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("what is on its way to the hot account counts as if it were there", async () => {
    await withAuthorizations();
    scene.sweeping.configuration = {
      ...scene.sweeping.configuration,
      treasuryAddress: treasury,
      floatRawMax: () => Promise.resolve(100n * whole),
    };
    await arrived(1n);
    // Handed to the chain, and in no block.
    const first = scene.startProcess();
    await first.sweep();
    await first.send();
    await arrived(2n);
    await scene.startProcess().sweep();
    const targets = (await sweeps()).map(({ status, target }) => `${status} ${target}`);
    expect(targets.toSorted()).toEqual(["moving hot", "moving treasury"]);
  });

  test("what comes later is swept by itself, and nothing twice", async () => {
    await withAuthorizations();
    const address = await arrived(1n);
    await settle();
    await arrived(1n, { amountRaw: 7n * whole });
    await settle();
    await settle();
    const amounts = scene.chain.transfersTo(hot()).map(({ amountRaw }) => amountRaw);
    expect(amounts).toEqual([100n * whole, 7n * whole]);
    expect(await scene.chain.balance(address, usdc.contractAddress)).toBe(0n);
  });

  test("what strangers leave at an address is not ours to move", async () => {
    await withAuthorizations();
    const address = await arrived(1n);
    scene.chain.mint(address, usdc.contractAddress, 3n * whole);
    await settle();
    expect(await scene.chain.balance(address, usdc.contractAddress)).toBe(3n * whole);
    expect(alarms()).toEqual([]);
  });

  test("several that plan at once plan one sweep of each address", async () => {
    await withAuthorizations();
    for (let index = 1n; index <= 6n; index++) await arrived(index);
    const processes = Array.from({ length: 4 }, () => scene.startProcess());
    for (let round = 0; round < 4; round++) {
      await Promise.all(processes.map(({ sweep }) => sweep()));
      await Promise.all(processes.map(({ send }) => send()));
      scene.chain.mine(finalBlocks);
      scene.clock.advance(20_000);
      await Promise.all(processes.map(({ confirm }) => confirm()));
    }
    expect(scene.chain.transfersTo(hot())).toHaveLength(6);
    expect(await sweeps()).toHaveLength(6);
    expect(await scene.balance("chain:hot")).toBe(600n * whole);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  const points = ["leased", "claimed", "signed", "stored", "sent", "asked", "ended"] as const;
  test.each(points.flatMap((point) => [1, 2].map((times) => [point, times] as const)))(
    "a process that dies at %s of transaction %i: gas once, transfer once",
    async (point, times) => {
      await withoutAuthorizations();
      const address = await arrived(1n);
      const { reached, died } = dyingAt(point, times);
      void settle(scene.startProcess({ reached }));
      await died;
      scene.clock.advance(leaseMilliseconds);
      await settle();
      expect(await sweeps()).toMatchObject([{ status: "moved" }]);
      expect(scene.chain.transfersTo(hot())).toHaveLength(1);
      expect(scene.chain.transfersTo(address)).toHaveLength(1);
      expect(await scene.balance("chain:hot")).toBe(100n * whole);
      expect(await scene.isLedgerWhole()).toBe(true);
    },
  );

  test("an address that cannot pay for its sweep any more: it is planned anew, with what is there", async () => {
    const address = await arrived(1n, { deploymentId: coin.deploymentId, amountRaw: ether });
    const process = scene.startProcess();
    await process.sweep();
    scene.chain.baseFee *= 100n;
    await process.send();
    const [first] = await sweeps();
    expect(first).toMatchObject({
      status: "failed",
      problem: "the address has less than it takes",
    });
    expect(scene.chain.transfersTo(hot())).toEqual([]);
    scene.clock.advance(6 * 3_600_000);
    await settle(process);
    expect(await sweeps()).toMatchObject([{ status: "failed" }, { status: "moved", address }]);
    expect(scene.chain.transfersTo(hot())).toHaveLength(1);
    expect(await scene.isLedgerWhole()).toBe(true);
    scene.chain.assertConserved();
  });

  test("what failed is tried again after a while, and at once when an operator says so", async () => {
    await withAuthorizations();
    await arrived(1n);
    const process = scene.startProcess();
    await process.sweep();
    await process.send();
    scene.chain.reverting.add(usdc.contractAddress);
    await settle(process);
    expect(await sweeps()).toMatchObject([{ status: "failed", problem: "reverted" }]);
    expect(alarms()).toContain("sweep_failed");
    scene.chain.reverting.clear();
    await settle(process);
    expect(await sweeps()).toHaveLength(1);
    await new ChainOperations(scene).orderSweep(chainId);
    await settle(process);
    // An authorization was refused once: the next way is the one that always works.
    expect(await sweeps()).toMatchObject([
      { status: "failed" },
      { status: "moved", method: "topped_up" },
    ]);
    expect(scene.chain.transfersTo(hot())).toHaveLength(1);
    expect(await query(scene.database, sql`select from sweep_orders`)).toEqual([]);
    const [entry] = await new Audit(scene).list({ after: undefined, limit: 1 });
    expect(entry).toMatchObject({ actor: "operator", action: "sweep.ordered" });
    await expect(new ChainOperations(scene).orderSweep("eip155:666")).rejects.toThrow("nothing on");
  });

  test("the settlement account keeps what payers may get back, and gives away the rest", async () => {
    const { settlementAddress } = scene.signer.accounts;
    const at = { deploymentId: usdc.deploymentId, amountRaw: 0n };
    await bookDeposit(scene, { ...at, chainId, address: "x", index: 9n, amountRaw: 1n });
    const [{ merchant_id: merchantId } = { merchant_id: "" }] = await query(
      scene.database,
      sql<{ merchant_id: string }>`select merchant_id from payments limit 1`,
    );
    const owner = { merchantId, environment: "test" } as const;
    await scene.post([
      { ...at, account: "chain:settlement", owner: null, amountRaw: 900n * whole },
      { ...at, account: "merchant:x402_hold", owner, amountRaw: -250n * whole },
      { ...at, account: "payer:refund_due", owner, amountRaw: -50n * whole },
      { ...at, account: "merchant:available", owner, amountRaw: -600n * whole },
    ]);
    await settle();
    expect(await sweeps()).toMatchObject([{ status: "moved", address: settlementAddress }]);
    expect(scene.chain.transfersTo(hot())).toMatchObject([{ amountRaw: 600n * whole }]);
    expect(await scene.balance("chain:settlement")).toBe(300n * whole);
    expect(await scene.balance("chain:hot")).toBe(600n * whole);
    expect(await scene.isLedgerWhole()).toBe(true);
  });

  test("what costs more gas than it brings stays, where the catalog says what a coin is worth", async () => {
    await withAuthorizations();
    await query(
      scene.database,
      sql`update capabilities set parameters = parameters || '{"raw_per_coin":"4000000000"}'
        where scope = 'x402' and key = 'eip3009'`,
    );
    // 100,000 units at 21 gwei, of a coin for 4,000 dollars: 8.4 dollars.
    await arrived(1n, { amountRaw: 8_399_999n });
    await settle();
    expect(await sweeps()).toEqual([]);
    await arrived(2n, { amountRaw: 8_400_000n });
    await settle();
    expect(await sweeps()).toMatchObject([{ status: "moved", address: addressOf("deposit 2") }]);
  });

  test("what an operator orders is swept whatever its gas costs", async () => {
    await withAuthorizations();
    await query(
      scene.database,
      sql`update capabilities set parameters = parameters || '{"raw_per_coin":"4000000000"}'
        where scope = 'x402' and key = 'eip3009'`,
    );
    const address = await arrived(1n, { amountRaw: 8_399_999n });
    await settle();
    expect(await sweeps()).toEqual([]);
    await new ChainOperations(scene).orderSweep(chainId);
    await settle();
    expect(await sweeps()).toMatchObject([{ status: "moved", address }]);
    // That was this once.
    await arrived(2n, { amountRaw: 8_399_999n });
    await settle();
    expect(await sweeps()).toHaveLength(1);
  });

  test("what goes back from the hot account is brought there, what goes back from here stays", async () => {
    const at = { deploymentId: usdc.deploymentId, amountRaw: 0n };
    await scene.post([
      { ...at, account: "chain:settlement", owner: null, amountRaw: 90n * whole },
      { ...at, account: "payer:refunding", owner: null, amountRaw: -90n * whole },
    ]);
    scene.chain.mint(scene.signer.accounts.settlementAddress, usdc.contractAddress, 90n * whole);
    const waiting = (id: string, amountRaw: bigint, signsAs: string) =>
      query(
        scene.database,
        sql`with d as (
          insert into deposits (chain_id, tx_hash, log_index, deployment_id, address, sender, source,
            amount_raw, block_number, block_hash, block_time, status, bookings, unmatched_raw,
            regular_raw, surplus_raw, booked_at)
          values (${chainId}, ${`0x${id}`}, 0, ${usdc.deploymentId}, '0xa', '0xb', 'settlement',
            ${amountRaw}, 1, '0xc', now(), 'final', 1, ${amountRaw}, 0, 0, now()) returning tx_hash)
        insert into suspense_exits (id, chain_id, tx_hash, log_index, booking, deployment_id,
          amount_raw, way, status, address, signs_as, evidence, created_at, updated_at)
        select ${`sus_${id}`}, ${chainId}, tx_hash, 0, 1, ${usdc.deploymentId}, ${amountRaw},
          'sent_back', 'waiting', '0xd', ${signsAs}, 'x', now(), now() from d`,
      );
    await waiting("1", 60n * whole, "hot");
    await waiting("2", 30n * whole, "settlement");
    await settle();
    expect(scene.chain.transfersTo(hot())).toMatchObject([{ amountRaw: 60n * whole }]);
  });

  test("the check of the reserve asks about addresses only until they are swept", async () => {
    await withAuthorizations();
    const accounts = [hot(), treasury];
    const holdings = chainHoldings({
      database: scene.database,
      chainOf: () => ({ chain: scene.chain, accounts }),
    });
    const deployment = { id: usdc.deploymentId, chainId, contractAddress: usdc.contractAddress };
    await arrived(1n);
    await arrived(2n);
    expect(await holdings(deployment)).toMatchObject({ raw: 200n * whole });
    await settle();
    const asked = scene.chain.asked.length;
    expect(await holdings(deployment)).toMatchObject({ raw: 200n * whole });
    expect(scene.chain.asked.slice(asked)).toEqual(accounts);
  });
});
