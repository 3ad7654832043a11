// No index of a deposit address is given twice, even by a database that does not remember
// (threat 78). The one who remembers is the signer's own code, on a journal of its own.

import { randomBytes } from "node:crypto";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openService } from "../../adapters/assembly/service.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { parseConfiguration } from "../../adapters/configuration/configuration.ts";
import { buildLogger } from "../../adapters/system/logging.ts";
import { AddressIndexes, blockSize } from "../../service/addresses/indexes.ts";
import { Audit } from "../../service/audit/audit.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Database } from "../../service/ports/database.ts";
import { endChildren, makeFolder } from "../programs/child.ts";
import { openDesk } from "../signer/desk.ts";
import { until } from "../signer/process.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query, TestClock } from "../support/service-parts.ts";

// its folders go with it
afterAll(endChildren);

const refused = { code: "chain_unavailable" };

/** The signer, which may be away, take its time, or lose its answer on the way. */
function openKeeper() {
  const { desk, close } = openDesk(makeFolder());
  onTestFinished(close);
  const state = { isAway: false, isDeaf: false, asked: 0, before: () => Promise.resolve() };
  const away = () => new ServiceError("chain_unavailable", "The signer does not answer.");
  return {
    state,
    freeFrom: () => desk.claimIndexes(0n, 0n),
    claimIndexes: async (first: bigint, count: bigint): Promise<bigint> => {
      if (count > 0n) {
        state.asked += 1;
        await state.before();
      }
      if (state.isAway) throw away();
      const freeFrom = desk.claimIndexes(first, count);
      if (state.isDeaf && count > 0n) throw away();
      return freeFrom;
    },
  };
}

type Keeper = ReturnType<typeof openKeeper>;

/** One process; several of them on one database and one keeper are several processes. */
function startProcess(database: Database, keeper: Keeper) {
  const alarms: unknown[] = [];
  const clock = new TestClock();
  const alarm = (_what: string, facts: unknown) => void alarms.push(facts);
  const indexes = new AddressIndexes({ database, clock, keeper, alarm });
  const { run } = indexes.job();
  return { alarms, next: () => indexes.next(), run: async () => (await run()).done };
}

async function take(next: () => Promise<bigint>, count: number): Promise<readonly bigint[]> {
  const taken: bigint[] = [];
  for (let at = 0; at < count; at++) taken.push(await next());
  return taken;
}

/** As of a backup: what comes next was taken already. */
const goBackTo = (database: Database, block: number) =>
  query(database)`update deposit_index_blocks set next_block = ${block}::bigint`;

const blockOf = async (database: Database): Promise<bigint | undefined> => {
  const rows = await query(database)<{
    next: bigint;
  }>`select next_block as next from deposit_index_blocks`;
  return rows[0]?.next;
};

const auditOf = async (database: Database) => {
  const entries = await new Audit({ database }).list({ after: undefined, limit: 100 });
  return entries.filter(({ action }) => action === "deposit_addresses.advanced");
};

