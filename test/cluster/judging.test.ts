// What the cluster holds against what was answered: faults in the rows are planted.

import { expect, test } from "vitest";
import {
  confirmationFaults,
  eventFaults,
  longestGap,
  orderFaults,
  transferFaults,
} from "../../scripts/cluster/judging.ts";

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
