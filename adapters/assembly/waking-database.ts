// Tells the dispatcher of this process at once when a commit has queued deliveries, so that nobody
// waits for its next poll. Deliveries queued by other processes, and those of a process that dies
// between commit and call, are found by the poll.

import type { Database, Statement } from "../../service/ports/database.ts";

/** The one table that is the queue, with or without the quotes of the query builder. */
const queueing = /insert into "?webhook_deliveries\b/;

export function wakingDatabase(database: Database, wake: () => void): Database {
  const known = new WeakMap<object, boolean>();
  const isQueueing = (statement: Pick<Statement<never, unknown>, "text">): boolean => {
    const before = known.get(statement);
    if (before !== undefined) return before;
    const found = queueing.test(statement.text);
    known.set(statement, found);
    return found;
  };
  return {
    run: async (statement, values) => {
      const rows = await database.run(statement, values);
      if (isQueueing(statement)) wake();
      return rows;
    },
    transaction: async (work, joint) => {
      const result = await database.transaction(work, joint);
      wake();
      return result;
    },
  };
}
