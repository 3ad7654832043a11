// npm run migrate, as whoever deploys a new version types it.

import pg from "pg";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { readMigrations } from "../../adapters/database/migration-files.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import { endChildren, startChild } from "./child.ts";

afterEach(endChildren);

const names = readMigrations().map(({ name }) => name);

async function emptyDatabase() {
  const { url, remove } = await makePostgresDatabase("template0");
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await remove();
  });
  const tables = async (schema = "public") =>
    (await client.query("select 1 from pg_tables where schemaname = $1", [schema])).rows.length;
  return { url, tables };
}

async function migrateWith(environment: Readonly<Record<string, string>>, ...words: string[]) {
  const child = startChild(["adapters/migrate.ts", ...words], environment);
  const { code } = await child.ended;
  return { code, output: child.output(), errors: child.errors() };
}

test("says what it would do, does it once when two are asked, and finds nothing to do the next time", async () => {
  const { url, tables } = await emptyDatabase();
  const told = await migrateWith({ DATABASE_URL: url }, "--dry-run");
  expect(told).toMatchObject({ code: 0, errors: "" });
  expect(told.output).toContain(`0 migrations are applied, ${names.length} are to be applied\n`);
  expect(told.output).toContain("\n0049_proven_addresses.sql (versions from 44 on work with it)\n");
  expect(told.output).toContain(
    "\n0001_merchants.sql (no version before it works with it: stop the servers first)\n",
  );
  expect(told.output).toContain("add column compatible_from integer");
  expect(told.output).not.toContain(new URL(url).username.concat("@"));
  expect(await tables()).toBe(0);

  const both = await Promise.all([
    migrateWith({ DATABASE_URL: url }),
    migrateWith({ DATABASE_URL: url }),
  ]);
  expect(both.map(({ code, errors }) => [code, errors])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  const applied = both.flatMap(({ output }) => output.match(/(?<=^applied ).*$/gm) ?? []);
  expect(applied.toSorted()).toEqual(names);
  expect(await tables()).toBeGreaterThan(50);

  const again = await migrateWith({ DATABASE_URL: url });
  expect(again.output).toMatch(/: *\d+\n\d+ migrations are applied, 0 are to be applied\n$/);
});

test("killed again and again, each file is applied once, and with its record", async () => {
  const { url } = await emptyDatabase();
  const outputs: string[] = [];
  for (const last of ["0005", "0017", "0030"]) {
    const child = startChild(["adapters/migrate.ts"], { DATABASE_URL: url });
    await child.waitFor(new RegExp(`applied ${last}_`));
    child.kill("SIGKILL");
    await child.ended;
    outputs.push(child.output());
  }
  const { code, output } = await migrateWith({ DATABASE_URL: url });
  expect(code).toBe(0);
  // What was committed and not said any more is said by nobody.
  const said = [...outputs, output].flatMap((text) => text.match(/(?<=^applied ).*$/gm) ?? []);
  expect(new Set(said).size).toBe(said.length);
  expect(said.at(-1)).toBe(names.at(-1));
  const again = await migrateWith({ DATABASE_URL: url });
  expect(again.output).toContain(`${names.length} migrations are applied, 0 are to be applied\n`);
});

test("makes the schema of a cell", async () => {
  const { url, tables } = await emptyDatabase();
  const made = await migrateWith({ DATABASE_URL: url, CELL: "east" });
  expect(made).toMatchObject({ code: 0, errors: "" });
  expect(made.output).toContain(", schema cell_east\n");
  expect([await tables(), await tables("cell_east")]).toEqual([0, expect.any(Number)]);
  expect(await tables("cell_east")).toBeGreaterThan(50);
});

test("says what is wrong, and where", async () => {
  const missing = await migrateWith({});
  expect(missing).toMatchObject({ code: 1, output: "" });
  expect(missing.errors).toMatch(/DATABASE_URL is missing; name the PostgreSQL server/);
  const nowhere = { DATABASE_URL: "postgresql://payments:hidden@127.0.0.1:1/payments" };
  const refused = await migrateWith(nowhere);
  expect(refused.code).toBe(1);
  expect(refused.errors).toMatch(/^The database of DATABASE_URL cannot be used: .*ECONNREFUSED/);
  expect(refused.errors).not.toContain("hidden");
  const wrong = await migrateWith({}, "--dry");
  expect(wrong.code).toBe(2);
  expect(wrong.errors).toMatch(/^Unknown option '--dry'/);
  const help = await migrateWith({}, "--help");
  expect([help.code, help.errors]).toEqual([0, ""]);
  expect(help.output).toMatch(/^npm run migrate -- \[--dry-run\] \[--stopped\]\n/);
});
