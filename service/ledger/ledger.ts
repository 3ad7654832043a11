// Posting to the ledger: in the statement of what happened, so that money and state never differ.

import { assertBalanced } from "./model.ts";
import type { LedgerTransaction } from "./model.ts";
import type { LedgerValues } from "./ledger.sql.ts";
import type { StampPorts } from "../ports/recording.ts";

/** The values that `recordingPostings` needs in its statement. */
export function ledgerValues(ports: StampPorts, transaction: LedgerTransaction): LedgerValues {
  assertBalanced(transaction);
  return {
    ledgerTransactionId: ports.identifiers.next("ltx"),
    ledgerKind: transaction.kind,
    ledgerReference: transaction.reference,
    ledgerOccurredAt: transaction.occurredAt,
    ledgerPostedAt: ports.clock.now(),
    ledgerPostings: JSON.stringify(
      transaction.postings.map(({ account, deploymentId, owner, amountRaw }, position) => ({
        position,
        account_kind: account,
        deployment_id: deploymentId,
        merchant_id: owner?.merchantId ?? null,
        environment: owner?.environment ?? null,
        amount: amountRaw.toString(),
      })),
    ),
  };
}
