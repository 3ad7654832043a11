// What a process writes, once it counts: what a transaction has written that is undone or run again is told of once
// or not at all.

import type { Database, Statement } from "../../service/ports/database.ts";

/** What of a statement that was run somebody wants to hear of; undefined: nothing. */
export type Finding<What> = (
  statement: Pick<Statement<never, unknown>, "name">,
  values: unknown,
  rows: readonly unknown[],
) => What | undefined;

/** @param tell of each thing that is committed */
export function tellingCommitted<What>(
  database: Database,
  find: Finding<What>,
  tell: (what: What) => void,
): Database {
  return {
    run: async (statement, values) => {
      const rows = await database.run(statement, values);
      const what = find(statement, values, rows);
      if (what !== undefined) tell(what);
      return rows;
    },
    transaction: async (work, joint) => {
      let found: What[] = [];
      const result = await database.transaction((inside) => {
        // It may be run again, and only the last time counts.
        found = [];
        return work(tellingCommitted(inside, find, (what) => found.push(what)));
      }, joint);
      for (const what of found) tell(what);
      return result;
    },
  };
}

/** Of an object, if it is one. */
export function memberOf(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
}
