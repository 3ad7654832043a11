// Replacing what a merchant accepts, on both databases, with the idempotency key and the event.

import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildIdentifiers } from "../../adapters/system/identifiers.ts";
import { Acceptance, publishedAcceptance } from "../../service/catalog/acceptance.ts";
import type { CurrencyAcceptance } from "../../service/catalog/acceptance.ts";
import type { WantedCurrencies } from "../../service/catalog/acceptance-rules.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import { Cursors } from "../../service/cursor.ts";
import { fingerprintOf, Idempotency } from "../../service/idempotency/idempotency.ts";
import type { Environment } from "../../service/owner.ts";
import type { Database } from "../../service/ports/database.ts";
import { Sealer, sealingKey } from "../../service/secrets/sealing.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { clockOf } from "../support/clock.ts";
import { engines, makeDatabase, openDatabase, type MadeDatabase } from "../support/engines.ts";
import { addMerchant } from "../support/service-parts.ts";
import { smallCatalog, withDeployment } from "./fixtures.ts";

interface OfMerchant {
  readonly merchantId: string;
}

const readEvents = statement<OfMerchant>("test_read_events")((p) =>
  queries
    .selectFrom("events")
    .select(["type", "resource_type", "resource_id", "sequence", "data"])
    .where("merchant_id", "=", p.merchantId)
    .orderBy("sequence"),
);

const readRevisions = statement<OfMerchant>("test_read_revisions")((p) =>
  queries
    .selectFrom("accepted_chains")
    .where("merchant_id", "=", p.merchantId)
    .select(sql<number>`count(distinct revision)::int`.as("count")),
);

const clock = clockOf(() => Date.UTC(2026, 0, 1));

async function applySmallCatalog(database: Database): Promise<void> {
  await new CatalogWriter({ database, clock }).apply(smallCatalog, { isDryRun: false });
}

/** A new merchant on a database with the small catalog. */
async function prepare(database: Database) {
  const service = serviceOn(database);
  const merchantId = await service.newMerchant();
  const events = () => database.run(readEvents, { merchantId });
  return { database, merchantId, events, ...service, ...replaceFor(merchantId, service) };
}

/** One process on the database. */
function serviceOn(database: Database) {
  const random = { bytes: (count: number): Uint8Array => randomBytes(count) };
  const fillRandom = (bytes: Uint8Array): void => bytes.set(randomBytes(bytes.length));
  const identifiers = buildIdentifiers({ clock, fillRandom });
  const sealer = new Sealer({ current: sealingKey(randomBytes(32)), older: [] }, random);
  const catalog = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
  const acceptance = new Acceptance({ database, clock, identifiers, catalog });
  const idempotency = new Idempotency({ database, clock, sealer });
  const newMerchant = async (): Promise<string> => {
    const id = identifiers.next("mer");
    return await addMerchant(database, id);
  };
  return { acceptance, idempotency, newMerchant };
}

type Wanted = Readonly<Record<string, readonly string[] | null>>;

interface Asked {
  readonly environment?: Environment;
  readonly key?: string;
}

/** As a request with an idempotency key does it; undefined: the answer is a replay. */
function replaceFor(
  merchantId: string,
  { acceptance, idempotency }: Pick<ReturnType<typeof serviceOn>, "acceptance" | "idempotency">,
) {
  let keys = 0;
  const replace = async (
    wanted: Wanted,
    { environment = "live", key = `key-${(keys += 1)}` }: Asked = {},
  ): Promise<CurrencyAcceptance | undefined> => {
    const currencies: WantedCurrencies = new Map(Object.entries(wanted));
    const operationId = "replaceCurrencyAcceptance";
    const fingerprint = fingerprintOf({ operationId, environment, path: {}, body: wanted });
    let result: CurrencyAcceptance | undefined;
    const request = { merchantId, environment, key, operationId, fingerprint };
    const options = { isSecret: false, earlier: undefined };
    await idempotency.run(request, options, async (fence) => {
      const answerOf = (one: CurrencyAcceptance) => ({
        status: 200,
        body: JSON.stringify(publishedAcceptance(one)),
      });
      result = await acceptance.replace({ merchantId, environment, currencies }, (one) =>
        fence.finish(answerOf(one)),
      );
      return answerOf(result);
    });
    return result;
  };
  return { replace };
}

