// A PostgreSQL database as an older version left it.

import pg from "pg";
import { onTestFinished } from "vitest";
import { migrate, readMigrations } from "../../adapters/database/migrate.ts";
import { runStatement, runTransaction } from "../../adapters/database/session.ts";
import { valueTypes } from "../../adapters/database/values.ts";
import type { Database } from "../../service/ports/database.ts";
import { makePostgresDatabase } from "./engines.ts";

/** With the migrations up to this one; `migrate(client)` applies the others. */
export async function openOldDatabase(lastMigration: number) {
  const { url, remove } = await makePostgresDatabase("template0");
  onTestFinished(remove);
  const client = new pg.Client({ connectionString: url, types: valueTypes });
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  await migrate(
    client,
    readMigrations().filter(({ number }) => number <= lastMigration),
  );
  const database: Database = {
    run: (statement, values) => runStatement(client, statement, values),
    transaction: (work) => runTransaction(client, work),
  };
  return { url, client, database };
}
