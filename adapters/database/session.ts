// One connection of the driver as a Database, and the transaction both engines run in it.

import { setTimeout as wait } from "node:timers/promises";
import type { ClientBase } from "pg";
import type { Database, Statement } from "../../service/ports/database.ts";
import { isConflict, translateFailure } from "./failures.ts";

/** How the connections of one kind are used at a moment. */
export interface ConnectionUse {
  /** durable: what waits for the disk; relaxed: what need not; replica: reads that may be late */
  readonly kind: "durable" | "relaxed" | "replica";
  readonly max: number;
  readonly open: number;
  /** of the open ones */
  readonly idle: number;
  /** calls that wait for one */
  readonly waiting: number;
}

/** A database that belongs to whoever opened it. */
export interface OpenedDatabase extends Database {
  /** left out: it has one, and no server */
  readonly connections?: () => readonly ConnectionUse[];
  /** Waits for what is running. Nothing may be run afterwards. */
  readonly close: () => Promise<void>;
}

type Queryable = Pick<ClientBase, "query">;

/** Conflicts are short: the other transaction is nearly done when we hear of it. */
const conflictAttemptsMax = 6;
const conflictPauseMillisecondsMax = 20;

export async function runStatement<Values, Row>(
  client: Queryable,
  statement: Statement<Values, Row>,
  values: Values,
): Promise<readonly Row[]> {
  const result = await client.query({
    name: statement.name,
    text: statement.text,
    values: [...statement.list(values)],
  });
  // The type of a row is what the query builder derived from the same text.
  return result.rows as Row[];
}

/**
 * Runs it once more where it lost against another one and was undone completely.
 * @param attempt told which one it is, from 1 on
 */
export async function withRetry<Result>(
  attempt: (count: number) => Promise<Result>,
): Promise<Result> {
  for (let count = 1; ; count++) {
    try {
      return await attempt(count);
    } catch (error) {
      if (count === conflictAttemptsMax || !isConflict(error)) throw translateFailure(error);
      // Spread out, so that the same two do not meet again.
      await wait(Math.random() * conflictPauseMillisecondsMax * count);
    }
  }
}

/**
 * Serializable: what the work read is still true when it commits, so that rules may decide on it.
 * The one that would break this gets a conflict, and is run again by `withRetry`.
 * @param onOpen it may still be open, since it could not be rolled back: nobody may get this connection
 */
export async function runTransaction<Result>(
  client: Queryable,
  work: (database: Database) => Promise<Result>,
  onOpen: () => void = () => undefined,
): Promise<Result> {
  const inside: Database = {
    run: async (statement, values) => {
      try {
        return await runStatement(client, statement, values);
      } catch (error) {
        // A conflict goes up as it is: `withRetry` looks for it.
        throw isConflict(error) ? error : translateFailure(error);
      }
    },
    // A transaction inside a transaction is part of it.
    transaction: (inner) => inner(inside),
  };
  await client.query("begin isolation level serializable");
  try {
    const result = await work(inside);
    const { command } = await client.query("commit");
    // Of one in which a statement has failed, a commit is a rollback (PostgreSQL 15, COMMIT), and that is no error.
    if (command !== "COMMIT") throw new Error(`the transaction was not committed: ${command}`);
    return result;
  } catch (error) {
    // On a broken connection the server does it.
    await client.query("rollback").catch(onOpen);
    throw error;
  }
}
