// What the cluster holds against what was answered: faults in the rows are planted.

import { expect, test } from "vitest";
import {
  confirmationFaults,
  eventFaults,
  longestGap,
  orderFaults,
  transferFaults,
} from "../../scripts/cluster/judging.ts";
import {
  holdingFaults,
  moveFaults,
  senderFaults,
  sweepFaults,
} from "../../scripts/cluster/moves.ts";

const orders = [
  { number: "a", id: "pay_1" },
  { number: "b", id: "pay_2" },
  { number: "unanswered" },
];
const rows = [
  { number: "a", id: "pay_1" },
  { number: "b", id: "pay_2" },
];

test("what was answered is there once; of what was not answered nobody knows", () => {
  expect(orderFaults("payment", orders, rows)).toEqual([]);
  expect(orderFaults("payment", orders, [...rows, { number: "unanswered", id: "pay_3" }])).toEqual(
    [],
  );
});

test.each([
  ["lost", rows.slice(1), ["payment pay_1 was answered and is lost"]],
  ["made twice", [...rows, { number: "b", id: "pay_3" }], ["payment b was made 2 times"]],
  [
    "another one than was answered",
    [{ number: "a", id: "pay_9" }, ...rows.slice(1)],
    ["payment a was answered as pay_1, and is pay_9"],
  ],
  ["nobody's", [...rows, { number: "c", id: "pay_3" }], ["1 of payment that nobody asked for"]],
  [
    "made twice, and never answered",
    [...rows, { number: "unanswered", id: "pay_3" }, { number: "unanswered", id: "pay_4" }],
    ["payment unanswered was made 2 times"],
  ],
])("%s", (_, there, faults) => {
  expect(orderFaults("payment", orders, there)).toEqual(faults);
});

test("what was asked for is there for who asked, answered or not", () => {
  const asked = [
    { number: "a", id: "pay_1", merchantId: "mer_1" },
    { number: "unanswered", merchantId: "mer_2" },
  ];
  const there = asked.map((one, index) => ({ ...one, id: `pay_${index + 1}` }));
  expect(orderFaults("payment", asked, there)).toEqual([]);
  const others = there.map((one) => ({ ...one, merchantId: "mer_3" }));
  expect(orderFaults("payment", asked, others)).toEqual([
    "payment pay_1 was asked for by mer_1, and is mer_3's",
    "payment pay_2 was asked for by mer_2, and is mer_3's",
  ]);
});

test("each withdrawal has left once", () => {
  const confirmed = [
    { id: "wdr_1", amount: "1000001" },
    { id: "wdr_2", amount: "1000002" },
  ];
  expect(transferFaults(["1000002", "1000001"], confirmed)).toEqual([]);
  expect(transferFaults(["1000001", "1000001", "1000003"], confirmed)).toEqual([
    "withdrawal wdr_1 is confirmed and was sent 2 times",
    "withdrawal wdr_2 is confirmed and was sent 0 times",
    "1000003 was sent for no withdrawal",
  ]);
});

test("a withdrawal that was answered ends as confirmed, with what was asked for", () => {
  const withdrawals = [
    { id: "wdr_1", amountRaw: 1_000_001n },
    { id: "wdr_2", amountRaw: 1_000_002n },
    { amountRaw: 1_000_003n },
  ];
  const right = [
    { id: "wdr_1", amount: "1000001" },
    { id: "wdr_2", amount: "1000002" },
  ];
  expect(confirmationFaults(withdrawals, right)).toEqual([]);
  expect(confirmationFaults(withdrawals, [{ id: "wdr_1", amount: "1000009" }])).toEqual([
    "withdrawal wdr_1 of 1000001 is confirmed with 1000009",
    "withdrawal wdr_2 of 1000002 is confirmed with nothing",
  ]);
});

test("the longest time without a write, from the first moment to the last", () => {
  const written = [
    { at: 900, service: "one" },
    { at: 1_500, service: "one" },
    { at: 4_000, service: "two" },
    { at: 4_500, service: "one" },
    { at: 9_000, service: "one" },
  ];
  expect(longestGap(written, "one", [1_000, 5_000])).toBe(3);
  expect(longestGap(written, "one", [1_600, 8_000])).toBe(3.5);
  expect(longestGap(written, "two", [1_000, 5_000])).toBe(3);
  expect(longestGap(written, "three", [1_000, 5_000])).toBe(4);
});

test("each event comes to who listened when it happened, and nothing else does", () => {
  const events = [
    { id: "evt_1", type: "currency_acceptance.replaced", isWanted: false },
    { id: "evt_2", type: "payment.created", isWanted: true },
    { id: "evt_3", type: "payment.paid", isWanted: true },
  ];
  const taken = new Map([
    ["evt_2", 2],
    ["evt_3", 1],
  ]);
  expect(eventFaults(events, { taken, wronglySigned: 0 })).toEqual([]);
  expect(eventFaults(events, { taken: new Map([["evt_9", 1]]), wronglySigned: 2 })).toEqual([
    "payment.created evt_2 has not come",
    "payment.paid evt_3 has not come",
    "evt_9 came, and is no event",
    "2 deliveries were wrongly signed",
  ]);
});

const moves = [
  { txHash: "0x01", from: "0xbuyer", to: "0xsettlement", amountRaw: 1_300_000n },
  { txHash: "0x02", from: "0xaddress", to: "0xhot", amountRaw: 1_250_000n },
];
const causes = moves.map((move, index) => ({ ...move, what: `cause ${index + 1}` }));
const [settled, swept] = ["of 1300000 from 0xbuyer to 0xsettlement by 0x01"].concat(
  "of 1250000 from 0xaddress to 0xhot by 0x02",
);

