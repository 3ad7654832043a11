// Accounts that every test chain has, with 10,000 coins each: of anvil's well-known phrase, so these
// keys are public and worth nothing anywhere.

import { privateKeyToAccount, type PrivateKeyAccount } from "viem/accounts";
import type { Hex } from "viem";

/** It signs too: transactions, messages and typed data, as viem's accounts do. */
export type TestAccount = PrivateKeyAccount & { readonly privateKey: Hex };

/** The tenth of the phrase owns TestUSD and is not among them. */
export const testAccounts = [
  accountOf("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"),
  accountOf("0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d"),
  accountOf("0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a"),
  accountOf("0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6"),
  accountOf("0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a"),
  accountOf("0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba"),
  accountOf("0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e"),
  accountOf("0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356"),
  accountOf("0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97"),
] as const satisfies readonly TestAccount[];

/** An account that nobody knows yet: it has nothing. */
export function accountOf(privateKey: Hex): TestAccount {
  return { ...privateKeyToAccount(privateKey), privateKey };
}
