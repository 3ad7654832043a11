// Which of several limits counts, who may be paid at all, and for whom a number is cleared.

import { afterAll, expect, onTestFinished, test } from "vitest";
import { answerLine } from "../../adapters/signer-client/protocol.ts";
import { defaultPolicy } from "../../adapters/signer/policy-file.ts";
import type { ActionIntent } from "../../service/ports/signer.ts";
import { endChildren, makeFolder } from "../programs/child.ts";
import { addressOf } from "../support/scripted-signer.ts";
import { chainId, intentOf, limits, openDesk, policyOf, token, transferOf } from "./desk.ts";

// its folders go with it
afterAll(endChildren);

function openWith(own: readonly object[]) {
  const opened = openDesk(makeFolder(), policyOf({ ...limits, limits: own }));
  onTestFinished(opened.close);
  const sign = (intent: ActionIntent): Promise<string> =>
    opened.desk.sign(chainId, intent).then(
      () => "signed",
      (error: unknown) => String(error),
    );
  return { ...opened, sign };
}

function limitOf(contract: string | null, perTransaction: number, perDay: number) {
  return {
    account: "hot",
    contract_address: contract,
    per_transaction_raw: String(perTransaction),
    per_day_raw: String(perDay),
  };
}

const cases = [
  { named: limitOf(token, 10, 15), others: limitOf("any", 1000, 5000), most: 10n, day: 15n },
  { named: limitOf(token, 1000, 1500), others: limitOf("any", 10, 15), most: 1000n, day: 1500n },
  { named: limitOf(null, 10, 15), others: limitOf("any", 1000, 5000), most: 10n, day: 15n },
] as const;

test.each(
  cases.flatMap((one) => [
    { ...one, what: "before", own: [one.named, one.others] },
    { ...one, what: "after", own: [one.others, one.named] },
  ]),
)(
  "what an asset's own entry says counts, $what the one for all others: $most and $day",
  async ({ named, most, day, own }) => {
    const { sign } = openWith(own);
    let nonce = 0n;
    const move = (amountRaw: bigint, contractAddress: string | null = named.contract_address) =>
      sign(intentOf({ nonce, action: transferOf({ contractAddress, amountRaw }) }));
    expect(await move(most + 1n)).toMatch(`one transaction may move ${most} of`);
    expect(await move(most)).toBe("signed");
    nonce = 1n;
    expect(await move(day - most + 1n)).toMatch(`${most} of ${day} are used`);
    expect(await move(day - most)).toBe("signed");
    // Another asset has the entry for all others, whatever that one has used.
    nonce = 2n;
    const others = BigInt(own.find((one) => one !== named)?.per_transaction_raw ?? 0);
    const another = addressOf("another token");
    expect(await move(others + 1n, another)).toMatch(`one transaction may move ${others} of`);
    expect(await move(others, another)).toBe("signed");
  },
);

test("nothing goes to the addresses that every chain keeps for itself, of no asset", async () => {
  const { sign } = openWith([limitOf("any", 1000, 5000)]);
  for (let number = 0; number < 16; number++) {
    const to = `0x${number.toString(16).padStart(40, "0")}`;
    for (const contractAddress of [null, token]) {
      const outcome = await sign(intentOf({ action: transferOf({ to, contractAddress }) }));
      expect([to, outcome]).toEqual([to, expect.stringMatching("nobody owns the recipient")]);
    }
  }
  const to = `0x${"10".padStart(40, "0")}`;
  expect(await sign(intentOf({ action: transferOf({ to }) }))).toBe("signed");
});

