// Both databases for tests: `describe.each(engines)("on %s", (engine) => ...)`, and in each test
// `const database = await openDatabase(engine)`, which is migrated, empty and out of reach afterwards.
// Tests may get the same database one after the other, emptied in between; see recycling.ts.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, inject, onTestFinished } from "vitest";
import { openPglite } from "../../adapters/database/pglite.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { OpenedDatabase } from "../../adapters/database/session.ts";
import type { Engine } from "./projects.ts";
import { type LentDatabase, RecycledDatabases } from "./recycling.ts";
import { shared } from "./shared.ts";

export type { Engine } from "./projects.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly engines: readonly Engine[];
    readonly isInCells: boolean;
  }
}

/** Those of the project that runs: both, or the one whose half this is. */
export const engines: readonly Engine[] = inject("engines");

/** In a test. It is closed and removed when the test ends. */
export async function openDatabase(engine: Engine): Promise<OpenedDatabase> {
  const { database, remove } = await makeDatabase(engine);
  onTestFinished(remove);
  return database;
}

export type MadeDatabase = LentDatabase;

/** For `beforeAll`, with `remove` in `afterAll`: tests that share one. */
export function makeDatabase(engine: Engine): Promise<MadeDatabase> {
  return recycled[engine].take();
}

const openNew: Readonly<Record<Engine, () => Promise<LentDatabase>>> = {
  PGlite: async () => {
    const archive = await readArchive();
    const database = closedOnce(await openPglite({ folder: undefined, archive }));
    return { database, remove: database.close };
  },
  PostgreSQL: async () => {
    if (inject("isInCells")) return openCell();
    const { url, remove } = await (isAsWriter ? makeWriterDatabase() : makePostgresDatabase());
    // Connections that fail while idle are what some tests are about; `run` reports them.
    const options = { url, connectionsMax: 6, areTablesLeft: isAsWriter };
    const database = closedOnce(await openPostgres(options));
    return {
      database,
      remove: async () => {
        await database.close();
        await remove();
      },
    };
  },
};

/** Of this process: all its cells are in it. */
let ofCells: Promise<MadePostgresDatabase> | undefined;
let cells = 0;

/** A new one beside all others, on the server; also for a test that wants several. */
export async function openCell(): Promise<LentDatabase> {
  ofCells ??= makePostgresDatabase("template1");
  const { url } = await ofCells;
  const cell = cellNamed(cells++);
  const database = closedOnce(await openPostgres({ url, cell, connectionsMax: 6 }));
  return { database, cell, remove: database.close };
}

/** Letters alone. */
function cellNamed(number: number): string {
  return `cell${number.toString().replaceAll(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)))}`;
}

/** Of which no other test has used any. */
export function newDatabases(engine: Engine): RecycledDatabases {
  return new RecycledDatabases(openNew[engine]);
}

const recycled: Readonly<Record<Engine, RecycledDatabases>> = {
  PGlite: newDatabases("PGlite"),
  PostgreSQL: newDatabases("PostgreSQL"),
};

/** A test may close what is closed anyway at its end. */
function closedOnce(database: OpenedDatabase): OpenedDatabase {
  let closing: Promise<void> | undefined;
  return { ...database, close: () => (closing ??= database.close()) };
}

// Files share a process, and its databases: this is the end of its first one. All that is there later goes
// with the server, and the embedded ones with the process. Who watches has a process for each file.
afterAll(async () => {
  await recycled.PostgreSQL.removeFree();
  const all = await ofCells;
  ofCells = undefined;
  await all?.remove();
});

export interface MadePostgresDatabase {
  readonly url: string;
  readonly remove: () => Promise<void>;
}

/**
 * A migrated empty database on the real server: for several pools, or for servers as children. It is
 * always new, and dropped: nobody knows who still has its address.
 */
export async function makePostgresDatabase(
  template = "template_migrated",
): Promise<MadePostgresDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  // Copying through the log, the standard, takes five times the work.
  await execute(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(await shared("postgres"));
  url.pathname = `/${name}`;
  url.host = (await shared("pooler")) || url.host;
  return {
    url: url.href,
    remove: () => execute(`drop database if exists ${name} with (force)`),
  };
}

/** As the role that docs/running/deploy/roles.sql makes for servers: what needs more rights fails. See CONTRIBUTING.md. */
const isAsWriter = process.env["AS_WRITER"] === "1";

async function makeWriterDatabase(): Promise<MadePostgresDatabase> {
  const { url, remove } = await makePostgresDatabase();
  const name = new URL(url).pathname.slice(1);
  const path = join(import.meta.dirname, "../../docs/running/deploy/roles.sql");
  await execute(readFileSync(path, "utf8"), name);
  const writer = new URL(url);
  writer.username = `${name}_writer`;
  const roles = ["owner", "writer", "reader"].map((role) => `${name}_${role}`).join(", ");
  return {
    url: writer.href,
    remove: async () => {
      await remove();
      await execute(`drop role ${roles}`);
    },
  };
}

let archive: Promise<Blob> | undefined;

function readArchive(): Promise<Blob> {
  archive ??= shared("pgliteArchive").then((path) => new Blob([readFileSync(path)]));
  return archive;
}

/** On the server that all tests share, where nobody may stay connected to the template. */
export async function execute(sql: string, database = "postgres"): Promise<void> {
  const url = new URL(await shared("postgres"));
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
