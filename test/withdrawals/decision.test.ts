// What is decided in memory about a withdrawal: each reason to refuse, in its order, and nothing else.

import { describe, expect, test } from "vitest";
import { rawAmountMax } from "../../service/amounts.ts";
import {
  checkBalance,
  errorOfRefused,
  placeOf,
  placeProblems,
} from "../../service/withdrawals/decision.ts";
import type { WithdrawalFacts } from "../../service/withdrawals/facts.sql.ts";

const now = new Date("2026-01-01T00:00:00Z");
const base = "eip155:8453";
const facts: WithdrawalFacts = {
  currency_id: "cur_usdc",
  currency_status: "active",
  deployment_id: "dep_usdc_base",
  chain_id: base,
  contract_address: "0xtoken",
  decimals: 6,
  withdrawal_enabled: true,
  is_test_network: false,
  is_key_bound: true,
  is_key_greedy: false,
  address_id: "wad_1",
  address_chain_id: base,
  address: "0xshop",
  activates_at: now,
  disabled_at: null,
  is_not_payable: false,
  fee_version: 3n,
  fee_raw: "500000",
  single_max_raw: "7",
  daily_max_raw: "8",
  available_raw: "1000",
};
const view = { now, watchedChainIds: new Set([base]) };
const noChain = { deployment_id: null, chain_id: null, decimals: null };
const noAddress = { address_id: null, address: null, address_chain_id: null, activates_at: null };
const atCurrency = { pointer: "/currency_id" };
const atChain = { pointer: "/target_chain_id" };
const atAddress = { pointer: "/withdraw_address_id" };
const refusal = (code: string, details: object = {}) => ({ refused: code, details });

/** In the order of precedence: each holds for all that come after it. */
const reasons: readonly (readonly [string, Partial<WithdrawalFacts>, object])[] = [
  ["no currency", { currency_id: null, ...noChain }, refusal("currency_not_found", atCurrency)],
  ["no chain of it", noChain, refusal("chain_not_accepted", atChain)],
  ["a key that is used from anywhere", { is_key_bound: false }, refusal("ip_not_allowed")],
  [
    "a key that may register addresses",
    { is_key_greedy: true },
    refusal("insufficient_scope", { excluded_scope: "withdraw_addresses:write" }),
  ],
  [
    "withdrawals that are off",
    { withdrawal_enabled: false },
    refusal("withdrawals_disabled", { ...atChain, chain_id: base }),
  ],
  ["no address", noAddress, refusal("withdraw_address_not_found", atAddress)],
  [
    "an address of another chain",
    { address_chain_id: "eip155:1" },
    refusal("withdraw_address_chain_mismatch", atAddress),
  ],
  [
    "an address that has become ours",
    { is_not_payable: true },
    refusal("withdraw_address_inactive", atAddress),
  ],
  [
    "an address that is disabled",
    { disabled_at: now },
    refusal("withdraw_address_inactive", {
      ...atAddress,
      status: "disabled",
      activates_at: now.toISOString(),
    }),
  ],
];

describe("a place", () => {
  test("is what was read of it", () => {
    expect(placeOf(facts, view)).toEqual({
      currencyId: "cur_usdc",
      deploymentId: "dep_usdc_base",
      chainId: base,
      contractAddress: "0xtoken",
      decimals: 6,
      withdrawAddressId: "wad_1",
      address: "0xshop",
      isKeyBound: true,
      feeRaw: 500_000n,
      feeVersion: 3n,
      singleMaxRaw: 7n,
      dailyMaxRaw: 8n,
      availableRaw: 1000n,
    });
  });

  test("without a fee costs nothing, and without limits has none", () => {
    const none = { fee_raw: null, fee_version: null, single_max_raw: null, daily_max_raw: null };
    const expected = { feeRaw: 0n, feeVersion: null, singleMaxRaw: null, dailyMaxRaw: null };
    expect(placeOf({ ...facts, ...none }, view)).toMatchObject(expected);
  });

  test.each(reasons)("with %s is refused", (_, more, expected) => {
    expect(placeOf({ ...facts, ...more }, view)).toMatchObject(expected);
    const { details } = expected as { details: object };
    expect(placeOf({ ...facts, ...more }, view)).toHaveProperty("details", details);
  });

  test("is refused for the first reason there is", () => {
    const all = { ...facts };
    for (const [, more, expected] of reasons.toReversed()) {
      Object.assign(all, more);
      expect(placeOf(all, view)).toMatchObject(expected);
    }
  });

  test.each<readonly [string, Partial<WithdrawalFacts>]>([
    ["a test network, by any key", { is_test_network: true, is_key_bound: false }],
    ["a currency that is on its way out", { currency_status: "deprecated" }],
  ])("is taken with %s", (_, more) => {
    expect(placeOf({ ...facts, ...more }, view)).toHaveProperty("feeRaw", 500_000n);
  });

  test("of a disabled currency is refused", () => {
    const found = placeOf({ ...facts, currency_status: "disabled" }, view);
    expect(found).toMatchObject(refusal("withdrawals_disabled", { chain_id: base }));
  });

  test.each(["deployment_id", "chain_id", "decimals"] as const)(
    "without %s has no chain",
    (name) => {
      const found = placeOf({ ...facts, [name]: null }, view);
      expect(found).toMatchObject(refusal("chain_not_accepted"));
    },
  );

  test.each(["address_id", "address"] as const)("without %s has no address", (name) => {
    const found = placeOf({ ...facts, [name]: null }, view);
    expect(found).toMatchObject(refusal("withdraw_address_not_found"));
  });

  test("on a chain that nobody watches is refused, unless whoever asks knows of the chain", () => {
    expect(placeOf(facts, { now, watchedChainIds: new Set(["eip155:1"]) })).toMatchObject(
      refusal("withdrawals_disabled", {
        ...atChain,
        chain_id: base,
        reason: "chain_not_watched",
      }),
    );
    expect(placeOf(facts, { now, watchedChainIds: undefined })).toHaveProperty("chainId", base);
  });

  test("has an address from the moment on at which that is active", () => {
    const later = new Date(now.getTime() + 1);
    expect(placeOf({ ...facts, activates_at: later }, view)).toMatchObject(
      refusal("withdraw_address_inactive", {
        ...atAddress,
        status: "pending_activation",
        activates_at: later.toISOString(),
      }),
    );
  });
});

