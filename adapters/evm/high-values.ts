// Transfers that two endpoints have to say before they count: those that together are high, and those that
// two readings of their block do not say alike (threat 27).

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

/** What parts are reckoned in. */
const whole = 1_000_000n;
/** Of more transactions than these the whole block is read again, not each receipt. */
const receiptsMax = 8;

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
  const high = await highOf(options, reading.content.transfers);
  await confirm(options, reading, high);
}

/** The same of all that is for us, whatever its value: of what contracts pay out nothing is asked. */
export async function confirmAll(options: AgreementOptions, reading: HighReading): Promise<void> {
  await confirm(options, reading, await oursIn(options, reading));
}

/**
 * The same, of a second endpoint that has the block: one that is away or lags says nothing against it. Throws
 * `chain_unavailable` if it says something else.
 */
export async function confirmIfPossible(
  options: AgreementOptions,
  reading: HighReading,
): Promise<void> {
  const wanted = await oursIn(options, reading);
  if (wanted.length === 0) return;
  const { rpc, reader } = options;
  const { content, place, contracts, able } = reading;
  const others = rpc.placesBut(place).filter((one) => able === undefined || able.includes(one));
  if (others.length === 0) return;
  const wish = { number: content.number, contracts, likelyHash: content.hash };
  const found = await rpc.askOther(others, (one) => reader.read(one, wish));
  if (found === "away" || found === undefined) return;
  const said = new Set(placesOf(found.content.hash, found.content.transfers));
  if (wanted.every((one) => said.has(placeOf(content.hash, one)))) return;
  throw apart(options, `two endpoints differ on what came to us in block ${content.number}`);
}

async function oursIn(
  { ownAddresses }: AgreementOptions,
  { content }: HighReading,
): Promise<readonly ChainTransfer[]> {
  const plain = content.transfers.filter(({ logIndex }) => logIndex >= -1);
  const own = await ownAddresses?.([...new Set(plain.map(({ to }) => to))]);
  return own === undefined ? plain : plain.filter(({ to }) => own.has(to));
}

async function confirm(
  options: AgreementOptions,
  reading: HighReading,
  wanted: readonly ChainTransfer[],
): Promise<void> {
  if (wanted.length === 0) return;
  const { content } = reading;
  const said = await saidElsewhere(options, reading, wanted);
  const where = `what came to us in block ${content.number}`;
  if (said === "away") throw apart(options, `nobody confirms ${where}`);
  const isSame = wanted.every((one) => said.has(placeOf(content.hash, one)));
  if (!isSame) throw apart(options, `two endpoints differ on ${where}`);
}

/**
 * All that is for us in a block counts together: one who sends a high value in small parts gains
 * nothing. Nobody knows here which of it is whose.
 */
async function highOf(
  options: AgreementOptions,
  transfers: readonly ChainTransfer[],
): Promise<readonly ChainTransfer[]> {
  const { highValueRaw, ownAddresses } = options;
  const watched = transfers.filter((one) => highValueRaw?.(one.contractAddress) !== undefined);
  if (!areHigh(options, watched)) return [];
  if (ownAddresses === undefined) return watched;
  const own = await ownAddresses([...new Set(watched.map(({ to }) => to))]);
  const ours = watched.filter(({ to }) => own.has(to));
  return areHigh(options, ours) ? ours : [];
}

/** The sums of the contracts, each as a part of what is high there, are 1 together or more. */
function areHigh({ highValueRaw }: AgreementOptions, transfers: readonly ChainTransfer[]): boolean {
  const sums = new Map<string | null, bigint>();
  for (const { contractAddress, amountRaw } of transfers) {
    sums.set(contractAddress, (sums.get(contractAddress) ?? 0n) + amountRaw);
  }
  const millionths = [...sums].map(([contractAddress, sumRaw]) => {
    const least = highValueRaw?.(contractAddress) ?? 0n;
    return least === 0n ? whole : (sumRaw * whole) / least;
  });
  return millionths.reduce((sum, part) => sum + part, 0n) >= whole;
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
  const isBlockRead = readers.length > 0 && (paidOut.length > 0 || plain.size > receiptsMax);
  const said: string[] = readers.length === 0 ? [...placesOf(content.hash, paidOut)] : [];
  for (const txHash of plain.size > receiptsMax && isBlockRead ? [] : plain) {
    const found = await rpc.askOther(others, (one) => readReceipt(one, txHash));
    if (found === "away") return found;
    said.push(...placesOf(found?.receipt.block.hash, found?.receipt.transfers));
  }
  if (isBlockRead) {
    const question: Question<ReadBlock | undefined> = (one) =>
      reader.read(one, { number: content.number, contracts, likelyHash: content.hash });
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
