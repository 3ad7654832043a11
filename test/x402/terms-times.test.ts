// Terms say when their payment began and when it ends: those of before and those of a process of the version before
// get it from there. By these, money that came without a word is compared with terms of its time.

import { describe, expect, test } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import { listCandidateNonces, storeNonces } from "../../service/x402/nonces.sql.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { openOldDatabase } from "../support/old-database.ts";
import { addMerchant, query } from "../support/service-parts.ts";

const lastBefore = 38;

test("terms end with their payment, also those that a version before tells", async () => {
  const { client, database } = await openOldDatabase(lastBefore);
  // What these rows refer to says nothing here.
  await client.query("set session_replication_role = replica");
  await query(
    database,
  )`insert into payments (id, merchant_id, environment, merchant_order_no, status,
      quotes, chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    select id, 'mer_1', 'live', id, 'expired', '[{}]', '{eip155:1}', 'to_primary', 100, id,
      '2026-01-01', expires_at, '2026-01-01'
    from (values ('pay_1', '2026-01-02'::timestamptz), ('pay_2', '2026-01-03'))
      as one (id, expires_at)`;
  const tell = (nonce: string, paymentId: string) =>
    query(database)`insert into x402_nonces (nonce, payer, payment_id, deployment_id, due_raw)
      values ('0x' || repeat(${nonce}::text, 64), '', ${paymentId}::text, 'dep_1', 5)`;
  await tell("1", "pay_1");
  await tell("2", "pay_2");
  await client.query("set session_replication_role = origin");
  await migrate(client);
  await client.query("alter table x402_nonces drop constraint x402_nonces_deployment_id_fkey");
  await tell("3", "pay_2");
  expect(
    await query(database)`select left(nonce, 3) as nonce, created_at, expires_at from x402_nonces
      order by 1`,
  ).toEqual([
    { nonce: "0x1", ...times("2026-01-01", "2026-01-02") },
    { nonce: "0x2", ...times("2026-01-01", "2026-01-03") },
    { nonce: "0x3", ...times("2026-01-01", "2026-01-03") },
  ]);
});

function times(createdAt: string, expiresAt: string) {
  return { created_at: new Date(createdAt), expires_at: new Date(expiresAt) };
}

describe.each(engines)("on %s", (engine) => {
  const minedAt = new Date("2026-03-03T03:00:00Z");
  const minutes = (from: Date, count: number): Date => new Date(from.getTime() + count * 60_000);
  const nonceOf = (id: string): string => `0x${Buffer.from(id).toString("hex").padStart(64, "0")}`;

  interface Terms {
    readonly id: string;
    /** minutes after the money was mined */
    readonly createdAfter: number;
    readonly openMinutes: number;
    readonly dueRaw?: bigint;
  }

  const tell = async (database: Database, terms: readonly Terms[]) => {
    for (const { id, createdAfter, openMinutes, dueRaw = 5n } of terms) {
      const createdAt = minutes(minedAt, createdAfter);
      await query(database)`insert into payments (id, merchant_id, environment, merchant_order_no,
          status, quotes, chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
        values (${id}::text, 'mer_1', 'live', ${id}::text, 'pending', '[{}]', '{eip155:1}', 'to_primary',
          100, ${id}::text, ${createdAt}::timestamptz, ${minutes(createdAt, openMinutes)}::timestamptz,
          ${createdAt}::timestamptz)`;
      const row = { nonce: nonceOf(id), payer: "", payment_id: id, deployment_id: "dep_1" };
      await database.run(storeNonces, {
        nonces: JSON.stringify([{ ...row, due_raw: dueRaw.toString() }]),
      });
    }
  };

  const openTerms = async () => {
    const database = await openDatabase(engine);
    await addMerchant(database, "mer_1");
    await query(database)`alter table x402_nonces drop constraint x402_nonces_deployment_id_fkey`;
    const candidates = async (rowsMax: number) => {
      const values = { deploymentId: "dep_1", payer: "0xp", amountRaw: 5n, minedAt };
      const rows = await database.run(listCandidateNonces, {
        ...values,
        openSecondsMax: 604_800,
        rowsMax,
      });
      return rows.map((row) => row.payment_id);
    };
    return { database, candidates };
  };

  test("the newest of a price come first, however long others of it are open", async () => {
    const { database, candidates } = await openTerms();
    const week = 7 * 24 * 60;
    const long = Array.from({ length: 101 }, (_, at) => {
      return { id: `pay_long_${at}`, createdAfter: -500 + at, openMinutes: week };
    });
    await tell(database, [
      ...long,
      { id: "pay_fresh", createdAfter: -20, openMinutes: 30 },
      { id: "pay_dear", createdAfter: -1, openMinutes: 30, dueRaw: 6n },
    ]);
    const found = await candidates(100);
    expect(found.slice(0, 3)).toEqual(["pay_fresh", "pay_long_100", "pay_long_99"]);
    expect(found).toHaveLength(100);
    expect((await candidates(200)).at(-1)).toBe("pay_dear");
  });

  test.each([
    ["began ten minutes after", { createdAfter: 10, openMinutes: 30 }, true],
    ["began later", { createdAfter: 10.1, openMinutes: 30 }, false],
    ["ended twenty minutes before", { createdAfter: -50, openMinutes: 30 }, true],
    ["ended earlier", { createdAfter: -50.1, openMinutes: 30 }, false],
    ["began just now, for a week", { createdAfter: 10, openMinutes: 7 * 24 * 60 }, true],
    ["cost less", { createdAfter: -5, openMinutes: 30, dueRaw: 4n }, false],
  ])("terms that %s", async (_, terms, isCandidate) => {
    const { database, candidates } = await openTerms();
    await tell(database, [{ id: "pay_1", ...terms }]);
    expect(await candidates(10)).toEqual(isCandidate ? ["pay_1"] : []);
  });
});
