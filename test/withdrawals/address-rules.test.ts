// Where nobody may withdraw to, whatever chain it is (threat 21).

import { expect, test } from "vitest";
import { isSink, normalAddress } from "../../service/withdrawals/address-rules.ts";

const numbered = (number: number): string => `0x${number.toString(16).padStart(40, "0")}`;

test.each([0, 1, 9, 10, 15, 16, 255, 4096, 65_535])(
  "the contracts that a chain has built in have numbers up to 65535: %i",
  (number) => {
    expect(isSink(numbered(number))).toBe(true);
  },
);

test("above them an address is like any other", () => {
  expect([65_536, 65_537, 1_048_576].map((number) => isSink(numbered(number)))).toEqual([
    false,
    false,
    false,
  ]);
});

test.each([
  ["coins are burned", "0x000000000000000000000000000000000000dEaD"],
  ["coins are burned", "0xdEAD000000000000000042069420694206942069"],
  ["coins are burned", `0x${"dead".repeat(10)}`],
  ["programs mean the coin", "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"],
  ["there is no key", `0x${"f".repeat(40)}`],
  ["Permit2 is", "0x000000000022D473030F116dDEE9F6B43aC78BA3"],
  ["the proxy of exact is", "0x402085c248EeA27D92E8b30b2C58ed07f9E20001"],
  ["the proxy of upto is", "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002"],
  ["Multicall3 is", "0xcA11bde05977b3631167028862bE2a173976CA11"],
  ["contracts are made by CREATE2", "0x4e59b44847b379578588920cA78FbF26c0B4956C"],
])("nothing goes where %s, in whatever spelling: %s", (_what, address) => {
  const spellings = [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`];
  expect(spellings.map((one) => isSink(normalAddress(one, "evm")))).toEqual([true, true]);
});

test.each(["solana", "bitcoin", "tron"] as const)(
  "an address of the family %s cannot be checked, and is refused",
  (family) => {
    const address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
    expect(normalAddress(address, "evm")).toBe(address);
    expect(() => normalAddress(address, family)).toThrow("not supported yet");
  },
);
