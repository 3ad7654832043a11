// What a payment is decided on is read for many at once, and each gets what it would have got alone.

import { describe, expect, test } from "vitest";
import { withBatching } from "../../adapters/database/batching.ts";
import { KnownAcceptances } from "../../service/catalog/known-acceptances.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import { readPaymentTerms, type TermsValues } from "../../service/payments/payments.sql.ts";
import type { Database } from "../../service/ports/database.ts";
import { smallCatalog } from "../catalog/fixtures.ts";
import { countingDatabase } from "../support/counting-database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { addMerchant, buildServiceParts, query } from "../support/service-parts.ts";

/** Merchants that differ in everything that is read of them. */
async function fill(database: Database): Promise<void> {
  await new CatalogWriter(buildServiceParts(database)).apply(smallCatalog, { isDryRun: false });
  for (const id of ["mer_1", "mer_2", "mer_3"]) await addMerchant(database, id);
  await query(database)`update merchants set fee_bps = 250 where id = 'mer_2'`;
  await query(database)`update merchants set status = 'suspended' where id = 'mer_3'`;
  await query(database)`insert into split_consents (partner_id, creator_id, granted_at)
    select id, 'mer_1', created_at from merchants where id <> 'mer_1'`;
  await query(database)`with one as (
    insert into currency_acceptances (merchant_id, environment, revision, catalog_version, updated_at)
    values ('mer_1', 'live', 1, 1, now()), ('mer_2', 'test', 1, 1, now())
    returning merchant_id, environment)
  insert into accepted_chains (merchant_id, environment, revision, currency_id, chain_id)
  select merchant_id, environment, 1, 'cur_eth', chain_id
    from one, unnest(array['eip155:1', 'eip155:10']) chain_id
    where environment = 'live' or chain_id <> 'eip155:1'`;
  await query(
    database,
  )`insert into payments (id, merchant_id, environment, merchant_order_no, status,
      quotes, chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    values ('pay_1', 'mer_1', 'live', 'A-1', 'pending', '[{}]', '{eip155:1}', 'to_primary', 100, 't',
      '2026-01-01', '2026-01-02', '2026-01-01')`;
}

const asked: readonly TermsValues[] = ["mer_1", "mer_2", "mer_3", "mer_none"].flatMap(
  (merchantId) =>
    (["live", "test"] as const).flatMap((environment) =>
      [0n, 1n].flatMap((known) => {
        const owner = { merchantId, environment, known };
        return [
          { ...owner, knownAcceptance: "", merchantOrderNo: "A-1", splitMerchantIds: [] },
          {
            ...owner,
            knownAcceptance: "1 another one",
            merchantOrderNo: `it's "B", {2}`,
            splitMerchantIds: ["mer_1", "mer_2", "mer_3", "mer_none"],
          },
        ];
      }),
    ),
);

describe.each(engines)("on %s", (engine) => {
  test("together as alone", async () => {
    const opened = await openDatabase(engine);
    await fill(opened);
    const alone: unknown[] = [];
    for (const values of asked) alone.push(await opened.run(readPaymentTerms, values));
    const { database, names } = countingDatabase(opened);
    const batching = withBatching(database);
    const together = await Promise.all(
      asked.map((values) => batching.run(readPaymentTerms, values)),
    );
    expect(together).toEqual(alone);
    expect(names).toEqual(["read_payments_terms"]);
    expect(alone[0]).toMatchObject([
      {
        fee_bps: 100,
        version: 1n,
        accepted: [{ currency_id: "cur_eth", chain_ids: ["eip155:1", "eip155:10"] }],
        active_ids: [],
        payment_id: "pay_1",
      },
    ]);
    // Partners of live payments have agreed, and those that are suspended count nowhere.
    expect(alone[3]).toMatchObject([
      { currencies: null, active_ids: ["mer_1", "mer_2"], payment_id: null },
    ]);
    expect(alone.at(-1)).toEqual([]);
    expect(new Set(alone.map((row) => JSON.stringify(row, textOfBig))).size).toBeGreaterThan(10);
  });

  test("what is accepted comes again when it is another one", async () => {
    const database = await openDatabase(engine);
    await fill(database);
    const known = new KnownAcceptances();
    const brought: boolean[] = [];
    const accepted = async (merchantId: string, environment: "live" | "test"): Promise<unknown> => {
      const look = known.look({ merchantId, environment });
      const order = { merchantOrderNo: "B", splitMerchantIds: [], known: 1n };
      const { knownAcceptance } = look;
      const values = { merchantId, environment, knownAcceptance, ...order };
      const [row] = await database.run(readPaymentTerms, values);
      if (row === undefined) throw new Error("there is such a merchant");
      brought.push(row.accepted !== null);
      return look.take(row);
    };
    const both = [{ currencyId: "cur_eth", chainIds: ["eip155:1", "eip155:10"] }];
    const one = [{ currencyId: "cur_eth", chainIds: ["eip155:10"] }];
    expect(await accepted("mer_1", "live")).toEqual(both);
    expect(await accepted("mer_1", "live")).toEqual(both);
    expect(await accepted("mer_2", "test")).toEqual(one);
    expect(await accepted("mer_2", "live")).toEqual([]);
    expect(await accepted("mer_2", "live")).toEqual([]);
    expect(brought).toEqual([true, false, true, true, true]);
    // Another process replaces it.
    await query(database)`with one as (
      update currency_acceptances set revision = 2, updated_at = '2026-01-02'
      where merchant_id = 'mer_1' returning *)
    insert into accepted_chains (merchant_id, environment, revision, currency_id, chain_id)
    select merchant_id, environment, 2, 'cur_eth', 'eip155:10' from one`;
    expect(await accepted("mer_1", "live")).toEqual(one);
    // A database that was restored counts on from an older one.
    await query(database)`update accepted_chains set chain_id = 'eip155:1' where revision = 2`;
    expect(await accepted("mer_1", "live")).toEqual(one);
    await query(database)`update currency_acceptances set updated_at = '2026-01-03'
      where merchant_id = 'mer_1'`;
    const other = [{ currencyId: "cur_eth", chainIds: ["eip155:1"] }];
    expect(await accepted("mer_1", "live")).toEqual(other);
    expect(brought.slice(5)).toEqual([true, false, true]);
  });
});

function textOfBig(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
