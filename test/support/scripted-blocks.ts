// Blocks of the scripted chain, and what is said of them.

import type { ChainBlock, ChainReceipt } from "../../service/ports/chain.ts";
import type { Execution, ScriptedLedger, ScriptedTransaction } from "./scripted-ledger.ts";
import { hashOf } from "./scripted-signer.ts";

export interface ScriptedBlock extends ChainBlock {
  readonly executions: readonly Execution[];
  readonly after: ScriptedLedger;
}

export interface Executed extends ChainReceipt {
  readonly transaction: ScriptedTransaction;
}

export function headerOf({ number, hash, parentHash, time }: ChainBlock): ChainBlock {
  return { number, hash, parentHash, time };
}

export function foreign({ number }: ChainBlock): Pick<ChainBlock, "hash" | "parentHash"> {
  return { hash: hashOf(`foreign ${number}`), parentHash: hashOf(`foreign ${number - 1n}`) };
}

/** Those of the outside first. */
export function orderOf(transaction: ScriptedTransaction): bigint {
  return transaction.kind === "outside" ? -1n : transaction.intent.nonce;
}

export function partition(transactions: readonly ScriptedTransaction[]) {
  const wallet = transactions.filter((one) => one.kind === "wallet");
  const outside = transactions.filter((one) => one.kind === "outside");
  return [wallet, outside] as const;
}

export function isTenthMore(fee: bigint, before: bigint): boolean {
  return fee * 10n >= before * 11n;
}

export function withLess(receipt: ChainReceipt): ChainReceipt {
  const transfers = receipt.transfers.map((one) => ({ ...one, amountRaw: one.amountRaw - 1n }));
  return { ...receipt, transfers };
}
