// What the transfers of a block have really moved, by the balance of an address before and after it: a
// token may keep a part of what its logs say, or take more than they say.
//
// Our choice: a balance is known for a block only, so that what is missing is shared among its transfers
// in proportion to what they say, with the rest in the order of the logs. Where some come in and some go
// out, it is missing from those that come in first. Nothing counts for more than its log says.

import { ServiceError } from "../errors.ts";
import type { BlockContent, Chain, ChainReceipt, ChainTransfer } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import { listOwnAccounts } from "./account-check.sql.ts";
import { findSentFrom } from "./measured-moves.sql.ts";

/** A block, and what it moved of a token at least. */
export type MeasuredBlock = Pick<BlockContent, "hash" | "parentHash" | "transfers">;

interface MeasuredPlace {
  readonly address: string;
  readonly contractAddress: string;
}

export interface MeasuredAt extends MeasuredPlace {
  /**
   * Accounts of ours, in lower case: what goes there was moved by us. What else leaves in a transaction
   * of somebody else that brings something is what the token keeps of it.
   */
  readonly ours: ReadonlySet<string>;
  /**
   * Transactions that we have signed to move something away from there: what leaves by one of them was
   * moved by us, even if a recipient sends something back in it.
   */
  readonly sent: ReadonlySet<string>;
}

export interface MeasuredMoves {
  /** by `placeOfTransfer`, what each has brought */
  readonly arrived: ReadonlyMap<string, bigint>;
  /** by transaction, what has left by it */
  readonly left: ReadonlyMap<string, bigint>;
  /** It is far from what the logs say: less than nine tenths, or of what left more than eleven. */
  readonly isDoubtful: boolean;
}

export interface MeasuringPorts {
  readonly database: Database;
  readonly chain: Pick<Chain, "balanceAt" | "agreedBalanceAt">;
}

export function placeOfTransfer({
  txHash,
  logIndex,
}: Pick<ChainTransfer, "txHash" | "logIndex">): string {
  return `${txHash} ${logIndex}`;
}

/**
 * The block of a transaction. Throws `chain_unavailable` where the chain has another one by now, or one
 * answer leaves out what another one has: by that, it would seem that nothing was moved.
 */
export async function minedBlock(
  chain: Pick<Chain, "block">,
  receipt: ChainReceipt,
  contractAddress: string,
): Promise<BlockContent> {
  const block = await chain.block(receipt.block.number, [contractAddress]);
  const said = (one: ChainTransfer): string => `${placeOfTransfer(one)} ${one.amountRaw}`;
  const there = new Set(block?.transfers.map(said));
  const own = receipt.transfers.filter((one) => isSame(one.contractAddress, contractAddress));
  if (block?.hash === receipt.block.hash && own.every((one) => there.has(said(one)))) return block;
  throw new ServiceError("chain_unavailable", "The chain does not answer right now.", {
    cause: new Error(`block ${receipt.block.number} is not the one of ${receipt.txHash}`),
  });
}

/**
 * What is far from what the logs say counts only if two nodes say it, where there are several. Throws
 * `chain_unavailable`, also where nobody knows any more what there was then.
 */
export async function measureMoves(
  { database, chain }: MeasuringPorts,
  { transfers, hash, parentHash }: MeasuredBlock,
  place: MeasuredPlace,
): Promise<MeasuredMoves> {
  const { address, contractAddress } = place;
  const own = await database.run(listOwnAccounts, {});
  const hashes = bothWays(transfers, place);
  const sent = hashes.length === 0 ? [] : await database.run(findSentFrom, { address, hashes });
  const at = {
    ...place,
    ours: new Set(own.map(({ account }) => account)),
    sent: new Set(sent.map(({ tx_hash: txHash }) => txHash)),
  };
  const difference = async (had: (blockHash: string) => Promise<bigint>): Promise<bigint> => {
    const [before, after] = await Promise.all([had(parentHash), had(hash)]);
    return after - before;
  };
  const said = await difference((one) => chain.balanceAt(address, contractAddress, one));
  const moves = sharesOf(transfers, at, said);
  if (!moves.isDoubtful) return moves;
  const agreed = await difference((one) => chain.agreedBalanceAt(address, contractAddress, one));
  return sharesOf(transfers, at, agreed);
}

