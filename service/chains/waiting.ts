// Transfers of tokens that may keep a part, of which the chain has not said yet what they have brought:
// such as where its nodes had forgotten that block. Each counts for nothing until it is said, is asked
// about again, and people are told of it after a while.

import { contradiction } from "./branches.ts";
import { contractsOf, findDeposits } from "./deposits.ts";
import type { WatchedChain } from "./deposits.ts";
import { measureAll, recordMeasurement } from "./measuring.ts";
import { changingDeposits } from "./touched.ts";
import type { TouchingPorts } from "./touched.ts";
import { isChainAway } from "../errors.ts";
import { placeOfTransfer } from "../ledger/measured-moves.ts";
import type { BlockContent, Chain } from "../ports/chain.ts";
import type { Clock } from "../ports/clock.ts";
import type { Database } from "../ports/database.ts";
import * as store from "./measuring.sql.ts";
import { readBlocks, readOldestBlock } from "./watcher.sql.ts";

/** Before the chain is asked about the same block again: then twice as long, and so on, up to the other. */
const againSeconds = { leastSeconds: 60, mostSeconds: 3_600 };
/** After that people are told. */
const lateMilliseconds = 600_000;
/**
 * In one run, each is read from the chain, and the first that is not said is the last of its turn. The newest
 * have the first turn, since nodes forget the oldest first. Who was asked about longest ago has another one
 * in each run, so that no stream of new ones keeps any out: whoever is asked goes to the end of that line.
 */
const turns = [
  { isNewestFirst: true, rowsMax: 4 },
  { isNewestFirst: false, rowsMax: 1 },
] as const;
const toldMax = 50;

export type MeasuringAlarm = "transfer_unmeasured" | "transfer_brought_little";

export interface WaitingPorts extends TouchingPorts {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly alarm?: ((what: MeasuringAlarm, facts: Facts) => void) | undefined;
}

type WaitingBlock = NonNullable<(typeof store.listWaitingBlocks)["row"]>;
type WaitingTransfer = NonNullable<(typeof store.listWaitingTransfers)["row"]>;

/** Asks again of what waits, and tells people of what has waited for long. How many blocks have ended. */
export async function askWaiting(ports: WaitingPorts, watched: WatchedChain): Promise<number> {
  const { database, clock } = ports;
  const { chainId } = watched;
  let done = 0;
  for (const turn of turns) {
    const values = { chainId, now: clock.now(), ...againSeconds, ...turn };
    for (const waiting of await database.run(store.listWaitingBlocks, values)) {
      if (!(await isSaidNow(ports, watched, waiting))) break;
      done += 1;
    }
  }
  await tellOfLate(ports, chainId);
  await tellOfLittle(ports, chainId);
  return done;
}

async function isSaidNow(
  ports: WaitingPorts,
  watched: WatchedChain,
  waiting: WaitingBlock,
): Promise<boolean> {
  try {
    return await askAgain(ports, watched, waiting);
  } catch (error) {
    // One that nobody can say anything of must not hold up the chain.
    if (!isChainAway(error)) throw error;
    const { chainId } = watched;
    const asked = { chainId, hash: waiting.block_hash, now: ports.clock.now() };
    await ports.database.run(store.markWaitingAsked, asked);
    return false;
  }
}

/** False: some of it waits on. Throws `chain_unavailable`. */
async function askAgain(
  ports: WaitingPorts,
  watched: WatchedChain,
  { block_number: number, block_hash: hash }: WaitingBlock,
): Promise<boolean> {
  const { database, chain, clock } = ports;
  const { chainId } = watched;
  const rows = await database.run(store.listWaitingTransfers, { chainId, hash });
  const places = rows.map((row) => `${row.tx_hash} ${row.log_index}`);
  const block = await chain.block(number, contractsOf(watched));
  if (block?.hash !== hash) {
    await database.transaction(async (inside) => {
      if (await isCounted(inside, chainId, { number, hash })) throw contradiction("another branch");
      await inside.run(store.forgetWaiting, { chainId, hash, places });
    });
    return true;
  }
  requireAll(rows, block);
  const found = await findDeposits(database, watched, [block]);
  const waiting = found.filter(({ transfer }) => places.includes(placeOfTransfer(transfer)));
  const measurement = await measureAll(ports, watched, waiting);
  const isSaid = measurement.measured.every(({ arrivedRaw }) => arrivedRaw !== null);
  await changingDeposits(ports, async (inside, { touch }) => {
    // Else the watcher is on its way to another branch, or not yet back on this one.
    if (!(await isCounted(inside, chainId, { number, hash })))
      throw contradiction("another branch");
    const now = clock.now();
    await touch(inside, await recordMeasurement(inside, chainId, { ...measurement, now }));
    // What is no deposit any more waits for nothing.
    if (isSaid) await inside.run(store.forgetWaiting, { chainId, hash, places });
  });
  return isSaid;
}

/** Throws where an answer leaves out what was found before: what it does not say is not gone. */
function requireAll(rows: readonly WaitingTransfer[], { hash, transfers }: BlockContent): void {
  const there = new Set(transfers.map((one) => `${placeOfTransfer(one)} ${one.amountRaw}`));
  for (const { tx_hash: tx, log_index: log, logged_raw: logged } of rows) {
    if (!there.has(`${tx} ${log} ${logged}`)) {
      throw contradiction(`the transfer ${tx} ${log} was in block ${hash}, and now it is not`);
    }
  }
}

/** By what the watcher has read; what is forgotten is so old that it stays. */
async function isCounted(
  database: Database,
  chainId: string,
  { number, hash }: { readonly number: bigint; readonly hash: string },
): Promise<boolean> {
  const range = { chainId, fromNumber: number, toNumber: number };
  const [block] = await database.run(readBlocks, range);
  if (block !== undefined) return block.block_hash === hash;
  const [oldest] = await database.run(readOldestBlock, { chainId });
  return oldest !== undefined && number < oldest.block_number;
}

async function tellOfLate(ports: WaitingPorts, chainId: string): Promise<void> {
  const foundBefore = new Date(ports.clock.nowMilliseconds() - lateMilliseconds);
  const late = { chainId, foundBefore, rowsMax: toldMax };
  for (const row of await ports.database.run(store.listLateTransfers, late)) {
    const mark = tell(ports, "transfer_unmeasured", { chain_id: chainId, ...row });
    await ports.database.run(store.markLateTransferTold, mark);
  }
}

/** A node may have said it that knows nothing of that block: a person compares it with the chain. */
async function tellOfLittle(ports: WaitingPorts, chainId: string): Promise<void> {
  const little = { chainId, rowsMax: toldMax };
  for (const row of await ports.database.run(store.listLittleTransfers, little)) {
    const remedy = `compare it with the chain; if more came: chain rescan --chain ${chainId} --from ${row.block_number}`;
    const mark = tell(ports, "transfer_brought_little", { chain_id: chainId, ...row, remedy });
    await ports.database.run(store.markLittleTransferTold, mark);
  }
}

type Facts = Readonly<Record<string, unknown>>;

interface Told {
  readonly chain_id: string;
  readonly tx_hash: string;
  readonly log_index: number;
  readonly block_hash: string;
}

/** @returns what says that they were told */
function tell({ alarm, clock }: WaitingPorts, what: MeasuringAlarm, facts: Told & Facts) {
  const { chain_id: chainId, tx_hash: txHash, log_index: logIndex, block_hash: hash } = facts;
  alarm?.(what, { transfer: `${txHash} ${logIndex}`, ...facts });
  return { chainId, txHash, logIndex, hash, now: clock.now() };
}
