// Which transfers of a block are deposits: those to an address of ours, in what the catalog knows. What
// an account of ours sends there is none: it is gas for the address to be swept, and no payer's.
//
// What comes to a settlement account is a deposit too, of nobody as long as nothing says for which
// payment it was signed. Our choice: tokens only. Nobody pays with a coin there, and the operator
// sends some for gas.

import type { CatalogDeployment } from "../catalog/model.ts";
import { dustBelow, finalityOf } from "../catalog/finality.ts";
import type { BlockContent, ChainTransfer } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import { findOwnAccounts, matchDepositAddresses } from "./watcher.sql.ts";
import { findSenderAccounts } from "../sending/accounts.sql.ts";

export interface FoundDeposit {
  readonly transfer: ChainTransfer;
  readonly block: BlockContent;
  readonly deploymentId: string;
  /** null: it came to a settlement account, and nobody knows yet whose it is */
  readonly paymentId: string | null;
  /** what it counts for: what its log says, until it is measured */
  readonly amountRaw: bigint;
  /** what is less is no deposit */
  readonly leastRaw: bigint;
}

/** Accounts of ours that are no payment's. */
export interface WatchedAccounts {
  /** where x402 brings its money */
  readonly settlement: readonly string[];
}

/** What is watched of a chain. */
export interface WatchedChain {
  readonly chainId: string;
  readonly accounts: WatchedAccounts;
  readonly family: CatalogDeployment["chainFamily"];
  /** by contract; null is the chain's own coin */
  readonly deployments: ReadonlyMap<string | null, CatalogDeployment>;
}

/** Undefined: nothing in the catalog is on this chain. */
export function watchedChain(
  chainId: string,
  deployments: readonly CatalogDeployment[],
  accounts: WatchedAccounts = { settlement: [] },
): WatchedChain | undefined {
  // Whatever their state: what arrives after deposits have ended is somebody's money too.
  const here = deployments.filter((deployment) => deployment.chainId === chainId);
  const [first] = here;
  if (first === undefined) return undefined;
  const byContract = new Map(here.map((one) => [one.contractAddress, one]));
  return { chainId, accounts, family: first.chainFamily, deployments: byContract };
}

export function contractsOf({ deployments }: WatchedChain): readonly (string | null)[] {
  return [...deployments.keys()];
}

type Owned = NonNullable<(typeof matchDepositAddresses)["row"]>;

/** In a few queries, whatever the number of blocks. */
export async function findDeposits(
  database: Database,
  watched: WatchedChain,
  blocks: readonly BlockContent[],
): Promise<readonly FoundDeposit[]> {
  const transfers = blocks.flatMap((block) =>
    block.transfers.map((transfer) => ({ transfer, block })),
  );
  const addresses = [...new Set(transfers.map(({ transfer }) => transfer.to))];
  if (addresses.length === 0) return [];
  const rows = await database.run(matchDepositAddresses, { family: watched.family, addresses });
  const owned = new Map(rows.map((row) => [row.address, row]));
  const found = transfers.flatMap(({ transfer, block }): readonly FoundDeposit[] => {
    const deployment = watched.deployments.get(transfer.contractAddress);
    if (deployment === undefined) return [];
    const { amountRaw, contractAddress, to } = transfer;
    const isArrival = contractAddress !== null && watched.accounts.settlement.includes(to);
    const owner = isArrival ? null : owned.get(to);
    if (owner === undefined) return [];
    const leastRaw = leastOf(deployment, owner);
    if (leastRaw === undefined || amountRaw < leastRaw) return [];
    const paymentId = owner === null ? null : owner.payment_id;
    return [{ transfer, block, deploymentId: deployment.id, paymentId, amountRaw, leastRaw }];
  });
  if (found.length === 0) return [];
  const senders = [...new Set(found.map(({ transfer }) => transfer.from))];
  const own = await database.run(findSenderAccounts, { chainId: watched.chainId, senders });
  const ours = new Set(own.map(({ account }) => account));
  const named = found.some(({ paymentId }) => paymentId === null)
    ? await database.run(findOwnAccounts, { accounts: senders })
    : [];
  // What one account of ours brings to another is no payer's, whichever process knows the account.
  const carriers = new Set(named.map(({ account }) => account));
  return found.filter(({ transfer: { from }, paymentId }) => {
    return !ours.has(from) && !(paymentId === null && carriers.has(from.toLowerCase()));
  });
}

/** `owner` null: it came to a settlement account. Undefined: it does not count, however much it is. */
function leastOf(deployment: CatalogDeployment, owner: Owned | null): bigint | undefined {
  if (owner === null) return dustBelow(undefined, finalityOf(deployment));
  // An address is the same on all chains of a family. Our choice: coins of a test network are worth
  // nothing, so a live payment does not even hear of them.
  if (deployment.isTestNetwork && owner.environment === "live") return undefined;
  const due = owner.quotes
    .flatMap(({ deployments }) => deployments)
    .find(({ deploymentId }) => deploymentId === deployment.id);
  const dueRaw = due === undefined ? undefined : BigInt(due.rawAmount);
  return dustBelow(dueRaw, finalityOf(deployment));
}

/** As the statements of the watcher take them. */
export function depositsText(deposits: readonly FoundDeposit[]): string {
  return JSON.stringify(
    deposits.map(({ transfer, block, deploymentId, paymentId, amountRaw, leastRaw }) => ({
      tx_hash: transfer.txHash,
      log_index: transfer.logIndex,
      deployment_id: deploymentId,
      payment_id: paymentId,
      source: paymentId === null ? "settlement" : "address",
      address: transfer.to,
      sender: transfer.from,
      amount_raw: amountRaw.toString(),
      least_raw: leastRaw.toString(),
      block_number: block.number.toString(),
      block_hash: block.hash,
      block_time: block.time.toISOString(),
    })),
  );
}

/** As it was written down when it was found. */
export interface StoredTransfer {
  readonly deployment_id: string;
  readonly address: string;
  /** null: it was not written down then */
  readonly sender: string | null;
  /** what its log says */
  readonly logged_raw: string;
}

/** Whether what is in the place of a deposit now is what was written down: of what, from whom, to whom, how much. */
export function isAsStored(
  { deployments }: WatchedChain,
  transfer: ChainTransfer,
  stored: StoredTransfer,
): boolean {
  return (
    deployments.get(transfer.contractAddress)?.id === stored.deployment_id &&
    transfer.to === stored.address &&
    (stored.sender === null || transfer.from === stored.sender) &&
    transfer.amountRaw.toString() === stored.logged_raw
  );
}
