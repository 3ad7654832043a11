// What an account can still pay: of each asset what the chain says, without what was promised of it before.

import { expect, test } from "vitest";
import { SenderFunds } from "../../service/sending/funds.ts";
import { addressOf } from "../support/scripted-signer.ts";

const account = addressOf("settlement");
const [one, other] = [addressOf("a token"), addressOf("another token")];
const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };

function fundsOf(
  balances: ReadonlyMap<string | null, bigint>,
  { mined = { count: 0n }, unmined = [] }: Mining = {},
): SenderFunds {
  const chain = {
    minedCount: () => Promise.resolve(mined.count),
    balance: (_: string, contract: string | null) => Promise.resolve(balances.get(contract) ?? 0n),
  };
  return new SenderFunds({ chain, account, fees }, unmined);
}

interface Mining {
  readonly mined?: { count: bigint };
  readonly unmined?: ConstructorParameters<typeof SenderFunds>[1];
}

test("what was promised of a token is gone of it, and of no other one", async () => {
  const funds = fundsOf(
    new Map([
      [null, 1_000n],
      [one, 10n],
      [other, 10n],
    ]),
  );
  const spending = { contractAddress: one, amountRaw: 7n, gasUnits: 100n };
  expect(await funds.cover(spending)).toBe(true);
  funds.promise({ ...spending, nonce: 1n });
  expect(await funds.cover({ ...spending, amountRaw: 3n })).toBe(true);
  expect(await funds.cover({ ...spending, amountRaw: 4n })).toBe(false);
  expect(await funds.cover({ ...spending, contractAddress: other, amountRaw: 10n })).toBe(true);
});

test("gas is paid in coins, for everything that was promised, beside coins that are sent", async () => {
  const funds = fundsOf(
    new Map([
      [null, 1_000n],
      [one, 10n],
    ]),
  );
  // 100 units at 2 each
  const coins = { contractAddress: null, amountRaw: 800n, gasUnits: 100n };
  expect(await funds.cover({ ...coins, amountRaw: 801n })).toBe(false);
  expect(await funds.cover(coins)).toBe(true);
  funds.promise({ ...coins, amountRaw: 300n, nonce: 1n });
  const token = { contractAddress: one, amountRaw: 1n, gasUnits: 250n };
  expect(await funds.cover(token)).toBe(true);
  expect(await funds.cover({ ...token, gasUnits: 251n })).toBe(false);
});

test("what was mined since the turn began is gone from the balance, and not missed once more", async () => {
  const coins = [null, 1_000n] as const;
  const unmined = [4n, 5n].map((nonce) => {
    return { nonce, contractAddress: one, amountRaw: 4n, gasUnits: 0n };
  });
  // The first of the two is mined: of 10 there are 6 left, of which the other one takes 4.
  const balances = new Map([coins, [one, 6n]]);
  const last = { contractAddress: one, amountRaw: 2n, gasUnits: 0n };
  const mined = { count: 4n };
  const missing = fundsOf(balances, { mined, unmined });
  expect(await missing.cover(last)).toBe(false);
  mined.count = 5n;
  expect(await fundsOf(balances, { mined, unmined }).cover(last)).toBe(true);
  const more = fundsOf(balances, { mined, unmined });
  expect(await more.cover({ ...last, amountRaw: 3n })).toBe(false);
  expect(await more.cover(last)).toBe(true);
  // No balance was asked for since it was known how many are mined.
  expect(await missing.cover(last)).toBe(false);
});

test("nor is it of a balance that is asked for later in the turn, or while it goes on", async () => {
  const spent = { contractAddress: other, amountRaw: 4n, gasUnits: 0n };
  const unmined = [4n, 5n].map((nonce) => ({ ...spent, nonce }));
  const mined = { count: 4n };
  const balances = new Map<string | null, bigint>([
    [null, 1_000n],
    [one, 1n],
    [other, 10n],
  ]);
  const funds = fundsOf(balances, { mined, unmined });
  // There is too little of this one, whatever is mined.
  const short = { contractAddress: one, amountRaw: 2n, gasUnits: 0n };
  expect(await funds.cover(short)).toBe(false);
  mined.count = 5n;
  balances.set(other, 6n);
  expect(await funds.cover({ ...spent, amountRaw: 2n })).toBe(true);
  // The second one is mined between two questions: with the first balance the account has too little.
  let asked = 0;
  const moving = new SenderFunds(
    {
      account,
      fees,
      chain: {
        minedCount: () => Promise.resolve(asked < 2 ? 5n : 6n),
        balance: (_, contract) => {
          if (contract === null) return Promise.resolve(1_000n);
          asked += 1;
          return Promise.resolve(asked < 2 ? 4n : 2n);
        },
      },
    },
    unmined,
  );
  expect(await moving.cover({ ...spent, amountRaw: 2n })).toBe(true);
  expect(await moving.cover({ ...spent, amountRaw: 3n })).toBe(false);
  expect(asked).toBe(3);
});
