// A database from before Idempotency-Keys belonged to an environment: what was answered is answered
// again, and no key of the time before does anything a second time.

import { expect, test } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { openOldDatabase } from "../support/old-database.ts";
import { query } from "../support/service-parts.ts";

const lastBefore = 16;

test("a key that was used is used in both environments until its time is over", async () => {
  const { client } = await openOldDatabase(lastBefore);
  await client.query(`insert into merchants (id, name, created_at) values ('mer_1', 'one', now())`);
  await client.query(`insert into idempotency_keys
      (merchant_id, key, operation_id, fingerprint, status, body, created_at, expires_at)
    values ('mer_1', 'key-1', 'createPayment', '\\x01', 201, '{"id":"pay_1"}', now(), now())`);
  await client.query(`insert into idempotency_keys (merchant_id, key, operation_id, fingerprint,
      status, body_sealed, created_at, body_expires_at, expires_at)
    values ('mer_1', 'key-2', 'registerWebhookEndpoint', '\\x02', 201, '\\x03', now(), now(), now())`);
  expect(await migrate(client)).toContain("0017_keys_by_environment.sql");
  const { rows } = await client.query<object>(
    `select key, environment, operation_id, status, body,
      encode(fingerprint, 'hex') as fingerprint, encode(body_sealed, 'hex') as sealed
    from idempotency_keys order by key, environment`,
  );
  const payment = { operation_id: "createPayment", body: '{"id":"pay_1"}', sealed: null };
  const endpoint = { operation_id: "registerWebhookEndpoint", body: null, sealed: "03" };
  expect(rows).toEqual([
    { key: "key-1", environment: "live", status: 201, fingerprint: "01", ...payment },
    { key: "key-1", environment: "test", status: 201, fingerprint: "01", ...payment },
    { key: "key-2", environment: "live", status: 201, fingerprint: "02", ...endpoint },
    { key: "key-2", environment: "test", status: 201, fingerprint: "02", ...endpoint },
  ]);
});

test.each(engines)(
  "whatever is unique by a key is so within one environment, on %s",
  async (engine) => {
    const database = await openDatabase(engine);
    const rows = await query(database)<{ table: string; columns: readonly string[] }>`
    select c.conrelid::regclass::text as table, array_agg(a.attname::text order by a.attname) as columns
    from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype in ('u', 'p')
    group by c.oid
    having bool_or(a.attname = 'idempotency_key')
      or c.conrelid = 'idempotency_keys'::regclass
    order by 1`;
    const others = ["environment", "idempotency_key", "merchant_id"];
    expect(rows).toEqual([
      { table: "idempotency_keys", columns: ["environment", "key", "merchant_id"] },
      { table: "payments", columns: others },
      { table: "payout_schedules", columns: others },
      { table: "webhook_endpoints", columns: others },
      { table: "withdraw_addresses", columns: others },
      { table: "withdrawals", columns: others },
    ]);
  },
);
