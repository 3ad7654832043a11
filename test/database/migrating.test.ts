// Tables are brought up to date while others work with them: nobody is held up for long, what takes long is done before,
// and a version that the newer tables still serve may come back.

import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import type { LockWait } from "../../adapters/database/migrate.ts";
import { MigrationError, readMigrations } from "../../adapters/database/migration-files.ts";
import type { Migration } from "../../adapters/database/migration-files.ts";
import {
  checkBeside,
  checkMigrated,
  planMigrations,
  prepare,
} from "../../adapters/database/migration-plan.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { makePostgresDatabase } from "../support/engines.ts";

async function database(template?: string) {
  const { url, remove } = await makePostgresDatabase(template);
  onTestFinished(remove);
  const connect = async () => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined); // removing the database ends it
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
  return { url, connect };
}

const first: Migration = { number: 1, name: "0001_a.sql", sql: "create table a (n integer);" };
const second: Migration = { number: 2, name: "0002_b.sql", sql: "alter table a add m integer;" };
const indexed: Migration = {
  number: 2,
  name: "0002_i.sql",
  sql: `-- compatible from 1
-- before: create index concurrently if not exists a_by_n on a (n)
`,
};
interface Count {
  readonly count: number;
}

const quick: LockWait = { milliseconds: 50, attempts: 3, pauseMilliseconds: 10 };

test("a lock that others hold is waited for shortly, then the file is given up and nothing of it is there", async () => {
  const { connect } = await database("template0");
  const [client, other] = await Promise.all([connect(), connect()]);
  await migrate(client, { migrations: [first] });
  await other.query("begin; select * from a");
  await expect(migrate(client, { migrations: [first, second], wait: quick })).rejects.toThrow(
    /^0002_b.sql needs a lock that others hold: 3 times it got none within 0.05 s, .*pg_stat_activity/,
  );
  const { rows } = await client.query("select count(*)::integer as count from schema_migrations");
  expect(rows).toEqual([{ count: 1 }]);
  // It waits for nothing any more: others read, and write.
  await other.query("insert into a values (1)");
  await other.query("commit");
  expect(await migrate(client, { migrations: [first, second], wait: quick })).toEqual([
    "0002_b.sql",
  ]);
});

test("whoever waits lets others have their turn, and gets the lock when it is free", async () => {
  const { connect } = await database("template0");
  const [client, other] = await Promise.all([connect(), connect()]);
  await migrate(client, { migrations: [first] });
  await other.query("begin; select * from a");
  const wait = { ...quick, attempts: Number.POSITIVE_INFINITY };
  const migrated = migrate(client, { migrations: [first, second], wait });
  const watcher = await connect();
  const isWaiting = `select count(*)::integer as count from pg_stat_activity
    where wait_event_type = 'Lock' and query like 'alter table a %'`;
  await vi.waitUntil(async () => (await watcher.query<Count>(isWaiting)).rows[0]?.count === 1);
  await other.query("commit");
  expect(await migrated).toEqual(["0002_b.sql"]);
});

test("an index is made before, without a lock, and the file finds it", async () => {
  const { connect } = await database("template0");
  const [client, writer] = await Promise.all([connect(), connect()]);
  await migrate(client, { migrations: [first] });
  const done: string[] = [];
  // A write that is not finished would be waited for under the lock of a plain one.
  const { pending } = await planMigrations(client, [first, indexed]);
  expect(pending).toEqual([indexed]);
  await prepare(client, indexed, { onDone: (statement) => done.push(statement) });
  expect(done).toEqual(["create index concurrently if not exists a_by_n on a (n)"]);
  await writer.query("begin; insert into a values (1)");
  expect(await migrate(client, { migrations: [first, indexed], wait: quick })).toEqual([
    "0002_i.sql",
  ]);
  await writer.query("commit");
  expect(await indexState(client)).toEqual([{ valid: true }]);
});

