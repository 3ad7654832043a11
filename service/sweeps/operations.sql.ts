// The statements of the operator's commands about sweeps and what is on its way.

import { sql } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { effectWith, queries, statement } from "../database/statement.ts";
import { undecidedPurposes } from "../sending/confirmer.sql.ts";

/** No row: there is no such chain. */
export const orderSweep = statement<AuditValues & { readonly chainId: string; readonly now: Date }>(
  "order_sweep",
)((p) =>
  effectWith(recordingAudit, p)(
    "ordered",
    () => sql<{ chain_id: string }>`(
      insert into sweep_orders (chain_id, ordered_at)
      select ${p.chainId}::text, ${p.now}::timestamptz
      where exists (select from deployments d where d.chain_id = ${p.chainId}::text)
      on conflict (chain_id) do update set ordered_at = excluded.ordered_at
      returning chain_id)`,
  ).select("chain_id"),
);

interface SweepableRow {
  readonly deployment_id: string;
  readonly decimals: number;
  readonly addresses: number;
  readonly raw: string;
}

/** What an order may bring together, by deployment: the same addresses as `listSweepable`, whatever they have. */
export const countSweepable = statement<{ readonly chainId: string }>("count_sweepable")(
  (p) => sql<SweepableRow>`
    select d.deployment_id, m.decimals, count(distinct d.address)::integer as addresses,
      sum(d.amount_raw)::text as raw
    from deposits d
    join payments p on p.id = d.payment_id
    join deployments m on m.id = d.deployment_id
    where d.chain_id = ${p.chainId}::text and d.sweep_id is null and d.source = 'address'
      and d.status = 'final' and d.bookings > d.reversals
      and p.status not in ('pending', 'authorized', 'partially_paid', 'confirming')
      and not exists (
        select from sweeps s
        where s.deployment_id = d.deployment_id and s.address = d.address
          and s.status in ('gas', 'moving'))
    group by d.deployment_id, m.decimals
    order by d.deployment_id`,
);

export const listSweeps = statement<{ readonly rowsMax: number }>("list_sweeps")((p) =>
  queries
    .selectFrom("sweeps")
    .selectAll()
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(p.rowsMax),
);

export const listOpenOutgoing = statement<{ readonly rowsMax: number }>("list_open_outgoing")((p) =>
  queries
    .selectFrom("outgoing_transactions")
    .select(["id", "chain_id", "account", "purpose", "subject_id", "status", "tx_hash"])
    .select(["last_problem", "unmeasured_at", "created_at"])
    .select(
      sql<bigint | null>`(select n.nonce from sender_nonces n
        where n.outgoing_id = outgoing_transactions.id)`.as("nonce"),
    )
    .select((e) =>
      e
        .and([
          e("status", "=", "broadcast"),
          e("unclear_at", "is not", null),
          e("decided_at", "is", null),
          e("purpose", "in", undecidedPurposes),
        ])
        .as("is_undecided"),
    )
    .where("status", "in", ["queued", "broadcast"])
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.rowsMax),
);
