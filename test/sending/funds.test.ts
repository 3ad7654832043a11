// What an account can still pay: of each asset what the chain says, without what was promised of it before.

import { expect, test } from "vitest";
import { SenderFunds } from "../../service/sending/funds.ts";
import { addressOf } from "../support/scripted-signer.ts";

const account = addressOf("settlement");
const [one, other] = [addressOf("a token"), addressOf("another token")];
const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };

function fundsOf(balances: ReadonlyMap<string | null, bigint>): SenderFunds {
  const chain = {
    balance: (_: string, contract: string | null) => Promise.resolve(balances.get(contract) ?? 0n),
  };
  return new SenderFunds(
    { chain, account, fees } as ConstructorParameters<typeof SenderFunds>[0],
    [],
  );
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
  funds.promise(spending);
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
  funds.promise({ ...coins, amountRaw: 300n });
  const token = { contractAddress: one, amountRaw: 1n, gasUnits: 250n };
  expect(await funds.cover(token)).toBe(true);
  expect(await funds.cover({ ...token, gasUnits: 251n })).toBe(false);
});
