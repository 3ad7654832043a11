// What a chain takes for a transaction of ours, as the ledger has it.

import { ledgerValues } from "../ledger/ledger.ts";
import type { LedgerTransaction } from "../ledger/model.ts";
import type { ChainReceipt } from "../ports/chain.ts";
import type { Database } from "../ports/database.ts";
import { findCoinDeployment } from "./gas.sql.ts";
import type { AccountKind } from "../database/words.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import type { StampPorts } from "../ports/recording.ts";

/** Whose coin it was; that of the hot account is `chain:gas`. */
export type GasPayer = Extract<
  AccountKind,
  "chain:gas" | "chain:settlement" | "chain:deposit_addresses"
>;

/** To be posted in the transaction that ends it. Undefined: there is nothing to post. */
export async function gasValues(
  ports: StampPorts & { readonly database: Database },
  payer: GasPayer,
  { chainId, receipt }: { readonly chainId: string; readonly receipt: ChainReceipt | undefined },
): Promise<LedgerValues | undefined> {
  if (receipt === undefined || receipt.gasCostRaw === 0n) return undefined;
  const [coin] = await ports.database.run(findCoinDeployment, { chainId });
  // Nothing that is owed or owned in a coin the catalog does not have.
  if (coin === undefined) return undefined;
  return ledgerValues(ports, gasSpending(receipt, payer, coin.id));
}

function gasSpending(
  { txHash, gasCostRaw, block }: ChainReceipt,
  payer: GasPayer,
  deploymentId: string,
): LedgerTransaction {
  return {
    kind: "gas_spent",
    reference: txHash,
    occurredAt: block.time,
    postings: [
      { account: "platform:gas", deploymentId, owner: null, amountRaw: gasCostRaw },
      { account: payer, deploymentId, owner: null, amountRaw: -gasCostRaw },
    ],
  };
}