/** `differenceRaw`: what the address has more after the block than before it. */
export function sharesOf(
  transfers: readonly ChainTransfer[],
  at: MeasuredAt,
  differenceRaw: bigint,
): MeasuredMoves {
  const { incoming, outgoing: leaving } = waysOf(transfers, at);
  const bringing = new Set(incoming.map(({ txHash }) => txHash));
  const outgoing = leaving.filter(
    ({ to, txHash }) =>
      !bringing.has(txHash) || at.sent.has(txHash) || at.ours.has(to.toLowerCase()),
  );
  const [saidIn, saidOut] = [sumOf(incoming), sumOf(outgoing)];
  const cameRaw = between(0n, differenceRaw + saidOut, saidIn);
  const leftRaw = outgoing.length === 0 ? 0n : most(0n, cameRaw - differenceRaw);
  return {
    arrived: shares(incoming, cameRaw, placeOfTransfer),
    left: shares(outgoing, leftRaw, ({ txHash }) => txHash),
    isDoubtful:
      isFarLess(cameRaw, saidIn) || isFarLess(leftRaw, saidOut) || leftRaw * 10n > saidOut * 11n,
  };
}

function waysOf(transfers: readonly ChainTransfer[], place: MeasuredPlace) {
  const { address, contractAddress } = place;
  const own = transfers.filter(
    (one) => isSame(one.contractAddress, contractAddress) && !isSame(one.from, one.to),
  );
  return {
    incoming: own.filter(({ to }) => isSame(to, address)),
    outgoing: own.filter(({ from }) => isSame(from, address)),
  };
}

/** Transactions by which something came, and something left. */
function bothWays(transfers: readonly ChainTransfer[], place: MeasuredPlace): readonly string[] {
  const { incoming, outgoing } = waysOf(transfers, place);
  const leaving = new Set(outgoing.map(({ txHash }) => txHash));
  const hashes = incoming.map(({ txHash }) => txHash).filter((txHash) => leaving.has(txHash));
  return [...new Set(hashes)];
}

/** Our choice: a tenth is more than tokens are known to keep. */
export function isFarLess(raw: bigint, saidRaw: bigint): boolean {
  return raw * 10n < saidRaw * 9n;
}

/** By one transaction. */
export function arrivedBy({ arrived }: MeasuredMoves, txHash: string): bigint {
  let raw = 0n;
  for (const [place, one] of arrived) if (place.startsWith(`${txHash} `)) raw += one;
  return raw;
}

/** They add up to the total. */
function shares(
  transfers: readonly ChainTransfer[],
  totalRaw: bigint,
  nameOf: (transfer: ChainTransfer) => string,
): ReadonlyMap<string, bigint> {
  const said = sumOf(transfers);
  const shared = new Map<string, bigint>();
  let saidBefore = 0n;
  for (const transfer of transfers) {
    const upTo = saidBefore + transfer.amountRaw;
    const raw =
      said === 0n ? 0n : ceiling(upTo * totalRaw, said) - ceiling(saidBefore * totalRaw, said);
    const name = nameOf(transfer);
    shared.set(name, (shared.get(name) ?? 0n) + raw);
    saidBefore = upTo;
  }
  return shared;
}

function ceiling(amount: bigint, part: bigint): bigint {
  return (amount + part - 1n) / part;
}

function sumOf(transfers: readonly ChainTransfer[]): bigint {
  return transfers.reduce((sum, { amountRaw }) => sum + amountRaw, 0n);
}

function between(least: bigint, raw: bigint, greatest: bigint): bigint {
  return raw > greatest ? greatest : most(least, raw);
}

function most(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

function isSame(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
