// The catalog file that is shipped: usable, and true as far as a test can know.

import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { parseCatalogFile } from "../../service/catalog/file.ts";
import { CatalogReader } from "../../service/catalog/catalog.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import { Cursors } from "../../service/cursor.ts";
import { checksumAddress } from "../../service/evm-address.ts";
import { engines, openDatabase } from "../support/engines.ts";

const text = readFileSync(new URL("../../adapters/catalog/catalog.json", import.meta.url), "utf8");
const currencies = parseCatalogFile(text, "catalog.json");
const deployments = currencies.flatMap((currency) =>
  currency.deployments.map((deployment) => ({ code: currency.code, ...deployment })),
);

/** Every chain that must be served, and whether it is a test network. */
const chains: readonly (readonly [string, boolean])[] = [
  ["eip155:1", false],
  ["eip155:8453", false],
  ["eip155:42161", false],
  ["eip155:137", false],
  ["eip155:10", false],
  ["eip155:11155111", true],
  ["eip155:84532", true],
  ["eip155:421614", true],
  ["eip155:80002", true],
  ["eip155:11155420", true],
  ["eip155:31337", true],
];

describe("the shipped catalog", () => {
  test("has the five currencies", () => {
    expect(currencies.map(({ code }) => code).toSorted()).toEqual([
      "DAI",
      "ETH",
      "EURC",
      "USDC",
      "USDT",
    ]);
  });

  test.each(chains)("serves %s, test network: %s", (chainId, isTest) => {
    const there = deployments.filter((one) => one.chainId === chainId);
    expect(there.length).toBeGreaterThan(0);
    expect(there.map(({ isTestNetwork }) => isTestNetwork)).toEqual(there.map(() => isTest));
  });

  test("names only chains that the tests know", () => {
    const known = new Set(chains.map(([chainId]) => chainId));
    expect(deployments.filter(({ chainId }) => !known.has(chainId))).toEqual([]);
  });

  test("spells every address in the file with its checksum", () => {
    const addresses = text.match(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/gu) ?? [];
    expect(addresses.length).toBeGreaterThan(20);
    expect(addresses.map(checksumAddress)).toEqual(addresses);
  });

  test("has six decimals for what Circle and Tether issue, and 18 for the rest", () => {
    const six = new Set(["USDC", "USDT", "EURC"]);
    for (const { id, code, decimals } of deployments) {
      expect([id, decimals]).toEqual([id, six.has(code) ? 6 : 18]);
    }
  });

  test("calls nothing about signatures supported before a probe has seen it", () => {
    const claimed = deployments.flatMap(({ id, capabilities }) =>
      capabilities
        .filter(({ scope, status }) => scope === "x402" && status === "supported")
        .map(({ key }) => `${id} ${key}`),
    );
    expect(claimed).toEqual([]);
  });

  test("follows the schema beside it", () => {
    const schema: unknown = JSON.parse(
      readFileSync(new URL("../../adapters/catalog/catalog.schema.json", import.meta.url), "utf8"),
    );
    const file: unknown = JSON.parse(text);
    const ajv = new Ajv({ allErrors: true, strict: false });
    // An object, as its first line says.
    const validate = ajv.compile(schema as object);
    validate(file);
    expect(validate.errors).toBeNull();
  });
});

describe.each(engines)("the shipped catalog on %s", (engine) => {
  test("is stored and read back as it stands in the file, and a second time changes nothing", async () => {
    const database = await openDatabase(engine);
    const writer = new CatalogWriter({ database, clock: systemClock });
    const first = await writer.apply(currencies, { isDryRun: false });
    expect([first.versionBefore, first.versionAfter]).toEqual([0n, 1n]);
    const again = await writer.apply(parseCatalogFile(text, "catalog.json"), { isDryRun: false });
    expect(again).toEqual({ versionBefore: 1n, versionAfter: 1n, differences: [] });

    const reader = new CatalogReader({ database, cursors: new Cursors(new Uint8Array(32)) });
    const { version, currencies: stored } = await reader.current("all");
    expect(version).toBe(1n);
    const byId = new Map(currencies.map((currency) => [currency.id, currency]));
    for (const currency of stored) {
      const { deployments: wanted = [], ...facts } = byId.get(currency.id) ?? {};
      expect(currency).toMatchObject(facts);
      const wantedById = new Map(wanted.map((one) => [one.id, one]));
      expect(currency.deployments.length).toBe(wanted.length);
      for (const { capabilities, ...deployment } of currency.deployments) {
        const { capabilities: wantedCapabilities = [], ...rest } =
          wantedById.get(deployment.id) ?? {};
        expect(deployment).toMatchObject({ ...rest, deploymentVersion: 1n, delistingSince: null });
        const names = capabilities.map(({ scope, key }) => `${scope} ${key}`);
        expect(names).toEqual(
          wantedCapabilities.map((one) => `${one.scope} ${one.key}`).toSorted(),
        );
        for (const capability of wantedCapabilities) {
          expect(capabilities).toContainEqual({ ...capability, evidenceVersion: 1n });
        }
      }
    }
  });
});
