// The steps of a withdrawal that was sent before this database could store it. Whether its money may leave is
// not asked: it has left.

import { sql } from "kysely";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import { effectWith, queries, statement } from "../database/statement.ts";
import { withdrawalColumns } from "./withdrawals.sql.ts";

/** With what is sent, and since when it might have been. */
export const readForgottenWithdrawal = statement<{ readonly id: string }>(
  "read_forgotten_withdrawal",
)((p) =>
  queries
    .selectFrom("withdrawals")
    .select([...withdrawalColumns, "address", "contract_address"])
    .select(sql<Date>`coalesce(approved_at, created_at)`.as("since"))
    .where("id", "=", p.id),
);

interface StepValues extends EventValues {
  readonly id: string;
  readonly now: Date;
}

/** No row: it is not pending. */
export const claimForgottenWithdrawal = statement<StepValues>("claim_forgotten_withdrawal")((p) =>
  effectWith(recordingEvent, p)("claimed", (q) =>
    q
      .updateTable("withdrawals")
      .set({ status: "processing", updated_at: p.now })
      .where("id", "=", p.id)
      .where("status", "=", "pending")
      .returning("id"),
  ).select("id"),
);

/** No row: it is not being processed. */
export const broadcastForgottenWithdrawal = statement<StepValues & { readonly txHash: string }>(
  "broadcast_forgotten_withdrawal",
)((p) =>
  effectWith(recordingEvent, p)("changed", (q) =>
    q
      .updateTable("withdrawals")
      .set({ status: "broadcast", tx_hash: p.txHash, updated_at: p.now })
      .where("id", "=", p.id)
      .where("status", "=", "processing")
      .returning("id"),
  ).select("id"),
);

/** One more transaction of it. No row: it has ended. */
export const replaceForgottenTransaction = statement<{
  readonly id: string;
  readonly txHash: string;
  readonly now: Date;
}>("replace_forgotten_transaction")((p) =>
  queries
    .updateTable("withdrawals")
    .set({ tx_hash: p.txHash, decided_as: null, updated_at: p.now })
    .where("id", "=", p.id)
    .where("status", "=", "broadcast")
    .returning("id"),
);

/** That wait, and send as much of the same to the same recipient; the oldest first. */
export const listSameWithdrawals = statement<{ readonly id: string; readonly rowsMax: number }>(
  "list_same_withdrawals",
)((p) =>
  queries
    .selectFrom("withdrawals as w")
    .innerJoin("withdrawals as one", (join) =>
      join
        .onRef("one.deployment_id", "=", "w.deployment_id")
        .onRef("one.address", "=", "w.address")
        .onRef("one.send_amount_raw", "=", "w.send_amount_raw"),
    )
    .select(["w.id", "w.merchant_id", "w.created_at"])
    .where("one.id", "=", p.id)
    .where("w.status", "=", "pending")
    .where("w.id", "<>", p.id)
    .orderBy("w.created_at")
    .orderBy("w.id")
    .limit(p.rowsMax),
);