describe("of a body of which parts are known", () => {
  const all = { currencyId: "cur_usdc", chainId: base, withdrawAddressId: "wad_1" };
  const problems = (more: Partial<WithdrawalFacts>, named: Partial<typeof all> = all) => {
    const place = { currencyId: undefined, chainId: undefined, withdrawAddressId: undefined };
    const found = placeProblems({ ...facts, ...more }, view, { ...place, ...named });
    return found.map(({ code, details }) => [code, details["pointer"]]);
  };
  const offChain = ["withdrawals_disabled", "/target_chain_id"];
  const badAddress = ["withdraw_address_not_found", "/withdraw_address_id"];

  test("nothing is said where nothing is wrong", () => {
    expect(problems({})).toEqual([]);
  });

  test("each place is named by what is wrong there", () => {
    const more = { withdrawal_enabled: false, ...noAddress };
    expect(problems(more)).toEqual([offChain, badAddress]);
    const unknown = { currency_id: null, ...noChain, ...noAddress, is_test_network: null };
    expect(problems(unknown)).toEqual([["currency_not_found", "/currency_id"], badAddress]);
    expect(problems({ ...noChain, ...noAddress })).toEqual([
      ["chain_not_accepted", "/target_chain_id"],
      badAddress,
    ]);
  });

  test("what is not named has nothing wrong", () => {
    const unknown = { currency_id: null, ...noChain, ...noAddress };
    expect(problems(unknown, { chainId: base })).toEqual([]);
    expect(problems(unknown, { withdrawAddressId: "wad_1" })).toEqual([badAddress]);
    expect(problems({ ...noChain }, { currencyId: "cur_usdc" })).toEqual([]);
    expect(problems(noAddress, { currencyId: "cur_usdc", chainId: base })).toEqual([]);
    expect(problems({ withdrawal_enabled: false, ...noAddress }, { chainId: base })).toEqual([
      offChain,
    ]);
  });

  test("nothing is said of chain and address to a key that may not withdraw at all", () => {
    const more = { withdrawal_enabled: false, ...noAddress };
    expect(problems({ ...more, is_key_bound: false })).toEqual([]);
    expect(problems({ ...more, is_key_greedy: true })).toEqual([]);
  });

  test("an address is of no other chain where nobody knows which chain is meant", () => {
    expect(problems({ ...noChain, address_chain_id: "eip155:1" }, all).slice(1)).toEqual([]);
    expect(problems({ address_chain_id: "eip155:1" })).toEqual([
      ["withdraw_address_chain_mismatch", "/withdraw_address_id"],
    ]);
  });
});

describe("a balance", () => {
  const balance = (availableRaw: bigint, feeRaw = 10n) => {
    const place = placeOf(facts, view);
    if ("refused" in place) throw new Error("it is not refused");
    return { ...place, availableRaw, feeRaw };
  };

  test("covers an amount with its fee, to the last unit", () => {
    expect(checkBalance(balance(110n), 100n)).toBeUndefined();
    expect(checkBalance(balance(109n), 100n)).toMatchObject({
      refused: "insufficient_balance",
      details: { pointer: "/amount", available_raw: "109", required_raw: "110" },
    });
    expect(checkBalance(balance(1n, 0n), 1n)).toBeUndefined();
  });

  test("is not asked about more than a chain can count", () => {
    expect(checkBalance(balance(rawAmountMax), rawAmountMax - 10n)).toBeUndefined();
    expect(checkBalance(balance(2n * rawAmountMax), rawAmountMax - 9n)).toMatchObject({
      refused: "amount_too_large",
      details: { pointer: "/amount" },
    });
  });

  test.each([0n, -1n])("is never asked about %i", (amount) => {
    expect(() => checkBalance(balance(100n), amount)).toThrow("an amount of nothing");
  });
});

test("a refusal is thrown with what it says, and without details where there are none", () => {
  const message = "No.";
  const error = errorOfRefused({ refused: "invalid_address", message, details: { a: 1 } });
  expect(error).toMatchObject({ code: "invalid_address", message, details: { a: 1 } });
  expect(errorOfRefused({ refused: "invalid_address", message }).details).toEqual({});
});
