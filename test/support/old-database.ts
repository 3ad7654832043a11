// A PostgreSQL database as an older version left it.

import pg from "pg";
import { onTestFinished } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import { readMigrations } from "../../adapters/database/migration-files.ts";
import { runStatement, runTransaction } from "../../adapters/database/session.ts";
import { valueTypes } from "../../adapters/database/values.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Owner } from "../../service/owner.ts";
import { makePostgresDatabase } from "./engines.ts";
import { addressOf } from "./scripted-signer.ts";
import { query } from "./service-parts.ts";

/** With the migrations up to this one; `migrate(client)` applies the others. */
export async function openOldDatabase(lastMigration: number) {
  const { url, remove } = await makePostgresDatabase("template0");
  onTestFinished(remove);
  const client = new pg.Client({ connectionString: url, types: valueTypes });
  client.on("error", () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  await migrate(client, {
    migrations: readMigrations().filter(({ number }) => number <= lastMigration),
  });
  const database: Database = {
    run: (statement, values) => runStatement(client, statement, values),
    transaction: (work) => runTransaction(client, work),
  };
  return { url, client, database };
}

/** As any version wrote it: the statements of today know columns that came later. */
export async function addOldAddress(
  database: Database,
  { merchantId, environment }: Owner,
  chainId: string,
) {
  const address = addressOf("an old shop");
  await query(database)`insert into withdraw_addresses (id, merchant_id, environment, chain_id,
      chain_family, address, destination_type, created_at, activates_at, idempotency_key)
    values ('wad_old', ${merchantId}, ${environment}, ${chainId}, 'evm', ${address}, 'self_hosted',
      '2026-01-01', '2026-01-01', 'key-old')`;
  return { id: "wad_old", address };
}
