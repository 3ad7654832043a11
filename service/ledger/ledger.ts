// Posting to the ledger: in the statement of what happened, so that money and state never differ.

import { assertBalanced } from "./model.ts";
import type { LedgerTransaction } from "./model.ts";
import type { Clock } from "../ports/clock.ts";
import type { Identifiers } from "../ports/identifiers.ts";
import type { LedgerValues } from "./ledger.sql.ts";

export interface LedgerPorts {
  readonly clock: Clock;
  readonly identifiers: Identifiers;
}

/** The values that `recordingPostings` needs in its statement. */
export function ledgerValues(ports: LedgerPorts, transaction: LedgerTransaction): LedgerValues {
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
