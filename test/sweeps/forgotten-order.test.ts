// Several things that a restored database has forgotten of one address, and what its own jobs have planned since: in
// whatever order they are said, each is what it was (threat 121).

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import type { ChainAction } from "../../service/ports/signer.ts";
import { outgoingValues } from "../../service/sending/model.ts";
import { queueOutgoing } from "../../service/sending/queue.sql.ts";
import { chainId, coin, ether, usdc, whole } from "../sending/scene.ts";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { openForgotten, reason } from "./forgotten-scene.ts";
import type { ForgottenScene } from "./forgotten-scene.ts";

const settlementRole = { role: "settlement" } as const;

describe.each(engines)("on %s", (engine) => {
  let scene: ForgottenScene;
  beforeEach(async () => {
    scene = await openForgotten(engine);
  });

  const remember = (txHash: string) => scene.forgotten.remember(chainId, txHash, reason);
  const stops = () => query(scene.database, sql`select reason from withdrawal_stops`);
  const expectWhole = async () => {
    const all: (readonly string[])[] = [];
    for (let hours = 0; hours < 3; hours++) {
      scene.clock.advance(3_600_000);
      scene.chain.mine(1, scene.clock.now());
      await scene.read();
      all.push(await scene.compare());
    }
    expect(all.at(-1)).toEqual([]);
    expect(await scene.isLedgerWhole()).toBe(true);
    scene.chain.assertConserved();
  };

  test.each([
    ["the older one first", [0, 1]],
    ["the newer one first", [1, 0]],
  ] as const)("two sweeps of as much each, %s", async (_, order) => {
    await scene.arrived(1n);
    const first = await scene.sendForgotten(settlementRole, scene.collect(1n));
    const { number } = await scene.chain.head();
    await scene.arrived(1n, { block: number + 1n });
    scene.chain.mine();
    const second = await scene.sendForgotten(settlementRole, scene.collect(1n));
    for (const index of order) {
      expect(await remember([first, second][index] ?? "")).toMatchObject({ isPlanned: true });
      await scene.resume();
      await scene.settle();
    }
    expect(await scene.balance("chain:hot")).toBe(200n * whole);
    expect(await scene.balance("chain:deposit_addresses")).toBe(0n);
    expect(scene.chain.transfersTo(scene.hot)).toHaveLength(2);
    await expectWhole();
  });

  test("what the job has planned since waits for the stop, and makes way", async () => {
    await scene.arrived(1n);
    const txHash = await scene.sendForgotten(settlementRole, scene.collect(1n));
    await scene.arrived(1n, { amountRaw: 7n * whole, block: 1_000n });
    await query(
      scene.database,
      sql`insert into withdrawal_stops (chain_id, reason, since)
      values (${chainId}, 'restored', now())`,
    );
    await scene.startProcess().sweep();
    const [planned] = await scene.sweeps();
    expect(planned).toMatchObject({ status: "moving" });
    const { subjectId } = await remember(txHash);
    expect(subjectId).not.toBe(planned?.id);
    const statuses = new Map((await scene.sweeps()).map(({ id, status }) => [id, status]));
    expect(statuses.get(planned?.id ?? "")).toBe("failed");
    await scene.settle();
    await scene.resume();
    // What failed is tried again after hours.
    scene.clock.advance(86_400_000);
    await scene.settle();
    expect(await scene.balance("chain:hot")).toBe(107n * whole);
    expect(scene.chain.transfersTo(scene.hot)).toHaveLength(2);
    await expectWhole();
  });

  test("two of an address itself: what it has sent stops nothing", async () => {
    const at = { of: coin, amountRaw: ether };
    await scene.arrived(1n, at);
    const send = (): Promise<string> => {
      const amountRaw = ether - ether / 50n;
      const action = { kind: "transfer", to: scene.hot, contractAddress: null, amountRaw } as const;
      return scene.sendForgotten({ role: "deposit", index: 1n }, action);
    };
    const first = await send();
    const { number } = await scene.chain.head();
    await scene.arrived(1n, { ...at, block: number + 1n });
    scene.chain.mine();
    const second = await send();
    const process = scene.startProcess();
    for (const txHash of [first, second]) {
      await remember(txHash);
      await process.send();
      scene.chain.mine(6);
      scene.clock.advance(20_000);
      await process.confirm();
    }
    expect(await stops()).toEqual([]);
    const sweeps = await scene.sweeps();
    expect(sweeps.map(({ status }) => status)).toEqual(["moved", "moved"]);
  });

  test("what was not used of an authorization, and waits to go back, has gone back by it", async () => {
    const { settlementAddress } = scene.signer.accounts;
    const action: ChainAction = {
      kind: "transfer",
      to: addressOf("a payer"),
      contractAddress: usdc.contractAddress,
      amountRaw: 3n * whole,
    };
    scene.chain.mint(settlementAddress, usdc.contractAddress, 10n * whole);
    await scene.database.run(
      queueOutgoing,
      outgoingValues(scene, {
        chainId,
        account: settlementAddress,
        signsAs: settlementRole,
        purpose: "x402_release",
        subjectId: "x4s_1",
        deploymentId: usdc.deploymentId,
        action,
      }),
    );
    const txHash = await scene.sendForgotten(settlementRole, action);
    const remembered = await remember(txHash);
    expect(remembered).toMatchObject({ purpose: "x402_release", subjectId: "x4s_1", as: "first" });
    const rows = await query(
      scene.database,
      sql`select o.status, a.tx_hash from outgoing_transactions o
        join outgoing_attempts a on a.outgoing_id = o.id where o.purpose = 'x402_release'`,
    );
    expect(rows).toEqual([{ status: "broadcast", tx_hash: txHash }]);
  });
});
