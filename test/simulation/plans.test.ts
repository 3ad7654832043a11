// Plans change by themselves: statistics are counted when the server has time for it. A life must be the same with
// any of them, to the last count, and with transactions that are undone and run again.

import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { Database } from "../../service/ports/database.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { simulate, type Summary } from "./simulation.ts";

const steps = 300;
const seeds = [7, 1_282_564_785] as const;

/** What the planner may not use, as settings of the database. */
const plans = {
  "without indexes": ["enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan"],
  "with indexes wherever there is one": ["enable_seqscan"],
  "with merged joins": ["enable_hashjoin", "enable_hashagg", "enable_nestloop"],
  "with nested loops": ["enable_hashjoin", "enable_mergejoin", "enable_sort"],
} as const;

class Conflict extends Error {
  readonly code = "40001";
}

async function openWith(off: readonly string[] = []) {
  const { url, remove } = await makePostgresDatabase();
  onTestFinished(remove);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  const name = new URL(url).pathname.slice(1);
  for (const setting of off) await client.query(`alter database ${name} set ${setting} = off`);
  const database = await openPostgres({ url, connectionsMax: 6 });
  onTestFinished(database.close);
  return { database, client };
}

/** Of three transactions one is undone at its end, and run again. */
function contested(database: Database) {
  let count = 0;
  let undone = 0;
  const transaction: Database["transaction"] = (work, joint) => {
    let isContested = count++ % 3 === 0;
    return database.transaction(async (inside) => {
      const result = await work(inside);
      if (!isContested) return result;
      isContested = false;
      undone += 1;
      throw new Conflict("it lost against nobody");
    }, joint);
  };
  return { database: { ...database, transaction }, undone: (): number => undone };
}

test.each(seeds)("the life of seed %i is the same with every plan", async (seed) => {
  const { database } = await openWith();
  const life = await simulate(database, { seed, steps });
  const lives: Record<string, Summary> = {};
  for (const [name, off] of Object.entries(plans)) {
    const other = await openWith(off);
    lives[name] = await simulate(other.database, { seed, steps });
  }
  const counted = await openWith();
  const onStep = async (_: unknown, step: number): Promise<void> => {
    if (step % 20 === 0) await counted.client.query("vacuum analyze");
  };
  lives["whose rows are counted again"] = await simulate(counted.database, { seed, steps, onStep });
  const again = contested((await openWith()).database);
  lives["whose transactions are run again"] = await simulate(again.database, { seed, steps });
  expect(lives).toEqual(Object.fromEntries(Object.keys(lives).map((name) => [name, life])));
  expect(again.undone()).toBeGreaterThan(100);
});
