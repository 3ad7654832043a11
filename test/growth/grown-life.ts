// A life that goes on after it has got a long past, and what each statement of the service looks at from then on.

import type { LocatedDatabase } from "../database/quiet-server.ts";
import { lookAtOthers, lookingAt, readTables } from "../database/looking.ts";
import { type FoundStatement, readStatements } from "../tidy/statements.ts";
import { type Cost, PageCounts } from "./buffers.ts";
import { playFilled, type Wish } from "./filled-life.ts";
import type { History } from "./history.ts";

export interface GrownLife {
  readonly history: History;
  readonly statements: readonly FoundStatement[];
  /** when it cost most; undefined: neither the life nor what stands in its tables had anything for it */
  readonly costOf: (name: string) => Cost | undefined;
}

const stepsAfter = 200;

export async function playGrown(
  database: LocatedDatabase,
  { seed, payments }: Pick<Wish, "seed" | "payments">,
): Promise<GrownLife> {
  const counts = new PageCounts();
  const looked = { ...lookingAt(database, counts), url: database.url };
  const onFilled = (): void => {
    counts.isOn = true;
  };
  const history = await playFilled(looked, { seed, payments, stepsAfter, onFilled });
  const statements = await readStatements();
  await lookAtOthers(counts, { database, tables: await readTables(database), statements });
  return { history, statements, costOf: (name) => counts.most(name) };
}
