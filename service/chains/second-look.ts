// Every block is read once more a little later: an index that was not up to date, or an answer cut
// off, does not lose a deposit, and one that only a single answer knew stays in doubt (threats 27
// and 28).

import { contradiction } from "./branches.ts";
import { contractsOf, findDeposits, isAsStored } from "./deposits.ts";
import type { FoundDeposit, WatchedChain } from "./deposits.ts";
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
}

export interface SecondLook {
  readonly watched: WatchedChain;
  /** looked at already */
  readonly from: bigint;
  /** the newest block that was read */
  readonly upTo: bigint;
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
  const blocks = await readAgain(ports, look, most < end ? most : end);
  const last = blocks.at(-1);
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

/** Up to where the chain has other blocks by now: the next run finds the fork. */
async function readAgain(
  { database, chain }: SecondLookPorts,
  { watched, from }: SecondLook,
  toNumber: bigint,
): Promise<readonly BlockContent[]> {
  const { chainId } = watched;
  const stored = await database.run(readBlocks, { chainId, fromNumber: from + 1n, toNumber });
  const blocks: BlockContent[] = [];
  for (const { block_number: number, block_hash: hash } of stored) {
    const block = await chain.block(number, contractsOf(watched));
    if (block?.hash !== hash) break;
    blocks.push(block);
  }
  return blocks;
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
