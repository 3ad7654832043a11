// What a payment is decided on is read for many at once, and each gets what it would have got alone; what
// stays in memory of it is heard of when it changes.

import { describe, expect, test } from "vitest";
import { withBatching } from "../../adapters/database/batching.ts";
import { KnownAcceptances } from "../../service/catalog/known-acceptances.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import type { Owner } from "../../service/owner.ts";
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
  // All at one moment, each with its own; one accepts nothing.
  await query(database)`insert into currency_acceptances
      (merchant_id, environment, revision, catalog_version, updated_at)
    select id, environment, 1, 1, '2026-01-01'
      from unnest(array['mer_1', 'mer_2']) id, unnest(array['live', 'test']) environment`;
  await query(database)`insert into accepted_chains
      (merchant_id, environment, revision, currency_id, chain_id)
    values ('mer_1', 'live', 1, 'cur_eth', 'eip155:1'), ('mer_1', 'live', 1, 'cur_eth', 'eip155:10'),
      ('mer_1', 'test', 1, 'cur_eth', 'eip155:1'), ('mer_2', 'live', 1, 'cur_eth', 'eip155:10')`;
  await query(
    database,
  )`insert into payments (id, merchant_id, environment, merchant_order_no, status,
      quotes, chain_ids, overpay_policy, fee_bps, checkout_token, created_at, expires_at, updated_at)
    values ('pay_1', 'mer_1', 'live', 'A-1', 'pending', '[{}]', '{eip155:1}', 'to_primary', 100, 't',
      '2026-01-01', '2026-01-02', '2026-01-01')`;
}

const owners = ["mer_1", "mer_2", "mer_3", "mer_none"].flatMap((merchantId) =>
  (["live", "test"] as const).map((environment) => ({ merchantId, environment })),
);
const order = { merchantOrderNo: "A-1", splitMerchantIds: [], known: "", knownAcceptance: "" };

/** Of every owner: by who knows nothing, and by who knows the catalog and each of the acceptances. */
async function askedOn(database: Database): Promise<readonly TermsValues[]> {
  const stamps = new Set<string>();
  let known = "";
  for (const owner of owners) {
    const [row] = await database.run(readPaymentTerms, { ...owner, ...order });
    if (row?.acceptance !== undefined && row.acceptance !== null) stamps.add(row.acceptance);
    known = row?.catalog ?? known;
  }
  expect(stamps.size).toBe(4);
  return owners.flatMap((owner) => [
    { ...owner, ...order },
    ...["", ...stamps].map((knownAcceptance) => ({
      ...owner,
      known,
      knownAcceptance,
      merchantOrderNo: `it's "B", {2}`,
      splitMerchantIds: ["mer_1", "mer_2", "mer_3", "mer_none"],
    })),
  ]);
}

/** As a process reads what its merchants accept. */
function acceptances(database: Database) {
  const known = new KnownAcceptances();
  const brought: boolean[] = [];
  const ask = async (merchantId: string, environment: Owner["environment"]) => {
    const owner = { merchantId, environment };
    const { knownAcceptance, take } = known.look(owner);
    const [row] = await database.run(readPaymentTerms, { ...order, ...owner, knownAcceptance });
    if (row === undefined) throw new Error("there is such a merchant");
    brought.push(row.accepted !== null);
    return () => take(row);
  };
  const read = async (merchantId: string, environment: Owner["environment"]) => {
    const take = await ask(merchantId, environment);
    return take();
  };
  return { ask, read, brought };
}

const onlyOn = (...chainIds: readonly string[]) => [{ currencyId: "cur_eth", chainIds }];

/** As another process does. */
async function replace(database: Database, chainId: string): Promise<void> {
  await query(database)`with one as (
    update currency_acceptances set revision = 2, updated_at = '2026-01-02'
    where merchant_id = 'mer_1' and environment = 'live' returning *)
  insert into accepted_chains (merchant_id, environment, revision, currency_id, chain_id)
  select merchant_id, environment, revision, 'cur_eth', ${chainId} from one`;
}

describe.each(engines)("on %s", (engine) => {
  test("together as alone", async () => {
    const opened = await openDatabase(engine);
    await fill(opened);
    const asked = await askedOn(opened);
    const alone: unknown[] = [];
    for (const values of asked) alone.push(await opened.run(readPaymentTerms, values));
    const { database, names } = countingDatabase(opened);
    const batching = withBatching(database);
    const together = await Promise.all(
      asked.map((values) => batching.run(readPaymentTerms, values)),
    );
    expect(together).toEqual(alone);
    expect(names).toEqual(["read_payments_terms"]);
    const accepted = [{ currency_id: "cur_eth", chain_ids: ["eip155:1", "eip155:10"] }];
    const first = { fee_bps: 100, version: 1n, accepted, active_ids: [], payment_id: "pay_1" };
    expect(alone[0]).toMatchObject([first]);
    // Partners of live payments have agreed, and those that are suspended count nowhere.
    const agreed = { active_ids: ["mer_1", "mer_2"], payment_id: null };
    expect(alone[1]).toMatchObject([{ ...agreed, accepted, currencies: null }]);
    // Of the four that are known one is the own one.
    const ofOwn = (alone.slice(2, 6) as { accepted: unknown }[][]).flat();
    expect(ofOwn.filter((row) => row.accepted === null)).toHaveLength(1);
    expect(alone[6]).toMatchObject([{ payment_id: null }]);
    expect(alone.at(-1)).toEqual([]);
  });

  test("what is accepted comes again when it is another one, and is nobody else's", async () => {
    const database = await openDatabase(engine);
    await fill(database);
    const { read, brought } = acceptances(database);
    for (let time = 1; time <= 2; time++) {
      expect(await read("mer_1", "live")).toEqual(onlyOn("eip155:1", "eip155:10"));
      expect(await read("mer_1", "test")).toEqual(onlyOn("eip155:1"));
      expect(await read("mer_2", "live")).toEqual(onlyOn("eip155:10"));
      expect(await read("mer_2", "test")).toEqual([]);
      expect(await read("mer_3", "live")).toEqual([]);
    }
    // Who has never said what is accepted is asked anew.
    expect(brought).toEqual([true, true, true, true, true, false, false, false, false, true]);
    await replace(database, "eip155:10");
    expect(await read("mer_1", "live")).toEqual(onlyOn("eip155:10"));
    // A database that was restored counts on from an older one.
    await query(database)`update accepted_chains set chain_id = 'eip155:1'
      where merchant_id = 'mer_1' and revision = 2`;
    expect(await read("mer_1", "live")).toEqual(onlyOn("eip155:10"));
    await query(database)`update currency_acceptances set updated_at = '2026-01-03'
      where merchant_id = 'mer_1'`;
    expect(await read("mer_1", "live")).toEqual(onlyOn("eip155:1"));
    expect(brought.slice(10)).toEqual([true, false, true]);
  });

  test("answers that come back in another order", async () => {
    const database = await openDatabase(engine);
    await fill(database);
    const { ask, read } = acceptances(database);
    const late = await ask("mer_1", "live");
    await replace(database, "eip155:10");
    expect(await read("mer_1", "live")).toEqual(onlyOn("eip155:10"));
    const known = await ask("mer_1", "live");
    expect(late()).toEqual(onlyOn("eip155:1", "eip155:10"));
    expect(known()).toEqual(onlyOn("eip155:10"));
    expect(await read("mer_1", "live")).toEqual(onlyOn("eip155:10"));
  });
});
