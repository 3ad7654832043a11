// What deposits of tokens count for that may keep a part of what is sent: what the address has got, by
// its balance before and after the block, and never more than the log says. Both are kept.
//
// Where the chain does not say what the address had then, the deposit waits: it is written down as
// found, counts for nothing, and `askWaiting` asks again.

import { depositsText } from "./deposits.ts";
import type { FoundDeposit, WatchedChain } from "./deposits.ts";
import { mayKeepPart } from "../catalog/transfer-fee.ts";
import { isChainAway } from "../errors.ts";
import { listOwnAccounts } from "../ledger/account-check.sql.ts";
import { measureMoves, placeOfTransfer } from "../ledger/measured-moves.ts";
import type { MeasuredMoves } from "../ledger/measured-moves.ts";
import type { Chain } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import { readMeasuredTransfers, recordMeasuredTransfers } from "./measuring.sql.ts";
import { recordDeposits } from "./watcher.sql.ts";

export interface MeasuringPorts {
  readonly database: Database;
  readonly chain: Pick<Chain, "balanceAt">;
}

/** What was found, and what it has really brought. */
interface MeasuredTransfer {
  readonly found: FoundDeposit;
  /** null: the chain does not say */
  readonly arrivedRaw: bigint | null;
}

export interface Measurement {
  /** those that count, each with what it counts for */
  readonly deposits: readonly FoundDeposit[];
  /** of tokens that may keep a part: also those that do not count, or not yet */
  readonly measured: readonly MeasuredTransfer[];
}

/** Asks a chain only where a token may keep a part. */
export async function measureDeposits(
  ports: MeasuringPorts,
  watched: WatchedChain,
  found: readonly FoundDeposit[],
): Promise<Measurement> {
  const doubtful = found.filter((one) => isDoubtful(watched, one));
  if (doubtful.length === 0) return { deposits: found, measured: [] };
  const { deposits, measured } = await measureAll(ports, watched, doubtful);
  const sure = found.filter((one) => !isDoubtful(watched, one));
  return { deposits: [...sure, ...deposits], measured };
}

/** Tokens, whatever the catalog says of them; of what the chain has said before it is not asked. */
export async function measureAll(
  ports: MeasuringPorts,
  { chainId }: WatchedChain,
  found: readonly FoundDeposit[],
): Promise<Measurement> {
  const { database } = ports;
  const hashes = [...new Set(found.map(({ block }) => block.hash))];
  const known = new Map(
    (await database.run(readMeasuredTransfers, { chainId, hashes })).map((row) => [
      `${row.block_hash} ${row.tx_hash} ${row.log_index}`,
      BigInt(row.arrived_raw),
    ]),
  );
  const own = await database.run(listOwnAccounts, {});
  const measure = measuringOnce(ports, new Set(own.map(({ account }) => account)));
  const measured: MeasuredTransfer[] = [];
  for (const one of found) {
    const said = known.get(`${one.block.hash} ${placeOfTransfer(one.transfer)}`);
    measured.push({ found: one, arrivedRaw: said ?? (await measure(one)) });
  }
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
function measuringOnce({ chain }: MeasuringPorts, ours: ReadonlySet<string>) {
  const asked = new Map<string, Promise<MeasuredMoves | null>>();
  return async ({ transfer, block }: FoundDeposit): Promise<bigint | null> => {
    const { to: address, contractAddress } = transfer;
    if (contractAddress === null) return transfer.amountRaw;
    const key = `${block.hash} ${contractAddress} ${address}`;
    const moves =
      asked.get(key) ??
      measureMoves(chain, block, { address, contractAddress, ours }).catch((error: unknown) => {
        if (isChainAway(error)) return null;
        throw error;
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
  { deposits, measured, now }: Measurement & { readonly now: Date },
) {
  if (measured.length > 0) {
    const text = JSON.stringify(measured.map(storedOf));
    await database.run(recordMeasuredTransfers, { chainId, measured: text, now });
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
