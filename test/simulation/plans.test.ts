// Plans change by themselves: statistics are counted when the server has time for it. A life must be the same with
// any of them, to the last count and posting, and with transactions that are undone and run again. Rows without an order
// come in that of row-order.ts; what a limit takes, the plan must not choose.

import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "kysely";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { Database } from "../../service/ports/database.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { simulate, type SimulationOptions } from "./simulation.ts";

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
  for (const setting of off) {
    const shown = sql<{ value: string }>`select current_setting(${setting}) as value`;
    expect(await query(database, shown)).toEqual([{ value: "off" }]);
  }
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

/** What has happened how often, and every posting. */
async function live(database: Database, options: Pick<SimulationOptions, "seed" | "onStep">) {
  const summary = await simulate(database, { ...options, steps });
  const postings = sql`select t.kind, t.reference, t.occurred_at, p.* from ledger_postings p
    join ledger_transactions t on t.id = p.transaction_id order by p.transaction_id, p.position`;
  return { summary, postings: await query(database, postings) };
}

test.each(seeds)("the life of seed %i is the same with every plan", async (seed) => {
  const { database } = await openWith();
  const life = await live(database, { seed });
  expect(life.postings.length).toBeGreaterThan(50);
  const lives: Record<string, typeof life> = {};
  for (const [name, off] of Object.entries(plans)) {
    const other = await openWith(off);
    lives[name] = await live(other.database, { seed });
  }
  const counted = await openWith();
  const onStep = async (_: unknown, step: number): Promise<void> => {
    if (step % 20 === 0) await counted.client.query("vacuum analyze");
  };
  lives["whose rows are counted again"] = await live(counted.database, { seed, onStep });
  const again = contested((await openWith()).database);
  lives["whose transactions are run again"] = await live(again.database, { seed });
  expect(lives).toEqual(Object.fromEntries(Object.keys(lives).map((name) => [name, life])));
  expect(again.undone()).toBeGreaterThan(100);
});
