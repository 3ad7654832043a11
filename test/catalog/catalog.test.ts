// Applying a catalog file and reading the catalog, on both databases.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CatalogDeployment, Currency, Deployment } from "../../service/catalog/model.ts";
import { readCatalogToShow } from "../../service/catalog/catalog.sql.ts";
import { lineOf } from "../../service/catalog/changes.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import { Cursors } from "../../service/cursor.ts";
import type { Environment } from "../../service/owner.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { coinOn, currencyOf, finality, smallCatalog, withDeployment } from "./fixtures.ts";
import { query, TestClock } from "../support/service-parts.ts";

const dayMilliseconds = 86_400_000;
const owner = { merchantId: "mer_1", environment: "test" } as const;

function use(database: Database) {
  const clock = new TestClock();
  const writer = new CatalogWriter({ database, clock });
  const newReader = () => new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
  const applying = (isDryRun: boolean) => async (file: readonly Currency[]) => {
    const { differences, ...versions } = await writer.apply(file, { isDryRun });
    return { ...versions, lines: differences.map(lineOf) };
  };
  const [apply, rehearse] = [applying(false), applying(true)];
  return { clock, reader: newReader(), newReader, apply, rehearse };
}

async function deploymentsOf(
  reader: CatalogReader,
): Promise<ReadonlyMap<string, CatalogDeployment>> {
  const { currencies } = await reader.current("all");
  return new Map(currencies.flatMap(({ deployments }) => deployments).map((one) => [one.id, one]));
}

