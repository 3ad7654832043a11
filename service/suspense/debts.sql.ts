// The statements of what merchants owe.

import { sql } from "kysely";
import type { AccountKind } from "../database/words.ts";
import type { Environment, Owner } from "../owner.ts";
import { anyOf } from "../database/row-source.ts";
import { statement } from "../database/statement.ts";

interface AccountRow {
  readonly kind: AccountKind;
  readonly deployment_id: string;
  readonly balance: string;
}

/** A merchant's accounts; they stay as they are until the end of the transaction. */
export const lockMerchantAccounts = statement<
  Owner & { readonly deploymentIds: readonly string[] }
>("lock_merchant_accounts")(
  (p) => sql<AccountRow>`
    select kind, deployment_id, balance::text from ledger_accounts
    where merchant_id = ${p.merchantId}::text and environment = ${p.environment}::text
      and deployment_id = ${anyOf(p.deploymentIds)}
    order by key for no key update`,
);

interface DebtRow {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly deployment_id: string;
  readonly decimals: number;
  readonly balance: string;
  /** of the last posting that made it more */
  readonly since: Date | null;
}

interface ListValues {
  /** null: of all */
  readonly merchantId: string | null;
  readonly deploymentId: string | null;
  readonly rowsMax: number;
}

export const listDebts = statement<ListValues>("list_debts")(
  (p) => sql<DebtRow>`
    select a.merchant_id, a.environment, a.deployment_id, m.decimals, a.balance::text, (
        select max(t.posted_at) from ledger_postings o
        join ledger_transactions t on t.id = o.transaction_id
        where ledger_account_key(o.account_kind, o.deployment_id, o.merchant_id, o.environment) = a.key
          and o.amount > 0
      ) as since
    from ledger_accounts a join deployments m on m.id = a.deployment_id
    where a.kind = 'merchant:debt' and a.balance > 0
      and (${p.merchantId}::text is null or a.merchant_id = ${p.merchantId}::text)
      and (${p.deploymentId}::text is null or a.deployment_id = ${p.deploymentId}::text)
    order by a.key
    limit ${p.rowsMax}::integer`,
);
