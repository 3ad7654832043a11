// What was answered has to be in the database, once, and nothing else.

import { describe, expect, test } from "vitest";
import { countFaults, idFaults } from "../../scripts/bench/requests/check.ts";

const before = { payments: 5, events: 9, nonces: 20, "idempotency keys": 5, withdrawals: 0 };
const created = { kind: "create", requests: 2, signed: 2, ids: ["pay_1", "pay_2"] };
const replayed = { kind: "replay", requests: 3, signed: 3, ids: [] };
const looked = { kind: "endpoint", requests: 4, signed: 6, ids: [] };
const right = { payments: 7, events: 11, nonces: 31, "idempotency keys": 7, withdrawals: 0 };
const answered = [created, replayed, looked];

test("creates leave payments, events and keys, replays and reads their nonces alone", () => {
  expect(countFaults({ before, after: right }, answered)).toEqual([]);
});

describe("is told:", () => {
  test.each([
    ["a payment that is not there", { payments: 6 }, "there are 1 more payments, and should be 2"],
    ["a replay that was made anew", { payments: 10 }, "there are 5 more payments, and should be 2"],
    ["a read that took no nonce", { nonces: 30 }, "there are 10 more nonces, and should be 11"],
    ["what nobody asked for", { withdrawals: 1 }, "there are 1 more withdrawals, and should be 0"],
  ])("%s", (_, change, fault) => {
    expect(countFaults({ before, after: { ...right, ...change } }, answered)).toEqual([fault]);
  });

  test("an id that is not there, and one that was answered twice", () => {
    const twice = { ...created, ids: ["pay_1", "pay_1", "pay_2"] };
    expect(idFaults(new Set(["pay_1"]), [twice])).toEqual([
      "create: 1 ids were answered twice",
      "create: 1 are not there: pay_2",
    ]);
    expect(idFaults(new Set(["pay_1", "pay_2"]), answered)).toEqual([]);
  });
});