test("an index that was left unfinished is made anew", async () => {
  const { connect } = await database("template0");
  const client = await connect();
  await migrate(client, { migrations: [first] });
  await client.query("insert into a values (1), (1)");
  await expect(client.query("create unique index concurrently a_by_n on a (n)")).rejects.toThrow(
    /could not create unique index/,
  );
  expect(await indexState(client)).toEqual([{ valid: false }]);
  await prepare(client, indexed);
  expect(await indexState(client)).toEqual([{ valid: true }]);
});

test("two at once make it once", async () => {
  const { connect } = await database("template0");
  const clients = await Promise.all([connect(), connect(), connect()]);
  await migrate(clients[0], { migrations: [first] });
  await Promise.all(
    clients.map(async (client) => {
      await prepare(client, indexed);
      await client.end();
    }),
  );
  expect(await indexState(await connect())).toEqual([{ valid: true }]);
});

test("of a table that is not there yet nothing is made before, and of other statements none is done", async () => {
  const { connect } = await database("template0");
  const client = await connect();
  expect(await migrate(client, { migrations: [first, indexed] })).toEqual([
    "0001_a.sql",
    "0002_i.sql",
  ]);
  expect(await indexState(client)).toEqual([{ valid: true }]);
  const other = { ...indexed, sql: "-- before: drop table a\n" };
  await expect(prepare(client, other)).rejects.toThrow(
    '0002_i.sql wants "drop table a" done before it: only "create index concurrently',
  );
});

test.each(["before it", "with it"])(
  "a file makes a key of an index that is made %s",
  async (when) => {
    const { connect } = await database("template0");
    const client = await connect();
    const keyed = {
      ...indexed,
      sql: `-- compatible from 1
-- before: create unique index concurrently if not exists a_by_n on a (n)
alter table a add constraint a_by_n unique using index a_by_n;
`,
    };
    const beforeEach = (next: Migration) => prepare(client, next);
    const migrations = [first, keyed];
    const way = when === "before it" ? { migrations, beforeEach } : { migrations };
    expect(await migrate(client, way)).toHaveLength(2);
    expect(await indexState(client)).toEqual([{ valid: true }]);
    await client.query("insert into a values (1)");
    await expect(client.query("insert into a values (1)")).rejects.toThrow("a_by_n");
  },
);

test("what is made before a file may need the files before it", async () => {
  const { connect } = await database("template0");
  const client = await connect();
  const later = { number: 3, name: "0003_i.sql", sql: indexed.sql.replace("(n)", "(m)") };
  const beforeEach = (next: Migration) => prepare(client, next);
  const migrations = [first, second, later];
  expect(await migrate(client, { migrations, beforeEach })).toHaveLength(3);
  expect(await indexState(client)).toEqual([{ valid: true }]);
  const wrong = {
    number: 4,
    name: "0004_i.sql",
    sql: indexed.sql.replaceAll("a_by_n", "a_by_x").replace("(n)", "(x)"),
  };
  await expect(migrate(client, { migrations: [...migrations, wrong], beforeEach })).rejects.toThrow(
    /a_by_x on a \(x\)" failed before 0004_i.sql \(column "x" does not exist, 42703\)/,
  );
  await expect(migrate(client, { migrations: [...migrations, wrong] })).rejects.toThrow(
    /^0004_i.sql cannot be applied, and nothing of it is: column "x" does not exist \(42703\)\.$/,
  );
});

test("a start makes an index anew that a preparation has left unfinished", async () => {
  const { connect } = await database("template0");
  const client = await connect();
  await migrate(client, { migrations: [first] });
  await client.query("insert into a values (1), (1)");
  await expect(client.query("create unique index concurrently a_by_n on a (n)")).rejects.toThrow(
    /could not create unique index/,
  );
  await migrate(client, { migrations: [first, indexed] });
  expect(await indexState(client)).toEqual([{ valid: true }]);
});

test("who has to wait for another preparation hears whose it is", async () => {
  const { connect } = await database("template0");
  const [client, other] = await Promise.all([connect(), connect()]);
  await migrate(client, { migrations: [first] });
  const { rows } = await other.query<{ readonly pid: number }>(
    "select pg_backend_pid() as pid, pg_advisory_lock(7205188312)",
  );
  const pids: number[] = [];
  const prepared = prepare(client, indexed, { onWaiting: (pid) => pids.push(pid) });
  await vi.waitUntil(() => pids.length > 0);
  await other.query("select pg_advisory_unlock(7205188312)");
  await prepared;
  expect(pids).toEqual([rows[0]?.pid]);
});