describe.each(engines)("the catalog on %s", (engine) => {
  test("is empty and has version 0 before the first file", async () => {
    const { reader } = use(await openDatabase(engine));
    expect(await reader.current("live")).toEqual({ version: 0n, currencies: [] });
  });

  test("raises its version once for a file, and not for the same file again", async () => {
    const { apply, reader } = use(await openDatabase(engine));
    const first = await apply(smallCatalog);
    expect([first.versionBefore, first.versionAfter]).toEqual([0n, 1n]);
    expect(first.lines).toContain("+ cur_eth  ETH");
    expect(first.lines).toContain("+ dep_eth_base  eip155:8453");
    expect(await apply(smallCatalog)).toEqual({ versionBefore: 1n, versionAfter: 1n, lines: [] });
    expect((await reader.current("all")).version).toBe(1n);
  });

  test("raises the versions of what changed only, and says what it was", async () => {
    const { apply, reader } = use(await openDatabase(engine));
    await apply(smallCatalog);
    const parameters = { ...finality.parameters, confirmations: 20 };
    const file = withDeployment(
      withDeployment(smallCatalog, "dep_eth_ethereum", { isDepositEnabled: false }),
      "dep_pol_polygon",
      { capabilities: [{ ...finality, parameters }] },
    );
    const applied = await apply(file);
    expect(applied.lines).toEqual([
      "~ dep_eth_ethereum  deposit_enabled  true -> false",
      `~ dep_pol_polygon  deposit/finality  parameters  {"confirmations":12,"high_value_raw":"10000000000","rule":"safe"} -> {"confirmations":20,"high_value_raw":"10000000000","rule":"safe"}`,
    ]);
    expect(applied.versionAfter).toBe(2n);
    const deployments = await deploymentsOf(reader);
    const versions = [...deployments.values()].map((one) => [
      one.id,
      one.deploymentVersion,
      one.capabilities[0]?.evidenceVersion,
    ]);
    expect(Object.fromEntries(versions.map(([id, ...rest]) => [id, rest]))).toEqual({
      dep_eth_ethereum: [2n, 1n],
      dep_eth_optimism: [1n, 1n],
      dep_eth_base: [1n, 1n],
      dep_eth_base_sepolia: [1n, 1n],
      dep_pol_polygon: [2n, 2n],
      dep_off: [1n, 1n],
    });
  });

  test.each([
    [{ code: "ETX" }, 'code  "ETH" -> "ETX"'],
    [{ symbol: "Ξ" }, 'symbol  "¤" -> "Ξ"'],
    [{ name: "Ether" }, 'name  "Coin cur_eth" -> "Ether"'],
    [{ assetClass: "stablecoin" }, 'asset_class  "coin" -> "stablecoin"'],
    [{ isUsdStablecoin: true }, "is_usd_stablecoin  false -> true"],
    [{ accountingDecimals: 6 }, "accounting_decimals  8 -> 6"],
    [{ status: "deprecated" }, 'status  "active" -> "deprecated"'],
  ] as const)("changes a currency to %j", async (change, says) => {
    const { apply, reader } = use(await openDatabase(engine));
    await apply(smallCatalog);
    const file = smallCatalog.map((one) => (one.id === "cur_eth" ? { ...one, ...change } : one));
    expect((await apply(file)).lines).toEqual([`~ cur_eth  ${says}`]);
    const { currencies } = await reader.current("all");
    expect(currencies.find(({ id }) => id === "cur_eth")).toMatchObject(change);
    expect((await apply(file)).lines).toEqual([]);
  });

  test.each([
    [{ isTestNetwork: true }, "is_test_network  false -> true"],
    [{ isDepositEnabled: false }, "deposit_enabled  true -> false"],
    [{ isWithdrawalEnabled: false }, "withdrawal_enabled  true -> false"],
  ] as const)("changes a deployment to %j", async (change, says) => {
    const { apply, reader } = use(await openDatabase(engine));
    await apply(smallCatalog);
    const file = withDeployment(smallCatalog, "dep_eth_ethereum", change);
    expect((await apply(file)).lines).toEqual([`~ dep_eth_ethereum  ${says}`]);
    expect((await deploymentsOf(reader)).get("dep_eth_ethereum")).toMatchObject(change);
    expect((await apply(file)).lines).toEqual([]);
  });

  test("changes nothing on a dry run, which says what would change", async () => {
    const { apply, rehearse, reader } = use(await openDatabase(engine));
    const rehearsed = await rehearse(smallCatalog);
    expect((await reader.current("all")).version).toBe(0n);
    expect(await apply(smallCatalog)).toEqual(rehearsed);
  });

  const incomplete: readonly (readonly [what: string, file: readonly Currency[], text: string])[] =
    [
      ["a currency", smallCatalog.slice(1), "cur_eth is in the catalog and not in the file."],
      [
        "a deployment",
        smallCatalog.map((one) => ({ ...one, deployments: one.deployments.slice(0, 1) })),
        "dep_eth_optimism is in the catalog under cur_eth and not there in the file.",
      ],
      [
        "a capability",
        withDeployment(smallCatalog, "dep_off", { capabilities: [] }),
        "dep_off has the capability deposit/finality in the catalog and not in the file.",
      ],
    ];

  test("refuses a file without something that the catalog has", async () => {
    const { apply, reader } = use(await openDatabase(engine));
    await apply(smallCatalog);
    for (const [, file, text] of incomplete) {
      await expect(apply(file)).rejects.toThrow("The catalog stays as it is:");
      await expect(apply(file)).rejects.toThrow(text);
    }
    expect((await reader.current("all")).version).toBe(1n);
  });

  const others: readonly (readonly [string, Partial<Deployment>])[] = [
    ["decimals", { decimals: 8 }],
    ["asset_locator", { assetLocator: "eip155:1/slip44:61" }],
    ["chain_id", { chainId: "eip155:5" }],
    ["asset_kind", { assetKind: "token" }],
    ["token_standard", { tokenStandard: "erc20" }],
    ["contract_address", { contractAddress: "0x1" }],
  ];

  test("refuses to make a deployment another asset, since amounts were booked in it", async () => {
    const { apply } = use(await openDatabase(engine));
    await apply(smallCatalog);
    for (const [name, change] of others) {
      const file = withDeployment(smallCatalog, "dep_eth_ethereum", change);
      await expect(apply(file)).rejects.toThrow(`dep_eth_ethereum  ${name}`);
    }
  });

  test("delists in steps, with 30 days for withdrawals", async () => {
    const { apply, clock, reader } = use(await openDatabase(engine));
    await apply(smallCatalog);
    const off = { isDepositEnabled: false };
    const delisting = withDeployment(smallCatalog, "dep_pol_polygon", {
      ...off,
      listingStatus: "delisting",
    });
    const delisted = withDeployment(smallCatalog, "dep_pol_polygon", {
      ...off,
      isWithdrawalEnabled: false,
      listingStatus: "delisted",
    });
    await expect(apply(delisted)).rejects.toThrow(
      "listed -> delisted: after listed comes delisting.",
    );
    await apply(delisting);
    const begun = clock.now();
    clock.advance(30 * dayMilliseconds - 1);
    await expect(apply(delisted)).rejects.toThrow(
      "withdrawals stay possible for 30 days, until 2026-01-31T00:00:00.000Z.",
    );
    clock.advance(1);
    await apply(delisted);
    const deployment = (await deploymentsOf(reader)).get("dep_pol_polygon");
    expect(deployment).toMatchObject({ listingStatus: "delisted", delistingSince: begun });
  });

  test("takes two files at once one after the other", async () => {
    const { apply, reader } = use(await openDatabase(engine));
    await apply(smallCatalog);
    const added = (id: string, chain: number) => [
      ...smallCatalog,
      currencyOf("cur_new", [coinOn(chain, { id })]),
    ];
    const results = await Promise.allSettled([
      apply(added("dep_new_one", 501)),
      apply(added("dep_new_two", 502)),
    ]);
    // The second one does not know the deployment that the first one brought.
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect((await reader.current("all")).version).toBe(2n);
  });

  test("is seen by every reader as soon as it is committed", async () => {
    const { apply, reader, newReader } = use(await openDatabase(engine));
    const other = newReader();
    for (let step = 1; step <= 5; step += 1) {
      await apply(withDeployment(smallCatalog, "dep_off", { isWithdrawalEnabled: step % 2 === 0 }));
      const [one, two] = [await reader.current("all"), await other.current("all")];
      expect([one.version, two.version]).toEqual([BigInt(step), BigInt(step)]);
      expect(one).toEqual(two);
    }
  });

  test("counts on from an older state when the database was restored under running readers", async () => {
    const database = await openDatabase(engine);
    const { apply, clock, reader } = use(database);
    const without = (id: string) => withDeployment(smallCatalog, id, { isDepositEnabled: false });
    await apply(smallCatalog);
    const backup = await query(database)<{ applied_at: Date }>`select applied_at from catalog`;
    clock.advance(1000);
    await apply(without("dep_eth_ethereum"));
    expect((await reader.current("all")).version).toBe(2n);
    // What a restore leaves: the content of the first, which some have in memory as the second.
    await query(database)`update deployments set deposit_enabled = true`;
    await query(database)`update catalog set version = 1, applied_at = ${backup[0]?.applied_at}`;
    expect((await reader.current("all")).version).toBe(1n);
    expect((await deploymentsOf(reader)).get("dep_eth_ethereum")?.isDepositEnabled).toBe(true);
    clock.advance(1000);
    await apply(without("dep_eth_base"));
    expect((await reader.current("all")).version).toBe(2n);
    const deployments = await deploymentsOf(reader);
    expect(deployments.get("dep_eth_ethereum")?.isDepositEnabled).toBe(true);
    expect(deployments.get("dep_eth_base")?.isDepositEnabled).toBe(false);
    await query(database)`delete from catalog`;
    expect(await reader.current("all")).toEqual({ version: 0n, currencies: [] });
  });

  test("where it may be late never goes back to what was before, but for a restore", async () => {
    const real = await openDatabase(engine);
    const { apply, clock } = use(real);
    await apply(smallCatalog);
    const behind = await real.run(readCatalogToShow, { known: "" });
    clock.advance(1000);
    await apply(withDeployment(smallCatalog, "dep_eth_ethereum", { isDepositEnabled: false }));
    // Whoever may be late gets the first state for ever.
    const run: Database["run"] = async (statement, values) =>
      statement.mayBeStale === true
        ? ((await Promise.resolve(behind)) as never)
        : real.run(statement, values);
    const { reader, newReader } = use({ ...real, run });
    const shown = async () => (await reader.list({ ...owner, limit: 9 })).catalog.version;
    expect(await shown()).toBe(1n);
    expect((await reader.current("all")).version).toBe(2n);
    expect(await shown()).toBe(2n);
    // What an open page has brought along.
    const [row = { version: null, catalog: null, currencies: null }] = behind;
    expect(reader.look("all", { mayBeStale: true }).take(row).version).toBe(1n);
    expect(await shown()).toBe(2n);
    expect((await reader.get("cur_eth", "test")).catalogVersion).toBe(2n);
    expect((await newReader().get("cur_eth", "test")).catalogVersion).toBe(1n);
    await query(real)`delete from catalog`;
    expect(await shown()).toBe(0n);
  });

  test("shows no test network to a live key", async () => {
    const { apply, reader } = use(await openDatabase(engine));
    await apply(smallCatalog);
    const ids = async (environment: Environment) => {
      const { currency } = await reader.get("cur_eth", environment);
      return currency.deployments.map(({ id }) => id);
    };
    const main = ["dep_eth_base", "dep_eth_ethereum", "dep_eth_optimism"];
    expect(await ids("live")).toEqual(main);
    expect(await ids("test")).toEqual([...main, "dep_eth_base_sepolia"]);
  });

  test("has nothing under an unknown id", async () => {
    const { apply, reader } = use(await openDatabase(engine));
    await apply(smallCatalog);
    for (const id of ["cur_no", "dep_eth_base", "", "cur_ETH", "__proto__"]) {
      await expect(reader.get(id, "test")).rejects.toMatchObject({ code: "not_found" });
    }
  });

  test("raises exactly the right versions, whatever is edited", async () => {
    const { apply, reader } = use(await openDatabase(engine));
    let file = smallCatalog;
    await apply(file);
    const ids = smallCatalog.flatMap(({ deployments }) => deployments.map(({ id }) => id));
    const edit = fc.record({
      id: fc.constantFrom(...ids),
      isWithdrawalEnabled: fc.boolean(),
      confirmations: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { maxLength: 4 }), async (edits) => {
        const [before, versionBefore] = [
          await deploymentsOf(reader),
          (await reader.current("all")).version,
        ];
        for (const { id, isWithdrawalEnabled, confirmations } of edits) {
          const parameters = { ...finality.parameters, confirmations };
          const capabilities = [{ ...finality, parameters }];
          file = withDeployment(file, id, { isWithdrawalEnabled, capabilities });
        }
        const { versionAfter } = await apply(file);
        const after = await deploymentsOf(reader);
        let isAnythingChanged = false;
        for (const id of ids) {
          const [was, is] = [before.get(id), after.get(id)];
          if (was === undefined || is === undefined) throw new Error(`${id} is gone`);
          const isEvidenceChanged = confirmationsOf(was) !== confirmationsOf(is);
          const isChanged = isEvidenceChanged || was.isWithdrawalEnabled !== is.isWithdrawalEnabled;
          isAnythingChanged ||= isChanged;
          expect(is.deploymentVersion - was.deploymentVersion).toBe(isChanged ? 1n : 0n);
          expect(evidenceOf(is) - evidenceOf(was)).toBe(isEvidenceChanged ? 1n : 0n);
        }
        expect(versionAfter - versionBefore).toBe(isAnythingChanged ? 1n : 0n);
        expect((await apply(file)).lines).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

function confirmationsOf(deployment: CatalogDeployment): unknown {
  return deployment.capabilities[0]?.parameters["confirmations"];
}

function evidenceOf(deployment: CatalogDeployment): bigint {
  return deployment.capabilities[0]?.evidenceVersion ?? 0n;
}

describe.each(engines)("pages of the catalog on %s", (engine) => {
  const many = Array.from({ length: 45 }, (_, index) =>
    // Some codes are shared, so that the id decides.
    currencyOf(`cur_${index}`, [], { code: `C${(index * 7) % 20}` }),
  );
  const inOrder = many
    .map(({ code, id }) => `${code} ${id}`)
    .toSorted((one, other) => {
      const [[a = "", b = ""], [c = "", d = ""]] = [one.split(" "), other.split(" ")];
      return a === c ? (b < d ? -1 : 1) : a < c ? -1 : 1;
    });

  test("give each currency once, in order, for every limit, while the catalog changes", async () => {
    const { apply, reader } = use(await openDatabase(engine));
    await apply(many);
    let file: readonly Currency[] = many;
    for (const limit of [1, 2, 3, 7, 20, 44, 45, 46, 100]) {
      const met: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await reader.list({
          merchantId: "mer_a",
          environment: "live",
          limit,
          cursor,
        });
        expect(page.currencies.length).toBeLessThanOrEqual(limit);
        met.push(...page.currencies.map(({ code, id }) => `${code} ${id}`));
        cursor = page.nextCursor ?? undefined;
        // Another version between any two pages.
        if (met.length < 10) {
          file = file.map((one) =>
            one.id === "cur_3" ? { ...one, name: `Name ${met.length} ${limit}` } : one,
          );
          await apply(file);
        }
      } while (cursor !== undefined);
      expect(met).toEqual(inOrder);
    }
  });

  test("do not open to another merchant with the cursor of one", async () => {
    const { apply, reader } = use(await openDatabase(engine));
    await apply(many);
    const ask = { environment: "live", limit: 5 } as const;
    const { nextCursor } = await reader.list({ ...ask, merchantId: "mer_a" });
    const cursor = nextCursor ?? "";
    await expect(reader.list({ ...ask, merchantId: "mer_b", cursor })).rejects.toMatchObject({
      code: "invalid_cursor",
    });
    const next = await reader.list({ ...ask, merchantId: "mer_a", cursor });
    expect(next.currencies.map(({ code, id }) => `${code} ${id}`)).toEqual(inOrder.slice(5, 10));
  });
});
