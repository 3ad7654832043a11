// Sweeps of what the nodes say nothing of: it is left out, and the others are swept.

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { ChainOperations } from "../../service/sweeps/operations.ts";
import { bookDeposit } from "../sending/deposits.ts";
import { chainId, openSceneOn, usdc, whole } from "../sending/scene.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { chainUnavailable } from "../support/scripted-faults.ts";
import { ScriptedActionSigner, ScriptedOutgoingChain } from "../support/scripted-outgoing.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { query } from "../support/service-parts.ts";

/** It comes before the other one, among addresses and among tokens. */
const eurc = {
  deploymentId: "dep_eurc_base_sepolia",
  contractAddress: "0x808456652fdb597867f38412077A9182bf77359F",
} as const;
const amountRaw = 100n * whole;

class SilentChain extends ScriptedOutgoingChain {
  /** tokens of which nobody says who has how much */
  readonly dead = new Set<string>();

  /** how often such a token was asked of */
  deadAsked = 0;

  override readonly balance = (address: string, contractAddress: string | null) => {
    if (contractAddress === null || !this.dead.has(contractAddress))
      return this.balanceNow(address, contractAddress);
    this.deadAsked += 1;
    return Promise.reject(chainUnavailable());
  };
}

describe.each(engines)("on %s", (engine) => {
  let chain: SilentChain;
  let scene: Awaited<ReturnType<typeof openSceneOn>>;
  const signer = new ScriptedActionSigner();
  const { settlementAddress } = signer.accounts;
  beforeEach(async () => {
    chain = new SilentChain({ chainId });
    chain.mint(settlementAddress, usdc.contractAddress, 1_000n * whole);
    scene = await openSceneOn(await openDatabase(engine), { chain, signer });
    await query(
      scene.database,
      sql`update capabilities set status = 'supported' where key = 'eip3009'`,
    );
  });

  const arrived = async (
    index: bigint,
    { deploymentId, contractAddress }: typeof eurc | typeof usdc,
  ) => {
    const address = addressOf(`deposit ${index}`);
    chain.mint(address, contractAddress, amountRaw);
    await bookDeposit(scene, { chainId, deploymentId, amountRaw, address, index });
    return address;
  };
  const swept = async () => {
    const rows = await query(scene.database, sql<{ address: string }>`select address from sweeps`);
    return rows.map(({ address }) => address).toSorted();
  };
  const orders = () => query(scene.database, sql`select from sweep_orders`);

  const startSilent = async (count: bigint): Promise<string[]> => {
    const silent: string[] = [];
    for (let index = 1n; index <= count; index++) silent.push(await arrived(index, eurc));
    chain.dead.add(eurc.contractAddress);
    return silent;
  };

  test("a token that does not answer any more holds up no other, and the job fails for it", async () => {
    const silent = await startSilent(60n);
    const address = await arrived(61n, usdc);
    const of = { deploymentId: usdc.deploymentId, owner: null };
    await scene.post([
      { ...of, account: "chain:settlement", amountRaw: 900n * whole },
      { ...of, account: "platform:capital", amountRaw: -900n * whole },
    ]);
    await new ChainOperations(scene).orderSweep(chainId);
    const process = scene.startProcess();
    // A page has fifty, and of each the token is asked of three times.
    for (let run = 1; run <= 2; run++) {
      await expect(process.sweep()).rejects.toMatchObject({ code: "chain_unavailable" });
    }
    expect(chain.deadAsked).toBe(6);
    expect(await swept()).toEqual([address, settlementAddress].toSorted());
    expect(await orders()).toEqual([]);
    chain.dead.clear();
    for (let run = 1; run <= 2; run++) await process.sweep();
    expect(await swept()).toEqual([address, settlementAddress, ...silent].toSorted());
  });

  test.each([1n, 3n, 6n])(
    "what an operator orders of %s while the chain is away is done when it is there",
    async (count) => {
      const silent = await startSilent(count);
      await new ChainOperations(scene).orderSweep(chainId);
      chain.faults.next("fees", { kind: "unavailable" }, Infinity);
      const process = scene.startProcess();
      for (let run = 1; run <= 3; run++) {
        await expect(process.sweep()).rejects.toMatchObject({ code: "chain_unavailable" });
      }
      expect(await orders()).toHaveLength(1);
      chain.faults.clear();
      chain.dead.clear();
      await process.sweep();
      expect(await swept()).toEqual(silent.toSorted());
      expect(await orders()).toEqual([]);
    },
  );

  test("an order is done from the beginning, wherever a round stands when it is given", async () => {
    const silent = await startSilent(60n);
    const process = scene.startProcess();
    await expect(process.sweep()).rejects.toMatchObject({ code: "chain_unavailable" });
    chain.dead.clear();
    await new ChainOperations(scene).orderSweep(chainId);
    await process.sweep();
    expect(await orders()).toHaveLength(1);
    await process.sweep();
    expect(await swept()).toEqual(silent.toSorted());
    expect(await orders()).toEqual([]);
  });
});
