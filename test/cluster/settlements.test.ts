// What has become of authorizations, and what was told of payments: faults in the rows are planted.

import { expect, test } from "vitest";
import {
  eventsOf,
  isUsedIn,
  leftFaults,
  openFaults,
  settlementFaults,
  toldFaults,
  useFaults,
  wantedOf,
  wordOf,
} from "../../scripts/cluster/moves.ts";
import type { Asked, SettlementRow } from "../../scripts/cluster/moves.ts";

const exact: Asked = {
  paymentId: "pay_1",
  merchantId: "mer_1",
  scheme: "exact",
  method: "eip3009",
  payer: "0xbuyer",
  nonce: "0xa1",
  authorizedRaw: 1_300_000n,
  usedRaw: 1_300_000n,
  txHashes: ["0x01", "0x01"],
  isReported: true,
};
const exactRow: SettlementRow = {
  id: "x4s_1",
  nonce: "0xa1",
  paymentId: "pay_1",
  status: "final",
  txHash: "0x01",
  paymentStatus: "paid",
  refundRaw: 0n,
  isReleased: false,
  deposits: [{ txHash: "0x01", paymentId: "pay_1", amountRaw: 1_300_000n, booked: 1 }],
};
const [deposit = expect.fail("the row has one")] = exactRow.deposits;
/** Half of it was used, and the other half is back. */
const upto: Asked = { ...exact, scheme: "upto", usedRaw: 650_000n };
const uptoRow: SettlementRow = { ...exactRow, refundRaw: 650_000n, isReleased: true };

test("each settlement that was answered is there once, with its money", () => {
  expect(settlementFaults([exact], [exactRow])).toEqual([]);
  expect(settlementFaults([upto], [uptoRow])).toEqual([]);
  const half = { ...deposit, amountRaw: 650_000n };
  const used: Asked = { ...upto, method: "permit2" };
  expect(settlementFaults([used], [{ ...exactRow, deposits: [half] }])).toEqual([]);
});

test("what was never answered is there or not, and counts if it is", () => {
  const unanswered = { ...exact, txHashes: [] };
  expect(settlementFaults([unanswered], [])).toEqual([]);
  expect(settlementFaults([unanswered], [exactRow])).toEqual([]);
  expect(settlementFaults([unanswered], [{ ...exactRow, deposits: [] }])).toHaveLength(1);
});

/** Nobody has heard whether what was used was reported. */
const unreported: Asked = { ...upto, isReported: false };
const held = { paymentStatus: "authorized", refundRaw: 0n, isReleased: false };
const heldRow: SettlementRow = { ...uptoRow, ...held };
const permit: Asked = { ...unreported, method: "permit2", txHashes: [] };
const permitRow: SettlementRow = { ...heldRow, status: "waiting", txHash: "null", deposits: [] };

test("what was never reported is held, or was reported all the same", () => {
  expect(settlementFaults([unreported], [heldRow])).toEqual([]);
  expect(settlementFaults([unreported], [uptoRow])).toEqual([]);
  expect(settlementFaults([permit], [permitRow])).toEqual([]);
  const charged = { ...exactRow, deposits: [{ ...deposit, amountRaw: 650_000n }] };
  expect(settlementFaults([permit], [charged])).toEqual([]);
});

