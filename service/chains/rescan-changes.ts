// What is stored of a chain beside what the chain says: what of it has to change.

import type { FoundDeposit } from "./deposits.ts";
import type { MeasuredTransfer } from "./measuring.ts";
import type { ChainBlock } from "../ports/chain.ts";
import type { RescanReading, StoredDeposit } from "./rescan-reading.ts";

/**
 * - gone: the chain does not have it
 * - moved: it is in another block now
 * - new: the chain has it, and nobody wrote it down
 * - kept: its block is the same, and that it was there cannot be read again: coin that a contract
 *   paid out is seen by nothing but a balance, which nodes forget
 * - corrected: measured anew, it has brought something else in the same block
 * - final: the same of what is final; it stays as it is booked, and people decide
 */
export interface RescanChange {
  readonly what: "gone" | "moved" | "new" | "kept" | "corrected" | "final";
  readonly txHash: string;
  readonly logIndex: number;
  readonly deploymentId: string;
  /** null: nobody's */
  readonly paymentId: string | null;
  /** corrected and final: what it has brought as the chain says now */
  readonly amountRaw: bigint;
  /** corrected and final: what it counted for; a final one still does */
  readonly beforeRaw?: bigint;
  readonly blockNumber: bigint;
}

export interface Comparison {
  readonly changes: readonly RescanChange[];
  readonly same: number;
  /** to be orphaned; of these, what has moved is among the next ones */
  readonly gone: readonly StoredDeposit[];
  readonly recorded: readonly FoundDeposit[];
  /** without what is final, and stays as it was measured then */
  readonly measured: readonly MeasuredTransfer[];
  /** at settlement accounts, by the receipts of their transactions: with their new block */
  readonly moved: readonly { readonly deposit: StoredDeposit; readonly block: ChainBlock }[];
}

/** Undefined: of one of them the chain was not asked yet. */
export function compare(
  reading: RescanReading,
  stored: readonly StoredDeposit[],
): Comparison | undefined {
  const changes: RescanChange[] = [];
  const gone: StoredDeposit[] = [];
  const moved: { deposit: StoredDeposit; block: ChainBlock }[] = [];
  const same = new Set<string>();
  const final = new Set<string>();
  const found = new Map(reading.found.map((one) => [placeOf(one), one]));
  const rest: StoredDeposit[] = [];
  for (const deposit of stored) {
    const verdict = verdictOf(reading, deposit);
    if (verdict === "unknown") return undefined;
    if (verdict === "gone" || verdict === "corrected") rest.push(deposit);
    else if (typeof verdict === "object") moved.push({ deposit, block: verdict });
    else same.add(keyOf(deposit));
    if (verdict === "kept") changes.push(changeOf("kept", deposit));
    if (verdict === "final") {
      final.add(keyOf(deposit));
      changes.push(againOf("final", deposit, reading.arrivedRaw(deposit)));
    }
    if (typeof verdict === "object") changes.push(changeOf("moved", deposit, verdict.number));
  }
  const corrected = new Set<string>();
  for (const deposit of rest) {
    gone.push(deposit);
    const again = found.get(keyOf(deposit));
    if (again !== undefined && isSameTransfer(again, deposit)) {
      changes.push(changeOf("moved", deposit, again.block.number));
    } else if (again !== undefined && reading.arrivedRaw(deposit) === again.amountRaw) {
      corrected.add(keyOf(deposit));
      changes.push(againOf("corrected", deposit, again.amountRaw));
    } else changes.push(changeOf("gone", deposit));
  }
  const stay = new Set([...same, ...moved.map(({ deposit }) => keyOf(deposit))]);
  const recorded = reading.found.filter((one) => !stay.has(placeOf(one)));
  const before = new Map(gone.map((deposit) => [keyOf(deposit), deposit]));
  for (const one of recorded) {
    if (corrected.has(placeOf(one))) continue;
    const deposit = before.get(placeOf(one));
    if (deposit === undefined || !isSameTransfer(one, deposit)) changes.push(newOf(one));
  }
  const kept = changes.filter(({ what }) => what === "kept").length;
  const measured = reading.measured.filter((one) => !final.has(placeOf(one.found)));
  return { changes, same: same.size - kept - final.size, gone, recorded, moved, measured };
}

