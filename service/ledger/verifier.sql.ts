// Reading the whole ledger page by page, each page one statement and so one moment. Nothing here
// relies on a constraint or a trigger: they are what is being checked.

import type { AccountKind } from "../database/words.ts";
import { sql } from "kysely";
import { statement } from "../database/statement.ts";

interface TransactionPage {
  /** of the last transaction before this page */
  readonly after: string;
  readonly rowsMax: number;
}

interface TransactionRow {
  readonly id: string;
  readonly kind: string;
  readonly reference: string;
  readonly postings: number;
  /** by deployment, where it is not zero */
  readonly sums: Readonly<Record<string, string>> | null;
}

export const readTransactionPage = statement<TransactionPage>("read_ledger_transaction_page")(
  (p) => sql<TransactionRow>`
    select one.id, one.kind, one.reference, coalesce(posted.postings, 0)::integer as postings,
      posted.sums
    from (
      select id, kind, reference from ledger_transactions
      where id > ${p.after} order by id limit ${p.rowsMax}
    ) one
    left join lateral (
      select sum(postings) as postings,
        jsonb_object_agg(deployment_id, total::text) filter (where total <> 0) as sums
      from (
        select deployment_id, sum(amount) as total, count(*) as postings
        from ledger_postings where transaction_id = one.id group by deployment_id
      ) of_deployment
    ) posted on true
    order by one.id`,
);

interface PostingPage {
  /** transaction and position of the last posting before this page */
  readonly after: string;
  readonly afterPosition: number;
  readonly rowsMax: number;
}

interface PostingRow {
  readonly transaction_id: string;
  readonly position: number;
  readonly account_key: string;
  readonly has_transaction: boolean;
  readonly has_account: boolean;
  /** rows of the page, also those that are not given */
  readonly count: number;
}

/** Of a page of postings those that lack something, and the last one. */
export const readPostingPage = statement<PostingPage>("read_ledger_posting_page")(
  (p) => sql<PostingRow>`
    select transaction_id, position, account_key, has_transaction, has_account, count
    from (
      select page.*,
        exists (select from ledger_transactions one where one.id = transaction_id)
          as has_transaction,
        exists (select from ledger_accounts one where one.key = account_key) as has_account,
        row_number() over (order by transaction_id, position) as number,
        (count(*) over ())::integer as count
      from (
        select transaction_id, position,
          ledger_account_key(account_kind, deployment_id, merchant_id, environment) as account_key
        from ledger_postings
        where (transaction_id, position) > (${p.after}, ${p.afterPosition}::integer)
        order by transaction_id, position limit ${p.rowsMax}
      ) page
    ) checked
    where number = count or not has_transaction or not has_account
    order by number`,
);

interface AccountPage {
  /** key of the last account before this page */
  readonly after: string;
  readonly rowsMax: number;
  /** accounts with more transactions are not summed up here */
  readonly transactionsMax: number;
}

interface AccountRow {
  readonly key: string;
  readonly kind: AccountKind;
  readonly balance: string;
  readonly version: bigint;
  /** of its postings, debits minus credits; null: none, or not summed up */
  readonly sum: string | null;
  readonly transactions: bigint;
}

export const readAccountPage = statement<AccountPage>("read_ledger_account_page")(
  (p) => sql<AccountRow>`
    select one.key, one.kind, one.balance, one.version, posted.sum, posted.transactions
    from (
      select key, kind, balance, version from ledger_accounts
      where key > ${p.after} order by key limit ${p.rowsMax}
    ) one
    left join lateral (
      select sum(amount) as sum, count(distinct transaction_id) as transactions
      from ledger_postings
      where one.version <= ${p.transactionsMax}
        and ledger_account_key(account_kind, deployment_id, merchant_id, environment) = one.key
    ) posted on true
    order by one.key`,
);

interface LargeAccountPage extends PostingPage {
  readonly key: string;
  /** The page ends before the first transaction that was posted at this time or later. */
  readonly settledBefore: Date;
}

interface LargeAccountRow {
  readonly sum: string | null;
  readonly transactions: bigint;
  readonly last_transaction_id: string | null;
  readonly last_position: number | null;
  readonly is_last: boolean;
}

/** Of an account that is too large for one statement: what a page of its older postings sums up to. */
export const readLargeAccountPage = statement<LargeAccountPage>("read_ledger_large_account_page")(
  (p) => sql<LargeAccountRow>`
    select sum(amount) filter (where not is_new) as sum,
      -- the one that the page before ended with was counted there
      count(distinct transaction_id)
        filter (where not is_new and transaction_id <> ${p.after}) as transactions,
      (array_agg(transaction_id order by transaction_id desc, position desc)
        filter (where not is_new))[1] as last_transaction_id,
      (array_agg(position order by transaction_id desc, position desc)
        filter (where not is_new))[1] as last_position,
      coalesce(bool_or(is_new), true) or count(*) < ${p.rowsMax} as is_last
    from (
      select page.*, bool_or(coalesce(posted_at >= ${p.settledBefore}::timestamptz, false))
        over (order by transaction_id, position) as is_new
      from (
        select posting.transaction_id, posting.position, posting.amount, one.posted_at
        from ledger_postings posting
        left join ledger_transactions one on one.id = posting.transaction_id
        where ledger_account_key(account_kind, deployment_id, merchant_id, environment) = ${p.key}
          and (posting.transaction_id, posting.position)
            > (${p.after}, ${p.afterPosition}::integer)
        order by posting.transaction_id, posting.position limit ${p.rowsMax}
      ) page
    ) marked`,
);

interface LargeAccountValues {
  readonly key: string;
  readonly after: string;
  readonly afterPosition: number;
}

/** The same account as it is now, with what was posted after those pages. */
export const findLargeAccount = statement<LargeAccountValues>("find_ledger_large_account")(
  (p) => sql<AccountRow>`
    select one.key, one.kind, one.balance, one.version, posted.sum, posted.transactions
    from ledger_accounts one
    left join lateral (
      select sum(amount) as sum, count(distinct transaction_id) as transactions
      from ledger_postings
      where ledger_account_key(account_kind, deployment_id, merchant_id, environment) = one.key
        and (transaction_id, position) > (${p.after}, ${p.afterPosition}::integer)
    ) posted on true
    where one.key = ${p.key}`,
);

/** Assets + expenses - liabilities - income; a row for each deployment where that is not zero. */
export const listDeploymentsOffBalance = statement<object>("list_ledger_deployments_off_balance")(
  () => sql<{ readonly deployment_id: string; readonly sum: string }>`
    select deployment_id, sum(ledger_side(kind) * balance) as sum
    from ledger_accounts group by deployment_id
    having sum(ledger_side(kind) * balance) <> 0 order by deployment_id`,
);
