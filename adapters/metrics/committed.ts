// What a process writes, once it counts: what a transaction has written that is undone or run again is told of once
// or not at all.

import type { Database, Statement } from "../../service/ports/database.ts";

/** What of a statement that was run somebody wants to hear of; undefined: nothing. */
export type Finding<What> = (
  statement: Pick<Statement<never, unknown>, "name">,
  values: unknown,
  rows: readonly unknown[],
) => What | undefined;

/** Who wants to hear of a statement that was run, and does so by the call that this gives; undefined: nobody. */
export type Listener = (...run: Parameters<Finding<unknown>>) => (() => void) | undefined;

export function listener<What>(find: Finding<What>, tell: (what: What) => void): Listener {
  return (...run) => {
    const what = find(...run);
    return what === undefined ? undefined : () => tell(what);
  };
}

/** Each listener hears of what is committed. All of them at one place: each statement passes it. */
export function tellingCommitted(database: Database, listeners: readonly Listener[]): Database {
  return listening(database, listeners, (tell) => tell());
}

function listening(
  database: Database,
  listeners: readonly Listener[],
  hear: (tell: () => void) => void,
): Database {
  return {
    run: async (statement, values) => {
      const rows = await database.run(statement, values);
      for (const listen of listeners) {
        const tell = listen(statement, values, rows);
        if (tell !== undefined) hear(tell);
      }
      return rows;
    },
    transaction: async (work, joint) => {
      let told: (() => void)[] = [];
      const result = await database.transaction((inside) => {
        // It may be run again, and only the last time counts.
        told = [];
        return work(listening(inside, listeners, (tell) => told.push(tell)));
      }, joint);
      for (const tell of told) hear(tell);
      return result;
    },
  };
}

/** Of an object, if it is one. */
export function memberOf(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
}
