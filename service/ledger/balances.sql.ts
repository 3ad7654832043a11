// Balances for the operator, and the money that the operator puts in.

import { sql } from "kysely";
import type { Environment } from "../owner.ts";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { recordingPostings } from "./ledger.sql.ts";
import type { LedgerValues } from "./ledger.sql.ts";
import type { AccountKind } from "../database/words.ts";
import { queries, statement } from "../database/statement.ts";

interface BalanceRow {
  readonly deployment_id: string;
  readonly kind: AccountKind;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
  readonly balance: string;
  readonly decimals: number;
}

const shown = ["deployment_id", "kind", "merchant_id", "environment"] as const;

export const readMerchantBalances = statement<{ readonly merchantId: string }>(
  "read_ledger_merchant_balances",
)((p) =>
  queries
    .selectFrom("ledger_accounts as account")
    .innerJoin("deployments", "deployments.id", "deployment_id")
    .select(shown)
    .select(["balance", "decimals"])
    .where("merchant_id", "=", p.merchantId)
    .orderBy("environment")
    .orderBy("deployment_id")
    .orderBy("kind")
    .$castTo<BalanceRow>(),
);

/** Of all merchants together, so that the list is as long as the catalog and not as the customers. */
export const readTotalBalances = statement<object>("read_ledger_total_balances")(() =>
  queries
    .selectFrom("ledger_accounts as account")
    .innerJoin("deployments", "deployments.id", "deployment_id")
    .select(["deployment_id", "kind"])
    .select(sql<null>`null`.as("merchant_id"))
    .select(sql<null>`null`.as("environment"))
    .select(sql<string>`sum(balance)`.as("balance"))
    .select("decimals")
    .groupBy(["deployment_id", "kind", "decimals"])
    .orderBy("deployment_id")
    .orderBy("kind")
    .$castTo<BalanceRow>(),
);

export const findFundedDeployment = statement<{ readonly deploymentId: string }>(
  "find_funded_deployment",
)((p) =>
  queries
    .selectFrom("deployments")
    .select(["id", "decimals", "contract_address", "is_test_network"])
    .where("id", "=", p.deploymentId),
);

/** What was booked of the operator's own money under this reference. */
export const findOwnBooking = statement<{ readonly reference: string }>("find_own_booking")((p) =>
  queries
    .selectFrom("ledger_transactions")
    .select("id")
    .where("reference", "=", p.reference)
    .where("kind", "in", ["funding", "own_move", "own_taking"]),
);

/** The platform's own accounts in a deployment; they stay as they are until the end of the transaction. */
export const lockOwnAccounts = statement<{ readonly deploymentId: string }>("lock_own_accounts")(
  (p) => sql<{ readonly kind: AccountKind; readonly balance: string }>`
    select kind, balance::text from ledger_accounts
    where deployment_id = ${p.deploymentId}::text and merchant_id is null
    order by key for no key update`,
);

/** A transaction of the ledger and its entry in the audit log. */
export const postAudited = statement<LedgerValues & AuditValues>("post_audited")((p) =>
  recordingAudit(
    recordingPostings(
      queries.with("cause", () => sql<{ one: number }>`(select 1 as one)`),
      "cause",
      p,
    ),
    "cause",
    p,
  ).selectNoFrom(sql<string>`${p.ledgerTransactionId}::text`.as("id")),
);
