// What is between the service and its server may take away what every statement relies on: the start says so, and what
// to do, in place of failing every second request later.

import { sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startProblem } from "../../adapters/assembly/start-problem.ts";
import { checkConnections, timeLimits } from "../../adapters/database/fitness.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { statement } from "../../service/database/statement.ts";
import { startPooler } from "../support/pooler.ts";
import type { Pooler, PoolerOptions } from "../support/pooler.ts";
import { ServerPool } from "../support/pooler-servers.ts";
import { startPostgresServer } from "../support/postgres-server.ts";
import type { PostgresServer } from "../support/postgres-server.ts";

let server: PostgresServer;
let pooler: Pooler | undefined;
beforeAll(async () => {
  server = await startPostgresServer({ isDurable: false });
});
afterEach(async () => {
  await pooler?.close();
  pooler = undefined;
});
afterAll(() => server.remove());

function poolOf(url: string): pg.Pool {
  const options = "-c jit=off -c random_page_cost=1.1";
  return new pg.Pool({ connectionString: url, options, ...timeLimits });
}

async function startThrough(
  ofOthers: PoolerOptions["ofOthers"],
  options: Partial<PoolerOptions> = {},
  cell?: string,
): Promise<string> {
  await pooler?.close();
  const usual = {
    serverPort: server.port,
    serversMax: 8,
    serversAtStart: 0,
    next: "last back",
    statements: "lost",
  } as const;
  pooler = await startPooler({ ...usual, ofOthers, ...options });
  const opening = openPostgres({ url: pooler.url("postgres"), cell, connectionsMax: 4 });
  return opening.then(
    async (database) => {
      await database.close();
      return "started";
    },
    (error: unknown) => startProblem(error) ?? String(error),
  );
}

const roleLines = [
  "statement_timeout = '10s';",
  "idle_in_transaction_session_timeout = '15s';",
  "jit = off;",
  "random_page_cost = 1.1;",
];

test("a pooler that refuses what a connection starts with: what to write, and where", async () => {
  const problem = await startThrough("refused");
  expect(problem.split("\n")).toEqual([
    "DATABASE_URL leads to PgBouncer, which refuses what is set when a connection starts " +
      "(unsupported startup parameter: statement_timeout).",
    "Write into its configuration",
    "  ignore_startup_parameters = options, statement_timeout, idle_in_transaction_session_timeout",
    "and into the database, for the role that the service connects as:",
    ...roleLines.map((line) => `  alter role ROLE set ${line}`),
  ]);
});

test("one that takes it away without a word: which of it, and the commands that set it", async () => {
  const problem = await startThrough("ignored");
  expect(problem.split("\n")).toEqual([
    "What is set when a connection starts does not reach the server of DATABASE_URL (statement_timeout, " +
      "idle_in_transaction_session_timeout, jit, random_page_cost): the URL says something else, or a pooler takes it " +
      "away. Leave it out of the URL, or set it for the role:",
    ...roleLines.map((line) => `  alter role postgres set ${line}`),
  ]);
  // Some of it, or more than that, is not enough.
  await server.execute("alter role postgres set statement_timeout = '11s'");
  await server.execute("alter role postgres set idle_in_transaction_session_timeout = 0");
  await server.execute("alter role postgres set jit = off");
  await server.execute("alter role postgres set random_page_cost = 1.2");
  const less = await startThrough("ignored");
  expect(less).toContain(
    "(statement_timeout, idle_in_transaction_session_timeout, random_page_cost)",
  );
});

test("behind one that takes it away a cell needs a role that nobody else uses", async () => {
  for (const line of roleLines) await server.execute(`alter role postgres set ${line}`);
  const problem = await startThrough("ignored", {}, "east");
  expect(problem).toMatch(
    /does not look into the schema cell_east alone \(search_path is "\$user", public\): a pooler takes away/,
  );
  expect(problem.split("\n").slice(1, -1)).toEqual([
    "  create role ROLE login;",
    "  alter role ROLE set search_path = cell_east;",
  ]);
  await server.execute("alter role postgres set search_path = cell_east");
  // What comes next: this one forgets statements.
  expect(await startThrough("ignored", {}, "east")).toMatch(/loses prepared statements/);
  expect(await startThrough("ignored", {}, "west")).toMatch(/not look into the schema cell_west/);
  // Another one's tables are within its reach, in a transaction for which somebody else has said where to look.
  await server.execute("create schema cell_west");
  await server.execute("create table cell_west.schema_migrations ()");
  await server.execute("create table public.of_others ()");
  expect(await startThrough("ignored", {}, "east")).toBe(
    "The role postgres may read other schemas than cell_east (cell_west), and DATABASE_URL leads through a pooler, " +
      "where nothing else keeps cells apart: each needs a role of its own, which owns its schema and is no superuser.",
  );
  // And who serves no cell does not take one's tables for its own.
  await server.execute("create schema cell_east");
  expect(await startThrough("ignored")).toMatch(
    /looks into the schema of a cell \(search_path is cell_east\), and there is no CELL/,
  );
  await server.execute("drop schema cell_east");
  await server.execute("drop schema cell_west cascade");
  await server.execute("drop table public.of_others");
  await server.execute("alter role postgres reset search_path");
});

