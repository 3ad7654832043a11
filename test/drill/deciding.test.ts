// What a person is told to decide after a restore, and that it can be typed.

import { expect, test } from "vitest";
import { adminUsage } from "../../adapters/operator/command.ts";
import { mendingCommands } from "../../adapters/signer/mending.ts";
import { decisionsOn, typed } from "../../scripts/drill/restore/deciding.ts";
import type { Decision } from "../../scripts/drill/restore/deciding.ts";
import type { Pending, Sent } from "../../scripts/drill/restore/finding.ts";
import { stray } from "./samples.ts";

function sent(nonce: bigint, amountRaw: bigint, isMined = true): Sent {
  const txHash = `0x${nonce}`;
  const mined = isMined ? { txHash, gasRaw: 21_000_000_000_000n } : undefined;
  const of = { account: "hot", kind: "transfer", to: "0xVault", isOfKnown: false };
  return { ...of, nonce, amountRaw, mined, txHash };
}

function pending(id: string, amountRaw: bigint): Pending {
  return { id, merchantId: "mer_1", address: "0xvault", amountRaw };
}

const lines = (all: readonly Decision[]): readonly string[] =>
  all.flatMap(({ commands }) => commands.map(typed));

test("what waits and was sent is remembered before anything is resumed; the rest goes then", () => {
  const decisions = decisionsOn({
    sent: [sent(4n, 1_000_001n)],
    pending: [pending("wdr_1", 1_000_001n), pending("wdr_2", 1_000_002n)],
    strays: [],
  });
  expect(lines(decisions)).toEqual([
    'npm run admin -- withdrawal remember wdr_1 --transaction 0x4 --reason "sent after the backup"',
    "npm run admin -- withdrawal resume --chain eip155:31337",
  ]);
  expect(decisions.at(-1)?.says).toContain("wdr_2 of 1.000002 USDC");
  expect(decisions.at(-1)?.says).not.toContain("wdr_1");
});

test("one transaction answers for one withdrawal, though two are the same", () => {
  const decisions = decisionsOn({
    sent: [sent(4n, 5n)],
    pending: [pending("wdr_1", 5n), pending("wdr_2", 5n)],
    strays: [],
  });
  expect(lines(decisions).filter((line) => line.includes("withdrawal remember"))).toHaveLength(1);
});

test("nobody is told that it was sent, by what was sent elsewhere, in another amount, or by a sweep", () => {
  const all = [
    { ...sent(4n, 5n), to: "0xother" },
    sent(5n, 6n),
    { ...sent(6n, 5n), kind: "collect", account: "settlement", isOfKnown: true },
    { ...sent(7n, 5n), kind: "collect", account: "settlement" },
  ];
  const decisions = decisionsOn({ sent: all, pending: [pending("wdr_1", 5n)], strays: [] });
  expect(lines(decisions).filter((line) => line.includes("withdrawal remember"))).toEqual([]);
  // What was swept is still ours.
  expect(lines(decisions)).toContain(
    'npm run admin -- chain remember eip155:31337 --transaction 0x6 --reason "sent after the backup"',
  );
  // So is what was swept from the address of a payment that is forgotten, and nothing says whose it is.
  expect(lines(decisions).filter((line) => line.includes("0x7"))).toEqual([
    "npm run admin -- ledger fund --deployment dep_usdc_local --amount 0.000005 --reference 0x7",
    "npm run admin -- ledger take --deployment dep_eth_local --amount 0.000021 --account settlement --of gas --reference 0x7",
  ]);
});

test("nonces that no node knows are told of from the first one on, and before anything is resumed", () => {
  const unmined = [sent(7n, 3n, false), sent(6n, 2n, false)];
  const decisions = decisionsOn({ sent: unmined, pending: [pending("wdr_1", 2n)], strays: [] });
  expect(lines(decisions)).toEqual([
    'npm run signer -- next eip155:31337 hot 6 "no node knows 0x7, 0x6"',
    "npm run admin -- withdrawal resume --chain eip155:31337",
  ]);
});

test("money at an address of no payment is told of with its transaction, and has no command", () => {
  const [decision] = decisionsOn({ sent: [], pending: [], strays: [stray("0x9", "0xa9")] });
  expect(decision?.says).toContain("0.000005 USDC came by 0x9 to 0xa9 (index 7)");
  expect(decision?.commands).toEqual([]);
});

test("each command is one that there is", () => {
  const decisions = decisionsOn({
    sent: [sent(4n, 5n), sent(5n, 6n, false)],
    pending: [pending("wdr_1", 5n)],
    strays: [],
  });
  const usage = adminUsage([]);
  for (const { program, words } of decisions.flatMap(({ commands }) => commands)) {
    if (program === "signer") expect(mendingCommands).toContain(words[0]);
    else expect(usage).toContain(`  ${words.slice(0, 2).join(" ")} `);
  }
});
