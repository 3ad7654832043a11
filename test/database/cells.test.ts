// Cells on one database: each has all tables in a schema of its own, made by whichever process comes first.

import { sql } from "kysely";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startProblem } from "../../adapters/assembly/start-problem.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { readMigrations } from "../../adapters/database/migration-files.ts";
import { statement } from "../../service/database/statement.ts";
import { makePostgresDatabase } from "../support/engines.ts";

async function emptyDatabase() {
  const { url, remove } = await makePostgresDatabase("template0");
  onTestFinished(remove);
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined); // removing the database ends it
  await client.connect();
  onTestFinished(() => client.end());
  const read = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;
  return { url, read };
}

/** Of the server, so with a name that no other test has. */
async function newRole(
  { url, read }: Awaited<ReturnType<typeof emptyDatabase>>,
  right: "superuser" | "nosuperuser",
) {
  const own = new URL(url);
  own.username = `role_of_${own.pathname.slice(-6)}`;
  await read(`create role ${own.username} ${right} login`);
  onTestFinished(async () => {
    await read(`drop owned by ${own.username}`);
    await read(`drop role ${own.username}`);
  });
  return { name: own.username, url: own.href };
}

async function open(url: string, cell: string) {
  const database = await openPostgres({ url, cell, connectionsMax: 2 });
  onTestFinished(database.close);
  return database;
}

const name = (text: string) =>
  statement<object>("test.insert_merchant")(
    () => sql`insert into merchants (id, name, created_at, status, fee_bps)
      values ('mer_x', ${sql.lit(text)}, now(), 'active', 0)`,
  );

test("processes of two cells that start at once make each schema and its tables once", async () => {
  const { url, read } = await emptyDatabase();
  const cells = ["east", "west", "east", "west"];
  await Promise.all(cells.map((cell) => open(url, cell)));
  const tables = await read(
    `select schemaname as schema, count(*)::int as count from pg_tables
     where schemaname like 'cell%' or schemaname = 'public' group by 1 order by 1`,
  );
  expect(tables.map(({ schema }) => schema)).toEqual(["cell_east", "cell_west"]);
  expect(tables[0]?.["count"]).toBe(tables[1]?.["count"]);
  for (const cell of ["east", "west"])
    expect(await read(`select count(*)::int as count from cell_${cell}.schema_migrations`)).toEqual(
      [{ count: readMigrations().length }],
    );
});

test("what one writes is not in the other, whatever the URL says of its own", async () => {
  const { url, read } = await emptyDatabase();
  const east = await open(`${url}?options=-c%20search_path%3Dpublic`, "east");
  const west = await open(url, "west");
  await east.run(name("of the east"), {});
  await west.run(name("of the west"), {});
  for (const cell of ["east", "west"])
    expect(await read(`select name from cell_${cell}.merchants`)).toEqual([
      { name: `of the ${cell}` },
    ]);
});

test("what a role says of where to look is found on each new connection, not at the start alone", async () => {
  const { url, read } = await emptyDatabase();
  const role = await newRole({ url, read }, "superuser");
  await open(url, "east");
  const plain = await openPostgres({ url: role.url, connectionsMax: 2 });
  onTestFinished(plain.close);
  const count = statement<object>("test.count_merchants")(
    () => sql<{ count: number }>`select count(*)::int as count from merchants`,
  );
  expect(await plain.run(count, {})).toEqual([{ count: 0 }]);
  await read(`alter role ${role.name} set search_path = cell_east`);
  await read(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role.name}'`,
  );
  // The first may still be told that its connection is gone.
  const answers = [];
  for (let attempt = 0; attempt < 4; attempt++)
    answers.push(await plain.run(count, {}).catch((error: unknown) => error));
  expect(answers.at(-1)).toMatchObject({ code: "service_unavailable" });
  expect((answers.at(-1) as Error).cause).toMatchObject({ name: "UnfitConnection" });
});

test("a cell's start waits for no other cell's", async () => {
  const { url } = await emptyDatabase();
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin");
  // What the migrations of a service without a cell hold, and those of the cell west.
  await holder.query("select pg_advisory_xact_lock(7205188311)");
  await holder.query("select pg_advisory_xact_lock(7205188311 + hashtext('cell_west'))");
  const east = await open(url, "east");
  await east.run(name("of the east"), {});
});

test("a role that may make no schema is told so, and takes one that was made for it", async () => {
  const { url, read } = await emptyDatabase();
  const role = await newRole({ url, read }, "nosuperuser");
  const problem = await openPostgres({ url: role.url, cell: "east", connectionsMax: 2 }).catch(
    (error: unknown) => startProblem(error),
  );
  expect(problem).toBe(
    "There is no schema cell_east, and this role may not make one. Make it as the owner of the database: " +
      "create schema cell_east authorization ROLE",
  );
  await read("create schema cell_east");
  const foreign = await openPostgres({ url: role.url, cell: "east", connectionsMax: 2 }).catch(
    (error: unknown) => startProblem(error),
  );
  expect(foreign).toBe(
    "The schema cell_east is somebody else's, and this role may make no tables in it: " +
      "alter schema cell_east owner to ROLE. Where another role makes them (npm run migrate), start with MIGRATE=off.",
  );
  await read(`alter schema cell_east owner to ${role.name}`);
  const database = await openPostgres({ url: role.url, cell: "east", connectionsMax: 2 });
  await database.run(name("of the east"), {});
  await database.close();
  expect(await read("select name from cell_east.merchants")).toEqual([{ name: "of the east" }]);
});