test.each<[string, Asked, SettlementRow]>([
  ["held at another payment", unreported, { ...heldRow, paymentId: "pay_2" }],
  ["held by another transaction", unreported, { ...heldRow, txHash: "0x09" }],
  ["held without its money", unreported, { ...heldRow, deposits: [] }],
  ["held twice", unreported, { ...heldRow, deposits: [{ ...deposit, booked: 2 }] }],
  ["held of less", unreported, { ...heldRow, deposits: [{ ...deposit, amountRaw: 1n }] }],
  ["failed", unreported, { ...heldRow, status: "failed" }],
  ["given back by half, though it is held", unreported, { ...heldRow, refundRaw: 650_000n }],
  ["back with its payer, though it is held", unreported, { ...heldRow, isReleased: true }],
  ["neither held nor charged", unreported, { ...heldRow, paymentStatus: "paid" }],
  ["held, though it was reported", upto, heldRow],
  ["answered as settled, and waits to be sent", { ...permit, txHashes: ["null"] }, permitRow],
  ["waiting, and its money is there", permit, { ...permitRow, deposits: [deposit] }],
  ["failed, though nothing was sent", permit, { ...permitRow, status: "failed" }],
])("an authorization is %s", (_, asked, row) => {
  const [fault = "", ...others] = settlementFaults([asked], [row]);
  expect(fault).toMatch("authorization 0xa1 of pay_1 is there as {");
  expect(others).toEqual([]);
});

test("what was never answered or reported is a fault, and its merchant cannot be judged", () => {
  expect(openFaults([exact, upto])).toEqual([]);
  const asked = [exact, unreported, { ...exact, merchantId: "mer_2", txHashes: [] }];
  expect(openFaults(asked)).toEqual(["2 authorizations were never answered or reported"]);
  const left = ["mer_1", "mer_2", "mer_3", undefined].map((merchantId) => {
    return { kind: "payer:refund_due", merchantId, balance: "650000" };
  });
  expect(leftFaults(left, [exact])).toHaveLength(4);
  expect(leftFaults(left, asked)).toEqual([
    "650000 is left on payer:refund_due of mer_3",
    "650000 is left on payer:refund_due of nobody",
  ]);
});

test("what was settled has used its authorization, by the transaction that was answered", () => {
  const asked: Asked[] = [exact, { ...permit, nonce: "0xa2", txHashes: ["0x02"] }];
  const byToken = new Map([["0xa1", ["0x01"]]]);
  expect(useFaults(asked, { byToken, byPermit: new Set(["0xa2"]) })).toEqual([]);
  const byOther = new Map([["0xa1", ["0x01", "0x09"]]]);
  expect(useFaults(asked, { byToken: byOther, byPermit: new Set(["0xa1"]) })).toEqual([
    "authorization 0xa1 was used by 0x01 and 0x09, and not by 0x01",
    "authorization 0xa2 was settled, and Permit2 has not used it",
  ]);
  // Of what was never answered it may have been used or not.
  const nothing = { byToken: new Map<string, string[]>(), byPermit: new Set<string>() };
  expect(useFaults([permit, { ...exact, txHashes: [] }], nothing)).toEqual([]);
});

test("Permit2 has a bit of each nonce, in the word of the others beside it", () => {
  const nonce = `0x${"00".repeat(30)}0103`;
  expect(wordOf(nonce)).toBe(1n);
  expect(isUsedIn(0b1000n, nonce)).toBe(true);
  expect(isUsedIn(~0b1000n & (2n ** 256n - 1n), nonce)).toBe(false);
  expect(wordOf(`0x${"ff".repeat(32)}`)).toBe(2n ** 248n - 1n);
  expect(isUsedIn(2n ** 255n, `0x${"ff".repeat(32)}`)).toBe(true);
});

test.each<[string, Asked, readonly SettlementRow[]]>([
  ["authorization 0xa1 was answered and is lost", exact, []],
  ["authorization 0xa1 was settled 2 times", exact, [exactRow, { ...exactRow, id: "x4s_2" }]],
  [
    "authorization 0xa1 was answered with 0x01 and 0x02",
    { ...exact, txHashes: ["0x01", "0x02"] },
    [exactRow],
  ],
  ["authorization 0xb2 is nobody's", exact, [exactRow, { ...exactRow, nonce: "0xb2" }]],
])("%s", (fault, asked, there) => {
  expect(settlementFaults([asked], there)).toEqual([fault]);
});