async function indexState(client: pg.Client) {
  const { rows } = await client.query<{ readonly valid: boolean }>(
    "select indisvalid as valid from pg_index where indexrelid = 'a_by_n'::regclass",
  );
  return rows;
}

/** As a version after this one leaves it. */
async function addNewer(client: pg.Client, compatibleFrom: number | null) {
  const number = readMigrations().length + 1;
  await client.query(
    `insert into schema_migrations (number, name, sha256, compatible_from)
     values ($1, $2, 'of a later version', $3)`,
    [number, `00${number}_later.sql`, compatibleFrom],
  );
  return `00${number}_later.sql`;
}

test.each([false, true])(
  "this version comes back on newer tables that serve it (left alone: %s)",
  async (areTablesLeft) => {
    const { url, connect } = await database();
    const name = await addNewer(await connect(), readMigrations().length);
    const heard: unknown[] = [];
    const onNewerTables = (names: readonly string[]) => heard.push(names);
    const opened = await openPostgres({ url, connectionsMax: 2, areTablesLeft, onNewerTables });
    await opened.close();
    expect(heard).toEqual([[name]]);
  },
);

test.each([null, readMigrations().length + 1])(
  "it is refused by those that do not (compatible from %s)",
  async (compatibleFrom) => {
    const { url, connect } = await database();
    await addNewer(await connect(), compatibleFrom);
    await expect(openPostgres({ url, connectionsMax: 2 })).rejects.toThrow(
      /newer than this version of the service: it has 00\d\d_later.sql/,
    );
  },
);

test("of several newer ones each has to serve it", async () => {
  const { connect } = await database();
  const client = await connect();
  const known = readMigrations();
  await addNewer(client, known.length);
  await client.query(
    `insert into schema_migrations (number, name, sha256, compatible_from) values ($1, 'x', 'y', $1)`,
    [known.length + 2],
  );
  await expect(checkMigrated(client)).rejects.toThrow(/it has x, and this version ends at/);
});

test("what an older version may be is written when a file is applied", async () => {
  const { connect } = await database();
  const client = await connect();
  const { rows } = await client.query(
    "select number, compatible_from from schema_migrations where number >= 43 order by number limit 2",
  );
  expect(rows).toEqual([
    { number: 43, compatible_from: null },
    { number: 44, compatible_from: 43 },
  ]);
});

test("tables are not taken away from under servers that would not work with them", () => {
  const later = (number: number, from: number): Migration => ({
    number,
    name: `00${number}_later.sql`,
    sql: `-- compatible from ${from}\n`,
  });
  const plan = (appliedCount: number, ...pending: readonly Migration[]) => ({
    appliedCount,
    pending,
    newer: [],
  });
  expect(() => checkBeside(plan(0, first, second))).not.toThrow(MigrationError);
  expect(() => checkBeside(plan(44, later(45, 44), later(46, 44)))).not.toThrow(MigrationError);
  expect(() => checkBeside(plan(44, later(45, 44), later(46, 45)))).toThrow(
    "Servers of the version that ends at 44 do not work with 0046_later.sql: stop them, then say npm run migrate -- --stopped",
  );
});

test("where the tables are left alone, what is missing is said and nothing is made", async () => {
  const { url, connect } = await database("template0");
  const known = readMigrations();
  await expect(openPostgres({ url, connectionsMax: 2, areTablesLeft: true })).rejects.toThrow(
    `The database lacks 0001_merchants.sql and ${known.length - 1} more, and MIGRATE is off. Run npm run migrate`,
  );
  const client = await connect();
  const { rows } = await client.query("select to_regclass('schema_migrations') as made");
  expect(rows).toEqual([{ made: null }]);
  await migrate(client, { migrations: known.slice(0, -1) });
  await expect(checkMigrated(client)).rejects.toThrow(
    `The database lacks ${known.at(-1)?.name}, and MIGRATE is off.`,
  );
});
