// What deposits of tokens count for that may keep a part of what is sent: what the address has got, by
// its balance before and after the block, and never more than the log says. Both are kept.
//
// Where the chain does not say what the address had then, the deposit waits: it is written down as
// found, counts for nothing, and `askWaiting` asks again.

import { depositsText } from "./deposits.ts";
import type { FoundDeposit, WatchedChain } from "./deposits.ts";
import { mayKeepPart } from "../catalog/transfer-fee.ts";
import { isChainAway } from "../errors.ts";
import { measureMoves, placeOfTransfer } from "../ledger/measured-moves.ts";
import type { MeasuredMoves, MeasuringPorts as MovesPorts } from "../ledger/measured-moves.ts";
import type { Database } from "../ports/database.ts";
import { readMeasuredTransfers, recordMeasuredTransfers } from "./measuring.sql.ts";
import { recordDeposits } from "./recording.sql.ts";

/** Where so many blocks of one answer cannot be said, the others wait too: whoever reads blocks goes on. */
const unsaidBlocksMax = 2;

export interface MeasuringPorts extends MovesPorts {
  /** What the chain has said before is asked again, and stays only where it does not say it any more. */
  readonly isAnew?: boolean;
}

/** What was found, and what it has really brought. */
export interface MeasuredTransfer {
  readonly found: FoundDeposit;
  /** null: the chain does not say */
  readonly arrivedRaw: bigint | null;
}

export interface Measurement {
  /** those that count, each with what it counts for */
  readonly deposits: readonly FoundDeposit[];
  /** of tokens that may keep a part: also those that do not count, or not yet */
  readonly measured: readonly MeasuredTransfer[];
  /** They stand in place of what was measured before. */
  readonly isAnew?: boolean;
}

/**
 * Asks a chain only where a token may keep a part; anew also where it was measured, whatever the catalog says by now
 * (of all others `recordDeposits` knows that).
 */
export async function measureDeposits(
  ports: MeasuringPorts,
  watched: WatchedChain,
  found: readonly FoundDeposit[],
): Promise<Measurement> {
  const asked = ports.isAnew === true ? found : found.filter((one) => isDoubtful(watched, one));
  if (asked.length === 0) return { deposits: found, measured: [] };
  const known = await readMeasured(ports, watched, asked);
  const isOf = (one: FoundDeposit): boolean => isDoubtful(watched, one) || known.has(placeOf(one));
  const { deposits, measured } = await measure(ports, known, found.filter(isOf));
  const sure = found.filter((one) => !isOf(one));
  return { deposits: [...sure, ...deposits], measured };
}

/** Tokens, whatever the catalog says of them. */
export async function measureAll(
  ports: MeasuringPorts,
  watched: WatchedChain,
  found: readonly FoundDeposit[],
): Promise<Measurement> {
  return measure(ports, await readMeasured(ports, watched, found), found);
}

/** By block and place, what the chain has said already; null: it was asked, and has not. */
type Known = ReadonlyMap<string, bigint | null>;

async function readMeasured(
  { database }: MeasuringPorts,
  { chainId }: WatchedChain,
  found: readonly FoundDeposit[],
): Promise<Known> {
  const hashes = [...new Set(found.map(({ block }) => block.hash))];
  const rows = await database.run(readMeasuredTransfers, { chainId, hashes });
  return new Map(
    rows.map((row) => [
      `${row.block_hash} ${row.tx_hash} ${row.log_index}`,
      row.arrived_raw === null ? null : BigInt(row.arrived_raw),
    ]),
  );
}

function placeOf({ block, transfer }: FoundDeposit): string {
  return `${block.hash} ${placeOfTransfer(transfer)}`;
}

async function measure(
  ports: MeasuringPorts,
  known: Known,
  found: readonly FoundDeposit[],
): Promise<Measurement> {
  const { isAnew = false } = ports;
  const ask = measuringOnce(ports);
  const measured: MeasuredTransfer[] = [];
  // The newest first: nodes forget the oldest first, and after some that are not said all others wait.
  for (const one of found.toReversed()) {
    const said = known.get(placeOf(one)) ?? null;
    const anew = said === null || isAnew ? await ask(one) : said;
    measured.push({ found: one, arrivedRaw: anew ?? said });
  }
  measured.reverse();
  const deposits = measured.flatMap(({ found: one, arrivedRaw }) =>
    arrivedRaw === null || arrivedRaw < one.leastRaw ? [] : [{ ...one, amountRaw: arrivedRaw }],
  );
  return { deposits, measured };
}

function isDoubtful({ deployments }: WatchedChain, { transfer }: FoundDeposit): boolean {
  const deployment = deployments.get(transfer.contractAddress);
  return transfer.contractAddress !== null && deployment !== undefined && mayKeepPart(deployment);
}

/** Each address of each block once. Null: nobody can say. */
function measuringOnce(ports: MeasuringPorts) {
  const asked = new Map<string, Promise<MeasuredMoves | null>>();
  const unsaid = new Set<string>();
  return async ({ transfer, block }: FoundDeposit): Promise<bigint | null> => {
    const { to: address, contractAddress } = transfer;
    if (contractAddress === null) return transfer.amountRaw;
    if (unsaid.size >= unsaidBlocksMax && !unsaid.has(block.hash)) return null;
    const key = `${block.hash} ${contractAddress} ${address}`;
    const moves =
      asked.get(key) ??
      measureMoves(ports, block, { address, contractAddress }).catch((error: unknown) => {
        if (!isChainAway(error)) throw error;
        unsaid.add(block.hash);
        return null;
      });
    asked.set(key, moves);
    const arrived = (await moves)?.arrived;
    return arrived === undefined ? null : (arrived.get(placeOfTransfer(transfer)) ?? 0n);
  };
}

/** In the transaction that changes deposits; one row for each deposit that is new, or seen again. */
export async function recordMeasurement(
  database: Database,
  chainId: string,
  { deposits, measured, isAnew = false, now }: Measurement & { readonly now: Date },
) {
  if (measured.length > 0) {
    const text = JSON.stringify(measured.map(storedOf));
    await database.run(recordMeasuredTransfers, { chainId, measured: text, isAnew, now });
  }
  return database.run(recordDeposits, { chainId, deposits: depositsText(deposits) });
}

function storedOf({ found: { transfer, block, deploymentId }, arrivedRaw }: MeasuredTransfer) {
  return {
    tx_hash: transfer.txHash,
    log_index: transfer.logIndex,
    block_hash: block.hash,
    block_number: block.number.toString(),
    deployment_id: deploymentId,
    address: transfer.to,
    logged_raw: transfer.amountRaw.toString(),
    arrived_raw: arrivedRaw === null ? null : arrivedRaw.toString(),
  };
}
