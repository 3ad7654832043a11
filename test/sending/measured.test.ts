// Tokens of which logs are not believed: what has moved is measured by balances, while nodes know them, and no
// transaction ends before that.

import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { ether, finalBlocks, openScene, type Scene, usdc, whole } from "./scene.ts";

const unavailable = { kind: "unavailable" } as const;
const hour = 3_600_000;

describe.each(engines)("on %s", (engine) => {
  let scene: Scene;
  let process: ReturnType<Scene["startProcess"]>;
  beforeEach(async () => {
    scene = await openScene(engine);
    process = scene.startProcess();
    await query(
      scene.database,
      sql.raw(`insert into capabilities values
        ('${usdc.deploymentId}', 'withdrawal', 'transfer_fee', 'supported', '{}', 1, null)`),
    );
    await query(scene.database)`update catalog set version = version + 1`;
  });

  /** Sent, and in a block of this moment. */
  const start = async () => {
    const sent = await scene.queue();
    await process.send();
    scene.chain.mine(1, scene.clock.now());
    return sent;
  };
  const confirmAfter = async (milliseconds: number) => {
    scene.clock.advance(milliseconds);
    return process.confirm();
  };
  const rowOf = async (id: string) => {
    const [row] = await query(
      scene.database,
      sql<Record<string, unknown>>`
        select status, left_raw::text as left_raw, arrived_raw, measured_tx_hash, unmeasured_at,
          unmeasured_told_at, unclear_at, decided_at from outgoing_transactions where id = ${sql.lit(id)}`,
    );
    return row;
  };
  const nothing = { left_raw: null, measured_tx_hash: null };
  const measured = { left_raw: whole.toString(), arrived_raw: null };
  const alarms = () => scene.alarms.map(([what]) => what);

  test("it is measured as soon as it is mined, and that counts when nodes have forgotten it", async () => {
    const { id } = await start();
    expect(await confirmAfter(5_000)).toMatchObject({ done: 0 });
    const [attempt] = await scene.attempts(id);
    const hash = { measured_tx_hash: attempt?.tx_hash };
    expect(await rowOf(id)).toMatchObject({ status: "broadcast", ...measured, ...hash });
    scene.chain.faults.next("balanceAt", unavailable, Infinity);
    scene.chain.mine(finalBlocks);
    expect(await confirmAfter(5_000)).toMatchObject({ done: 1 });
    expect(await scene.statusOf(id)).toBe("succeeded");
    expect(scene.ended).toMatchObject([{ measured: { leftRaw: whole, arrivedRaw: null } }]);
  });

  test("what nodes do not say yet fails nothing, and is asked again at the end", async () => {
    const { id } = await start();
    scene.chain.faults.next("balanceAt", unavailable, Infinity);
    expect(await confirmAfter(5_000)).toMatchObject({ done: 0 });
    expect(await rowOf(id)).toMatchObject({ ...nothing, unmeasured_at: null });
    scene.chain.faults.clear();
    scene.chain.mine(finalBlocks);
    expect(await confirmAfter(5_000)).toMatchObject({ done: 1 });
    expect(scene.ended).toMatchObject([{ measured: { leftRaw: whole } }]);
  });

  test("what is mined and cannot be measured is no question to people any more", async () => {
    const { id } = await start();
    const marks = sql`update outgoing_transactions set unclear_at = signed_at, decided_at = signed_at`;
    await query(scene.database, marks);
    scene.chain.faults.next("balanceAt", unavailable, Infinity);
    scene.chain.mine(finalBlocks);
    expect(await confirmAfter(5_000)).toMatchObject({ done: 0 });
    const since = scene.clock.now();
    const clear = { unclear_at: null, decided_at: null };
    expect(await rowOf(id)).toMatchObject({ status: "broadcast", unmeasured_at: since, ...clear });
  });

  test("what nobody can measure waits by itself, and people are told once, an hour after its block", async () => {
    const { id } = await start();
    const { chain, clock } = scene;
    chain.faults.next("balanceAt", unavailable, Infinity);
    chain.mine(finalBlocks);
    expect(await confirmAfter(5_000)).toMatchObject({ done: 0 });
    const since = clock.now();
    expect(await rowOf(id)).toMatchObject({ unmeasured_at: since, unmeasured_told_at: null });
    // The others go on.
    const { id: other } = await scene.queue({ deploymentId: "dep_eurc_base_sepolia" });
    await process.send();
    chain.mine(finalBlocks + 1);
    expect(await confirmAfter(5_000)).toMatchObject({ done: 1 });
    expect(await scene.statusOf(other)).toBe("succeeded");
    await confirmAfter(hour - 10_000 - 1);
    expect(alarms()).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ unmeasured_at: since, unmeasured_told_at: null });
    // It is asked about every ten minutes at least.
    await confirmAfter(600_000);
    const told = clock.now();
    expect(scene.alarms).toMatchObject([["move_unmeasured", { outgoing_id: id }]]);
    await confirmAfter(600_000);
    expect(alarms()).toEqual(["move_unmeasured"]);
    const row = { status: "broadcast", unmeasured_at: since, unmeasured_told_at: told };
    expect(await rowOf(id)).toMatchObject(row);
    chain.faults.clear();
    expect(await confirmAfter(600_000)).toMatchObject({ done: 1 });
    expect(await rowOf(id)).toMatchObject({ status: "succeeded", ...measured });
  });

  test("what is mined elsewhere after a reorganisation is measured again", async () => {
    const { id } = await start();
    await confirmAfter(5_000);
    const before = await query(
      scene.database,
      sql<{ hash: string }>`select measured_block_hash as hash from outgoing_transactions`,
    );
    scene.chain.reorg(1, { transactions: "dropped" });
    scene.clock.advance(20_000);
    await process.send();
    scene.chain.mine(1, scene.clock.now());
    await confirmAfter(5_000);
    const after = await query(
      scene.database,
      sql<{ hash: string }>`select measured_block_hash as hash from outgoing_transactions`,
    );
    expect(after).not.toEqual(before);
    scene.chain.mine(finalBlocks);
    await confirmAfter(5_000);
    expect(await rowOf(id)).toMatchObject({ status: "succeeded", ...measured });
  });

  test("of what stays with us, what has come there is measured as well", async () => {
    const { signer, chain } = scene;
    const index = 7n;
    const address = signer.addressOf({ role: "deposit", index });
    const to = signer.accounts.hotAddress;
    chain.mint(address, null, ether);
    chain.mint(address, usdc.contractAddress, 5n * whole);
    const signsAs = { role: "deposit", index } as const;
    const { contractAddress } = usdc;
    const action = { kind: "transfer", to, contractAddress, amountRaw: whole } as const;
    const { id } = await scene.queue({
      account: address,
      signsAs,
      purpose: "consolidation",
      action,
    });
    await process.send();
    chain.mine(1, scene.clock.now());
    await confirmAfter(5_000);
    const moved = { left_raw: whole.toString(), arrived_raw: whole.toString() };
    expect(await rowOf(id)).toMatchObject(moved);
  });

  test("what reverts has moved nothing, and is not measured", async () => {
    const { id } = await scene.queue();
    await process.send();
    scene.chain.reverting.add(usdc.contractAddress);
    scene.chain.mine(finalBlocks, scene.clock.now());
    scene.chain.faults.next("balanceAt", unavailable, Infinity);
    expect(await confirmAfter(5_000)).toMatchObject({ done: 1 });
    expect(await rowOf(id)).toMatchObject({ status: "reverted", ...nothing });
  });
});
