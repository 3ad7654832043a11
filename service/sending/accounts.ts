// What a row of the queue does, from which of our accounts, and what that takes out of it.

import type { StoredAction } from "../database/tables/outgoing.ts";
import type { SignedTransfer } from "../ports/chain.ts";
import type { ActionIntent, ActionSigner, ChainAction, SigningAccount } from "../ports/signer.ts";
import type { Promised, Spending } from "./funds.ts";
import { actionOf } from "./model.ts";
import type { OutgoingChain } from "./ports.ts";

interface AccountRow {
  readonly id: string;
  readonly account: string;
  readonly account_role: SigningAccount["role"];
  readonly account_index: bigint | null;
}

/**
 * Throws what the signer throws, and where that has another account of the role by now: then what it
 * signs would leave from there.
 */
export async function signFor(
  { chain, signer }: OutgoingChain,
  row: AccountRow,
  intent: Omit<ActionIntent, "account">,
): Promise<SignedTransfer> {
  return await signer.signAction(chain.chainId, { ...intent, account: accountOf(signer, row) });
}

function accountOf(
  { accounts: { hotAddress, settlementAddress } }: ActionSigner,
  { id, account, account_role: role, account_index: index }: AccountRow,
): SigningAccount {
  if (role === "deposit") {
    if (index === null) throw new Error(`${id} has no index of its address`);
    return { role, index };
  }
  const own = role === "hot" ? hotAddress : settlementAddress;
  if (own === account) return { role };
  throw new Error(`${id} leaves from ${account}, and the signer has ${own} as its account ${role}`);
}

interface ActionRow {
  readonly id: string;
  readonly account: string;
  readonly action: StoredAction;
  readonly sends_nothing: boolean;
}

/** What is stored is no action that this version of the program signs: people have to look. */
export class UnreadableAction extends Error {}

/** What is signed for it. Nothing is a transfer of no coin to the account itself. Throws `UnreadableAction`. */
export function signedActionOf(row: ActionRow): ChainAction {
  if (row.sends_nothing) {
    return { kind: "transfer", to: row.account, contractAddress: null, amountRaw: 0n };
  }
  try {
    return actionOf(row.action);
  } catch (error) {
    throw new UnreadableAction(`the action of ${row.id} cannot be read`, { cause: error });
  }
}

/** Of what is signed and not mined. Where nobody can read what it moves, its gas is known at least. */
export function promisedOf(
  row: ActionRow & { readonly gas_units_max: bigint | null; readonly nonce: bigint },
): Promised {
  const { nonce, gas_units_max: gasUnits } = row;
  try {
    return { nonce, ...spendingOf(signedActionOf(row), gasUnits ?? 0n) };
  } catch (error) {
    if (!(error instanceof UnreadableAction)) throw error;
    return { nonce, contractAddress: null, amountRaw: 0n, gasUnits: gasUnits ?? 0n };
  }
}

/** What the account itself pays: the money of a settlement is somebody else's. */
export function spendingOf(action: ChainAction, gasUnits: bigint): Spending {
  if (action.kind !== "transfer") return { contractAddress: null, amountRaw: 0n, gasUnits };
  const { contractAddress, amountRaw } = action;
  return { contractAddress, amountRaw, gasUnits };
}