test("a number that was used is cleared by nothing to its own account only", async () => {
  const { sign, hotAddress, settlementAddress, keys } = openWith([
    limitOf("any", 1000, 5000),
    { ...limitOf("any", 1000, 5000), account: "settlement" },
    { ...limitOf("any", 1000, 5000), account: "deposit" },
  ]);
  const deposit = { role: "deposit", index: 3n } as const;
  const own = [
    [{ role: "hot" }, hotAddress],
    [{ role: "settlement" }, settlementAddress],
  ] as const;
  const nothing = { contractAddress: null, amountRaw: 0n };
  for (const [account, address] of own) {
    expect(await sign(intentOf({ account }))).toBe("signed");
    const others = [hotAddress, settlementAddress, keys.addressOf(deposit), addressOf("a thief")];
    for (const to of others.filter((one) => one !== address)) {
      const outcome = await sign(intentOf({ account, action: transferOf({ ...nothing, to }) }));
      expect([account.role, to, outcome]).toEqual([
        account.role,
        to,
        expect.stringMatching("was signed for something else"),
      ]);
    }
    // Of a token it is no transfer of nothing: that would call a contract.
    const ofToken = transferOf({ contractAddress: token, amountRaw: 0n, to: address });
    expect(await sign(intentOf({ account, action: ofToken }))).toMatch("something else");
    const cleared = transferOf({ ...nothing, to: address });
    expect(await sign(intentOf({ account, action: cleared }))).toBe("signed");
  }
});

test("without a file a transaction on a test network costs a coin at most, and all of a day a thousand", () => {
  const coin = 1_000_000_000_000_000_000n;
  for (const [chain, mayRestart] of [
    ["eip155:84532", false],
    ["eip155:31337", true],
  ] as const) {
    expect(defaultPolicy.get(chain)).toMatchObject({
      gas: { perTransactionRaw: coin, perDayRaw: 1000n * coin },
      numbersPerDay: 20_000n,
      mayRestart,
    });
  }
});

test("a limit above all that there can be is none that anything comes near", () => {
  const nines = "9".repeat(78);
  const folder = makeFolder();
  const all = { per_transaction_raw: nines, per_day_raw: nines };
  const own = [{ account: "hot", contract_address: token, ...all }];
  const policy = policyOf({ ...limits, gas_per_day_raw: nines, limits: own });
  const { desk, close } = openDesk(folder, policy);
  onTestFinished(close);
  const uses = desk.limitUses(chainId);
  expect(uses.map(({ limit, role }) => [limit, role])).toEqual([
    ["numbers", "hot"],
    ["numbers", "settlement"],
  ]);
  expect(answerLine({ id: 1, limits: uses })).toContain('"limit":"numbers"');
});

test("how much of its limits is used, those that are nearest to their end first", async () => {
  const { desk, sign, time } = openWith([
    limitOf(token, 1000, 2000),
    limitOf("any", 1000, 500),
    limitOf(null, 0, 0),
  ]);
  const uses = () =>
    desk.limitUses(chainId).map(({ limit, role, contractAddress, usedRaw, mostRaw }) => {
      return [limit, role, contractAddress, usedRaw, mostRaw];
    });
  const other = addressOf("another token");
  const lower = token.toLowerCase();
  const gasRaw = BigInt(limits.gas_per_day_raw);
  expect(uses()).toEqual([
    ["gas", null, null, 0n, gasRaw],
    ["numbers", "hot", null, 0n, 20_000n],
    ["numbers", "settlement", null, 0n, 20_000n],
    ["amount", "hot", lower, 0n, 2000n],
  ]);
  expect(await sign(intentOf({ action: transferOf({ amountRaw: 300n }) }))).toBe("signed");
  const action = transferOf({ contractAddress: other, amountRaw: 400n });
  expect(await sign(intentOf({ nonce: 1n, action }))).toBe("signed");
  expect(uses()).toEqual([
    ["amount", "hot", other.toLowerCase(), 400n, 500n],
    ["amount", "hot", lower, 300n, 2000n],
    ["gas", null, null, gasRaw / 10n, gasRaw],
    ["numbers", "hot", null, 2n, 20_000n],
    ["numbers", "settlement", null, 0n, 20_000n],
  ]);
  expect(desk.limitUses("eip155:1")).toEqual([]);
  // A day and the ten minutes that a window is late by.
  time.now += 86_400_000 + 600_000;
  expect(uses().every(([, , , usedRaw]) => usedRaw === 0n)).toBe(true);
  // A clock that goes back shows no less than was counted.
  time.now -= 86_400_000 + 600_000 + 1;
  expect(uses()[0]).toEqual(["amount", "hot", other.toLowerCase(), 400n, 500n]);
});
