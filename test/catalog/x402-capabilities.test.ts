// By what a deployment can be paid, and what coin is worth there: as the catalog says it, and no more.

import { expect, test } from "vitest";
import type { CatalogCapability } from "../../service/catalog/model.ts";
import {
  isSchemePossible,
  statedRaw,
  statedX402MeansOf,
  worthOfCoin,
  x402MeansOf,
} from "../../service/catalog/x402-capabilities.ts";

function capability(
  key: CatalogCapability["key"],
  parameters: CatalogCapability["parameters"],
  change: Partial<CatalogCapability> = {},
): CatalogCapability {
  return {
    scope: "x402",
    key,
    status: "supported",
    parameters,
    delivery: null,
    evidenceVersion: 3n,
    ...change,
  };
}

const of = (...capabilities: readonly CatalogCapability[]) => ({ capabilities });
const domain = { domain_name: "USD Coin", domain_version: "2" };
const [proxy, uptoProxy] = [`0x${"1".repeat(40)}`, `0x${"2".repeat(40)}`];
const own = capability("eip3009", domain);
const permit2 = capability("permit2", { address: proxy });
const upto = capability("permit2_upto_proxy", { address: uptoProxy });
const nothing = { eip3009: undefined, permit2: { exact: undefined, upto: undefined } };

test("what is supported counts, each by its own name", () => {
  expect(statedX402MeansOf(of(own, permit2, upto))).toEqual({
    eip3009: { domain: { name: "USD Coin", version: "2" }, evidenceVersion: 3n },
    permit2: {
      exact: { address: proxy, evidenceVersion: 3n },
      upto: { address: uptoProxy, evidenceVersion: 3n },
    },
  });
  expect(x402MeansOf(of(own, permit2, upto))).toEqual(statedX402MeansOf(of(own, permit2, upto)));
  expect(statedX402MeansOf(of())).toEqual(nothing);
});

test("of a token that may keep a part nothing is offered, whatever the catalog says of it", () => {
  const fee = capability("transfer_fee", {}, { scope: "deposit" });
  const kept = of(own, permit2, fee);
  expect(x402MeansOf(kept)).toEqual(nothing);
  expect(statedX402MeansOf(kept).eip3009?.evidenceVersion).toBe(3n);
  const free = of(own, { ...fee, status: "unsupported" });
  expect(x402MeansOf(free).eip3009?.evidenceVersion).toBe(3n);
});

test("what nobody has looked at, what works in part, and what is of something else does not", () => {
  for (const status of ["unverified", "degraded", "unsupported"] as const) {
    const changed = [own, permit2, upto].map((one) => ({ ...one, status }));
    expect(statedX402MeansOf(of(...changed))).toEqual(nothing);
  }
  const elsewhere = [own, permit2, upto].map((one) => ({ ...one, scope: "deposit" as const }));
  expect(statedX402MeansOf(of(...elsewhere))).toEqual(nothing);
  for (const parameters of [{}, { domain_name: "USD Coin" }, { domain_version: "2" }]) {
    expect(statedX402MeansOf(of(capability("eip3009", parameters)))).toEqual(nothing);
  }
  expect(statedX402MeansOf(of(capability("permit2", {})))).toEqual(nothing);
});

test("by a token's own signatures both schemes are possible, by a proxy its own", () => {
  const possible = (...list: readonly CatalogCapability[]) =>
    (["exact", "upto"] as const).filter((one) =>
      isSchemePossible(statedX402MeansOf(of(...list)), one),
    );
  expect(possible(own)).toEqual(["exact", "upto"]);
  expect(possible(permit2)).toEqual(["exact"]);
  expect(possible(upto)).toEqual(["upto"]);
  expect(possible()).toEqual([]);
});

test("of several statements the highest counts, and only those about x402", () => {
  const said = (raw: unknown, change = {}) => capability("eip3009", { least_raw: raw }, change);
  expect(statedRaw(of(said("5"), said("70"), said("6")), "least_raw")).toBe(70n);
  expect(statedRaw(of(said("5"), said("70", { scope: "deposit" })), "least_raw")).toBe(5n);
  expect(statedRaw(of(said(70)), "least_raw")).toBeUndefined();
  expect(statedRaw(of(said("5")), "raw_per_coin")).toBeUndefined();
});

test("what coin is worth is rounded up, and 10^18 of it are one", () => {
  expect(worthOfCoin(of(own))).toBeUndefined();
  const worth = worthOfCoin(of(capability("eip3009", { ...domain, raw_per_coin: "4000000000" })));
  expect(worth?.(10n ** 18n)).toBe(4_000_000_000n);
  expect(worth?.(5n * 10n ** 17n)).toBe(2_000_000_000n);
  // A unit of the token is 250,000,000 of the coin here.
  expect([0n, 1n, 250_000_000n, 250_000_001n].map((raw) => worth?.(raw))).toEqual([0n, 1n, 1n, 2n]);
});
