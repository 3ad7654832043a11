// The statements of what is in suspense: money that waits for somebody's decision.

import { sql } from "kysely";
import { sentBackBefore } from "../chains/unmatched.sql.ts";
import type { DepositPlace } from "../chains/unmatched.sql.ts";
import { queries, statement } from "../database/statement.ts";
import type { ChainFamily, OutgoingStatus, PaymentStatus } from "../database/words.ts";
import type { Environment } from "../owner.ts";

export interface ItemRow {
  readonly chain_id: string;
  /** of a deposit, with the next two; null: of a refund */
  readonly tx_hash: string | null;
  readonly log_index: number | null;
  readonly booking: number | null;
  readonly source: "address" | "x402" | "settlement" | null;
  /** of a refund */
  readonly settlement_id: string | null;
  readonly release_status: OutgoingStatus | null;
  readonly deployment_id: string;
  readonly chain_family: ChainFamily;
  readonly is_test_network: boolean;
  readonly decimals: number;
  readonly amount_raw: string;
  /** null: the chain does not say */
  readonly sender: string | null;
  readonly since: Date;
  readonly payment_id: string | null;
  readonly payment_status: PaymentStatus | null;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
}

const ofDeployment = sql`m.chain_family, m.is_test_network, m.decimals`;
const ofPayment = sql`p.id as payment_id, p.status as payment_status, p.merchant_id, p.environment`;

const depositItem = sql`
  d.chain_id, d.tx_hash, d.log_index, d.bookings as booking, d.source, null::text as settlement_id,
  null::text as release_status, d.deployment_id, ${ofDeployment},
  d.unmatched_raw::text as amount_raw, d.sender, d.block_time as since, ${ofPayment}
  from deposits d
  join deployments m on m.id = d.deployment_id
  left join payments p on p.id = d.payment_id`;

const refundItem = sql`
  s.chain_id, null::text as tx_hash, null::integer as log_index, null::integer as booking,
  null::text as source, s.id as settlement_id, o.status as release_status, s.deployment_id,
  ${ofDeployment}, s.refund_raw::text as amount_raw, s.payer as sender, s.created_at as since,
  ${ofPayment}
  from x402_settlements s
  join deployments m on m.id = s.deployment_id
  join payments p on p.id = s.payment_id
  join outgoing_transactions o on o.purpose = 'x402_release' and o.subject_id = s.id`;

/**
 * Due, and its payer has not got it; where it is being sent, the chain decides. Not while a
 * reorganisation has taken what it is a part of.
 */
const isDue = sql<boolean>`(s.refund_raw > 0 and s.released_at is null and o.status <> 'broadcast'
  and exists (select from deposits d where d.settlement_id = s.id and d.source = 'x402'
    and d.bookings > d.reversals)
  and not exists (select from suspense_exits e
    where e.settlement_id = s.id and e.status <> 'failed'))`;

const isUntouched = sql<boolean>`(d.unmatched_raw > 0 and d.bookings > d.reversals
  and d.suspense_exit_id is null)`;

interface ListValues {
  /** null: of all */
  readonly merchantId: string | null;
  readonly paymentId: string | null;
  readonly deploymentId: string | null;
  /** of the item that these come after; null: from the oldest on */
  readonly afterSince: Date | null;
  readonly afterItem: string;
  readonly rowsMax: number;
}

/** As `SuspenseItem.id`. */
const itemName = sql`coalesce(item.settlement_id,
  item.chain_id || '/' || item.tx_hash || '/' || item.log_index) collate "C"`;

function isWanted(p: ListValues) {
  return sql<boolean>`((${p.merchantId}::text is null or item.merchant_id = ${p.merchantId}::text)
    and (${p.paymentId}::text is null or item.payment_id = ${p.paymentId}::text)
    and (${p.deploymentId}::text is null or item.deployment_id = ${p.deploymentId}::text)
    and (${p.afterSince}::timestamptz is null
      or (item.since, ${itemName}) > (${p.afterSince}::timestamptz, ${p.afterItem}::text)))`;
}

/**
 * The oldest first. A release is one of them when it has ended without its end, or when it cannot be
 * sent: nothing has a nonce for it, and something has kept it.
 */
export const listSuspenseItems = statement<ListValues>("list_suspense_items")(
  (p) => sql<ItemRow>`
    select * from (
      select ${depositItem} where ${isUntouched} and d.status <> 'orphaned'
      union all
      select ${refundItem} where ${isDue}
        and (o.status <> 'queued' or o.reserved_nonce is null and o.last_problem is not null)
    ) as item
    where ${isWanted(p)}
    order by item.since, ${itemName}
    limit ${p.rowsMax}::integer`,
);

/** Since when it waits, or has waited. */
export const findItemSince = statement<{ readonly item: string }>("find_item_since")(
  (p) => sql<{ since: Date }>`
    select block_time as since from deposits
    where chain_id || '/' || tx_hash || '/' || log_index = ${p.item}::text
      and chain_id = split_part(${p.item}::text, '/', 1)
      and tx_hash = split_part(${p.item}::text, '/', 2)
    union all
    select created_at as since from x402_settlements where id = ${p.item}::text`,
);

export const findDepositPayment = statement<DepositPlace>("find_deposit_payment")((p) =>
  queries
    .selectFrom("deposits")
    .select(["payment_id", "suspense_exit_id"])
    .where("chain_id", "=", p.chainId)
    .where("tx_hash", "=", p.txHash)
    .where("log_index", "=", p.logIndex),
);

export const findSettlementPayment = statement<{ readonly settlementId: string }>(
  "find_settlement_payment",
)((p) =>
  queries.selectFrom("x402_settlements").select("payment_id").where("id", "=", p.settlementId),
);

/** First of all that is locked here, since whoever takes back a deposit has it, too. */
export const lockItemPayment = statement<{ readonly id: string }>("lock_item_payment")((p) =>
  queries.selectFrom("payments").select("id").where("id", "=", p.id).forNoKeyUpdate(),
);

/** Final, and in suspense; the row stays as it is until the end of the transaction. */
export const lockDepositItem = statement<DepositPlace>("lock_deposit_item")(
  (p) => sql<ItemRow>`
    select ${depositItem}
    where d.chain_id = ${p.chainId}::text and d.tx_hash = ${p.txHash}::text
      and d.log_index = ${p.logIndex}::integer and d.status = 'final' and ${isUntouched}
    for no key update of d`,
);

/** Two of them at once are told apart by `suspense_exits_settlement_once`. */
export const lockRefundItem = statement<{ readonly settlementId: string }>("lock_refund_item")(
  (p) => sql<ItemRow>`
    select ${refundItem} where s.id = ${p.settlementId}::text and ${isDue}
    for no key update of s`,
);

/** What was sent back for the same transfer before a reorganisation took it away. */
export const findSentBefore = statement<DepositPlace>("find_sent_before")(
  (p) => sql<{ id: string | null }>`
    select ${sentBackBefore} as id from deposits d
    where d.chain_id = ${p.chainId}::text and d.tx_hash = ${p.txHash}::text
      and d.log_index = ${p.logIndex}::integer`,
);
