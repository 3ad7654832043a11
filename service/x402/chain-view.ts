// Finding out what a chain says of an authorization that was accepted.

import type { CatalogReader } from "../catalog/catalog.ts";
import { finalNumberOf } from "../sending/confirming.ts";
import { ServiceError } from "../errors.ts";
import type { ChainHead } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import type {
  AuthorizationUse,
  SettlementChain,
  SettlementReceipt,
} from "../ports/settlement-chain.ts";
import type { PaymentAuthorization } from "../ports/signer.ts";
import type { X402SettlementsTable } from "../database/tables/x402.ts";
import { listArrivalHashes } from "./arrivals.sql.ts";
import { listClaims } from "./reconciler.sql.ts";
import type { StandingRow } from "./reconciler.sql.ts";
import { signedOf } from "./model.ts";
import type { OutgoingStatus } from "../database/words.ts";
import { withoutClaimed } from "./outcome.ts";
import type { SettlementVerdict, SettlementView } from "./outcome.ts";

/** Transactions of one payer that are looked into. */
const arrivalsMax = 20;

/** A chain that x402 settles on, and our account there. */
export interface X402Chain {
  readonly chain: SettlementChain;
  readonly settlementAddress: string;
}

export interface Look {
  readonly chain: SettlementChain;
  readonly settlement: StandingRow;
  /** undefined: it is asked for */
  readonly head: ChainHead | undefined;
}

export async function lookAt(
  ports: {
    readonly catalog: Pick<CatalogReader, "allDeployments">;
    readonly database: Database;
  },
  { chain, settlement, head: known }: Look,
): Promise<SettlementView> {
  const head = known ?? (await headOf(chain));
  const { authorization } = signedOf(settlement);
  const hashes = new Set([
    ...settlement.outgoing_hashes,
    ...(settlement.tx_hash === null ? [] : [settlement.tx_hash]),
  ]);
  const own = await firstReceipt(chain, [...hashes], authorization);
  const fate = isSettling(own)
    ? { receipt: own, use: undefined, cancelledAt: undefined }
    : await useBySomebody(ports.database, chain, { settlement, authorization, own });
  const amountRaw = BigInt(settlement.amount_raw ?? settlement.authorized_raw);
  const moved = { deploymentId: settlement.deployment_id, amountRaw };
  const finalNumber = (await finalNumberOf(ports, moved, head)) ?? -1n;
  return { ...fate, outgoing: stageOf(settlement.outgoing_status), head, finalNumber };
}

export async function headOf(chain: SettlementChain): Promise<ChainHead> {
  const head = await chain.head();
  if (head.chainId === chain.chainId) return head;
  throw new ServiceError("chain_unavailable", "Another chain answers.");
}

function isSettling(receipt: SettlementReceipt | undefined): boolean {
  return receipt !== undefined && receipt.isSuccess && receipt.isAuthorizationUsed;
}

/** They have one number, or one authorization, so one of them at most is mined and moves money. */
async function firstReceipt(
  chain: SettlementChain,
  hashes: readonly string[],
  authorization: PaymentAuthorization,
): Promise<SettlementReceipt | undefined> {
  let failed: SettlementReceipt | undefined;
  for (const hash of hashes) {
    const receipt = await chain.settlementReceipt(hash, authorization);
    if (isSettling(receipt)) return receipt;
    failed ??= receipt;
  }
  return failed;
}

interface Unsettled {
  readonly settlement: Pick<X402SettlementsTable, "from_block" | "deployment_id">;
  readonly authorization: PaymentAuthorization;
  readonly own: SettlementReceipt | undefined;
}

/** Anybody may submit what a payer has signed: then its money is here all the same (threat 43). */
async function useBySomebody(
  database: Database,
  chain: SettlementChain,
  { settlement, authorization, own }: Unsettled,
): Promise<Pick<SettlementView, "receipt" | "use" | "cancelledAt">> {
  const nobody = { receipt: own, use: undefined, cancelledAt: undefined };
  const { isUsed } = await chain.authorizationState(authorization);
  if (!isUsed) return nobody;
  const { from_block: fromBlock, deployment_id: deploymentId } = settlement;
  const use = await findUse(database, chain, { authorization, deploymentId, fromBlock });
  if (use === undefined) return nobody;
  return { ...(await whereUsed(chain, use, authorization)), use };
}

async function whereUsed(
  chain: SettlementChain,
  use: AuthorizationUse,
  authorization: PaymentAuthorization,
): Promise<Pick<SettlementView, "receipt" | "cancelledAt">> {
  if (use.kind === "settled") {
    const receipt = await chain.settlementReceipt(use.txHash, authorization);
    return { receipt, cancelledAt: undefined };
  }
  const receipt = await chain.receipt(use.txHash);
  return { receipt: undefined, cancelledAt: receipt?.block };
}

function stageOf(status: OutgoingStatus | null): SettlementView["outgoing"] {
  if (status === null || status === "withdrawn") return undefined;
  if (status === "queued") return "queued";
  // What is mined for good has a receipt, and that one decides.
  return status === "replaced" ? "ended" : "broadcast";
}

interface UseWish {
  readonly authorization: PaymentAuthorization;
  readonly deploymentId: string;
  /** the first block that the chain is asked about */
  readonly fromBlock: bigint;
}

/**
 * In what the watcher has written down of the settlement account, however long ago that was, or else on the
 * chain itself. Undefined: its nonce is not used, or nobody knows where.
 */
export async function findUse(
  database: Database,
  chain: SettlementChain,
  { authorization, deploymentId, fromBlock }: UseWish,
): Promise<AuthorizationUse | undefined> {
  const { from: payer, to: account, amountRaw } = authorization;
  const of = { chainId: chain.chainId, account, deploymentId, payer, amountRaw };
  const rows = await database.run(listArrivalHashes, { ...of, rowsMax: arrivalsMax });
  for (const { tx_hash: txHash } of rows) {
    const receipt = await chain.settlementReceipt(txHash, authorization);
    if (receipt?.isAuthorizationUsed === true) return { kind: "settled", txHash };
  }
  return chain.useOf(authorization, fromBlock);
}

type Claimant = Pick<StandingRow, "id" | "chain_id" | "payment_id">;

/** Without the transfers that are another's; `id` empty: of a payment whose authorization could not be kept. */
export async function unclaimed(
  database: Database,
  { id, chain_id: chainId, payment_id: paymentId }: Claimant,
  verdict: SettlementVerdict,
): Promise<SettlementVerdict> {
  if (verdict.kind !== "settled" && verdict.kind !== "refused") return verdict;
  if (verdict.transfers.length === 0 || verdict.receipt === undefined) return verdict;
  const of = { id, chainId, paymentId, txHash: verdict.receipt.txHash };
  const claims = await database.run(listClaims, of);
  return withoutClaimed(verdict, new Set(claims.map(({ log_index: place }) => place)));
}
