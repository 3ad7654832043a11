// What a database has of the migrations of this version, what it lacks, and whether this version may work with it.

import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, DatabaseError } from "pg";
import {
  checksum,
  compatibleFrom,
  indexesBefore,
  MigrationError,
  readMigrations,
} from "./migration-files.ts";
import type { Migration } from "./migration-files.ts";

type Queryable = Pick<ClientBase, "query">;

interface AppliedRow {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
  /** a version that ends there goes on working; null: of before this was said */
  readonly compatible_from: number | null;
}

export interface MigrationPlan {
  readonly appliedCount: number;
  /** in their order */
  readonly pending: readonly Migration[];
  /** files of a newer version, with which this one works as well */
  readonly newer: readonly string[];
}

/** The table of what was applied has to be there. */
export async function readApplied(client: Queryable): Promise<readonly AppliedRow[]> {
  const { rows } = await client.query<AppliedRow>(
    `select number, name, sha256, (to_jsonb(applied) ->> 'compatible_from')::integer as compatible_from
     from schema_migrations applied order by number`,
  );
  return rows;
}

/** Changes nothing. Throws `MigrationError`. */
export async function planMigrations(
  client: Queryable,
  migrations: readonly Migration[] = readMigrations(),
): Promise<MigrationPlan> {
  const { rows } = await client.query<{ readonly is_there: boolean }>(
    "select to_regclass('schema_migrations') is not null as is_there",
  );
  return waitingFor(rows[0]?.is_there === true ? await readApplied(client) : [], migrations);
}

/** From here on files say which versions work with them. Before, servers were stopped for each. */
const saidFrom = 43;

/** Whether servers of the version that has applied so much may go on serving. Throws `MigrationError`. */
export function checkBeside({ appliedCount, pending }: MigrationPlan): void {
  const breaking = pending.find((one) => compatibleFrom(one) > appliedCount);
  if (appliedCount < saidFrom || breaking === undefined) return;
  throw new MigrationError(
    `Servers of the version that ends at ${appliedCount} do not work with ${breaking.name}: stop them, then say ` +
      "npm run migrate -- --stopped",
  );
}

/** For a server that is told to leave the tables alone. Throws `MigrationError`. */
export async function checkMigrated(
  client: Queryable,
  migrations: readonly Migration[] = readMigrations(),
): Promise<MigrationPlan> {
  const plan = await planMigrations(client, migrations);
  const [first] = plan.pending;
  if (first === undefined) return plan;
  const others = plan.pending.length > 1 ? ` and ${plan.pending.length - 1} more` : "";
  throw new MigrationError(
    `The database lacks ${first.name}${others}, and MIGRATE is off. Run npm run migrate with a role that owns the ` +
      "tables in DATABASE_URL, then start again.",
  );
}

/** Throws `MigrationError` where this version must not work with them. */
export function waitingFor(
  rows: readonly AppliedRow[],
  migrations: readonly Migration[],
): MigrationPlan {
  // No migration has this number: an operator has closed the schema, and says why.
  const closed = rows.find(({ number }) => number === 0);
  if (closed !== undefined) throw new MigrationError(closed.name);
  for (const [index, row] of rows.entries()) {
    if (row.number !== index + 1) {
      throw new MigrationError(
        `The database says that migration ${row.number} (${row.name}) was applied, ` +
          `but not ${index + 1}: its table schema_migrations was changed by hand.`,
      );
    }
    const file = migrations[index];
    if (file !== undefined && (file.name !== row.name || checksum(file) !== row.sha256)) {
      throw new MigrationError(
        `${file.name} is not the file that was applied to this database (${row.name}). ` +
          "A released migration is never edited: restore it, and put the change into a new file.",
      );
    }
  }
  const newer = rows.slice(migrations.length);
  const breaking = newer.find((row) => (row.compatible_from ?? row.number) > migrations.length);
  if (breaking !== undefined) {
    throw new MigrationError(
      `The database is newer than this version of the service: it has ${breaking.name}, and ` +
        `this version ends at ${migrations.length}. Start the newer version, or restore a ` +
        "backup from before its first start.",
    );
  }
  return {
    appliedCount: rows.length,
    pending: migrations.slice(rows.length),
    newer: newer.map(({ name }) => name),
  };
}

/** As chosen for the lock of `migrate`, which is another one: this one is held while no transaction is open. */
const turnKey = 7_205_188_312;
const turnPauseMilliseconds = 1_000;

/**
 * Until the connection ends. Asked again and again: who waited in one statement would be waited for by the index that
 * the other one makes.
 */
async function takeTurn(client: Queryable, onWaiting: (pid: number) => void): Promise<void> {
  const ask = `select pg_try_advisory_lock(${turnKey}) as is_ours, (
      select pid from pg_locks where locktype = 'advisory' and granted
        and (classid::bigint << 32) + objid::bigint = ${turnKey} limit 1
    ) as pid`;
  for (let count = 0; ; count++) {
    const { rows } = await client.query<{ readonly is_ours: boolean; readonly pid: number | null }>(
      ask,
    );
    if (rows[0]?.is_ours === true) return;
    if (count === 0) onWaiting(rows[0]?.pid ?? 0);
    await pause(turnPauseMilliseconds);
  }
}

export type IndexState = "absent" | "unfinished" | "finished";

export async function indexStateOf(client: Queryable, index: string): Promise<IndexState> {
  const { rows } = await client.query<{ readonly is_finished: boolean }>(
    "select indisvalid as is_finished from pg_index where indexrelid = to_regclass($1)",
    [index],
  );
  const [found] = rows;
  if (found === undefined) return "absent";
  return found.is_finished ? "finished" : "unfinished";
}

export interface PrepareEvents {
  readonly onDone?: (statement: string) => void;
  /** another one is at it, on the connection of that process of the server */
  readonly onWaiting?: (pid: number) => void;
}

/**
 * What a pending file wants done before it, outside of a transaction. May be done again: an index that an attempt before
 * left unfinished is made anew. Needs a connection of its own to the server itself. Throws `MigrationError`.
 */
export async function prepare(
  client: Queryable,
  next: Migration,
  { onDone, onWaiting }: PrepareEvents = {},
): Promise<void> {
  const indexes = indexesBefore(next);
  if (indexes.length === 0) return;
  await takeTurn(client, (pid) => onWaiting?.(pid));
  for (const { statement, index } of indexes) {
    const state = await indexStateOf(client, index);
    if (state === "finished") continue;
    try {
      if (state === "unfinished") await client.query(`drop index concurrently ${index}`);
      await client.query(statement);
    } catch (error) {
      const { code, message } = error as Partial<DatabaseError>;
      if (code === undefined) throw error;
      throw new MigrationError(
        `"${statement}" failed before ${next.name} (${message}, ${code}). What it left is made anew when this is run again.`,
        { cause: error },
      );
    }
    onDone?.(statement);
  }
}
