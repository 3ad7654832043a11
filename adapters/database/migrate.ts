// Brings the tables up to date: the numbered SQL files beside this one, in their order, each in one
// transaction together with the record that it was applied. Servers that start at the same moment
// wait for each other on a lock, so a file is applied once.

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { ClientBase } from "pg";

export interface Migration {
  /** from 1, without gaps */
  readonly number: number;
  /** the file, for people */
  readonly name: string;
  readonly sql: string;
}

/** The tables are not what this version of the service needs; the message says what to do. */
export class MigrationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MigrationError";
  }
}

const standardFolder = join(import.meta.dirname, "migrations");
const fileName = /^(\d{4})_[a-z0-9_]+\.sql$/;

/** Any number that nobody else locks in this database; chosen once at random. */
const lockKey = 7_205_188_311;

/** In SQL. @param schema each has its own: what holds up one of them is nothing to the others */
export function lockOf(schema: string | undefined): string {
  return schema === undefined ? String(lockKey) : `${lockKey} + hashtext('${schema}')`;
}

export function readMigrations(folder: string = standardFolder): readonly Migration[] {
  const names = readdirSync(folder).toSorted();
  return names.map((name, index) => {
    const number = Number(fileName.exec(name)?.[1]);
    if (Number.isNaN(number)) {
      throw new MigrationError(`${name} in ${folder} is not named like 0001_subject.sql.`);
    }
    if (number !== index + 1) {
      throw new MigrationError(
        `${name} in ${folder} has the number ${number}, but ${index + 1} comes next: ` +
          "migrations are numbered from 1, without gaps and without doubles.",
      );
    }
    return { number, name, sql: readFileSync(join(folder, name), "utf8") };
  });
}

/**
 * @param schema that the connection looks into; undefined: wherever it finds its tables
 * @returns the files applied by this call
 */
export async function migrate(
  client: Pick<ClientBase, "query">,
  migrations: readonly Migration[] = readMigrations(),
  schema?: string,
): Promise<readonly string[]> {
  const applied: string[] = [];
  for (;;) {
    const name = await applyNext(client, migrations, lockOf(schema));
    if (name === undefined) return applied;
    applied.push(name);
  }
}

/**
 * One transaction: lock, compare, apply one file, record it. The lock ends with the transaction, so
 * that it also works through a pooler that hands out connections by the transaction.
 */
async function applyNext(
  client: Pick<ClientBase, "query">,
  migrations: readonly Migration[],
  lock: string,
): Promise<string | undefined> {
  await client.query("begin");
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
    const { rows } = await client.query<AppliedRow>(
      "select number, name, sha256 from schema_migrations order by number",
    );
    compare(rows, migrations);
    const next = migrations[rows.length];
    if (next !== undefined) {
      await client.query(next.sql);
      await client.query(
        "insert into schema_migrations (number, name, sha256) values ($1, $2, $3)",
        [next.number, next.name, checksum(next)],
      );
    }
    await client.query("commit");
    return next?.name;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

interface AppliedRow {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
}

function compare(rows: readonly AppliedRow[], migrations: readonly Migration[]): void {
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
    if (file === undefined) {
      throw new MigrationError(
        `The database is newer than this version of the service: it has ${row.name}, and ` +
          `this version ends at ${migrations.length}. Start the newer version, or restore a ` +
          "backup from before its first start.",
      );
    }
    if (file.name !== row.name || checksum(file) !== row.sha256) {
      throw new MigrationError(
        `${file.name} is not the file that was applied to this database (${row.name}). ` +
          "A released migration is never edited: restore it, and put the change into a new file.",
      );
    }
  }
}

function checksum({ sql }: Migration): string {
  // A checkout with other line ends is the same file.
  return createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex");
}