describe.each(engines)("the acceptance on %s", (engine) => {
  let made: MadeDatabase;
  beforeAll(async () => {
    made = await makeDatabase(engine);
    await applySmallCatalog(made.database);
  });
  afterAll(() => made.remove());

  /** For tests that change the catalog. */
  const openOwn = async (): Promise<Database> => {
    const database = await openDatabase(engine);
    await applySmallCatalog(database);
    return database;
  };

  test("is nothing before a merchant says so", async () => {
    const { acceptance, merchantId } = await prepare(made.database);
    expect(await acceptance.of(merchantId, "live")).toEqual([]);
  });

  test.each<[string, Environment, Wanted, unknown]>([
    ["nothing", "live", {}, []],
    [
      "all chains with deposits, when none is named",
      "live",
      { cur_eth: null },
      [{ currencyId: "cur_eth", chainIds: ["eip155:1", "eip155:10"] }],
    ],
    [
      "test networks too with a test key",
      "test",
      { cur_eth: null },
      [{ currencyId: "cur_eth", chainIds: ["eip155:1", "eip155:10", "eip155:84532"] }],
    ],
    [
      "named chains, sorted and once each",
      "live",
      { cur_eth: ["eip155:10", "eip155:1", "eip155:10"] },
      [{ currencyId: "cur_eth", chainIds: ["eip155:1", "eip155:10"] }],
    ],
    [
      "several currencies, by id",
      "live",
      { cur_pol: null, cur_eth: ["eip155:10"] },
      [
        { currencyId: "cur_eth", chainIds: ["eip155:10"] },
        { currencyId: "cur_pol", chainIds: ["eip155:137"] },
      ],
    ],
  ])("can be %s", async (_name, ...row) => {
    const [environment, wanted, accepted] = row;
    const { acceptance, merchantId, replace } = await prepare(made.database);
    expect(await replace(wanted, { environment })).toEqual({
      catalogVersion: 1n,
      currencies: accepted,
    });
    expect(await acceptance.of(merchantId, environment)).toEqual(accepted);
  });

  test.each<[string, Wanted, string, object]>([
    ["an unknown currency", { cur_no: null }, "currency_not_found", { currency_id: "cur_no" }],
    ["no chain", { cur_eth: [] }, "chain_not_accepted", { currency_id: "cur_eth" }],
    [
      "a chain of another currency",
      { cur_eth: ["eip155:137"] },
      "chain_not_accepted",
      { currency_id: "cur_eth", chain_id: "eip155:137" },
    ],
    [
      "a test network with a live key",
      { cur_eth: ["eip155:84532"] },
      "chain_not_accepted",
      { currency_id: "cur_eth", chain_id: "eip155:84532" },
    ],
    [
      "a chain with deposits off",
      { cur_eth: ["eip155:1", "eip155:8453"] },
      "deposits_disabled",
      { currency_id: "cur_eth", chain_id: "eip155:8453" },
    ],
    [
      "a currency with deposits off everywhere",
      { cur_off: null },
      "deposits_disabled",
      { currency_id: "cur_off" },
    ],
    [
      "all of it: the unknown currency first",
      { cur_off: null, cur_eth: [], cur_no: null },
      "currency_not_found",
      { currency_id: "cur_no" },
    ],
    [
      "all of it: the chain before the deposits",
      { cur_off: null, cur_pol: ["eip155:1"] },
      "chain_not_accepted",
      { currency_id: "cur_pol", chain_id: "eip155:1" },
    ],
  ])("refuses %s, and stays as it is", async (_name, ...row) => {
    const [wanted, code, details] = row;
    const { acceptance, events, merchantId, replace } = await prepare(made.database);
    await replace({ cur_pol: null });
    await expect(replace(wanted, { key: "again" })).rejects.toMatchObject({ code, details });
    expect(await acceptance.of(merchantId, "live")).toEqual([
      { currencyId: "cur_pol", chainIds: ["eip155:137"] },
    ]);
    expect(await events()).toHaveLength(1);
    // The key is free again.
    expect(await replace({}, { key: "again" })).toBeDefined();
  });

  test("is replaced as a whole, with an event for each time", async () => {
    const { acceptance, database, events, merchantId, replace } = await prepare(made.database);
    await replace({ cur_eth: null, cur_pol: null });
    await replace({ cur_pol: null });
    expect(await acceptance.of(merchantId, "live")).toEqual([
      { currencyId: "cur_pol", chainIds: ["eip155:137"] },
    ]);
    const event = {
      type: "currency_acceptance.updated",
      resource_type: "currency_acceptance",
      resource_id: merchantId,
    };
    expect(await events()).toEqual([
      {
        ...event,
        sequence: 1n,
        data: `{"catalog_version":1,"currencies":{"cur_eth":{"chain_ids":["eip155:1","eip155:10"]},"cur_pol":{"chain_ids":["eip155:137"]}}}`,
      },
      {
        ...event,
        sequence: 2n,
        data: `{"catalog_version":1,"currencies":{"cur_pol":{"chain_ids":["eip155:137"]}}}`,
      },
    ]);
    expect(await database.run(readRevisions, { merchantId })).toEqual([{ count: 1 }]);
  });

  test("happens once for an idempotency key", async () => {
    const { acceptance, events, merchantId, replace } = await prepare(made.database);
    await replace({ cur_eth: null }, { key: "one" });
    await replace({ cur_pol: null }, { key: "two" });
    expect(await replace({ cur_eth: null }, { key: "one" })).toBeUndefined();
    expect(await acceptance.of(merchantId, "live")).toEqual([
      { currencyId: "cur_pol", chainIds: ["eip155:137"] },
    ]);
    expect(await events()).toHaveLength(2);
  });

  test("of test keys leaves that of live keys alone, and so does another merchant's", async () => {
    const { acceptance, merchantId, replace } = await prepare(made.database);
    await replace({ cur_pol: null });
    await replace({ cur_eth: ["eip155:84532"] }, { environment: "test" });
    const other = await prepare(made.database);
    await other.replace({});
    expect(await acceptance.of(merchantId, "live")).toEqual([
      { currencyId: "cur_pol", chainIds: ["eip155:137"] },
    ]);
    expect(await acceptance.of(merchantId, "test")).toEqual([
      { currencyId: "cur_eth", chainIds: ["eip155:84532"] },
    ]);
    expect(await acceptance.of(other.merchantId, "live")).toEqual([]);
  });

  test("says which catalog it was resolved with", async () => {
    const { database, replace } = await prepare(await openOwn());
    const file = withDeployment(smallCatalog, "dep_eth_base", { isDepositEnabled: true });
    await new CatalogWriter({ database, clock }).apply(file, { isDryRun: false });
    expect(await replace({ cur_eth: null })).toEqual({
      catalogVersion: 2n,
      currencies: [{ currencyId: "cur_eth", chainIds: ["eip155:1", "eip155:10", "eip155:8453"] }],
    });
  });

  test("does not lose a chain when its deposits end afterwards", async () => {
    const { acceptance, database, merchantId, replace } = await prepare(await openOwn());
    await replace({ cur_pol: null });
    const file = withDeployment(smallCatalog, "dep_pol_polygon", { isDepositEnabled: false });
    await new CatalogWriter({ database, clock }).apply(file, { isDryRun: false });
    expect(await acceptance.of(merchantId, "live")).toEqual([
      { currencyId: "cur_pol", chainIds: ["eip155:137"] },
    ]);
  });

  test("is one of those asked for at once, and never a mix", async () => {
    const { acceptance, database, events, merchantId, replace } = await prepare(made.database);
    const other = replaceFor(merchantId, serviceOn(database));
    const chains = ["eip155:1", "eip155:10"];
    const wish = fc.record(
      { cur_eth: fc.subarray(chains, { minLength: 1 }), cur_pol: fc.constant(["eip155:137"]) },
      { requiredKeys: [] },
    );
    let round = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(wish, { minLength: 2, maxLength: 6 }), async (wishes) => {
        round += 1;
        const results = await Promise.all(
          wishes.map((one, index) =>
            (index % 2 === 0 ? replace : other.replace)(one, { key: `${round}-${index}` }),
          ),
        );
        const left = await acceptance.of(merchantId, "live");
        expect(results.map((one) => one?.currencies)).toContainEqual(left);
      }),
      { numRuns: 15 },
    );
    const recorded = await events();
    expect(recorded.map(({ sequence }) => sequence)).toEqual(
      recorded.map((_, index) => BigInt(index + 1)),
    );
  });
});
