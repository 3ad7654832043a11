// The statements of the operator's commands about sweeps and what is on its way.

import { sql } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { queries, statement } from "../database/statement.ts";

/** No row: there is no such chain. */
export const orderSweep = statement<AuditValues & { readonly chainId: string; readonly now: Date }>(
  "order_sweep",
)((p) =>
  recordingAudit(
    queries.with(
      "ordered",
      () => sql<{ chain_id: string }>`(
      insert into sweep_orders (chain_id, ordered_at)
      select ${p.chainId}::text, ${p.now}::timestamptz
      where exists (select from deployments d where d.chain_id = ${p.chainId}::text)
      on conflict (chain_id) do update set ordered_at = excluded.ordered_at
      returning chain_id)`,
    ),
    "ordered",
    p,
  )
    .selectFrom("ordered")
    .select("chain_id"),
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
    .select(["last_problem", "created_at"])
    .where("status", "in", ["queued", "broadcast"])
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.rowsMax),
);
