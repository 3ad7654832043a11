// The tables are brought up to date once, in order, or the start is refused with a reason.

import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import { readMigrations } from "../../adapters/database/migration-files.ts";
import type { Migration } from "../../adapters/database/migration-files.ts";
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
  expect(await migrate(client, { migrations: [first] })).toStrictEqual(["0001_a.sql"]);
  expect(await migrate(client, { migrations: [first, second] })).toStrictEqual(["0002_b.sql"]);
  expect(await migrate(client, { migrations: [first, second] })).toStrictEqual([]);
  const { rows } = await client.query("select number, name from schema_migrations order by 1");
  expect(rows).toStrictEqual([
    { number: 1, name: "0001_a.sql" },
    { number: 2, name: "0002_b.sql" },
  ]);
});

test("applies each file once when servers start together", async () => {
  const connect = await emptyDatabase();
  const clients = await Promise.all([connect(), connect(), connect(), connect()]);
  const applied = await Promise.all(
    clients.map((client) => migrate(client, { migrations: [first, second] })),
  );
  expect(applied.flat().toSorted()).toStrictEqual(["0001_a.sql", "0002_b.sql"]);
  const { rows } = await clients[0].query("select count(*)::integer as count from b");
  expect(rows).toStrictEqual([{ count: 1 }]);
});

test("leaves nothing of a file that fails, and applies it when it is mended", async () => {
  const client = await (await emptyDatabase())();
  const broken = { ...second, sql: `${second.sql} insert into missing values (1);` };
  await expect(migrate(client, { migrations: [first, broken] })).rejects.toThrow(
    /relation "missing" does not/,
  );
  const { rows } = await client.query("select to_regclass('b') as b");
  expect(rows).toStrictEqual([{ b: null }]);
  expect(await migrate(client, { migrations: [first, second] })).toStrictEqual(["0002_b.sql"]);
});

test("refuses an applied file that was edited", async () => {
  const client = await (await emptyDatabase())();
  await migrate(client, { migrations: [first] });
  const edited = { ...first, sql: "create table a (n bigint);" };
  await expect(migrate(client, { migrations: [edited, second] })).rejects.toThrow(
    "0001_a.sql is not the file that was applied to this database (0001_a.sql). " +
      "A released migration is never edited: restore it, and put the change into a new file.",
  );
});

test("takes a file with the line ends of another system as the same", async () => {
  const client = await (await emptyDatabase())();
  await migrate(client, { migrations: [{ ...first, sql: "create table a (\nn integer);" }] });
  const windows = { ...first, sql: "create table a (\r\nn integer);" };
  expect(await migrate(client, { migrations: [windows] })).toStrictEqual([]);
});

test("refuses a database that is newer than the code", async () => {
  const client = await (await emptyDatabase())();
  await migrate(client, { migrations: [first, second] });
  await expect(migrate(client, { migrations: [first] })).rejects.toThrow(
    /newer than this version of the service: it has 0002_b.sql, and this version ends at 1/,
  );
});

test("refuses a record with a hole in it", async () => {
  const client = await (await emptyDatabase())();
  await migrate(client, { migrations: [first, second] });
  await client.query("delete from schema_migrations where number = 1");
  await expect(migrate(client, { migrations: [first, second] })).rejects.toThrow(/changed by hand/);
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

/** SHA-256, its first 16 digits. A database that has applied a file refuses any other text of it. */
const released = {
  "0001_merchants.sql": "b9c848e5eac7b9a7",
  "0002_catalog.sql": "5aa3b00af079aea9",
  "0003_webhooks.sql": "b880c2c79c15bcb9",
  "0004_operations.sql": "e589db4194e6c5e9",
  "0005_ledger.sql": "19a42478345ca57d",
  "0006_payments.sql": "d70d2fd86c1f9095",
  "0007_withdrawals.sql": "7bb086adb9bbf053",
  "0008_schedules.sql": "3b6e83d169ce68eb",
  "0009_outgoing.sql": "1bb21bb6a804ae69",
  "0010_x402.sql": "b9f2083738268a31",
  "0011_sweeps.sql": "1048f6e4de0877a6",
  "0012_chain_operations.sql": "a19da3a4711e6b46",
  "0013_address_indexes.sql": "7214c8b7bb1b0661",
  "0014_one_way_out.sql": "99688c91a42252d7",
  "0015_divided_anew.sql": "664e6f6a3b0d4cea",
  "0016_payout_keys.sql": "e854841a1fbe4cea",
  "0017_keys_by_environment.sql": "55af0ebea364c4fb",
  "0018_signer_identity.sql": "1bbd84c4da34528a",
  "0019_split_consents.sql": "02c83eaed0f2f5ca",
  "0020_settlement_arrivals.sql": "d191b8b44e2f109a",
  "0021_own_money.sql": "e22b1c185dbeb746",
  "0022_withdrawal_guards.sql": "d420bb90dc845f3c",
  "0023_signer_journals.sql": "6be5a62f2c7ffe36",
  "0024_account_differences.sql": "4ab982085be40d0e",
  "0025_one_bill_of_a_period.sql": "6c6d9add5591a7f5",
  "0026_arrivals_tried.sql": "3f5b5e4bb7d53ff7",
  "0027_suspense.sql": "d8bf211a254663d6",
  "0028_merchant_gas.sql": "4b20c8462c14f938",
  "0029_debts_borne.sql": "3eb6f093befa07df",
  "0030_measured_transfers.sql": "bcdf3f59e60bbdff",
  "0031_unclear_outcomes.sql": "90d8bfb735f81195",
  "0032_address_rounds.sql": "e0dd03995abda61d",
  "0033_measured_again.sql": "e213ea14ebddb0dc",
  "0034_release_anew.sql": "1e7aa52da19f8a77",
  "0035_charged_bearer.sql": "afcded6e5893e61f",
  "0036_addresses_left_out.sql": "63a99284bb973f19",
  "0037_measured_moves.sql": "d3e1d6601a935043",
  "0038_flat_reads.sql": "77df1b6a8181c65a",
  "0039_open_terms.sql": "93d1f1b988829067",
  "0040_lasting_differences.sql": "00e98e8f61c7bc03",
  "0041_measured_by_block.sql": "a821995c42ea3907",
  "0042_job_leases.sql": "3b9836bb448cbf1e",
  "0043_replica_marks.sql": "4169a88d01a771b4",
  "0044_compatible_versions.sql": "83fa26c1e4c3e54f",
  "0045_endpoints_off.sql": "94750feb05c7290d",
  "0046_decided_outgoing.sql": "a31816614edaf264",
  "0047_nonces_by_token.sql": "a3d602bf0a110f2a",
  "0048_earlier_nonces.sql": "649bbd15837fe927",
  "0049_proven_addresses.sql": "d08a32c6c6fe2765",
};

test.each(Object.entries(released))("%s is the file that was released", (name, digits) => {
  const path = join(import.meta.dirname, "..", "..", "adapters", "database", "migrations", name);
  const hash = createHash("sha256").update(readFileSync(path, "utf8")).digest("hex");
  expect(hash.slice(0, 16)).toBe(digits);
});

test("a schema that an operator has closed says why, and nothing is made in it", async () => {
  const client = await (await emptyDatabase())();
  await client.query(
    "create table schema_migrations as select 0 as number, 'It has moved.' as name, '' as sha256",
  );
  await expect(migrate(client, { migrations: [first] })).rejects.toThrow(/^It has moved\.$/);
  const { rows } = await client.query("select to_regclass('a') as a");
  expect(rows).toStrictEqual([{ a: null }]);
});
