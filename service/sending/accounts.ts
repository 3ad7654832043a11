// What a row of the queue does, from which of our accounts, and what that takes out of it.

import type { StoredAction } from "../database/tables/outgoing.ts";
import type { ChainAction, SigningAccount } from "../ports/signer.ts";
import type { Spending } from "./funds.ts";
import { actionOf } from "./model.ts";

export function signsAs(row: {
  readonly id: string;
  readonly account_role: SigningAccount["role"];
  readonly account_index: bigint | null;
}): SigningAccount {
  if (row.account_role !== "deposit") return { role: row.account_role };
  if (row.account_index === null) throw new Error(`${row.id} has no index of its address`);
  return { role: "deposit", index: row.account_index };
}

/** What is signed for it. Nothing is a transfer of no coin to the account itself. */
export function signedActionOf(row: {
  readonly account: string;
  readonly action: StoredAction;
  readonly sends_nothing: boolean;
}): ChainAction {
  if (!row.sends_nothing) return actionOf(row.action);
  return { kind: "transfer", to: row.account, contractAddress: null, amountRaw: 0n };
}

/** What the account itself pays: the money of a settlement is somebody else's. */
export function spendingOf(action: ChainAction, gasUnits: bigint): Spending {
  if (action.kind !== "transfer") return { contractAddress: null, amountRaw: 0n, gasUnits };
  const { contractAddress, amountRaw } = action;
  return { contractAddress, amountRaw, gasUnits };
}
