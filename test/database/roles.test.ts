// The roles that docs/running/deploy/roles.sql makes: what each may do, and what production says of others.

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { startProblem } from "../../adapters/assembly/start-problem.ts";
import { migrate } from "../../adapters/database/migrate.ts";
import { readMigrations } from "../../adapters/database/migration-files.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { PostgresOptions } from "../../adapters/database/postgres.ts";
import { checkSafety } from "../../adapters/database/safety.ts";
import { projectRoot } from "../programs/child.ts";
import { makePostgresDatabase } from "../support/engines.ts";

const script = readFileSync(join(projectRoot, "docs", "running", "deploy", "roles.sql"), "utf8");

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined); // removing the database ends it
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

interface RolesWish {
  readonly cell?: string | undefined;
  /** before there are roles */
  readonly prepare?: (superuser: pg.Client) => Promise<unknown>;
  /** it has all tables, which become the owner's; left out: none */
  readonly isMigrated?: true;
}

/** Roles are of the whole server: they are named after the database, and go with it. */
async function makeRoles({ cell, prepare, isMigrated }: RolesWish = {}) {
  const { url, remove } = await makePostgresDatabase(isMigrated ? undefined : "template0");
  const superuser = await connect(url);
  await prepare?.(superuser);
  const run = async () => {
    await superuser.query(`set merchant.cell = '${cell ?? ""}'`);
    await superuser.query(script);
  };
  await run();
  const prefix = [new URL(url).pathname.slice(1), cell].filter(Boolean).join("_");
  const urlOf = (role: "owner" | "writer" | "reader"): string => {
    const own = new URL(url);
    own.username = `${prefix}_${role}`;
    return own.href;
  };
  onTestFinished(async () => {
    for (const role of ["reader", "writer", "owner"] as const) {
      const name = `${prefix}_${role}`;
      await superuser.query(`reassign owned by ${name} to postgres; drop owned by ${name}`);
      await superuser.query(`drop role ${name}`);
    }
    await superuser.end();
    await remove();
  });
  return { urlOf, superuser, run };
}

async function open(options: PostgresOptions) {
  const database = await openPostgres({ connectionsMax: 2, ...options });
  onTestFinished(database.close);
  return database;
}

async function problemOf(options: PostgresOptions): Promise<string> {
  try {
    await open(options);
  } catch (error) {
    return startProblem(error) ?? String(error);
  }
  return "none";
}

describe.each([undefined, "east"])("in cell %s", (cell) => {
  test("what is there already is not told, the first time or again", async () => {
    const notices: unknown[] = [];
    const prepare = async (superuser: pg.Client) => {
      superuser.on("notice", ({ message }) => void notices.push(message));
      await superuser.query("create schema if not exists cell_east");
    };
    const { run } = await makeRoles({ cell, prepare });
    await run();
    expect(notices).toEqual([]);
  });

  test("the owner makes the tables, the writer changes rows and no table, the reader reads", async () => {
    const { urlOf, run } = await makeRoles({ cell });
    const schema = cell === undefined ? "public" : `cell_${cell}`;
    const path = `set search_path = ${schema}`;
    await expect(open({ url: urlOf("writer"), cell })).rejects.toThrow(/MIGRATE=off/);
    await open({ url: urlOf("owner"), cell });
    await run();
    await open({ url: urlOf("writer"), cell, areTablesLeft: true });

    const writer = await connect(urlOf("writer"));
    await writer.query(path);
    await writer.query(`insert into merchants (id, name, created_at, status, fee_bps)
      values ('mer_${randomBytes(13).toString("hex").toUpperCase()}', 'A shop', now(), 'active', 0)`);
    for (const statement of [
      "alter table ledger_postings disable trigger all",
      "drop table merchants",
      "create table own (n integer)",
      "truncate merchants",
      "insert into schema_migrations (number, name, sha256) values (99, '', '')",
      "set session_replication_role = replica",
    ]) {
      await expect(writer.query(statement)).rejects.toThrow(/permission denied|must be owner/);
    }

    const reader = await connect(urlOf("reader"));
    await reader.query(path);
    const { rows } = await reader.query("select name from merchants");
    expect(rows).toEqual([{ name: "A shop" }]);
    for (const statement of [
      "select secret_sealed from api_keys",
      "select * from webhook_endpoints",
      "select count(*) from idempotency_keys",
      "select count(*) from nonces",
      "select deposit_public_key from signer_identities",
      "select count(*) from outgoing_attempts",
      "select action from outgoing_transactions",
      "select signature from x402_settlements",
      "select checkout_token from payments",
      "update merchants set name = ''",
    ]) {
      await expect(reader.query(statement)).rejects.toThrow(/permission denied/);
    }
  });
});

test("a table that comes with a later migration is the writer's to write, and may be given to the reader", async () => {
  const { urlOf, run } = await makeRoles();
  const owner = await connect(urlOf("owner"));
  await migrate(owner);
  await owner.query("create table later (n integer generated always as identity, m integer)");
  const writer = await connect(urlOf("writer"));
  await writer.query("insert into later (m) values (1)");
  const reader = await connect(urlOf("reader"));
  await expect(reader.query("select m from later")).rejects.toThrow(/permission denied/);
  await run();
  expect((await reader.query("select m from later")).rows).toEqual([{ m: 1 }]);
});