test("each transfer has its cause, and each cause its transfer", () => {
  expect(moveFaults(moves, causes)).toEqual([]);
});

test.each([
  ["lost", moves.slice(1), [`cause 1: there is no transfer ${settled}`]],
  [
    "sent twice by one transaction",
    [...moves, ...moves.slice(1)],
    [`nothing is the cause of 1 ${swept}`],
  ],
  [
    "sent twice by two transactions",
    [...moves, { ...moves[1], txHash: "0x03" }],
    ["nothing is the cause of 1 of 1250000 from 0xaddress to 0xhot by 0x03"],
  ],
  [
    "another amount than was to be sent",
    [moves[0], { ...moves[1], amountRaw: 1n }],
    [
      `cause 2: there is no transfer ${swept}`,
      "nothing is the cause of 1 of 1 from 0xaddress to 0xhot by 0x02",
    ],
  ],
  [
    "to somebody else",
    [{ ...moves[0], to: "0xthief" }, moves[1]],
    [
      `cause 1: there is no transfer ${settled}`,
      "nothing is the cause of 1 of 1300000 from 0xbuyer to 0xthief by 0x01",
    ],
  ],
])("a transfer is %s", (_, there, faults) => {
  expect(moveFaults(there as typeof moves, causes)).toEqual(faults);
});

const received = [
  { address: "0xd1", amountRaw: 1_250_000n },
  { address: "0xd2", amountRaw: 1_250_000n },
  { address: "0xd2", amountRaw: 750_000n },
];
const sweptAll = { status: "moved", coveredRaw: 1_250_000n, leftRaw: 1_250_000n, gasRaw: 0n };
const sweeps = [
  { ...sweptAll, id: "swp_1", address: "0xd1", arrivedRaw: 1_250_000n },
  { ...sweptAll, id: "swp_2", address: "0xd2", arrivedRaw: 1_250_000n },
  {
    ...sweptAll,
    id: "swp_3",
    address: "0xd2",
    coveredRaw: 750_000n,
    leftRaw: 750_000n,
    arrivedRaw: 750_000n,
  },
];
const empty = new Map([
  ["0xd1", 0n],
  ["0xd2", 0n],
]);
const [first, ...later] = sweeps;

test("each address that was paid is swept of that, and of no more", () => {
  expect(sweepFaults(received, sweeps, empty)).toEqual([]);
});

test.each([
  ["not swept", later, empty],
  ["swept twice", [...sweeps, { ...first, id: "swp_4" }], empty],
  ["swept of less", [{ ...first, coveredRaw: 1n, leftRaw: 1n, arrivedRaw: 1n }, ...later], empty],
  ["swept twice, by halves", [half("swp_1"), half("swp_4"), ...later], empty],
  ["swept of what did not arrive", [{ ...first, arrivedRaw: 1_249_999n }, ...later], empty],
  ["being swept", [{ ...first, status: "moving" }, ...later], empty],
  ["not empty", sweeps, new Map([...empty, ["0xd1", 1n]])],
  ["of an unknown balance", sweeps, new Map([["0xd2", 0n]])],
])("an address is %s", (_, there, held) => {
  const [fault = "", ...others] = sweepFaults(received, there as typeof sweeps, held);
  expect(fault).toMatch("0xd1 got 1250000, has ");
  expect(others).toEqual([]);
});

function half(id: string) {
  const part = { coveredRaw: 625_000n, leftRaw: 625_000n, arrivedRaw: 625_000n, gasRaw: 0n };
  return { id, address: "0xd1", status: "moved", ...part };
}

test("of the coin what was set aside for gas stays at its address", () => {
  const paid = [{ address: "0xd1", amountRaw: 1_000_000n }];
  const row = { id: "swp_1", address: "0xd1", status: "moved", coveredRaw: 1_000_000n };
  const sent = { ...row, leftRaw: 990_000n, arrivedRaw: 990_000n, gasRaw: 1_000n };
  expect(sweepFaults(paid, [sent], new Map([["0xd1", 9_000n]]))).toEqual([]);
  // A unit is gone, or more stays than gas can take.
  expect(sweepFaults(paid, [sent], new Map([["0xd1", 8_999n]]))).toHaveLength(1);
  const little = { ...sent, leftRaw: 500_000n, arrivedRaw: 500_000n };
  expect(sweepFaults(paid, [little], new Map([["0xd1", 499_000n]]))).toHaveLength(1);
});

test("a sweep that failed, or of an address where nobody has paid, is one too many", () => {
  const failed = { ...half("swp_4"), status: "failed" };
  const strange = { ...half("swp_5"), address: "0xd9" };
  expect(sweepFaults(received, [...sweeps, failed, strange], empty)).toEqual([
    "swp_4 failed",
    "0xd9 was swept, and nobody paid there",
  ]);
});

test("accounts have what the ledger says, to the smallest unit", () => {
  const hot = { deploymentId: "dep_usdc_local", account: "chain:hot", bookedRaw: 5n };
  expect(holdingFaults([{ ...hot, heldRaw: 5n }])).toEqual([]);
  expect(holdingFaults([{ ...hot, heldRaw: 4n }])).toEqual([
    "chain:hot has 4 of dep_usdc_local, and 5 by the ledger",
  ]);
});

test("an account has sent what the service knows of", () => {
  expect(senderFaults([{ account: "0xhot", mined: 2, known: 2 }])).toEqual([]);
  expect(senderFaults([{ account: "0xhot", mined: 3, known: 2 }])).toEqual([
    "0xhot has sent 3, of which 2 are known",
  ]);
});
