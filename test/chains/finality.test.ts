// When a deposit is believed, and from which amount on it is one.

import { describe, expect, test } from "vitest";
import type { Capability } from "../../service/catalog/model.ts";
import { dustBelow, finalityOf, finalUpTo } from "../../service/catalog/finality.ts";
import type { Finality } from "../../service/catalog/finality.ts";
import { catalogDeployment, tokenDeployment } from "./watching.ts";

const finality = { confirmations: 12n, rule: "depth", highValueRaw: 10_000_000_000n } as const;
const position = { number: 100n, safeNumber: 95n, finalizedNumber: 60n };

describe("up to which block deposits are final", () => {
  const rows: readonly [Finality["rule"], Partial<typeof position>, bigint, bigint][] = [
    // The block itself is the first confirmation.
    ["depth", {}, 89n, 77n],
    ["depth", { number: 5n }, -6n, -18n],
    ["safe", {}, 89n, 60n],
    ["safe", { safeNumber: 80n }, 80n, 60n],
    ["finalized", {}, 60n, 60n],
    ["finalized", { finalizedNumber: 99n }, 89n, 77n],
  ];
  test.each(rows)("%s with %o: %d, and %d for high values", (rule, change, ...want) => {
    const [numberMax, highNumberMax] = want;
    const answer = finalUpTo({ ...finality, rule }, { ...position, ...change });
    expect(answer).toEqual({ numberMax, highNumberMax });
  });

  test("without the chain's word, none", () => {
    const silent = { number: 100n, safeNumber: undefined, finalizedNumber: undefined };
    for (const rule of ["safe", "finalized"] as const) {
      const none = { numberMax: -1n, highNumberMax: -1n };
      expect(finalUpTo({ ...finality, rule }, silent)).toEqual(none);
    }
  });
});

describe("what the catalog says of finality", () => {
  const [capability] = tokenDeployment.capabilities;
  const withCapability = (change: Partial<Capability>) => {
    const capabilities = capability === undefined ? [] : [{ ...capability, ...change }];
    return finalityOf(catalogDeployment({ ...tokenDeployment, capabilities }));
  };

  test("counts while it is supported, or degraded", () => {
    const expected = { confirmations: 3n, rule: "depth", highValueRaw: 10_000_000_000n };
    for (const status of ["supported", "degraded"] as const) {
      expect(withCapability({ status })).toEqual(expected);
    }
  });

  test("is nothing otherwise, in another scope, or with other parameters", () => {
    for (const status of ["unsupported", "unverified"] as const) {
      expect(withCapability({ status })).toBeUndefined();
    }
    expect(withCapability({ scope: "withdrawal" })).toBeUndefined();
    for (const change of [{ rule: "soon" }, { confirmations: "3" }, { high_value_raw: 5 }]) {
      const parameters = { ...capability?.parameters, ...change };
      expect(withCapability({ parameters })).toBeUndefined();
    }
  });
});

describe("the least amount that counts", () => {
  const rows: readonly [string, bigint | undefined, bigint][] = [
    ["a ten-thousandth of what is due", 25_000_000n, 2_500n],
    ["at most a millionth of a high value", 10n ** 12n, 10_000n],
    ["that millionth where nothing is due", undefined, 10_000n],
    ["never zero", 9_999n, 1n],
  ];
  test.each(rows)("%s", (_, dueRaw, least) => {
    expect(dustBelow(dueRaw, finality)).toBe(least);
  });

  test("anything above zero, where the catalog says nothing of values", () => {
    expect(dustBelow(undefined, undefined)).toBe(1n);
    expect(dustBelow(10n ** 12n, undefined)).toBe(1n);
  });
});
