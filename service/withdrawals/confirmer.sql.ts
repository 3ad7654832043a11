// The statements of what the chain says about withdrawals that were sent.

import { sql } from "kysely";
import type { RawBuilder, UpdateObject } from "kysely";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import { recordingPostings } from "../ledger/ledger.sql.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import { queries, statement } from "../database/statement.ts";
import type { Tables } from "../database/tables.ts";
import { withdrawalColumns } from "./withdrawals.sql.ts";

/** Everything that is not decided, whoever sent it; who was asked about longest ago comes first. */
export const listBroadcast = statement<{
  readonly chainId: string;
  readonly checkedBefore: Date;
  readonly rowsMax: number;
}>("list_broadcast_withdrawals")((p) =>
  queries
    .selectFrom("withdrawals as w")
    .innerJoin("sender_nonces as n", (join) =>
      join.onRef("n.subject_id", "=", "w.id").on("n.subject_type", "=", "withdrawal"),
    )
    .select(withdrawalColumns.map((column) => `w.${column}` as const))
    .select([
      "w.address",
      "w.contract_address",
      "w.lost_since_block",
      "w.decided_as",
      "w.updated_at",
      "w.sends_nothing",
    ])
    .select(["n.account", "n.nonce"])
    .select(
      sql<readonly string[]>`array(
        select tx_hash from withdrawal_attempts a
        where a.withdrawal_id = w.id order by attempt desc)`.as("tx_hashes"),
    )
    .where("w.chain_id", "=", p.chainId)
    .where("w.status", "=", "broadcast")
    .where((e) => e.or([e("w.checked_at", "is", null), e("w.checked_at", "<=", p.checkedBefore)]))
    .orderBy(sql`w.checked_at nulls first`)
    .orderBy("n.nonce")
    .limit(p.rowsMax),
);

export const markChecked = statement<{
  readonly id: string;
  readonly now: Date;
  readonly lostSinceBlock: bigint | null;
}>("mark_withdrawal_checked")((p) =>
  queries
    .updateTable("withdrawals")
    .set({ checked_at: p.now, lost_since_block: p.lostSinceBlock })
    .where("id", "=", p.id)
    .where("status", "=", "broadcast"),
);

type EndValues = EventValues &
  LedgerValues & { readonly id: string; readonly now: Date; readonly txHash: string | null };

/** The end of what was broadcast, with its money and its event. No row: somebody else was faster. */
function ending(
  p: EndValues,
  columns: UpdateObject<Tables, "withdrawals">,
  condition: RawBuilder<boolean> = sql`true`,
) {
  const ended = queries.with("ended", (q) =>
    q
      .updateTable("withdrawals")
      .set(columns)
      .set({ tx_hash: p.txHash, checked_at: p.now, updated_at: p.now })
      .where("id", "=", p.id)
      .where("status", "=", "broadcast")
      .where(condition)
      .returning("id"),
  );
  return recordingEvent(recordingPostings(ended, "ended", p), "ended", p)
    .selectFrom("ended")
    .select("id");
}

export const confirmWithdrawal = statement<EndValues>("confirm_withdrawal")((p) =>
  ending(p, { status: "confirmed" }),
);

/** No row also if another transaction was signed for it since: nobody has asked about that one yet. */
export const failWithdrawal = statement<
  EndValues & { readonly reason: string; readonly seenTxHash: string | null }
>("fail_withdrawal")((p) =>
  ending(
    p,
    { status: "failed", reason: p.reason },
    sql<boolean>`tx_hash is not distinct from ${p.seenTxHash}::text`,
  ),
);

/** What was signed and is not decided takes this out of the accounts, or has done so already. */
export const sumInFlight = statement<{ readonly deploymentId: string }>(
  "sum_withdrawals_in_flight",
)((p) =>
  queries
    .selectFrom("withdrawals")
    .select(sql<string>`coalesce(sum(send_amount_raw), 0)::text`.as("total_raw"))
    .where("deployment_id", "=", p.deploymentId)
    .where("status", "=", "broadcast")
    .where("sends_nothing", "=", false),
);
