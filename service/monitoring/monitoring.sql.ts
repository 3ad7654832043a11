// The statements of what is open now. None of them looks at what is over: how long they take depends on what waits,
// up to a bound.

import { sql } from "kysely";
import { statement } from "../database/statement.ts";
import type {
  HoldReason,
  OutgoingPurpose,
  OutgoingStatus,
  PaymentStatus,
  WithdrawalStatus,
} from "../database/words.ts";
import type { Environment } from "../owner.ts";

interface ServerRow {
  readonly server_version: string;
  readonly takes_writes: boolean;
  readonly migration: string;
}

export const readServer = statement<object>("read_server")(
  () => sql<ServerRow>`
    select current_setting('server_version') as server_version,
      current_setting('transaction_read_only') = 'off' as takes_writes,
      (select name from schema_migrations order by number desc limit 1) as migration`,
);

interface BoundValues {
  /** of one kind of thing: more are not counted */
  readonly countedMax: number;
}

interface PaymentCountRow {
  readonly environment: Environment;
  readonly status: PaymentStatus;
  /** that it can be paid in; null: in one of several */
  readonly currency_id: string | null;
  readonly count: number;
}

export const countOpenPayments = statement<BoundValues>("count_open_payments")(
  (p) => sql<PaymentCountRow>`
    select environment, status, currency_id, count(*)::integer as count
    from (
      select environment, status,
        case jsonb_array_length(quotes) when 1 then quotes -> 0 ->> 'currencyId' end as currency_id
      from payments
      where status in ('pending', 'authorized', 'partially_paid', 'confirming')
      order by expires_at, id limit ${p.countedMax}::integer
    ) as open
    group by environment, status, currency_id`,
);

interface WithdrawalCountRow {
  readonly environment: Environment;
  readonly status: WithdrawalStatus;
  /** null: it waits for no operator */
  readonly held_because: HoldReason | null;
  readonly count: number;
  readonly oldest: Date;
}

/** Two parts, since each has an index of its own. */
export const countOpenWithdrawals = statement<BoundValues>("count_open_withdrawals")(
  (p) => sql<WithdrawalCountRow>`
    select environment, status, held_because, count(*)::integer as count, min(created_at) as oldest
    from (
      (select environment, status, created_at,
        case when approved_at is null then held_because end as held_because
      from withdrawals where status = 'pending'
      order by created_at, id limit ${p.countedMax}::integer)
      union all
      (select environment, status, created_at, null
      from withdrawals where status in ('processing', 'broadcast')
      order by withdraw_address_id, id limit ${p.countedMax}::integer)
    ) as open
    group by environment, status, held_because`,
);

interface OutgoingCountRow {
  readonly chain_id: string;
  readonly purpose: OutgoingPurpose;
  readonly status: OutgoingStatus;
  readonly count: number;
  readonly oldest: Date;
}

/** What waits to be signed, and what is sent and not final. */
export const countOpenOutgoing = statement<BoundValues>("count_open_outgoing")(
  (p) => sql<OutgoingCountRow>`
    select chain_id, purpose, status, count(*)::integer as count, min(created_at) as oldest
    from (
      select chain_id, purpose, status, created_at from outgoing_transactions
      where status in ('queued', 'broadcast')
      order by created_at, id limit ${p.countedMax}::integer
    ) as open
    group by chain_id, purpose, status`,
);

interface DeliveryCountRow {
  readonly pending: number;
  /** when the first that may be sent was to be tried; null: there is none */
  readonly due_since: Date | null;
}

/**
 * The index has the deliveries of each endpoint by their time: one step in it for each. What waits for its endpoint to
 * be switched on again is due for nobody.
 */
export const countPendingDeliveries = statement<BoundValues & { readonly endpointsMax: number }>(
  "count_pending_deliveries",
)(
  (p) => sql<DeliveryCountRow>`
    with recursive first as (
      (select endpoint_id, generation, next_attempt_at from webhook_deliveries
        where status = 'pending' order by endpoint_id, generation, next_attempt_at limit 1)
      union all
      select next.endpoint_id, next.generation, next.next_attempt_at
      from first cross join lateral (
        select d.endpoint_id, d.generation, d.next_attempt_at from webhook_deliveries d
        where d.status = 'pending'
          and (d.endpoint_id, d.generation) > (first.endpoint_id, first.generation)
        order by d.endpoint_id, d.generation, d.next_attempt_at limit 1
      ) as next
    )
    select
      (select count(*)::integer from (
        select from webhook_deliveries where status = 'pending'
        order by endpoint_id, generation, next_attempt_at limit ${p.countedMax}::integer
      ) as pending) as pending,
      (select min(some_first.next_attempt_at) from (
        select * from first limit ${p.endpointsMax}::integer
      ) as some_first
      join webhook_endpoints e on e.id = some_first.endpoint_id
        and e.generation = some_first.generation and e.active) as due_since`,
);

interface EndpointsOffRow {
  readonly reason: "merchant" | "gone" | "failing";
  readonly count: number;
}

/** Of those that are switched off, by why. */
export const countEndpointsOff = statement<BoundValues>("count_endpoints_off")(
  (p) => sql<EndpointsOffRow>`
    select inactive_reason as reason, count(*)::integer as count
    from (
      select inactive_reason from webhook_endpoints
      where not active limit ${p.countedMax}::integer
    ) as off
    group by inactive_reason`,
);

interface AttentionRow {
  readonly suspense_items: number;
  /** null: there is none */
  readonly suspense_since: Date | null;
  readonly stopped_chain_ids: readonly string[];
  readonly payment_troubles: number;
  readonly account_differences: number;
}

/** What waits for a person. */
export const countAttention = statement<BoundValues>("count_attention")(
  (p) => sql<AttentionRow>`
    select suspense.count as suspense_items, suspense.since as suspense_since,
      array(select chain_id from withdrawal_stops order by chain_id) as stopped_chain_ids,
      (select count(*)::integer from (
        select from payment_troubles limit ${p.countedMax}::integer
      ) as counted) as payment_troubles,
      (select count(*)::integer from account_differences where told_raw is not null)
        as account_differences
    from (
      select count(*)::integer as count, min(block_time) as since
      from (
        select block_time from deposits
        where unmatched_raw > 0 and bookings > reversals and suspense_exit_id is null
        order by block_time, tx_hash, log_index limit ${p.countedMax}::integer
      ) as counted
    ) as suspense`,
);