type Verdict = "same" | "kept" | "gone" | "corrected" | "final" | "unknown" | ChainBlock;

function verdictOf(reading: RescanReading, deposit: StoredDeposit): Verdict {
  const verdict = verdictOfPlace(reading, deposit);
  const arrivedRaw = reading.arrivedRaw(deposit);
  if (verdict !== "same" || arrivedRaw === undefined) return verdict;
  if (arrivedRaw.toString() === deposit.amount_raw) return verdict;
  return deposit.status === "final" ? "final" : "corrected";
}

function verdictOfPlace(reading: RescanReading, deposit: StoredDeposit): Verdict {
  if (deposit.source !== "address") return verdictOfReceipt(reading, deposit);
  if (reading.has(deposit)) return "same";
  const { block_hash: hash, block_number: number, log_index: logIndex } = deposit;
  const isBlockThere = reading.blocks.get(number)?.hash === hash;
  // The coin of a transaction itself has the place -1 and is in the block; below is what a contract
  // pays out.
  return isBlockThere && logIndex < -1 ? "kept" : "gone";
}

/**
 * They came to no address of a payment, and whoever reads the chain again need not know the settlement
 * account that they came to. What has another place in its new block is gone here, and the reconciler
 * of x402 finds it again, as it does with what becomes gone by the watcher.
 */
function verdictOfReceipt(reading: RescanReading, deposit: StoredDeposit): Verdict {
  if (!reading.receipts.has(deposit.tx_hash)) return "unknown";
  const receipt = reading.receipts.get(deposit.tx_hash);
  const block = reading.blocks.get(receipt?.block.number ?? -1n);
  if (receipt === undefined || block?.hash !== receipt.block.hash) return "gone";
  const isThere = receipt.transfers.some(
    (one) => one.logIndex === deposit.log_index && reading.isAsStored(one, deposit),
  );
  if (!receipt.isSuccess || !isThere) return "gone";
  if (block.hash === deposit.block_hash) return "same";
  // In another block it is measured anew, as if it were another one.
  return deposit.is_measured ? "gone" : block;
}

function keyOf({ tx_hash: tx, log_index: log }: StoredDeposit): string {
  return `${tx} ${log}`;
}

function placeOf({ transfer: { txHash, logIndex } }: FoundDeposit): string {
  return `${txHash} ${logIndex}`;
}

function isSameTransfer(found: FoundDeposit, stored: StoredDeposit): boolean {
  return (
    (found.paymentId === stored.payment_id || found.paymentId === null) &&
    found.deploymentId === stored.deployment_id &&
    found.amountRaw.toString() === stored.amount_raw
  );
}

function changeOf(
  what: RescanChange["what"],
  deposit: StoredDeposit,
  blockNumber: bigint = deposit.block_number,
): RescanChange {
  return {
    what,
    txHash: deposit.tx_hash,
    logIndex: deposit.log_index,
    deploymentId: deposit.deployment_id,
    paymentId: deposit.payment_id,
    amountRaw: BigInt(deposit.amount_raw),
    blockNumber,
  };
}

function againOf(
  what: "corrected" | "final",
  deposit: StoredDeposit,
  arrivedRaw: bigint = 0n,
): RescanChange {
  const change = changeOf(what, deposit);
  return { ...change, amountRaw: arrivedRaw, beforeRaw: change.amountRaw };
}

function newOf({ transfer, amountRaw, ...found }: FoundDeposit): RescanChange {
  const { block, deploymentId, paymentId } = found;
  const { txHash, logIndex } = transfer;
  const of = { deploymentId, paymentId, amountRaw, blockNumber: block.number };
  return { what: "new", txHash, logIndex, ...of };
}
