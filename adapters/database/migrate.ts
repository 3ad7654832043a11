// Brings the tables up to date: the numbered SQL files beside this one, in their order, each in one
// transaction together with the record that it was applied. Servers that start at the same moment
// wait for each other on a lock, so a file is applied once.

import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, DatabaseError } from "pg";
import { indexStateOf, planMigrations, readApplied, waitingFor } from "./migration-plan.ts";
import {
  checksum,
  compatibleFrom,
  indexesBefore,
  MigrationError,
  readMigrations,
} from "./migration-files.ts";
import type { IndexBefore, Migration } from "./migration-files.ts";

/** Any number that nobody else locks in this database; chosen once at random. */
const lockKey = 7_205_188_311;

/**
 * A statement that waits for the lock of a table holds up all that come after it, also those that only read: it gives
 * up, and comes again when they have had their turn.
 */
const lockWait = { milliseconds: 500, attempts: 60, pauseMilliseconds: 2_000 } as const;

/** `lock_not_available` (PostgreSQL 15, appendix A). */
const lockNotAvailable = "55P03";
/** Of the file, not of the server: wrong data, broken rules, what is not there (the same page). */
const aboutStatements = /^(?:22|23|42)/;
/** The same page. */
const insufficientPrivilege = "42501";
/** The first migration that gave the record a place for what it is compatible with. */
const compatibleSince = 44;

export type LockWait = { readonly [Name in keyof typeof lockWait]: number };

/** In SQL. @param schema each has its own: what holds up one of them is nothing to the others */
export function lockOf(schema: string | undefined): string {
  return schema === undefined ? String(lockKey) : `${lockKey} + hashtext('${schema}')`;
}

export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  /** that the connection looks into; undefined: wherever it finds its tables */
  readonly schema?: string | undefined;
  readonly wait?: LockWait;
  /** is done before each file, outside of its transaction */
  readonly beforeEach?: (next: Migration) => Promise<void>;
  /** hears of each file when it is applied */
  readonly onApplied?: (name: string) => void;
}

/** Returns the files applied by this call. Throws `MigrationError`. */
export async function migrate(
  client: Pick<ClientBase, "query">,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const { migrations = readMigrations(), schema, wait = lockWait } = options;
  const { onApplied, beforeEach } = options;
  const applied: string[] = [];
  for (let attempt = 1; ;) {
    const [next] = beforeEach ? (await planMigrations(client, migrations)).pending : [];
    if (next !== undefined) await beforeEach?.(next);
    const outcome = await applyNext(client, migrations, { lock: lockOf(schema), wait });
    if (outcome === undefined) return applied;
    if ("applied" in outcome) {
      applied.push(outcome.applied);
      onApplied?.(outcome.applied);
      attempt = 1;
      continue;
    }
    if (attempt === wait.attempts) throw new MigrationError(lockedText(outcome.locked, wait));
    attempt += 1;
    await pause(wait.pauseMilliseconds);
  }
}

type Outcome = { readonly applied: string } | { readonly locked: string } | undefined;

/**
 * One transaction: lock, compare, apply one file, record it. The lock ends with the transaction, so
 * that it also works through a pooler that hands out connections by the transaction.
 */
async function applyNext(
  client: Pick<ClientBase, "query">,
  migrations: readonly Migration[],
  { lock, wait }: { readonly lock: string; readonly wait: LockWait },
): Promise<Outcome> {
  await client.query("begin");
  let next: Migration | undefined;
  try {
    // Building an index on a big table may take longer than any request is allowed to.
    await client.query("set local statement_timeout = 0");
    await client.query(`select pg_advisory_xact_lock(${lock})`);
    await client.query(`
      create table if not exists schema_migrations (
        number integer primary key,
        name text not null,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`);
    [next] = waitingFor(await readApplied(client), migrations).pending;
    if (next !== undefined) {
      await client.query(`set local lock_timeout = ${wait.milliseconds}`);
      for (const { index, table, statement } of indexesBefore(next)) {
        // Of what the file makes a constraint of it takes the lock at once: it is not to be made in vain.
        if (next.sql.includes(`using index ${index}`))
          await client.query(`lock table ${table} in access exclusive mode`);
        await makeIndex(client, { index, statement: statement.replace(" concurrently ", " ") });
      }
      await client.query(next.sql);
      await client.query(
        "insert into schema_migrations (number, name, sha256) values ($1, $2, $3)",
        [next.number, next.name, checksum(next)],
      );
      if (next.number >= compatibleSince) {
        await client.query("update schema_migrations set compatible_from = $2 where number = $1", [
          next.number,
          compatibleFrom(next),
        ]);
      }
    }
    await client.query("commit");
    return next === undefined ? undefined : { applied: next.name };
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    if (next !== undefined && (error as Partial<DatabaseError>).code === lockNotAvailable) {
      return { locked: next.name };
    }
    throw explained(error, next);
  }
}

/** With `insufficient_privilege` nobody would know whose and what for. */
function explained(error: unknown, next: Migration | undefined): unknown {
  const { code, message } = error as Partial<DatabaseError>;
  if (code !== insufficientPrivilege) {
    const isAboutFile = next !== undefined && aboutStatements.test(code ?? "");
    if (!isAboutFile) return error;
    return new MigrationError(
      `${next.name} cannot be applied, and nothing of it is: ${message} (${code}).`,
      { cause: error },
    );
  }
  return new MigrationError(
    `This role may not change the tables (${next?.name ?? "schema_migrations"}: ${message}). They are changed by the role ` +
      "that owns them, which docs/running/deploy/roles.sql makes; a server with another one is started with MIGRATE=off, after npm run migrate.",
  );
}

/**
 * Asked first: a statement that finds it there has waited for everybody who writes to the table. One that somebody has
 * left unfinished is none.
 */
async function makeIndex(
  client: Pick<ClientBase, "query">,
  { index, statement }: Pick<IndexBefore, "index" | "statement">,
): Promise<void> {
  const state = await indexStateOf(client, index);
  if (state === "unfinished") await client.query(`drop index ${index}`);
  if (state !== "finished") await client.query(statement);
}

function lockedText(name: string, { milliseconds, attempts }: LockWait): string {
  return (
    `${name} needs a lock that others hold: ${attempts} times it got none within ${milliseconds / 1000} s, and nothing of ` +
    "it is applied. Whoever holds it is found by: select pid, state, xact_start, query from pg_stat_activity where " +
    "xact_start < now() - interval '3 s' order by xact_start. End that, or wait for it, and start again."
  );
}
