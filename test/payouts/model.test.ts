// What of a payout schedule follows from its facts alone.

import { describe, expect, test } from "vitest";
import {
  isPayoutPossible,
  isPayoutScheduleId,
  publishedPayoutSchedule,
  reasonToRetire,
} from "../../service/payouts/model.ts";
import type { PayoutConditions, PayoutSchedule } from "../../service/payouts/model.ts";
import { gridPointOf } from "../../service/payouts/runner.ts";

const now = new Date("2026-01-01T00:00:00Z");
const after = (milliseconds: number): Date => new Date(now.getTime() + milliseconds);
const conditions: PayoutConditions = {
  withdrawal_enabled: true,
  currency_status: "active",
  listing_status: "listed",
  is_test_network: false,
  activates_at: now,
  disabled_at: null,
  is_not_payable: false,
  is_key_bound: true,
  is_key_revoked: false,
};

describe("a schedule", () => {
  test("can run where nothing is in its way", () => {
    expect(isPayoutPossible(conditions, now)).toBe(true);
    expect(reasonToRetire(conditions)).toBeUndefined();
  });

  test.each<readonly [string, Partial<PayoutConditions>]>([
    ["withdrawals are off", { withdrawal_enabled: false }],
    ["its currency is disabled", { currency_status: "disabled" }],
    ["its address is not active yet", { activates_at: after(1) }],
  ])("waits while %s", (_, more) => {
    expect(isPayoutPossible({ ...conditions, ...more }, now)).toBe(false);
    expect(reasonToRetire({ ...conditions, ...more })).toBeUndefined();
  });

  test.each<readonly [string, Partial<PayoutConditions>]>([
    ["a currency that is on its way out", { currency_status: "deprecated" }],
    ["a test network, by any key", { is_test_network: true, is_key_bound: false }],
    ["a deployment that is to be delisted", { listing_status: "delisting" }],
  ])("can run with %s", (_, more) => {
    expect(isPayoutPossible({ ...conditions, ...more }, now)).toBe(true);
    expect(reasonToRetire({ ...conditions, ...more })).toBeUndefined();
  });

  const ends: readonly (readonly [string, Partial<PayoutConditions>])[] = [
    ["api_key_revoked", { is_key_revoked: true }],
    ["api_key_not_bound", { is_key_bound: false }],
    ["withdraw_address_disabled", { disabled_at: after(-1) }],
    ["withdraw_address_not_allowed", { is_not_payable: true }],
    ["deployment_delisted", { listing_status: "delisted" }],
  ];
  test.each(ends)("has ended for good: %s", (reason, more) => {
    expect(reasonToRetire({ ...conditions, ...more })).toBe(reason);
    expect(isPayoutPossible({ ...conditions, ...more }, now)).toBe(false);
  });

  test("has ended for the first reason there is", () => {
    const all = { ...conditions };
    for (const [reason, more] of ends.toReversed()) {
      Object.assign(all, more);
      expect(reasonToRetire(all)).toBe(reason);
    }
  });

  test.each([
    ["active", true, true],
    ["active", false, false],
    ["paused", true, false],
    ["retired", true, false],
  ] as const)(
    "that is %s, possible: %s, is shown as enabled: %s",
    (status, isPossible, enabled) => {
      const times = { nextRunAt: now, createdAt: now, updatedAt: now, retiredAt: null };
      const shown = { status, isPossible, minSendRaw: 1_500_000n, decimals: 6, ...times };
      const published = publishedPayoutSchedule(shown as PayoutSchedule);
      expect(published).toMatchObject({ enabled, min_send_amount: "1.5", min_send_raw: "1500000" });
    },
  );
});

test.each([
  [0, 0, 0],
  [999, 0, 0],
  [1_000, 1, 1],
  [1_001, 1, 1],
  [9_999, 9, 9],
])("%i ms after its time, of a grid of seconds, %i points were missed", (late, missed, slot) => {
  expect(gridPointOf({ nextRunAt: now, intervalSeconds: 1 }, after(late))).toEqual({
    slot: after(slot * 1000),
    missed,
    next: after(slot * 1000 + 1000),
  });
});

test.each([
  ["pos_1", true],
  [`pos_${"a".repeat(64)}`, true],
  [`pos_${"a".repeat(65)}`, false],
  ["pos_", false],
  ["pos_a-b", false],
  ["xpos_1", false],
  ["pos_1\u0000", false],
])("%j can be an id: %s", (text, isId) => {
  expect(isPayoutScheduleId(text)).toBe(isId);
});