describe.each(engines)("on %s", (engine) => {
  const start = async () => {
    const database = await openDatabase(engine);
    const keeper = openKeeper();
    return { database, keeper, process: startProcess(database, keeper) };
  };

  test("they come one after the other, and the signer is asked once for many", async () => {
    const { database, keeper, process } = await start();
    const count = 2 * Number(blockSize) + 1;
    const expected = Array.from({ length: count }, (_, at) => BigInt(at));
    expect(await take(process.next, count)).toEqual(expected);
    expect(keeper.state.asked).toBe(3);
    expect(keeper.freeFrom()).toBe(3n * blockSize);
    expect(await process.run()).toBe(0);
    expect(await auditOf(database)).toEqual([]);
    expect(process.alarms).toEqual([]);
  });

  test("a restored database jumps over everything that was given since the backup", async () => {
    const { database, keeper, process } = await start();
    const given = await take(process.next, 2 * Number(blockSize) + 5);
    await goBackTo(database, 1);
    const heir = startProcess(database, keeper);
    const again = await take(heir.next, 3);
    expect(again).toEqual([3000n, 3001n, 3002n]);
    expect(given.filter((index) => again.includes(index))).toEqual([]);
    const facts = { database_index: "1000", signer_index: "3000", next_index: "3000" };
    expect(heir.alarms).toEqual([facts]);
    const entries = await auditOf(database);
    expect(entries.map(({ details }) => JSON.parse(details) as unknown)).toEqual([facts]);
    expect(entries[0]).toMatchObject({ actor: "system", subject: { type: "database" } });
  });

  test("a backup of a moment ago, and the same one again, give nothing twice", async () => {
    const { database, keeper, process } = await start();
    const given = new Set(await take(process.next, 5));
    for (let restore = 0; restore < 4; restore++) {
      await goBackTo(database, restore % 2);
      for (const index of await take(startProcess(database, keeper).next, 15)) {
        expect(given).not.toContain(index);
        given.add(index);
      }
    }
  });

  test("it is noticed when a process starts, before anybody asks for an address", async () => {
    const { database, keeper, process } = await start();
    await take(process.next, 1);
    await goBackTo(database, 0);
    const heir = startProcess(database, keeper);
    expect(await heir.run()).toBe(1);
    expect(await heir.run()).toBe(0);
    expect(heir.alarms).toHaveLength(1);
    expect(await blockOf(database)).toBe(1n);
    expect(keeper.state.asked).toBe(1);
  });

  test("a database that is restored under running processes gives nothing twice", async () => {
    const { database, keeper, process } = await start();
    const other = startProcess(database, keeper);
    const given = [...(await take(process.next, 999)), ...(await take(other.next, 999))];
    await goBackTo(database, 1);
    given.push(...(await take(process.next, 9)), ...(await take(other.next, 9)));
    expect(new Set(given).size).toBe(given.length);
    expect([...process.alarms, ...other.alarms]).toHaveLength(1);
  });

  test("processes that start at once move it once, and never give the same", async () => {
    const { database, keeper, process } = await start();
    for (let block = 0; block < 3; block++) await take(process.next, Number(blockSize));
    await goBackTo(database, 0);
    const heirs = Array.from({ length: 4 }, () => startProcess(database, keeper));
    const taken = await Promise.all(
      heirs.map(async ({ next, run }) => (await Promise.all([take(next, 1_100), run()]))[0]),
    );
    const all = taken.flat();
    expect(new Set(all).size).toBe(all.length);
    for (const index of all) expect(index).toBeGreaterThanOrEqual(3n * blockSize);
    expect(heirs.flatMap(({ alarms }) => alarms)).toHaveLength(1);
    expect(await auditOf(database)).toHaveLength(1);
  });

  test("another process that is faster, or an answer that is lost, is no restore", async () => {
    const { database, keeper, process } = await start();
    const other = startProcess(database, keeper);
    let isFirst = true;
    keeper.state.before = async () => {
      if (!isFirst) return;
      isFirst = false;
      expect(await other.next()).toBe(1000n);
    };
    expect(await process.next()).toBe(2000n);
    const third = startProcess(database, keeper);
    keeper.state.isDeaf = true;
    await expect(third.next()).rejects.toMatchObject(refused);
    keeper.state.isDeaf = false;
    expect(await third.next()).toBe(4000n);
    expect([process, other, third].flatMap(({ alarms }) => alarms)).toEqual([]);
    expect(await auditOf(database)).toEqual([]);
  });

  test("without the signer there are still some, and then an end", async () => {
    const { database, keeper, process } = await start();
    await take(process.next, Number(blockSize) / 2 + 1);
    await process.run();
    keeper.state.isAway = true;
    await expect(process.run()).rejects.toMatchObject(refused);
    const left = (3 * Number(blockSize)) / 2 - 1;
    expect(new Set(await take(process.next, left)).size).toBe(left);
    for (let at = 0; at < 5; at++) await expect(process.next()).rejects.toMatchObject(refused);
    // A new process has none at all.
    await expect(startProcess(database, keeper).next()).rejects.toMatchObject(refused);
    // Who asks again and again does not use them up.
    expect(await blockOf(database)).toBe(2n);
    keeper.state.isAway = false;
    expect(await process.next()).toBe(2000n);
  });

  test("many at once share a block", async () => {
    const { keeper, process } = await start();
    const all = await Promise.all(Array.from({ length: 50 }, process.next));
    expect(new Set(all).size).toBe(50);
    expect(keeper.state.asked).toBe(1);
  });
});

test("the service has a job for it, and its log says so if the database was restored", async () => {
  const database = await openDatabase("PostgreSQL");
  const keeper = openKeeper();
  await keeper.claimIndexes(76_000n, 77n);
  const lines: string[] = [];
  const log = buildLogger("info", { write: (line: string) => void lines.push(line) });
  const environment = { ENCRYPTION_KEY: randomBytes(32).toString("base64"), NODE_ENV: "test" };
  const ports = { clock: systemClock, log, database, indexKeeper: keeper };
  const service = await openService(parseConfiguration(environment), ports);
  service.startWork();
  const alarms = () => lines.filter((line) => line.includes("database_restored"));
  await until(() => alarms().length > 0);
  const told = alarms();
  expect(told).toHaveLength(1);
  expect(told[0]).toMatch(/"signer_index":"76077".*seems to be restored from a backup/);
  expect(await blockOf(database)).toBe(77n);
  await service.close();
});
