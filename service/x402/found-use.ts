// Where an authorization was used: in what the watcher has written down of the settlement account,
// however long ago that was, or else on the chain itself.

import type { Database } from "../ports/database.ts";
import type { AuthorizationUse, SettlementChain } from "../ports/settlement-chain.ts";
import type { PaymentAuthorization } from "../ports/signer.ts";
import { listArrivalHashes } from "./arrivals.sql.ts";

/** Transactions of one payer that are looked into. */
const arrivalsMax = 20;

export interface UseWish {
  readonly authorization: PaymentAuthorization;
  readonly deploymentId: string;
  /** the first block that the chain is asked about */
  readonly fromBlock: bigint;
}

/** Undefined: its nonce is not used, or nobody knows where. */
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
