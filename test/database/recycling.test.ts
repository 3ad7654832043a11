// Tests may share databases only if none can tell.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Database } from "../../service/ports/database.ts";
import { engines, makeDatabase, newDatabases } from "../support/engines.ts";
import { buildLedger, credited } from "../ledger/fixture.ts";
import { addMerchant, query } from "../support/service-parts.ts";

/** Everything in the tables and of the tables, as text. */
async function contentOf(database: Database): Promise<string> {
  const relations = await query(database)<{ name: string; kind: string; columns: string }>`
    select c.relname as name, c.relkind as kind,
      string_agg(a.attname || ' ' || a.atttypid || ' ' || a.attnotnull, ', ' order by a.attnum)
        as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'S')
    group by c.relname, c.relkind order by c.relname`;
  const lines: string[] = [];
  for (const { name, kind, columns } of relations) {
    const rows = await query(
      database,
      kind === "S"
        ? sql<{ row: string }>`select last_value || ' ' || is_called as row from ${sql.table(name)}`
        : sql<{
            row: string;
          }>`select to_jsonb(t)::text as row from ${sql.table(name)} t order by 1`,
    );
    lines.push(`${name}: ${columns}`, ...rows.map(({ row }) => row));
  }
  return lines.join("\n");
}

/** Leaves something that no test has a use for, and that emptying a database therefore leaves. */
const mark = (database: Database) => query(database)`select lo_create(4711)`;

async function isMarked(database: Database): Promise<boolean> {
  return (await query(database)`select oid from pg_largeobject_metadata`).length > 0;
}

async function spoil(database: Database): Promise<void> {
  await addMerchant(database, "mer_left");
  await query(
    database,
  )`insert into audit_entries (occurred_at, actor, action, subject_type, subject_id, details)
    values (now(), 'operator', 'a test', 'merchant', 'mer_left', '{}')`;
  await (await buildLedger(database)).post("deposit_credited", "left", credited(100n));
  await query(database)`update deposit_index_blocks set next_block = 7`;
  // More than is deleted row by row.
  await query(database)`insert into merchants (id, name, created_at)
    select 'mer_' || n, repeat('x', 100), now() from generate_series(1, 5000) n`;
  await query(database)`create table left_behind (id int)`;
}

describe.each(engines)("on %s", (engine) => {
  test("a database that was used has the tables, rows and sequences of a new one", async () => {
    const databases = newDatabases(engine);
    const first = await databases.take();
    const asNew = await contentOf(first.database);
    await mark(first.database);
    await spoil(first.database);
    expect(await contentOf(first.database)).not.toBe(asNew);
    await first.remove();
    const second = await databases.take();
    expect(await contentOf(second.database)).toBe(asNew);
    // Otherwise this would show nothing.
    expect(await isMarked(second.database)).toBe(true);
    // The triggers that were passed by are there again.
    await expect(query(second.database)`delete from audit_head`).rejects.toThrow("append-only");
    await second.database.close();
    await second.remove();
  });

  test("two at a time are two databases", async () => {
    const [one, other] = await Promise.all([makeDatabase(engine), makeDatabase(engine)]);
    await addMerchant(one.database, "mer_one");
    expect(await query(other.database)`select id from merchants`).toEqual([]);
    await Promise.all([one.remove(), other.remove()]);
  });

  test("whoever keeps a database beyond its test is refused", async () => {
    const { database, remove } = await makeDatabase(engine);
    await remove();
    await expect(addMerchant(database, "mer_late")).rejects.toThrow("has ended");
    await expect(database.transaction((inside) => addMerchant(inside, "x"))).rejects.toThrow(
      "has ended",
    );
  });

  test.each([
    ["tables were changed", sql`alter table merchants disable trigger all`],
    ["a connection was set up", sql`set statement_timeout = '9s'`],
    ["a lock outlives its transaction", sql`select pg_advisory_lock(7)`],
    ["what was done cannot be seen", sql`do $$ begin perform 1; end $$`],
  ])("a database is not used again where %s", async (_, statement) => {
    const first = await makeDatabase(engine);
    await mark(first.database);
    await query(first.database, statement);
    await first.remove();
    const second = await makeDatabase(engine);
    expect(await isMarked(second.database)).toBe(false);
    await second.remove();
  });

  test("a database is not used again where a transaction is still open", async () => {
    const first = await makeDatabase(engine);
    await mark(first.database);
    const [hasBegun, mayEnd] = [
      Promise.withResolvers<undefined>(),
      Promise.withResolvers<undefined>(),
    ];
    const open = first.database.transaction(async (inside) => {
      await addMerchant(inside, "mer_open");
      hasBegun.resolve(undefined);
      await mayEnd.promise;
    });
    await hasBegun.promise;
    const removed = first.remove();
    const second = await makeDatabase(engine);
    expect(await isMarked(second.database)).toBe(false);
    expect(await query(second.database)`select id from merchants`).toEqual([]);
    mayEnd.resolve(undefined);
    await Promise.allSettled([open, removed]);
    await second.remove();
  });
});
