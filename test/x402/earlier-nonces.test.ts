// An authorization that has failed is still the first payment's that had accepted it. Of those that a
// version before accepted, no nonce was written down: the migration does it (threat 40).

import { expect, test } from "vitest";
import { migrate } from "../../adapters/database/migrate.ts";
import { findAuthorizationOwner } from "../../service/x402/nonces.sql.ts";
import { openOldDatabase } from "../support/old-database.ts";
import { query } from "../support/service-parts.ts";

const lastBefore = 46;
const year = 365 * 24 * 3600;
const inAYear = Math.floor(Date.now() / 1000) + year;
const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
const chainId = "eip155:1";

const nonceOf = (digit: string): string => `0x${digit.repeat(64)}`;

/** In the order in which they were accepted. `nonce`: one digit, 64 times. */
const settlements: readonly {
  readonly paymentId: string;
  readonly nonce: string;
  readonly payer?: string;
  readonly deploymentId?: string;
  readonly status?: string;
  readonly validBefore?: number;
  /** an hour ago */
  readonly updatedAt?: string;
}[] = [
  { paymentId: "pay_1", nonce: "1" },
  { paymentId: "pay_2", nonce: "1" },
  { paymentId: "pay_3", nonce: "1", payer: "0xother" },
  { paymentId: "pay_4", nonce: "1", deploymentId: "dep_2" },
  { paymentId: "pay_5", nonce: "2", validBefore: 1 },
  { paymentId: "pay_6", nonce: "3" },
  { paymentId: "pay_7", nonce: "3", status: "queued" },
  { paymentId: "pay_8", nonce: "4", status: "final" },
  { paymentId: "pay_17", nonce: "b", status: "unused" },
  { paymentId: "pay_18", nonce: "c", status: "final", updatedAt: "2026-01-02" },
  { paymentId: "pay_11", nonce: "6", status: "queued" },
  { paymentId: "pay_12", nonce: "7", status: "waiting" },
  { paymentId: "pay_13", nonce: "8", status: "refused" },
  { paymentId: "pay_14", nonce: "9", status: "settled" },
  { paymentId: "pay_15", nonce: "a" },
  { paymentId: "pay_16", nonce: "a", status: "final" },
  // Known, as its next settlement was accepted for it once more.
  { paymentId: "pay_9", nonce: "5" },
];

test("what was accepted before nonces were written down is the first payment's, whatever becomes of it", async () => {
  const { client, database } = await openOldDatabase(lastBefore);
  const run = query(database);
  // What these rows refer to says nothing here.
  await client.query("set session_replication_role = replica");
  for (const [at, one] of settlements.entries()) {
    const { payer = "0xpayer", deploymentId = "dep_1", status = "failed" } = one;
    await run`insert into payments (id, merchant_id, environment, merchant_order_no, status,
        quotes, chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
      values (${one.paymentId}::text, 'mer_1', 'live', ${one.paymentId}::text, 'expired', '[{}]', '{eip155:1}',
        'to_primary', 100, ${one.paymentId}::text, '2026-01-01', '2026-01-02', '2026-01-01')`;
    await run`insert into x402_settlements (
        id, merchant_id, environment, payment_id, deployment_id, chain_id, scheme, method, asset,
        payer, nonce, pay_to, authorized_raw, valid_after, valid_before, domain_name, domain_version,
        evidence_version, signature, amount_raw, status, reason, from_block, created_at, updated_at)
      values ('stl_' || ${at}::integer, 'mer_1', 'live', ${one.paymentId}::text, ${deploymentId}::text, ${chainId}::text,
        'exact', 'eip3009', ${deploymentId}::text, ${payer}::text, ${nonceOf(one.nonce)}::text, '0xus', 5, 0,
        ${one.validBefore ?? inAYear}::bigint, 'USDC', '2', 1, '0x' || repeat('1', 130),
        ${status === "waiting" ? null : 5}::numeric,
        ${status}::text, ${["failed", "refused"].includes(status) ? "x402_reverted" : null}::text, 1,
        '2026-01-01'::timestamptz + ${at}::integer * interval '1 second', ${one.updatedAt ?? anHourAgo}::timestamptz)`;
  }
  await run`insert into x402_nonces (nonce, payer, payment_id, deployment_id, due_raw, created_at, expires_at)
    values (${nonceOf("5")}::text, '0xpayer', 'pay_known', 'dep_1', 5, '2026-01-01', '2026-01-02')`;
  await client.query("set session_replication_role = origin");
  await client.query("alter table x402_nonces drop constraint x402_nonces_deployment_id_fkey");
  await client.query("alter table x402_nonces drop constraint x402_nonces_payment_id_fkey");
  await migrate(client);

  const ownerOf = async (nonce: string, payer = "0xpayer", deploymentId = "dep_1") => {
    const of = { chainId, deploymentId, payer, nonce: nonceOf(nonce), paymentId: "pay_thief" };
    return (await database.run(findAuthorizationOwner, of)).map((row) => row.payment_id);
  };
  expect(await ownerOf("1")).toEqual(["pay_1"]);
  expect(await ownerOf("1", "0xother")).toEqual(["pay_3"]);
  expect(await ownerOf("1", "0xpayer", "dep_2")).toEqual(["pay_4"]);
  // Past its time, and it may have been used before.
  expect(await ownerOf("2")).toEqual(["pay_5"]);
  // It is another's by now, and that one is under way.
  expect(await ownerOf("3")).toEqual(["pay_7"]);
  expect(await ownerOf("4")).toEqual(["pay_8"]);
  expect(await ownerOf("5")).toEqual(["pay_known"]);
  expect(await ownerOf("a")).toEqual(["pay_16"]);
  expect(await ownerOf("b")).toEqual(["pay_17"]);
  expect(await ownerOf("c")).toEqual(["pay_18"]);
  // What was under way fails after all, and what was final by a reorganisation; but none is a month long.
  await client.query("update x402_settlements set status = 'failed', reason = 'x402_reverted'");
  for (const [nonce, payment] of [
    ["3", "pay_7"],
    ["6", "pay_11"],
    ["7", "pay_12"],
    ["8", "pay_13"],
    ["9", "pay_14"],
    ["4", "pay_8"],
    ["a", "pay_16"],
    ["b", "pay_17"],
  ] as const)
    expect(await ownerOf(nonce)).toEqual([payment]);
  expect(await ownerOf("c")).toEqual([]);
  expect(
    await run`select payment_id, due_raw, created_at, expires_at from x402_nonces
      where payment_id = 'pay_1'`,
  ).toEqual([
    {
      payment_id: "pay_1",
      due_raw: "5",
      created_at: new Date("2026-01-01"),
      expires_at: new Date("2026-01-02"),
    },
  ]);
});