test.each<[string, Partial<SettlementRow>]>([
  ["at another payment", { paymentId: "pay_2" }],
  ["of a payment that is not paid", { paymentStatus: "confirming" }],
  [
    "settled by another transaction than was answered",
    { txHash: "0x09", deposits: [{ ...deposit, txHash: "0x09" }] },
  ],
  ["booked with another transaction", { deposits: [{ ...deposit, txHash: "0x09" }] }],
  ["failed", { status: "failed" }],
  ["without its money", { deposits: [] }],
  ["booked by two deposits", { deposits: [deposit, { ...deposit, txHash: "0x02" }] }],
  ["booked twice", { deposits: [{ ...deposit, booked: 2 }] }],
  ["not booked", { deposits: [{ ...deposit, booked: 0 }] }],
  ["booked at another payment", { deposits: [{ ...deposit, paymentId: "pay_2" }] }],
  ["booked with another amount", { deposits: [{ ...deposit, amountRaw: 1n }] }],
  ["given back, though all of it was used", { refundRaw: 1n, isReleased: true }],
])("a settlement is %s", (_, change) => {
  const [fault = "", ...others] = settlementFaults([exact], [{ ...exactRow, ...change }]);
  expect(fault).toMatch("authorization 0xa1 of pay_1 is there as {");
  expect(others).toEqual([]);
});

test.each<[string, Partial<SettlementRow>]>([
  ["kept", { refundRaw: 0n, isReleased: false }],
  ["owed", { isReleased: false }],
  ["more", { refundRaw: 650_001n }],
])("what was not used is %s", (_, change) => {
  expect(settlementFaults([upto], [{ ...uptoRow, ...change }])).toHaveLength(1);
});

test("each thing is told once of each payment", () => {
  const wanted = new Map([["pay_1", eventsOf({ scheme: "exact", method: "eip3009" })]]);
  const once = ["payment.created", "x402.settled", "payment.paid"].map((type) => {
    return { resourceId: "pay_1", type, count: 1 };
  });
  expect(toldFaults(once, wanted)).toEqual([]);
  const [created, ...rest] = once;
  const twice = { resourceId: "pay_9", type: "payment.paid", count: 2 };
  expect(toldFaults([...rest, twice], wanted)).toEqual([
    "payment.paid of pay_9 happened 2 times",
    `${created?.type} of pay_1 has not happened`,
  ]);
});

test("that it was created is told of each payment that was answered, paid or not", () => {
  const wanted = wantedOf({
    payments: [{ id: "pay_unpaid" }, { id: "pay_paid" }, { id: "pay_1" }, {}],
    withdrawals: [{ id: "wdr_1" }, {}],
    paid: [{ paymentId: "pay_paid" }],
    asked: [exact],
  });
  expect(toldFaults([], wanted)).toEqual(
    [
      "payment.created of pay_unpaid",
      "payment.created of pay_paid",
      "payment.paid of pay_paid",
      "payment.created of pay_1",
      "x402.settled of pay_1",
      "payment.paid of pay_1",
      "withdrawal.requested of wdr_1",
      "withdrawal.confirmed of wdr_1",
    ].map((what) => `${what} has not happened`),
  );
  // Of what became of it nobody has heard.
  const lists = { payments: [{ id: "pay_1" }], withdrawals: [], paid: [] };
  expect(wantedOf({ ...lists, asked: [unreported] })).toEqual(
    new Map([["pay_1", ["payment.created"]]]),
  );
});

test("of what is used up by half it is told that the rest went back, where there is one", () => {
  const used = ["x402.authorized", "x402.usage_reported"];
  expect(eventsOf({ scheme: "upto", method: "permit2" })).toEqual(expect.arrayContaining(used));
  expect(eventsOf({ scheme: "upto", method: "permit2" })).not.toContain("x402.released");
  expect(eventsOf({ scheme: "upto", method: "eip3009" })).toEqual(
    expect.arrayContaining([...used, "x402.released"]),
  );
});
