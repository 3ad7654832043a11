// The statements of what the queue does with money that is sent back.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { statement } from "../database/statement.ts";
import { isNotPayable } from "../withdrawals/own-accounts.sql.ts";

/** The deposit of the way out `e`, as it was when it was taken out. */
const booked: RawBuilder<unknown> = sql`
  select from deposits d
  where d.chain_id = e.chain_id and d.tx_hash = e.tx_hash and d.log_index = e.log_index
    and d.suspense_exit_id = e.id and d.bookings > d.reversals`;

/** Of the settlement of the way out `e`, while its money is in the books. */
const isBacked: RawBuilder<boolean> = sql<boolean>`exists (
  select from deposits d where d.settlement_id = e.settlement_id and d.source = 'x402'
    and d.bookings > d.reversals and d.status = 'final')`;

const isPayable: RawBuilder<boolean> = sql<boolean>`not exists (
  select from (select e.address, m.chain_family) as wanted where ${isNotPayable("wanted")})`;

/** Whether its money may leave: nothing takes its deposit back, and where to is no account of ours. */
const isFree: RawBuilder<boolean> = sql<boolean>`(e.status = 'waiting' and ${isPayable}
  and (e.settlement_id is not null and ${isBacked}
    or exists (${booked} and d.status = 'final')))`;

/** Whether it never may. */
const isVain: RawBuilder<boolean> = sql<boolean>`(e.status = 'waiting' and (not ${isPayable}
  or e.settlement_id is null and not exists (${booked})
  or e.settlement_id is not null and not ${isBacked}))`;

const fromExits = sql`from suspense_exits e join deployments m on m.id = e.deployment_id`;

export const readRefundIsFree = statement<{ readonly id: string }>("read_refund_is_free")(
  (p) => sql<{ is_free: boolean }>`
    select ${isFree} as is_free ${fromExits} where e.id = ${p.id}::text`,
);

interface ChainValues {
  readonly chainId: string;
  readonly rowsMax: number;
}

interface ToQueueRow {
  readonly id: string;
  readonly deployment_id: string;
  readonly contract_address: string | null;
  readonly amount_raw: string;
  readonly address: string;
  readonly signs_as: "hot" | "settlement";
  readonly created_at: Date;
}

/** May be sent, and does not wait for that in the queue of the account that its role has now. */
export const listRefundsToQueue = statement<
  ChainValues & { readonly hot: string; readonly settlement: string }
>("list_refunds_to_queue")(
  (p) => sql<ToQueueRow>`
    select e.id, e.deployment_id, m.contract_address, e.amount_raw::text, e.address, e.signs_as,
      e.created_at
    ${fromExits}
    where e.chain_id = ${p.chainId}::text and ${isFree}
      and not exists (select from outgoing_transactions o
        where o.purpose = 'refund' and o.subject_id = e.id
          and (o.status not in ('queued', 'withdrawn') or o.reserved_nonce is not null
            or o.status = 'queued' and o.account =
              case e.signs_as when 'hot' then ${p.hot}::text else ${p.settlement}::text end))
    order by e.created_at, e.id
    limit ${p.rowsMax}::integer`,
);

/** Wait to be sent, have no nonce, and may not leave any more. */
export const listRefundsInVain = statement<ChainValues>("list_refunds_in_vain")(
  (p) => sql<{ id: string }>`
    select e.id ${fromExits}
    where e.chain_id = ${p.chainId}::text and ${isVain}
      and not exists (select from outgoing_transactions o
        where o.purpose = 'refund' and o.subject_id = e.id
          and (o.status not in ('queued', 'withdrawn') or o.reserved_nonce is not null))
    order by e.created_at, e.id
    limit ${p.rowsMax}::integer`,
);

/** Wait in the queue without a nonce, and nobody wants them any more. */
export const listEndedQueuedRefunds = statement<ChainValues>("list_ended_queued_refunds")(
  (p) => sql<{ id: string }>`
    select e.id from outgoing_transactions o join suspense_exits e on e.id = o.subject_id
    where o.chain_id = ${p.chainId}::text and o.purpose = 'refund' and o.status = 'queued'
      and o.reserved_nonce is null and e.status <> 'waiting'
    order by e.created_at, e.id
    limit ${p.rowsMax}::integer`,
);

interface GoneRow {
  readonly id: string;
  readonly chain_id: string;
  /** null: of a refund */
  readonly tx_hash: string | null;
  readonly settlement_id: string | null;
  readonly deployment_id: string;
  readonly amount_raw: string;
  readonly way: string;
  readonly updated_at: Date;
}

/** The chain has taken back what was taken out of suspense, and nobody was told. */
export const listGoneExits = statement<{ readonly rowsMax: number }>("list_gone_exits")(
  (p) => sql<GoneRow>`
    select e.id, e.chain_id, e.tx_hash, e.settlement_id, e.deployment_id, e.amount_raw::text, e.way,
      e.updated_at
    from suspense_exits e
    left join deposits d on d.chain_id = e.chain_id and d.tx_hash = e.tx_hash
      and d.log_index = e.log_index
    where e.status <> 'failed' and e.told_gone_at is null
      and (e.booking <= d.reversals or e.settlement_id is not null and not ${isBacked})
    order by e.created_at, e.id
    limit ${p.rowsMax}::integer`,
);

export const markGoneTold = statement<{ readonly id: string; readonly now: Date }>(
  "mark_gone_told",
)(
  (p) => sql<{ id: string }>`
    update suspense_exits set told_gone_at = ${p.now}::timestamptz
    where id = ${p.id}::text and told_gone_at is null
    returning id`,
);
