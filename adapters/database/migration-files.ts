// The numbered SQL files of `migrations/`, and what the first lines of each say to those who apply it:
//
//   -- compatible from 43
//     a server whose files end at that number goes on working once this one is applied
//   -- before: create index concurrently if not exists name on table (column)
//     what `npm run migrate` does first, outside of a transaction, so that nobody waits for a lock; where nobody did,
//     it is made in the transaction of the file, before its statements; where they make a constraint of it nobody reads
//     or writes the table meanwhile

import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export interface Migration {
  /** from 1, without gaps */
  readonly number: number;
  /** the file, for people */
  readonly name: string;
  readonly sql: string;
}

/** The tables are not what this version of the service needs; the message says what to do. */
export class MigrationError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MigrationError";
  }
}

const standardFolder = join(import.meta.dirname, "migrations");
const fileName = /^(\d{4})_[a-z0-9_]+\.sql$/;

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

/** A file that says nothing works with no version before it. */
export function compatibleFrom({ number, sql }: Migration): number {
  const said = /^-- compatible from (\d+)$/m.exec(sql)?.[1];
  return said === undefined ? number : Number(said);
}

export interface IndexBefore {
  /** makes it while others go on writing (PostgreSQL 15, "Building Indexes Concurrently") */
  readonly statement: string;
  readonly index: string;
  readonly table: string;
}

const concurrentIndex =
  /^create (?:unique )?index concurrently if not exists (?<index>[a-z0-9_]+) on (?<table>[a-z0-9_]+)\b/;

/** In the order of their lines. Throws `MigrationError` for what is none. */
export function indexesBefore({ name, sql }: Migration): readonly IndexBefore[] {
  return Array.from(sql.matchAll(/^-- before: (.+)$/gm), ([, statement = ""]) => {
    const { index, table } = concurrentIndex.exec(statement)?.groups ?? {};
    if (index !== undefined && table !== undefined) return { statement, index, table };
    throw new MigrationError(
      `${name} wants "${statement}" done before it: only "create index concurrently if not exists NAME on TABLE" can be.`,
    );
  });
}

/** SHA-256 in hex. A checkout with other line ends is the same file. */
export function checksum({ sql }: Migration): string {
  return createHash("sha256").update(sql.replaceAll("\r\n", "\n")).digest("hex");
}