test("what a server says that takes no connection reaches whoever asked the pooler", async () => {
  const problem = 'database "nowhere" does not exist';
  await startThrough("ignored");
  const client = new pg.Client({ connectionString: pooler?.url("nowhere") });
  client.on("error", () => undefined); // the connection ends, too
  await client.connect();
  await expect(client.query("select 1")).rejects.toThrow(problem);
  await client.end();

  // And whoever wants some from the start on.
  const options = { serverPort: server.port, serversMax: 1, next: "last back" } as const;
  const pool = new ServerPool(options, { user: "postgres", database: "nowhere" });
  await expect(pool.openSome(1)).rejects.toThrow(`the server takes no connection: ${problem}`);
  pool.close();
});

test("one that loses prepared statements, once what it says about settings is done", async () => {
  for (const line of roleLines) await server.execute(`alter role postgres set ${line}`);
  for (const next of ["last back", "first back"] as const) {
    for (const serversAtStart of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const problem = await startThrough("ignored", { next, serversAtStart });
      expect(problem).toMatch(
        /^DATABASE_URL leads to a pooler that loses prepared statements \(prepared statement "connection_probe_first" does not exist\)\. PgBouncer keeps them in transaction mode from 1\.21 on, with max_prepared_statements above 0/,
      );
    }
  }
  const narrow = await startThrough("ignored", { serversMax: 1 });
  expect(narrow).toContain("does not answer two connections at once");
});

test("what the URL says when a connection starts stands beside what we say", async () => {
  const setting = (name: string, isDurable: boolean) =>
    statement<object>(`test.setting_of_${name}`, { isDurable })(
      () => sql<{ value: string }>`select current_setting(${sql.lit(name)}) as value`,
    );
  const url = server.url("postgres");
  const database = await openPostgres({
    url: `${url}?options=-c%20search_path%3Dpublic%2Cx%20-c%20jit%3Don`,
  });
  const read = async (name: string, isDurable = true) => {
    const [row] = await database.run(setting(name, isDurable), {});
    return row?.value;
  };
  expect(await read("search_path")).toBe("public,x");
  expect(await read("jit")).toBe("off");
  expect(await read("synchronous_commit", false)).toBe("off");
  await database.close();
  const strict = await openPostgres({ url: `${url}?statement_timeout=5000` });
  await strict.close();
  const lax = openPostgres({ url: `${url}?statement_timeout=30000` });
  await expect(lax).rejects.toThrow("(statement_timeout): the URL says something else");
});

test("of the server itself one connection is asked, and kept; behind a pooler two, and none", async () => {
  const counts = async (url: string) => {
    const [pool, other] = [poolOf(url), poolOf(url)];
    await checkConnections([pool, other], undefined).catch(() => undefined);
    const found = [pool.totalCount, other.totalCount];
    await Promise.all([pool.end(), other.end()]);
    return found;
  };
  expect(await counts(server.url("postgres"))).toEqual([1, 0]);
  pooler = await startPooler({
    serverPort: server.port,
    serversMax: 4,
    serversAtStart: 0,
    next: "last back",
    statements: "lost",
    ofOthers: "ignored",
  });
  expect(await counts(pooler.url("postgres"))).toEqual([0, 0]);
});

test("the server itself, with or without settings of the role", async () => {
  const database = await openPostgres({ url: server.url("postgres"), connectionsMax: 2 });
  await database.close();
  for (const line of roleLines) {
    await server.execute(`alter role postgres reset ${line.split(" ")[0] ?? ""}`);
  }
  const again = await openPostgres({ url: server.url("postgres"), connectionsMax: 2 });
  await again.close();
});
