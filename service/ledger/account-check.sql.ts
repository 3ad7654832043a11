// The statements of comparing what our accounts hold with the books, as of one block.

import { sql } from "kysely";
import type { AccountKind, OwnAccountRole } from "../database/words.ts";
import type { StoredAction } from "../database/tables/outgoing.ts";
import { queries, statement } from "../database/statement.ts";

interface CheckedDeployment {
  readonly id: string;
  readonly chain_id: string;
  readonly contract_address: string | null;
  /** the catalog says that a transfer may bring less than its log says */
  readonly is_measured: boolean;
}

/**
 * Also where nothing is owed, since there may be what nobody has booked. Of a chain that the watcher has
 * not begun with nobody knows anything.
 */
export const listDeploymentsToCheck = statement<{
  readonly after: string;
  readonly rowsMax: number;
}>("list_deployments_to_check")(
  (p) => sql<CheckedDeployment>`
    select id, chain_id, contract_address, exists (
      select from capabilities c
      where c.deployment_id = deployments.id and c.key = 'transfer_fee'
        and c.status <> 'unsupported') as is_measured
    from deployments
    where id > ${p.after}::text
      and exists (select from chain_cursors w where w.chain_id = deployments.chain_id)
    order by id limit ${p.rowsMax}::integer`,
);

interface AgreedBlock {
  readonly block_number: bigint;
  readonly block_hash: string;
  readonly block_time: Date;
}

/** The newest block that the watcher has read twice, with the same result. */
export const readAgreedBlock = statement<{ readonly chainId: string }>("read_agreed_block")(
  (p) => sql<AgreedBlock>`
    select b.block_number, b.block_hash, b.block_time
    from chain_cursors c
    join chain_blocks b on b.chain_id = c.chain_id and b.block_number = c.checked_number
    where c.chain_id = ${p.chainId}::text`,
);

/** Those that were ever ours, in lower case. */
export const listOwnAccounts = statement<object>("list_own_accounts")(
  () => sql<{ account: string; role: OwnAccountRole }>`
    select account, role from own_accounts order by account`,
);

interface OfBlock {
  readonly deploymentId: string;
  readonly chainId: string;
  readonly blockNumber: bigint;
}

interface UnsettledRow {
  readonly account: string;
  readonly action: StoredAction;
  readonly sends_nothing: boolean;
  /** its end is in the books */
  readonly is_booked: boolean;
  readonly tx_hashes: readonly string[];
}

interface Books {
  readonly balances: readonly { readonly kind: AccountKind; readonly raw: string }[];
  /** came to settlement accounts up to the block and is not booked, less what is booked and came later */
  readonly arriving_raw: string;
  readonly unsettled: readonly UnsettledRow[];
}

/**
 * The books, and what has to be added to them or taken off so that they are those of the block: one
 * statement, so that all of it is of one moment.
 */
export const readBooks = statement<
  OfBlock & { readonly endedSince: Date; readonly rowsMax: number }
>("read_books")(
  (p) => sql<Books>`
    select (
      select coalesce(jsonb_agg(jsonb_build_object('kind', kind, 'raw', balance::text)), '[]')
      from ledger_accounts
      where deployment_id = ${p.deploymentId}::text and merchant_id is null
    ) as balances, (
      select coalesce(sum(raw), 0)::text
      from (
        select case when status <> 'orphaned' then amount_raw else -amount_raw end as raw
        from deposits
        where deployment_id = ${p.deploymentId}::text and source <> 'address'
          and (status <> 'orphaned') <> (bookings > reversals)
        union all
        select -amount_raw
        from deposits
        where deployment_id = ${p.deploymentId}::text and source <> 'address'
          and status <> 'orphaned' and block_number > ${p.blockNumber}::bigint
      ) arriving
    ) as arriving_raw, (
      select coalesce(jsonb_agg(one), '[]')
      from (
        select o.account, o.action, o.sends_nothing,
          o.status <> 'broadcast' as is_booked, array(
            select a.tx_hash from outgoing_attempts a
            where a.outgoing_id = o.id order by a.attempt desc) as tx_hashes
        from (
          select * from outgoing_transactions
          where chain_id = ${p.chainId}::text and status = 'broadcast'
          union all
          select * from outgoing_transactions
          where chain_id = ${p.chainId}::text and status in ('succeeded', 'reverted')
            and updated_at >= ${p.endedSince}::timestamptz
        ) o
        where (o.deployment_id = ${p.deploymentId}::text or exists (
            select from deployments d
            where d.id = ${p.deploymentId}::text and d.contract_address is null))
        order by o.id
        limit ${p.rowsMax}::integer
      ) one
    ) as unsettled`,
);

interface OfAccount {
  readonly deploymentId: string;
  readonly account: string;
}

export const readAccountDifference = statement<OfAccount>("read_account_difference")((p) =>
  queries
    .selectFrom("account_differences")
    .selectAll()
    .where("deployment_id", "=", p.deploymentId)
    .where("account", "=", p.account),
);

interface DifferenceValues extends OfAccount {
  readonly heldRaw: bigint;
  readonly bookedRaw: bigint;
  readonly blockNumber: bigint;
  readonly since: Date;
  readonly now: Date;
  readonly toldRaw: bigint | null;
}

export const recordAccountDifference = statement<DifferenceValues>("record_account_difference")(
  (p) => sql<{ account: string }>`
    insert into account_differences (
      deployment_id, account, held_raw, booked_raw, block_number, since, checked_at, told_raw
    )
    values (${p.deploymentId}::text, ${p.account}::text, ${p.heldRaw}::numeric,
      ${p.bookedRaw}::numeric, ${p.blockNumber}::bigint, ${p.since}::timestamptz,
      ${p.now}::timestamptz, ${p.toldRaw}::numeric)
    on conflict (deployment_id, account) do update set
      held_raw = excluded.held_raw, booked_raw = excluded.booked_raw,
      block_number = excluded.block_number, since = excluded.since,
      checked_at = excluded.checked_at, told_raw = excluded.told_raw
    where account_differences.block_number <= excluded.block_number
    returning account`,
);

/** Those that agree with the books again; not what a later comparison has found. */
export const removeAccountDifferences = statement<{
  readonly deploymentId: string;
  readonly exceptAccounts: readonly string[];
  readonly blockNumber: bigint;
}>("remove_account_differences")((p) =>
  queries
    .deleteFrom("account_differences")
    .where("deployment_id", "=", p.deploymentId)
    .where("block_number", "<=", p.blockNumber)
    .where("account", "<>", sql<string>`all(${p.exceptAccounts}::text[])`),
);

export const listAccountDifferences = statement<object>("list_account_differences")(() =>
  queries
    .selectFrom("account_differences")
    .innerJoin("deployments", "deployments.id", "deployment_id")
    .select(["deployment_id", "account", "held_raw", "booked_raw", "block_number"])
    .select(["since", "checked_at", "decimals"])
    .orderBy("deployment_id")
    .orderBy("account"),
);
