// What a first payment needs, one after the other; and the catalog that a fresh database gets (threat 109).

import { describe, expect, test } from "vitest";
import { applyFirstCatalog } from "../../adapters/assembly/first-payment.ts";
import { addressRanges } from "../../adapters/system/address-ranges.ts";
import { Audit } from "../../service/audit/audit.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import { ApiKeys } from "../../service/merchants/api-keys.ts";
import { missingForPayments } from "../../service/checkout/first-payment.ts";
import { coinOn, currencyOf } from "../catalog/fixtures.ts";
import { engines, openDatabase } from "../support/engines.ts";
import type { Engine } from "../support/engines.ts";
import { addMerchant, buildServiceParts, query } from "../support/service-parts.ts";

const log = { info: () => undefined };

async function open(engine: Engine) {
  const database = await openDatabase(engine);
  const parts = buildServiceParts(database);
  const needs = async (...chainIds: readonly string[]): Promise<readonly string[]> => {
    const ports = { ...parts, watchedChainIds: new Set(chainIds) };
    return (await missingForPayments(ports)).map(({ need }) => need);
  };
  return { database, parts, needs };
}

describe.each(engines)("on %s", (engine) => {
  test("each thing is named until it is there", async () => {
    const { database, parts, needs } = await open(engine);
    const [base, sepolia] = ["eip155:8453", "eip155:84532"];
    expect(await needs()).toEqual(["chain", "catalog", "merchant"]);
    expect(await needs(base)).toEqual(["catalog", "merchant"]);
    await applyFirstCatalog({ ...parts, log }, { hasLocalChain: false });
    expect(await needs()).toEqual(["chain", "merchant"]);
    expect(await needs("eip155:999999")).toEqual(["deployment", "merchant"]);
    expect(await needs(base)).toEqual(["merchant"]);
    await addMerchant(database, "mer_1");
    expect(await needs(base)).toEqual(["api_key"]);
    const keys = new ApiKeys({ ...parts, ranges: addressRanges });
    const owner = { merchantId: "mer_1", environment: "live" } as const;
    const wish = { ...owner, cidrs: [], expiresAt: null };
    await keys.create({ ...wish, scopes: ["currencies:read"] });
    expect(await needs(base)).toEqual(["api_key"]);
    const { key } = await keys.create({ ...wish, scopes: ["payments:write"] });
    expect(await needs(base)).toEqual(["acceptance"]);
    const accept = async (chainId: string): Promise<void> => {
      await query(database)`insert into accepted_chains
        (merchant_id, environment, revision, currency_id, chain_id)
        values ('mer_1', 'live', 1, 'cur_usdc', ${chainId})`;
    };
    await query(database)`insert into currency_acceptances
      (merchant_id, environment, revision, catalog_version, updated_at)
      values ('mer_1', 'live', 1, 1, now())`;
    // A live key is not paid on a test network.
    await accept(sepolia);
    expect(await needs(base, sepolia)).toEqual(["acceptance"]);
    await accept(base);
    expect(await needs(sepolia)).toEqual(["acceptance"]);
    expect(await needs(base)).toEqual([]);
    await keys.revoke(key.id);
    expect(await needs(base)).toEqual(["api_key"]);
    await query(database)`update merchants set status = 'suspended'`;
    expect(await needs(base)).toEqual(["merchant"]);
  });

  test("a database that never had a catalog gets the shipped one, once, whoever starts", async () => {
    const { database, parts } = await open(engine);
    const starts = [1, 2, 3].map(() =>
      applyFirstCatalog({ ...parts, log }, { hasLocalChain: true }),
    );
    await Promise.all(starts);
    const rows = await query(database)`select version::int as version from catalog`;
    expect(rows).toEqual([{ version: 1 }]);
    const entries = await new Audit({ database }).list({ after: 0n, limit: 10 });
    expect(entries.map(({ actor, action }) => [actor, action])).toEqual([
      ["system", "catalog.applied"],
    ]);
  });

  test("a catalog that an operator has applied stays what it is", async () => {
    const { database, parts } = await open(engine);
    const own = currencyOf("cur_own", [coinOn(8453, { id: "dep_own" })]);
    await new CatalogWriter(parts).apply([own], { isDryRun: false });
    await applyFirstCatalog({ ...parts, log }, { hasLocalChain: false });
    const rows = await query(database)`select id from currencies`;
    expect(rows).toEqual([{ id: "cur_own" }]);
  });
});
