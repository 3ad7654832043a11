// What an operator sees of what waits for somebody.

import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { Jobs } from "../../service/jobs/jobs.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import { LedgerDifference } from "../../service/ledger/verify-job.ts";
import { problemsOf } from "../../service/monitoring/problems.ts";
import { ChainSettings } from "../../service/sweeps/settings.ts";
import { engines, makePostgresDatabase } from "../support/engines.ts";
import { chainId, openScene, usdc, whole } from "../withdrawals/scene.ts";
import { asking, compare, monitoringOf } from "./comparing.ts";

const nothingDone = { done: 0, isMore: false };

test.each(engines)(
  "on %s: what waits for an operator, and why, and what was spent",
  async (engine) => {
    const scene = await openScene(engine);
    const owner = await scene.newOwner();
    await scene.fund(owner, 1000n * whole);
    const { id: addressId } = await scene.register(owner);
    await scene.policy.setLimits(usdc.deploymentId, { single: "100", daily: "150" });
    await scene.policy.stop(chainId, "a test");
    for (const amount of ["100", "100.000001", "1"]) await scene.request(owner, addressId, amount);
    scene.clock.advance(90_000);
    await compare(scene.database, scene.clock.nowMilliseconds(), new Set());
    const monitoring = monitoringOf(scene.database, scene.clock.nowMilliseconds());
    const { withdrawals, attention, gas } = await monitoring.read();
    const held = withdrawals.map(({ heldBecause, count }) => [heldBecause, count] as const);
    expect(new Map(held)).toEqual(
      new Map([
        [null, 1],
        ["above_single_limit", 1],
        ["above_daily_limit", 1],
      ]),
    );
    for (const { oldestMilliseconds } of withdrawals) expect(oldestMilliseconds).toBe(90_000);
    expect(attention.stoppedChainIds).toEqual([chainId]);
    expect(gas).toEqual([{ chainId, spentRaw: 0n, budgetRaw: null }]);
  },
);

test.each(engines)(
  "on %s: what x402 may spend in a day, where there is a limit",
  async (engine) => {
    const scene = await openScene(engine);
    await new ChainSettings(scene).setGasBudget(chainId, "0.5");
    const { gas, floats } = await monitoringOf(
      scene.database,
      scene.clock.nowMilliseconds(),
    ).read();
    expect(gas).toEqual([{ chainId, spentRaw: 0n, budgetRaw: 500_000_000_000_000_000n }]);
    expect(floats).toEqual([]);
  },
);

test.each(engines)(
  "on %s: jobs that another process runs, also while they fail, and not those that nobody runs any more",
  async (engine) => {
    const { database, clock } = await openScene(engine);
    const ran = clock.nowMilliseconds();
    const jobs = new Jobs({ database, clock }, []);
    const nothing = () => Promise.resolve(nothingDone);
    await jobs.run({ name: "well", everyMilliseconds: 1, run: nothing });
    const watch: Job = { name: "watch-eip155-1", everyMilliseconds: 1, run: nothing };
    const away = { ...watch, run: () => Promise.reject(new Error("no node answers")) };
    await expect(jobs.run(away)).rejects.toThrow("no node answers");
    const begun = Promise.withResolvers<undefined>();
    const end = Promise.withResolvers<undefined>();
    const hanging = jobs.run({
      name: "hanging",
      everyMilliseconds: 1,
      run: async () => {
        begun.resolve(undefined);
        await end.promise;
        return nothingDone;
      },
    });
    await begun.promise;
    // An operator's process: it has no jobs of its own.
    const told = async (milliseconds: number) => {
      const now = ran + milliseconds;
      const state = await monitoringOf(database, now).read();
      const failing = problemsOf(state, now).filter(({ what }) => what.startsWith("job_"));
      return [state.jobs.map(({ name }) => name), failing.map(({ what }) => what)];
    };
    const failing = "job_failing watch-eip155-1";
    const all = ["hanging", "watch-eip155-1", "well"];
    expect(await told(0)).toEqual([all, [failing]]);
    expect(await told(10_800_000)).toEqual([all, [failing]]);
    // Of a chain that was taken out, say: it is told no more.
    expect(await told(10_800_001)).toEqual([["hanging"], []]);
    expect(await told(86_400_000)).toEqual([["hanging"], []]);
    expect(await told(86_400_001)).toEqual([[], []]);
    end.resolve(undefined);
    await hanging;
    await jobs.run(watch);
    expect(await told(0)).toEqual([all, []]);
  },
);

test.each(engines)(
  "on %s: jobs that somebody knows or has, and the ledger's own",
  async (engine) => {
    const { database, clock } = await openScene(engine);
    const now = clock.nowMilliseconds();
    const verify: Job = {
      name: "ledger-verify",
      everyMilliseconds: 1,
      run: () => Promise.reject(new LedgerDifference(1)),
    };
    const jobs = new Jobs({ database, clock }, [verify]);
    const gone: Job = { ...verify, name: "job-of-before", run: () => Promise.resolve(nothingDone) };
    await jobs.run(gone);
    const read = (nowMilliseconds: number) =>
      monitoringOf(database, nowMilliseconds, { jobs }).read();
    const later = now + 10_800_001;
    expect((await read(later)).jobs.map(({ name }) => name)).toEqual(["ledger-verify"]);
    expect((await read(now)).attention.isLedgerDifferent).toBe(false);
    await expect(jobs.run(verify)).rejects.toThrow("1 differences in the ledger");
    // A page before the one that differs is read well.
    await jobs.run({ ...verify, run: () => Promise.resolve(nothingDone) });
    const differing = [now, now + 7_199_999, now + 7_200_000].map(async (at) => {
      return (await read(at)).attention.isLedgerDifferent;
    });
    expect(await Promise.all(differing)).toEqual([true, true, false]);
    const other: Job = { ...verify, run: () => Promise.reject(new Error("slow")) };
    await expect(jobs.run(other)).rejects.toThrow("slow");
    expect((await read(now)).attention.isLedgerDifferent).toBe(false);
  },
);

test.each(engines)(
  "on %s: a chain that nobody watches any more is not among them",
  async (engine) => {
    const { database, clock } = await openScene(engine);
    const since = new Date(0).toISOString();
    await asking(database)(`insert into chain_cursors
    (chain_id, block_number, block_hash, block_time, head_number, looked_at, checked_number, updated_at)
    values ('eip155:4', 1, '0x1', '${since}', 1, '${since}', 1, '${since}')`);
    const chainsOf = async (ids: readonly string[]) => {
      const watchedChainIds = new Set(ids);
      const { chains } = await monitoringOf(database, clock.nowMilliseconds(), {
        watchedChainIds,
      }).read();
      return chains.map(({ chainId: id, isStale }) => [id, isStale]);
    };
    expect(await chainsOf(["eip155:1"])).toEqual([]);
    expect(await chainsOf(["eip155:4"])).toEqual([["eip155:4", true]]);
  },
);

test("a database that was told to take no writes says so", async () => {
  const { url, remove } = await makePostgresDatabase();
  onTestFinished(remove);
  const takesWrites = async (): Promise<boolean> => {
    const database = await openPostgres({ url, areTablesLeft: true, connectionsMax: 2 });
    const watching = { watchedChainIds: new Set<string>() };
    const state = await monitoringOf(database, 0, watching).read();
    await database.close();
    return state.database.takesWrites;
  };
  expect(await takesWrites()).toBe(true);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // As a managed database does it when its disk is full.
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  await client.query(`alter database ${name} set default_transaction_read_only = on`);
  await client.end();
  expect(await takesWrites()).toBe(false);
});