test("the tables of a service that ran as another role become the owner's", async () => {
  const known = readMigrations();
  const before = (superuser: pg.Client) => migrate(superuser, { migrations: known.slice(0, 43) });
  const { urlOf, superuser } = await makeRoles({ prepare: before });
  const owner = await connect(urlOf("owner"));
  expect(await migrate(owner)).toEqual(known.slice(43).map(({ name }) => name));
  await open({ url: urlOf("writer"), areTablesLeft: true });
  const { rows } = await superuser.query<{ readonly owner: string }>(
    `select distinct pg_get_userbyid(o) as owner from (
       select relowner as o from pg_class where relnamespace = 'public'::regnamespace
       union all select proowner from pg_proc where pronamespace = 'public'::regnamespace) all_of_it`,
  );
  expect(rows).toEqual([{ owner: new URL(urlOf("owner")).username }]);
});

test("the reader may select no column that looks as if it opened something", async () => {
  const { urlOf, run } = await makeRoles();
  await migrate(await connect(urlOf("owner")));
  await run();
  const reader = await connect(urlOf("reader"));
  const { rows } = await reader.query<{ readonly name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns
     where table_schema = 'public'
       and has_column_privilege('public.' || table_name, column_name, 'select')
       and (column_name ~ 'seal|secret|signature|token|public_key|private|seed|password' or data_type in ('bytea', 'jsonb'))
     order by 1`,
  );
  // Looked at one by one: hashes, words of the catalog, prices, what a merchant reported.
  expect(rows.map(({ name }) => name)).toEqual([
    "audit_entries.hash",
    "audit_entries.previous_hash",
    "audit_head.hash",
    "capabilities.delivery",
    "capabilities.parameters",
    "deployments.token_standard",
    "payments.quotes",
    "webhook_endpoints.previous_secret_expires_at",
    "x402_usages.evidence",
    "x402_usages.evidence_hash",
  ]);
});

test("roles of a cell take nothing from the roles of others", async () => {
  const { urlOf, superuser } = await makeRoles({
    cell: "east",
    prepare: (client) => client.query("create schema cell_west"),
  });
  const { rows } = await superuser.query(
    "select has_database_privilege('public', current_database(), 'connect') as may_connect",
  );
  expect(rows).toEqual([{ may_connect: true }]);
  const reader = await connect(urlOf("reader"));
  await expect(reader.query("create table cell_west.t ()")).rejects.toThrow(/permission denied/);
});

test("nobody else may connect or make tables", async () => {
  const { urlOf, superuser } = await makeRoles();
  const url = new URL(urlOf("reader"));
  const name = `stranger_${url.pathname.slice(-6)}`;
  await superuser.query(`create role ${name} login`);
  onTestFinished(async () => void (await superuser.query(`drop role ${name}`)));
  url.username = name;
  const stranger = new pg.Client({ connectionString: url.href });
  await expect(stranger.connect()).rejects.toThrow(/permission denied for database/);
});

describe("production", () => {
  test("refuses a superuser, and names what makes the roles", async () => {
    const { url, remove } = await makePostgresDatabase();
    onTestFinished(remove);
    const said = await problemOf({ url, mustBeSafe: true });
    expect(said).toMatch(/^DATABASE_URL is not for production:\n/);
    expect(said).toMatch(
      /the role postgres may do more than it needs \(superuser, createrole, .*roles\.sql/,
    );
    expect(await problemOf({ url })).toBe("none");
  });

  test.each([
    ["may become a superuser", "grant postgres to %s", /superuser/],
    [
      "may run programs of the server",
      "grant pg_execute_server_program to %s",
      /pg_execute_server_program/,
    ],
    [
      "may become the owner, though it inherits nothing",
      "alter role %s noinherit; grant %o to %s",
      /owns the schema, tables/,
    ],
    ["owns the database", "alter database %d owner to %s", /owns the database/],
    ["owns one table", "alter table jobs owner to %s", /owns tables/],
  ])("refuses a writer that %s", async (_, change, said) => {
    const { urlOf, superuser } = await makeRoles({ isMigrated: true });
    const [owner, name] = [urlOf("owner"), urlOf("writer")].map((url) => new URL(url).username);
    const database = new URL(urlOf("owner")).pathname.slice(1);
    const words = new Map([
      ["%s", name],
      ["%o", owner],
      ["%d", database],
    ]);
    await superuser.query(change.replaceAll(/%[sod]/g, (word) => words.get(word) ?? word));
    const writer = await connect(urlOf("writer"));
    await expect(checkSafety(writer, { areTablesLeft: true })).rejects.toThrow(said);
  });

  test("refuses an owner where the tables are left alone, and takes the writer", async () => {
    const { urlOf } = await makeRoles();
    const owner = await connect(urlOf("owner"));
    await migrate(owner);
    const safe = { areTablesLeft: true } as const;
    await expect(checkSafety(owner, safe)).rejects.toThrow(
      /the role \S+_owner owns the schema, tables, and MIGRATE is off.*roles\.sql/,
    );
    // This server forces nothing to disk; nothing else is said of the writer, nor of an owner who brings tables up to date.
    const writer = await connect(urlOf("writer"));
    const lax =
      /^DATABASE_URL is not for production:\n {2}fsync is off.*\n {2}full_page_writes is off.*\n {2}synchronous_commit is off.*\n$/;
    await expect(checkSafety(writer, safe)).rejects.toThrow(lax);
    await expect(checkSafety(owner, { areTablesLeft: false })).rejects.toThrow(lax);
  });
});
