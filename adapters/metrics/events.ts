// Counts the events that a process records, by what it writes: the values of every statement that records one say
// which, and its rows whether it was.

import type { Database } from "../../service/ports/database.ts";

/** Calls back for each event that is committed, and for none that is undone. */
export function countingEvents(database: Database, onEvent: (type: string) => void): Database {
  return {
    run: async (statement, values) => {
      const rows = await database.run(statement, values);
      const type = eventOf(values, rows);
      if (type !== undefined) onEvent(type);
      return rows;
    },
    transaction: async (work, joint) => {
      let types: string[] = [];
      const result = await database.transaction((inside) => {
        // It may be run again, and only the last time counts.
        types = [];
        return work(countingEvents(inside, (type) => types.push(type)));
      }, joint);
      for (const type of types) onEvent(type);
      return result;
    },
  };
}

/** What says in a row that nothing happened: what it was decided on has changed. */
const nothing = { is_finished: false, disabled_id: null } as const;

function eventOf(values: unknown, rows: readonly unknown[]): string | undefined {
  const type = memberOf(values, "eventType");
  if (typeof type !== "string" || rows.length === 0) return undefined;
  const isNothing = Object.entries(nothing).some(([name, no]) => memberOf(rows[0], name) === no);
  return isNothing ? undefined : type;
}

function memberOf(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
}
