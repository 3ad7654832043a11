// What a mined transaction of ours has really moved of a token that may keep a part of it, or take more
// than it says: by the balances of whom it has left and whom it came to.

import type { CatalogReader } from "../catalog/catalog.ts";
import type { CatalogDeployment } from "../catalog/model.ts";
import { isMeasured } from "../catalog/transfer-fee.ts";
import type { OutgoingPurpose } from "../database/words.ts";
import { arrivedBy, measureMoves, minedBlock } from "../ledger/measured-moves.ts";
import type { Chain, ChainReceipt } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import type { ChainAction } from "../ports/signer.ts";
import { recordMeasuredMove } from "./confirmer.sql.ts";

export interface MeasuredMove {
  readonly leftRaw: bigint;
  /** null: it came to no account of ours, and was not asked for */
  readonly arrivedRaw: bigint | null;
}

export interface MeasuringPorts {
  readonly database: Database;
  readonly catalog: Pick<CatalogReader, "allDeployments">;
}

/**
 * What was measured is stored: most nodes know balances of the newest 128 blocks only, and a high value may be
 * final, or people may have decided, later than that. For what else see `measureMove`.
 */
export async function measuredMove(
  { database, catalog }: MeasuringPorts,
  chain: Chain,
  moved: MovedBy,
): Promise<MeasuredMove | undefined> {
  const { id, measured, receipt } = moved;
  const { txHash, block } = receipt;
  if (measured?.txHash === txHash && measured.blockHash === block.hash) return measured;
  const deployments = await catalog.allDeployments();
  const found = await measureMove(database, { chain, deployments }, moved);
  if (found === undefined) return undefined;
  await database.run(recordMeasuredMove, { id, txHash, blockHash: block.hash, ...found });
  return found;
}

interface StoredMove extends MeasuredMove {
  readonly txHash: string;
  readonly blockHash: string;
}

interface MovedBy {
  readonly id: string;
  /** undefined: nothing was measured */
  readonly measured: StoredMove | undefined;
  readonly deploymentId: string;
  readonly purpose: OutgoingPurpose;
  /** that it was sent from */
  readonly account: string;
  readonly action: ChainAction;
  readonly receipt: ChainReceipt;
}

interface MoveWay {
  readonly contractAddress: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Undefined: its receipt says it. Throws `chain_unavailable`, also where nobody knows any more what
 * there was then.
 */
async function measureMove(
  database: Database,
  { chain, deployments }: { readonly chain: Chain; readonly deployments: Deployments },
  moved: MovedBy,
): Promise<MeasuredMove | undefined> {
  const { deploymentId, purpose, receipt } = moved;
  const way = wayOf(moved);
  if (way === undefined || !receipt.isSuccess) return undefined;
  if (!isMeasured(deployments, deploymentId)) return undefined;
  const { contractAddress } = way;
  const block = await minedBlock(chain, receipt, contractAddress);
  const ports = { database, chain };
  const from = await measureMoves(ports, block, { address: way.from, contractAddress });
  const leftRaw = from.left.get(receipt.txHash) ?? 0n;
  if (purpose !== "sweep" && purpose !== "consolidation") return { leftRaw, arrivedRaw: null };
  const to = await measureMoves(ports, block, { address: way.to, contractAddress });
  const arrivedRaw = arrivedBy(to, receipt.txHash);
  return { leftRaw, arrivedRaw: arrivedRaw < leftRaw ? arrivedRaw : leftRaw };
}

type Deployments = readonly Pick<CatalogDeployment, "id" | "capabilities">[];

/** Undefined: the chain's own coin, or what somebody has authorized for a payment, which is a deposit. */
function wayOf({ action, account }: MovedBy): MoveWay | undefined {
  if (action.kind === "settle") return undefined;
  if (action.kind === "collect") return action.authorization;
  const { contractAddress, to } = action;
  return contractAddress === null ? undefined : { contractAddress, from: account, to };
}
