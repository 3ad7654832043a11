// What a mined transaction of ours has really moved of a token that may keep a part of it, or take more
// than it says: by the balances of whom it has left and whom it came to.

import type { CatalogDeployment } from "../catalog/model.ts";
import { isMeasured } from "../catalog/transfer-fee.ts";
import type { OutgoingPurpose } from "../database/words.ts";
import { listOwnAccounts } from "../ledger/account-check.sql.ts";
import { arrivedBy, measureMoves, minedBlock } from "../ledger/measured-moves.ts";
import type { Chain, ChainReceipt } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import type { ChainAction } from "../ports/signer.ts";

export interface MeasuredMove {
  readonly leftRaw: bigint;
  /** null: it came to no account of ours, and was not asked for */
  readonly arrivedRaw: bigint | null;
}

export interface MovedBy {
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
export async function measureMove(
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
  const own = await database.run(listOwnAccounts, {});
  const ours = new Set(own.map(({ account }) => account));
  const from = await measureMoves(chain, block, { address: way.from, contractAddress, ours });
  const leftRaw = from.left.get(receipt.txHash) ?? 0n;
  if (purpose !== "sweep" && purpose !== "consolidation") return { leftRaw, arrivedRaw: null };
  const to = await measureMoves(chain, block, { address: way.to, contractAddress, ours });
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
