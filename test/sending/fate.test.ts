// What the chain's answers mean for what was sent, and what fees the next try has.

import { describe, expect, test } from "vitest";
import type { ChainReceipt } from "../../service/ports/chain.ts";
import { fateOf, isClear, isSameAddress } from "../../service/sending/fate.ts";
import { raisedFees } from "../../service/sending/resending.ts";

const block = { number: 10n, hash: "0xb", parentHash: "0xa", time: new Date(0) };
const receipt: ChainReceipt = {
  txHash: "0x1",
  block,
  isSuccess: true,
  gasCostRaw: 1n,
  transfers: [],
};
const view = { headNumber: 20n, minedCount: 4n, finalNumber: 9n, receipt: undefined };

describe("a transaction with the nonce 4", () => {
  test.each([
    ["that is mined, and not deep enough", null, { ...view, receipt }, null],
    ["that is mined after all", 7n, { ...view, receipt, minedCount: 9n }, null],
    ["that is not mined", null, view, null],
    ["whose nonce is free again", 7n, view, null],
    ["whose nonce is used by none of ours", null, { ...view, minedCount: 5n }, 20n],
    ["for which that was seen before", 10n, { ...view, minedCount: 5n }, 10n],
  ])("%s waits", (...[, lostSinceBlock, seen, since]) => {
    const fate = fateOf({ nonce: 4n, lostSinceBlock }, seen);
    expect(fate).toEqual({ kind: "waits", lostSinceBlock: since });
  });

  test("that is deep enough has ended, whatever was seen before", () => {
    const sent = { nonce: 4n, lostSinceBlock: 3n };
    const seen = { ...view, finalNumber: 10n, minedCount: 9n, receipt };
    expect(fateOf(sent, seen)).toEqual({ kind: "mined", receipt });
  });

  test("whose nonce was used by none of ours since a block that is final is replaced", () => {
    const seen = { ...view, minedCount: 5n };
    expect(fateOf({ nonce: 4n, lostSinceBlock: 9n }, seen)).toEqual({ kind: "replaced" });
  });
});

test.each([
  ["one of ours has the nonce", null, receipt, null, true],
  ["one of ours has it again", 7n, receipt, null, true],
  ["the nonce is free, and was so before", null, undefined, null, true],
  [
    "the nonce is free for the first time, which a node that lags says as well",
    7n,
    undefined,
    null,
    false,
  ],
  ["the nonce was lost just now", null, undefined, 20n, false],
  ["the nonce is lost as before", 7n, undefined, 7n, false],
  ["the nonce is lost, whatever else is said", null, receipt, 20n, false],
] as const)(
  "what people were to say is over: %s",
  (...[, before, seen, lostSinceBlock, isOver]) => {
    expect(isClear(before, { receipt: seen }, { kind: "waits", lostSinceBlock })).toBe(isOver);
  },
);

test("addresses are the same in any spelling, and nothing is only the same as nothing", () => {
  expect(isSameAddress("0xAbC", "0xaBc")).toBe(true);
  expect(isSameAddress("0xAbC", "0xAbD")).toBe(false);
  expect(isSameAddress("0xAbC", null)).toBe(false);
  expect(isSameAddress(null, "0xAbC")).toBe(false);
  expect(isSameAddress(null, null)).toBe(true);
});

test.each([
  ["by 13 %", [100n, 10n], [1n, 1n], [113n, 12n]],
  ["by more than 13 % rather than by less", [101n, 1n], [1n, 1n], [115n, 2n]],
  ["to what is asked for now", [100n, 10n], [114n, 13n], [114n, 13n]],
  ["each by itself", [100n, 10n], [200n, 1n], [200n, 12n]],
  ["and no more than that", [200n, 100n], [226n, 113n], [226n, 113n]],
] as const)("fees are raised %s", (...[, before, now, raised]) => {
  const fees = ([maxFeePerGas, maxPriorityFeePerGas]: readonly [bigint, bigint]) => ({
    maxFeePerGas,
    maxPriorityFeePerGas,
  });
  expect(raisedFees(fees(before), fees(now))).toEqual(fees(raised));
});
