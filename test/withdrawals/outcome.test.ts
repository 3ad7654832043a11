// What the end of a transaction means for its withdrawal, from what the chain says of it.

import { describe, expect, test } from "vitest";
import type { ChainReceipt, ChainTransfer } from "../../service/ports/chain.ts";
import { chargedRaw, measuredFacts, verdictOf } from "../../service/withdrawals/outcome.ts";

const token = "0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B";
const to = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const account = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
const stranger = "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB";
const action = { kind: "transfer", to, contractAddress: token, amountRaw: 100n } as const;
const moved = { contractAddress: token, from: account, to, amountRaw: 100n, logIndex: 0 };

function receiptOf(transfers: readonly Partial<ChainTransfer>[], isSuccess = true): ChainReceipt {
  const block = { number: 7n, hash: "0xb", parentHash: "0xa", time: new Date(0) };
  const whole = transfers.map((one): ChainTransfer => ({ ...moved, txHash: "0x1", ...one }));
  return { txHash: "0x1", block, isSuccess, gasCostRaw: 1n, transfers: whole };
}

const ended = { account, action, sendsNothing: false, measured: undefined };
const sent = { ...ended, receipt: receiptOf([moved]) };
const coinSent = { ...ended, action: { ...action, contractAddress: null } };
const coinMoved = { ...moved, contractAddress: null, logIndex: -1 };
const failed = (reason: string) => ({ kind: "failed", reason });
const lower = {
  contractAddress: token.toLowerCase(),
  from: account.toLowerCase(),
  to: to.toLowerCase(),
};
const fee = { to: stranger, amountRaw: 1n };

describe("a withdrawal", () => {
  test.each([
    ["whose nonce another one used", { ...sent, receipt: undefined }, { kind: "unclear" }],
    [
      "that was given up",
      { ...sent, sendsNothing: true, receipt: receiptOf([]) },
      failed("given_up"),
    ],
    [
      "of coin that was given up, by a transfer of nothing to ourselves",
      {
        ...coinSent,
        sendsNothing: true,
        receipt: receiptOf([{ ...coinMoved, to: account, amountRaw: 0n }]),
      },
      failed("given_up"),
    ],
    [
      "that was given up here, and was sent",
      { ...sent, sendsNothing: true },
      { kind: "confirmed" },
    ],
    [
      "that was given up, and of which something else was sent",
      { ...sent, sendsNothing: true, receipt: receiptOf([{ to: stranger }]) },
      { kind: "unclear" },
    ],
    [
      "that was given up, and whose nonce another one used",
      { ...sent, sendsNothing: true, receipt: undefined },
      { kind: "unclear" },
    ],
    ["that reverted", { ...sent, receipt: receiptOf([moved], false) }, failed("reverted")],
    [
      "of coin to its address",
      { ...coinSent, receipt: receiptOf([coinMoved]) },
      { kind: "confirmed" },
    ],
    [
      "of coin to somebody else",
      { ...coinSent, receipt: receiptOf([{ ...coinMoved, to: stranger }]) },
      { kind: "unclear" },
    ],
    [
      "of other coin than was asked for",
      { ...coinSent, receipt: receiptOf([{ ...coinMoved, amountRaw: 101n }]) },
      { kind: "unclear" },
    ],
    [
      "of coin, by a transfer of a token",
      { ...coinSent, receipt: sent.receipt },
      failed("nothing_moved"),
    ],
    ["of coin that reverted", { ...coinSent, receipt: receiptOf([], false) }, failed("reverted")],
    ["without a transfer", { ...sent, receipt: receiptOf([]) }, failed("nothing_moved")],
    [
      "of another token",
      { ...sent, receipt: receiptOf([{ contractAddress: stranger }]) },
      failed("nothing_moved"),
    ],
    [
      "from another account",
      { ...sent, receipt: receiptOf([{ from: stranger }]) },
      failed("nothing_moved"),
    ],
    ["of the amount to its address", sent, { kind: "confirmed" }],
    [
      "however its addresses are spelled",
      { ...sent, receipt: receiptOf([lower]) },
      { kind: "confirmed" },
    ],
    [
      "beside what others move in it",
      { ...sent, receipt: receiptOf([{ from: stranger }, moved, { contractAddress: stranger }]) },
      { kind: "confirmed" },
    ],
    ["of too little", { ...sent, receipt: receiptOf([{ amountRaw: 99n }]) }, { kind: "unclear" }],
    ["of too much", { ...sent, receipt: receiptOf([{ amountRaw: 101n }]) }, { kind: "unclear" }],
    ["to somebody else", { ...sent, receipt: receiptOf([{ to: stranger }]) }, { kind: "unclear" }],
    ["twice", { ...sent, receipt: receiptOf([moved, moved]) }, { kind: "unclear" }],
    ["and something else", { ...sent, receipt: receiptOf([moved, fee]) }, { kind: "unclear" }],
  ])("%s", (_, outcome, verdict) => {
    expect(verdictOf(outcome)).toEqual(verdict);
  });

  test.each([
    ["of what was asked for", 100n, [moved], true],
    ["of that, though less has arrived", 100n, [{ amountRaw: 99n }, fee], true],
    ["of that, and the fee is logged first", 100n, [fee, { amountRaw: 99n }], true],
    ["of less", 99n, [moved], false],
    ["of more", 101n, [moved], false],
    ["of that, to somebody else", 100n, [{ to: stranger }], false],
  ] as const)(
    "of a token that may keep a part: by its balance %s",
    (...[, leftRaw, transfers, isConfirmed]) => {
      const measured = { leftRaw, arrivedRaw: null };
      const verdict = verdictOf({ ...ended, receipt: receiptOf(transfers), measured });
      expect(verdict).toEqual({ kind: isConfirmed ? "confirmed" : "unclear" });
    },
  );

  test("of a token that may keep a part is nothing without a log, whatever its balance says", () => {
    const measured = { leftRaw: 100n, arrivedRaw: null };
    const verdict = verdictOf({ ...ended, receipt: receiptOf([]), measured });
    expect(verdict).toEqual(failed("nothing_moved"));
  });

  test("is never anything but a transfer", () => {
    const collect = { kind: "settle" } as unknown as typeof action;
    expect(() => verdictOf({ ...sent, action: collect })).toThrow("a withdrawal is no settle");
  });
});

test.each([
  [undefined, 0n, {}],
  [99n, 0n, { amount_raw: "100", left_raw: "99" }],
  [100n, 0n, { amount_raw: "100", left_raw: "100" }],
  [103n, 3n, { amount_raw: "100", left_raw: "103" }],
])(
  "where the balance says that %s has left, %s was charged beside it",
  (leftRaw, charged, facts) => {
    const measured = leftRaw === undefined ? undefined : { leftRaw, arrivedRaw: null };
    expect(chargedRaw({ action, measured })).toBe(charged);
    expect(measuredFacts({ action, measured })).toEqual(facts);
  },
);
