// How much a statement looks at: the pages of each table and index that it asks for, as the server counts them, also
// those of references and triggers. It is run with a plan for what it is given and with the one that the server
// takes once it has seen the statement some times, and rolled back. Counts do not depend on who else is at work.

import { CheckViolation, type Database, UniqueViolation } from "../../service/ports/database.ts";
import {
  back,
  type Looker,
  type Parameters,
  plain,
  rowsOf,
  type Wish,
} from "../database/looking.ts";

export interface Cost {
  /** pages of tables and indexes, by the name of the table or index */
  readonly pages: ReadonlyMap<string, number>;
  readonly total: number;
  readonly milliseconds: number;
  readonly rows: number;
}

/** Of one statement. */
const looksMax = 4;
/** As often a server makes a plan for what is given before it compares that with one for everything. */
const customPlans = 5;

export class PageCounts implements Looker {
  readonly #costs = new Map<string, Cost[]>();
  readonly isOfMany = true;
  /** before, nothing is looked at */
  isOn = false;

  isWanted = (name: string): boolean => this.isOn && name !== "" && this.#looksOf(name) < looksMax;

  isDone = (name: string): boolean => this.#costs.has(name);

  look = async (database: Database, wish: Wish): Promise<void> => {
    if (this.#looksOf(wish.name) >= looksMax) return;
    try {
      const costs = await this.#lookOnce(database, wish);
      this.#costs.set(wish.name, [...(this.#costs.get(wish.name) ?? []), ...costs]);
    } catch {
      // It cannot be asked with such values, which were guessed: it counts as one that was not looked at.
    }
    await back(database);
  };

  async #lookOnce(database: Database, wish: Wish): Promise<readonly Cost[]> {
    await plain(database, "set local plan_cache_mode = force_custom_plan");
    const custom = await costOf(database, wish);
    for (let run = 1; run < customPlans; run++) {
      await back(database);
      await runOnce(database, wish);
    }
    await back(database);
    await plain(database, "set local plan_cache_mode = auto");
    return [custom, await costOf(database, wish)];
  }

  /** When it looked at most; undefined: it was never run. */
  most(name: string): Cost | undefined {
    return this.#costs.get(name)?.toSorted((one, other) => other.total - one.total)[0];
  }

  /** Two costs for each look. */
  #looksOf(name: string): number {
    return (this.#costs.get(name)?.length ?? 0) / 2;
  }
}

async function costOf(database: Database, wish: Wish): Promise<Cost> {
  const before = await pagesSoFar(database);
  const begun = performance.now();
  const rows = await runOnce(database, wish);
  const milliseconds = performance.now() - begun;
  const pages = new Map<string, number>();
  let total = 0;
  for (const [name, count] of await pagesSoFar(database)) {
    const more = count - (before.get(name) ?? 0);
    if (more > 0) pages.set(name, more);
    total += more;
  }
  return { pages, total, milliseconds, rows };
}

/** @returns how many rows it answered with; a row that there is already, or that a rule refuses, is none */
async function runOnce(database: Database, { name, text, given }: Wish): Promise<number> {
  const statement = { name, text, list: (list: Parameters) => list };
  await plain(database, "savepoint before_one");
  try {
    return (await database.run<Parameters, object>(statement, given)).length;
  } catch (error) {
    if (!(error instanceof UniqueViolation || error instanceof CheckViolation)) throw error;
    await plain(database, "rollback to savepoint before_one");
    return 0;
  }
}

/** Since the transaction began. */
async function pagesSoFar(database: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf<{ readonly name: string; readonly pages: bigint }>(
    database,
    `select relname as name, pg_stat_get_xact_blocks_fetched(oid) as pages from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
    [],
  );
  return new Map(rows.map(({ name, pages }) => [name, Number(pages)]));
}
