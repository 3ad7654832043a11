// What a drill holds against what was answered before the loss: faults are planted.

import { expect, test } from "vitest";
import { booked, paid, shown, stray, transfer } from "./samples.ts";
import {
  addressFaults,
  balanceFaults,
  moneyFaults,
  unfoundSent,
  withdrawalFaults,
} from "../../scripts/drill/restore/judging.ts";

const before = [shown("pay_1", "0xa1"), shown("pay_2", "0xa2"), shown("pay_3", "0xa3")];
/** The other two were given theirs after the moment of the backup. */
const kept = new Set(["pay_1"]);

test("an address that was shown stays with its payment, and new ones are new", () => {
  // The database has forgotten that pay_2 had one.
  const after = [shown("pay_1", "0xa1"), shown("pay_2", "0xb2"), shown("pay_9", "0xb9")];
  expect(addressFaults({ before, after, kept })).toEqual([]);
});

test.each([
  ["given out twice", [shown("pay_9", "0xa3")], ["0xa3 was given to pay_3, and is given to pay_9"]],
  [
    "given out twice after the restore",
    [shown("pay_8", "0xb1"), shown("pay_9", "0xb1")],
    ["0xb1 was given to pay_8, and is given to pay_9"],
  ],
  ["changed", [shown("pay_1", "0xb1")], ["pay_1 showed 0xa1, and shows 0xb1"]],
])("an address that is %s is said", (_, after, faults) => {
  expect(addressFaults({ before, after, kept })).toEqual(faults);
});

const asked = [
  { number: "a", amountRaw: 1_000_001n, status: "confirmed" },
  { number: "b", amountRaw: 1_000_002n, status: "confirmed" },
];
const sent = [transfer("0x1", 1_000_001n), transfer("0x2", 1_000_002n)];

test("each withdrawal has left once, and is known to be", () => {
  expect(withdrawalFaults(asked, sent)).toEqual([]);
});

const statusOfB = (status: string | undefined) => [
  ...asked.slice(0, 1),
  { number: "b", amountRaw: 1_000_002n, status },
];

test.each([
  {
    what: "paid twice",
    left: [...sent, transfer("0x3", 1_000_002n)],
    all: asked,
    fault: "b of 1000002 was sent 2 times",
  },
  {
    what: "confirmed, and not sent",
    left: sent.slice(1),
    all: asked,
    fault: "a of 1000001 is confirmed, and not sent",
  },
  {
    what: "rejected, though it was sent",
    left: sent,
    all: statusOfB("rejected"),
    fault: "b of 1000002 is rejected",
  },
  { what: "nowhere", left: sent, all: statusOfB(undefined), fault: "b of 1000002 is nowhere" },
  { what: "waiting", left: sent, all: statusOfB("pending"), fault: "b of 1000002 is pending" },
])("a withdrawal that is $what is said", ({ left, all, fault }) => {
  expect(withdrawalFaults(all, left)).toEqual([`withdrawal ${fault}`]);
});

test("what left for nobody is said", () => {
  expect(withdrawalFaults(asked, [...sent, transfer("0x3", 7n)])).toEqual([
    "7 was sent for no withdrawal",
  ]);
});

test("what has left is known or was found, and not both", () => {
  const found = [
    {
      account: "hot",
      nonce: 4n,
      kind: "transfer",
      to: "0xv",
      amountRaw: 1_000_002n,
      txHash: "0x2",
      mined: { txHash: "0x2", gasRaw: 1n },
      isOfKnown: false,
    },
  ];
  expect(unfoundSent(sent, new Set(["0x1"]), found)).toEqual([]);
  expect(unfoundSent(sent, new Set(["0x1"]), [])).toEqual([
    "0x2 has sent 1000002: nobody found it",
  ]);
  expect(unfoundSent(sent, new Set(["0x1", "0x2"]), found)).toEqual([
    "0x2 was found, and the database knows it",
  ]);
});

const payers = [paid("pay_1", "0x1"), paid("pay_2", "0x2")];
const strays = [stray("0x2", "0xA2")];

test("money is booked once at its payment, or was found at an address that no payment has", () => {
  expect(moneyFaults({ paid: payers, booked: booked("0x1", "pay_1"), strays })).toEqual([]);
});

test.each([
  {
    what: "missing",
    there: booked("0x1", "pay_1"),
    found: [],
    fault: "0x2, which paid 5 for pay_2, is neither booked nor found",
  },
  {
    what: "booked twice",
    there: booked("0x1", "pay_1", 2),
    found: strays,
    fault: "0x1, which paid 5 for pay_1, is booked 2 times for pay_1",
  },
  {
    what: "booked for another payment",
    there: booked("0x1", "pay_7"),
    found: strays,
    fault: "0x1, which paid 5 for pay_1, is booked 1 times for pay_7",
  },
  {
    what: "booked, and found as well",
    there: new Map([...booked("0x1", "pay_1"), ...booked("0x2", "pay_2")]),
    found: strays,
    fault: "0x2, which paid 5 for pay_2, is booked, and was found",
  },
  {
    what: "found with another amount",
    there: booked("0x1", "pay_1"),
    found: [{ ...stray("0x2", "0xa2"), amountRaw: 4n }],
    fault: "0x2, which paid 5 for pay_2, was found as 4 at 0xa2",
  },
  {
    what: "nobody's",
    there: booked("0x1", "pay_1"),
    found: [...strays, stray("0x9", "0xa9")],
    fault: "0x9 was found, and nobody paid it",
  },
])("money that is $what is said", ({ there, found, fault }) => {
  expect(moneyFaults({ paid: payers, booked: there, strays: found })).toEqual([fault]);
});

test("what is held is what is booked, to the last unit", () => {
  const held = new Map([
    ["hot dep_1", 5n],
    ["hot dep_2", 0n],
  ]);
  expect(balanceFaults(held, new Map([["hot dep_1", 5n]]))).toEqual([]);
  expect(balanceFaults(held, new Map([["hot dep_1", 4n]]))).toEqual([
    "hot dep_1: 5 are held, and 4 are booked",
  ]);
});
