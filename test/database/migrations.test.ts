// The tables are brought up to date once, in order, or the start is refused with a reason.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { migrate, readMigrations } from "../../adapters/database/migrate.ts";
import type { Migration } from "../../adapters/database/migrate.ts";
import { makePostgresDatabase } from "../support/engines.ts";

const first: Migration = { number: 1, name: "0001_a.sql", sql: "create table a (n integer);" };
const second: Migration = {
  number: 2,
  name: "0002_b.sql",
  sql: "create table b (n integer); insert into b values (1);",
};

async function emptyDatabase(): Promise<() => Promise<pg.Client>> {
  const { url, remove } = await makePostgresDatabase("template0");
  onTestFinished(remove);
  return async () => {
    const client = new pg.Client({ connectionString: url });
    // Removing the database ends the connections that a failed test left open.
    client.on("error", () => undefined);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };
}

test("applies what is missing, in order, and nothing twice", async () => {
  const client = await (await emptyDatabase())();
  expect(await migrate(client, [first])).toStrictEqual(["0001_a.sql"]);
  expect(await migrate(client, [first, second])).toStrictEqual(["0002_b.sql"]);
  expect(await migrate(client, [first, second])).toStrictEqual([]);
  const { rows } = await client.query("select number, name from schema_migrations order by 1");
  expect(rows).toStrictEqual([
    { number: 1, name: "0001_a.sql" },
    { number: 2, name: "0002_b.sql" },
  ]);
});

test("applies each file once when servers start together", async () => {
  const connect = await emptyDatabase();
  const clients = await Promise.all([connect(), connect(), connect(), connect()]);
  const applied = await Promise.all(clients.map((client) => migrate(client, [first, second])));
  expect(applied.flat().toSorted()).toStrictEqual(["0001_a.sql", "0002_b.sql"]);
  const { rows } = await clients[0].query("select count(*)::integer as count from b");
  expect(rows).toStrictEqual([{ count: 1 }]);
});

test("leaves nothing of a file that fails, and applies it when it is mended", async () => {
  const client = await (await emptyDatabase())();
  const broken = { ...second, sql: `${second.sql} insert into missing values (1);` };
  await expect(migrate(client, [first, broken])).rejects.toThrow(/relation "missing" does not/);
  const { rows } = await client.query("select to_regclass('b') as b");
  expect(rows).toStrictEqual([{ b: null }]);
  expect(await migrate(client, [first, second])).toStrictEqual(["0002_b.sql"]);
});

test("refuses an applied file that was edited", async () => {
  const client = await (await emptyDatabase())();
  await migrate(client, [first]);
  const edited = { ...first, sql: "create table a (n bigint);" };
  await expect(migrate(client, [edited, second])).rejects.toThrow(
    "0001_a.sql is not the file that was applied to this database (0001_a.sql). " +
      "A released migration is never edited: restore it, and put the change into a new file.",
  );
});

test("takes a file with the line ends of another system as the same", async () => {
  const client = await (await emptyDatabase())();
  await migrate(client, [{ ...first, sql: "create table a (\nn integer);" }]);
  const windows = { ...first, sql: "create table a (\r\nn integer);" };
  expect(await migrate(client, [windows])).toStrictEqual([]);
});

test("refuses a database that is newer than the code", async () => {
  const client = await (await emptyDatabase())();
  await migrate(client, [first, second]);
  await expect(migrate(client, [first])).rejects.toThrow(
    /newer than this version of the service: it has 0002_b.sql, and this version ends at 1/,
  );
});

test("refuses a record with a hole in it", async () => {
  const client = await (await emptyDatabase())();
  await migrate(client, [first, second]);
  await client.query("delete from schema_migrations where number = 1");
  await expect(migrate(client, [first, second])).rejects.toThrow(/changed by hand/);
});

test.each([
  [["0001_a.sql", "0003_c.sql"], /0003_c.sql .* has the number 3, but 2 comes next/],
  [["0001_a.sql", "0001_b.sql"], /0001_b.sql .* has the number 1, but 2 comes next/],
  [["0001_a.sql", "notes.txt"], /notes.txt .* is not named like 0001_subject.sql/],
])("refuses the files %j", (names, message) => {
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of names) writeFileSync(join(folder, name), "");
  expect(() => readMigrations(folder)).toThrow(message);
});
