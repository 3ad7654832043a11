// Transfers so high that two endpoints have to say the same before they count (threat 27).

import type { ServiceError } from "../../service/errors.ts";
import type { ChainTransfer } from "../../service/ports/chain.ts";
import type { BlockReader, ReadBlock } from "./blocks.ts";
import { readReceipt } from "./receipt-reading.ts";
import type { Question, Rpc, RpcLog } from "./rpc.ts";

export interface AgreementOptions {
  readonly rpc: Rpc;
  readonly reader: BlockReader;
  readonly chainId: string;
  readonly log: RpcLog;
  /** see `EvmChainOptions` */
  readonly highValueRaw?: ((contractAddress: string | null) => bigint | undefined) | undefined;
  readonly ownAddresses?:
    ((addresses: readonly string[]) => Promise<ReadonlySet<string>>) | undefined;
}

export interface HighReading extends ReadBlock {
  readonly contracts: readonly (string | null)[];
  /** the places of endpoints that may read such a block; undefined: all */
  readonly able: readonly number[] | undefined;
}

/**
 * Throws `chain_unavailable` unless a second endpoint has each of them in the same block. So one that
 * is away holds up what is high, and whatever shares a block with it.
 */
export async function confirmHigh(options: AgreementOptions, reading: HighReading): Promise<void> {
  const { content } = reading;
  const high = await highOf(options, content.transfers);
  if (high.length === 0) return;
  const said = await saidElsewhere(options, reading, high);
  const where = `a high value in block ${content.number}`;
  if (said === "away") throw apart(options, `nobody confirms ${where}`);
  const isSame = high.every((one) => said.has(placeOf(content.hash, one)));
  if (!isSame) throw apart(options, `two endpoints differ on ${where}`);
}

async function highOf(
  { highValueRaw, ownAddresses }: AgreementOptions,
  transfers: readonly ChainTransfer[],
): Promise<readonly ChainTransfer[]> {
  const high = transfers.filter(({ contractAddress, amountRaw }) => {
    const least = highValueRaw?.(contractAddress);
    return least !== undefined && amountRaw >= least;
  });
  if (high.length === 0 || ownAddresses === undefined) return high;
  const own = await ownAddresses([...new Set(high.map(({ to }) => to))]);
  return high.filter(({ to }) => own.has(to));
}

/**
 * Each with its block. What contracts pay out is in no receipt: another endpoint has to read the
 * whole block. Our choice: where no other endpoint can, the word of the one counts for these.
 */
async function saidElsewhere(
  { rpc, reader }: AgreementOptions,
  { content, place, contracts, able }: HighReading,
  high: readonly ChainTransfer[],
): Promise<ReadonlySet<string> | "away"> {
  const others = rpc.placesBut(place);
  const readers = others.filter((one) => able === undefined || able.includes(one));
  const paidOut = high.filter(({ logIndex }) => logIndex < -1);
  const plain = new Set(high.filter(({ logIndex }) => logIndex >= -1).map(({ txHash }) => txHash));
  const said: string[] = readers.length === 0 ? [...placesOf(content.hash, paidOut)] : [];
  for (const txHash of plain) {
    const found = await rpc.askOther(others, (one) => readReceipt(one, txHash));
    if (found === "away") return found;
    said.push(...placesOf(found?.receipt.block.hash, found?.receipt.transfers));
  }
  if (paidOut.length > 0 && readers.length > 0) {
    const question: Question<ReadBlock | undefined> = (one) =>
      reader.read(one, content.number, contracts);
    const found = await rpc.askOther(readers, question);
    if (found === "away") return found;
    said.push(...placesOf(found?.content.hash, found?.content.transfers));
  }
  return new Set(said);
}

/** For a person, and for whoever has asked. */
export function apart({ rpc, log, chainId }: AgreementOptions, text: string): ServiceError {
  log.error({ chain_id: chainId, reason: text }, "endpoints of a chain do not agree");
  return rpc.unavailable(text);
}

function placesOf(hash = "", transfers: readonly ChainTransfer[] = []): readonly string[] {
  return transfers.map((one) => placeOf(hash, one));
}

function placeOf(hash: string, transfer: ChainTransfer): string {
  return `${hash} ${textOf([transfer])}`;
}

export function textOf(transfers: readonly ChainTransfer[]): string {
  return transfers
    .map((one) => {
      const { txHash, logIndex, contractAddress, from, to, amountRaw } = one;
      return [txHash, logIndex, contractAddress, from, to, amountRaw].join(" ");
    })
    .join("\n");
}
