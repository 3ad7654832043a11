// Every block is read once more a little later: an index that was not up to date, or an answer cut
// off, does not lose a deposit, and one that only a single answer knew stays in doubt (threats 27
// and 28).

import { contradiction, readTogether } from "./branches.ts";
import type { Failure } from "./branches.ts";
import { contractsOf, findDeposits, isAsStored } from "./deposits.ts";
import type { FoundDeposit, WatchedChain } from "./deposits.ts";
import type { GroupSize } from "./group-size.ts";
import { measureDeposits, recordMeasurement } from "./measuring.ts";
import { changingDeposits, Overtaken } from "./touched.ts";
import type { TouchingPorts } from "./touched.ts";
import type { BlockContent, Chain } from "../ports/chain.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import { markChecked, readBlocks, readDepositsOfBlocks } from "./watcher.sql.ts";

export interface SecondLookPorts extends TouchingPorts {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly limits: { readonly blocksMax: number; readonly secondLookBlocks: bigint };
  readonly size: GroupSize;
}

export interface SecondLook {
  readonly watched: WatchedChain;
  /** looked at already */
  readonly from: bigint;
  /** the newest block that was read */
  readonly upTo: bigint;
  /** of those after `from`, what `readAgain` has read already */
  readonly read?: ReadAgain;
}

export interface ReadAgain {
  readonly blocks: readonly BlockContent[];
  /** Why the next one was not read, where its answer was a failure. */
  readonly failure: Failure | undefined;
}

export interface LookedAgain {
  /** the newest block that two answers agree on */
  readonly upTo: bigint;
  readonly isMore: boolean;
}

/** Throws `chain_unavailable` where the two answers differ. */
export async function lookAgain(ports: SecondLookPorts, look: SecondLook): Promise<LookedAgain> {
  const { database } = ports;
  const { chainId } = look.watched;
  const end = look.upTo - ports.limits.secondLookBlocks;
  if (end <= look.from) return { upTo: look.from, isMore: false };
  const most = look.from + BigInt(ports.limits.blocksMax);
  const { blocks: read, failure: failed } = look.read ?? nothingRead;
  const from = read.at(-1)?.number ?? look.from;
  const upTo = most < end ? most : end;
  // Who has failed just now is not asked for more.
  const isMore = failed === undefined && from < upTo;
  const stored = isMore ? await storedBlocks(database, chainId, { from, upTo }) : [];
  // Meanwhile those in between may have been forgotten: what follows a gap is another look.
  const isGap = read.length > 0 && stored[0]?.block_number !== from + 1n;
  const more = isGap ? nothingRead : await readAgain(ports, look.watched, stored);
  const blocks = [...read, ...more.blocks];
  const last = blocks.at(-1);
  const failure = failed ?? more.failure;
  if (last === undefined && failure !== undefined) throw failure.reason;
  if (last === undefined) return { upTo: look.from, isMore: false };
  const missing = await compare(database, look.watched, blocks);
  const measurement = await measureDeposits(ports, look.watched, missing);
  await changingDeposits(ports, async (inside, { touch }) => {
    const { number: toNumber, hash } = last;
    const marked = await inside.run(markChecked, {
      chainId,
      fromNumber: look.from,
      toNumber,
      hash,
    });
    if (marked.length === 0) throw new Overtaken();
    if (missing.length === 0) return;
    const now = ports.clock.now();
    await touch(inside, await recordMeasurement(inside, chainId, { ...measurement, now }));
  });
  return { upTo: last.number, isMore: last.number < end };
}

type StoredBlock = NonNullable<(typeof readBlocks)["row"]>;

interface Between {
  /** the one before the first */
  readonly from: bigint;
  readonly upTo: bigint;
}

function storedBlocks(
  database: Database,
  chainId: string,
  { from, upTo }: Between,
): Promise<readonly StoredBlock[]> {
  return database.run(readBlocks, { chainId, fromNumber: from + 1n, toNumber: upTo });
}

/** Those that one request to a node can read again as soon as the chain has `head`; none if that has no room. */
export async function dueForSecondLook(
  { database, limits, size }: Pick<SecondLookPorts, "database" | "limits" | "size">,
  { watched, from, upTo }: SecondLook,
  { head, room }: { readonly head: bigint; readonly room: number },
): Promise<readonly StoredBlock[]> {
  const most = from + BigInt(size.of(contractsOf(watched)));
  const end = [upTo, head - limits.secondLookBlocks, most].reduce((one, two) =>
    one < two ? one : two,
  );
  if (end <= from || end - from > room) return [];
  return await storedBlocks(database, watched.chainId, { from, upTo: end });
}

export const nothingRead: ReadAgain = { blocks: [], failure: undefined };

/** Up to where the chain has other blocks by now: the next run finds the fork. */
export async function readAgain(
  { chain, size }: Pick<SecondLookPorts, "chain" | "size">,
  watched: WatchedChain,
  stored: readonly StoredBlock[],
): Promise<ReadAgain> {
  const hashes = new Map(stored.map((one) => [one.block_number, one.block_hash]));
  const blocks: BlockContent[] = [];
  const contracts = contractsOf(watched);
  const wish = { numbers: [...hashes.keys()], contracts, size, isAgain: true };
  for await (const { number, answer } of readTogether(chain, wish)) {
    if (answer.status === "rejected") return { blocks, failure: answer };
    const block = answer.value;
    if (block === undefined || block.hash !== hashes.get(number)) break;
    blocks.push(block);
  }
  return { blocks, failure: undefined };
}

/** What the first look did not see. Throws where it saw something that is not there. */
async function compare(
  database: Database,
  watched: WatchedChain,
  blocks: readonly BlockContent[],
): Promise<readonly FoundDeposit[]> {
  const found = await findDeposits(database, watched, blocks);
  const known = await database.run(readDepositsOfBlocks, {
    chainId: watched.chainId,
    fromNumber: blocks[0]?.number ?? 0n,
    toNumber: blocks.at(-1)?.number ?? 0n,
  });
  const there = new Map(
    blocks.flatMap(({ hash, transfers }) =>
      transfers.map((one) => [`${hash} ${one.txHash} ${one.logIndex}`, one] as const),
    ),
  );
  for (const stored of known) {
    const { tx_hash: tx, log_index: log, block_hash: hash } = stored;
    const transfer = there.get(`${hash} ${tx} ${log}`);
    if (transfer === undefined || !isAsStored(watched, transfer, stored)) {
      throw contradiction(`the deposit ${tx} ${log} was in block ${hash}, and now it is not`);
    }
  }
  const places = new Set(known.map((row) => `${row.tx_hash} ${row.log_index}`));
  return found.filter(({ transfer }) => !places.has(`${transfer.txHash} ${transfer.logIndex}`));
}
