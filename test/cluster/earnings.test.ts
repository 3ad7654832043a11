// What merchants have to have by those who paid them, against what the ledger says: faults in the books are planted.

import { expect, test } from "vitest";
import { earningHoldings } from "../../scripts/cluster/earnings.ts";
import type { Book, Earned } from "../../scripts/cluster/earnings.ts";
import { holdingFaults } from "../../scripts/cluster/moves.ts";
import type { Asked } from "../../scripts/cluster/moves.ts";

/** Half of it is used. */
const upto: Asked = {
  paymentId: "pay_1",
  merchantId: "mer_2",
  scheme: "upto",
  method: "eip3009",
  payer: "0xbuyer",
  nonce: "0xa1",
  authorizedRaw: 1_300_002n,
  usedRaw: 650_001n,
  txHashes: ["0x01"],
  isReported: true,
};
const earned: Earned = {
  paid: [
    { merchantId: "mer_1", amountRaw: 1_250_000n },
    { merchantId: "mer_1", amountRaw: 1_250_000n },
    { merchantId: "mer_2", amountRaw: 199n },
  ],
  paidInCoin: [{ merchantId: "mer_2", amountRaw: 10_000n }],
  asked: [upto],
  withdrawn: [{ merchantId: "mer_1", amountRaw: 1_000_001n }],
};
const [usdc, eth] = ["dep_usdc_local", "dep_eth_local"];
/** A hundredth of each payment is gone: 12,500 twice, 1 of 199, 6,500 of 650,001, and 100 of the coin. */
const [one, two, coin] = [
  { merchantId: "mer_1", deploymentId: usdc, balanceRaw: 1_474_999n },
  { merchantId: "mer_2", deploymentId: usdc, balanceRaw: 198n + 643_501n },
  { merchantId: "mer_2", deploymentId: eth, balanceRaw: 9_900n },
];
const [right1, right2] = ["1474999", "643699"];

test("each merchant has what was paid to it and what it has not withdrawn, less the fee", () => {
  const empty = { merchantId: "mer_3", deploymentId: usdc, balanceRaw: 0n };
  expect(holdingFaults(earningHoldings(earned, [one, two, coin, empty]))).toEqual([]);
});

test.each<[string, readonly Book[], readonly string[]]>([
  [
    "another merchant's",
    [
      { ...one, balanceRaw: one.balanceRaw - 1_237_500n },
      { ...two, balanceRaw: two.balanceRaw + 1_237_500n },
      coin,
    ],
    [
      `mer_1 has ${right1} of ${usdc}, and 237499 by the ledger`,
      `mer_2 has ${right2} of ${usdc}, and 1881199 by the ledger`,
    ],
  ],
  [
    "without its fee",
    [{ ...one, balanceRaw: one.balanceRaw + 12_500n }, two, coin],
    [`mer_1 has ${right1} of ${usdc}, and 1487499 by the ledger`],
  ],
  [
    "of a withdrawal twice",
    [{ ...one, balanceRaw: one.balanceRaw - 1_000_001n }, two, coin],
    [`mer_1 has ${right1} of ${usdc}, and 474998 by the ledger`],
  ],
  [
    "in another currency",
    [one, two, { ...coin, deploymentId: usdc }],
    [
      `mer_2 has ${right2} of ${usdc}, and 653599 by the ledger`,
      `mer_2 has 9900 of ${eth}, and 0 by the ledger`,
    ],
  ],
  ["missing", [two, coin], [`mer_1 has ${right1} of ${usdc}, and 0 by the ledger`]],
  [
    "a stranger's",
    [one, two, coin, { merchantId: "mer_9", deploymentId: usdc, balanceRaw: 1n }],
    [`mer_9 has 0 of ${usdc}, and 1 by the ledger`],
  ],
])("money is %s", (_, books, faults) => {
  expect(holdingFaults(earningHoldings(earned, books))).toEqual(faults);
});

test.each<[string, Partial<Asked>]>([
  ["answered", { txHashes: [] }],
  ["reported", { isReported: false }],
])("what was never %s leaves out its merchant, and no other one", (_, change) => {
  const unknown = { ...earned, asked: [{ ...upto, ...change }] };
  const books = [one, two, coin].map((book) => ({ ...book, balanceRaw: 7n }));
  expect(holdingFaults(earningHoldings(unknown, books))).toEqual([
    `mer_1 has ${right1} of ${usdc}, and 7 by the ledger`,
  ]);
});
