// The statements of what the queue does with withdrawals: which may leave, and each step that one
// takes together with its transaction.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import { recordingPostings } from "../ledger/ledger.sql.ts";
import type { LedgerValues } from "../ledger/ledger.sql.ts";
import { anyOf } from "../database/row-source.ts";
import { effectWith, queries, statement } from "../database/statement.ts";
import { isNotPayable } from "./own-accounts.sql.ts";
import { isReachable, waitOf } from "./reachable.sql.ts";
import { rejecting, withdrawalColumns } from "./withdrawals.sql.ts";
import type { RejectionValues } from "./withdrawals.sql.ts";

/**
 * The deployment `d` is worth, unit by unit, what that of the withdrawal `w` is. Test keys have both: coins of a test
 * network, which everybody gets for nothing, secure no debt in real ones, and a debt in them holds back none of these.
 */
const isOfSameWorth: RawBuilder<boolean> = sql<boolean>`(d.currency_id = w.currency_id
  and d.is_test_network = (select own.is_test_network from deployments own where own.id = w.deployment_id))`;

/**
 * Whether what stays behind is worth what the merchant owes: what is available, and what other
 * withdrawals have set aside that nobody has claimed. Our choice: units of one currency are worth the
 * same on every chain of its kind of network; nobody has said what another currency is worth, so its debt holds nothing back.
 * While two are being signed neither counts for the other. (1e-n is exact, a division need not be.)
 */
const coversDebt: RawBuilder<boolean> = sql<boolean>`(
  not exists (select from ledger_accounts debt
    join deployments d on d.id = debt.deployment_id and ${isOfSameWorth}
    where debt.merchant_id = w.merchant_id and debt.environment = w.environment
      and debt.kind = 'merchant:debt' and debt.balance > 0)
  or (select coalesce(sum(stays.raw * ('1e-' || d.decimals)::numeric), 0) >= 0
    from (
      select a.deployment_id,
        case a.kind when 'merchant:debt' then -a.balance else a.balance end as raw
      from ledger_accounts a
      where a.merchant_id = w.merchant_id and a.environment = w.environment
        and a.kind in ('merchant:debt', 'merchant:available')
      union all
      select o.deployment_id, o.send_amount_raw + o.fee_raw
      from withdrawals o
      where o.merchant_id = w.merchant_id and o.environment = w.environment
        and o.status = 'pending' and o.id <> w.id
    ) stays
    join deployments d on d.id = stays.deployment_id and ${isOfSameWorth}))`;

/**
 * Whether money of the withdrawal `w` may leave now; asked again when it is claimed and signed. What
 * an operator has stopped is held back by the queue itself.
 */
const isFree: RawBuilder<boolean> = sql<boolean>`(
  not exists (select from deployment_freezes f where f.deployment_id = w.deployment_id)
  and ${coversDebt}
  and exists (select from deployments d where d.id = w.deployment_id and d.withdrawal_enabled)
  and exists (select from merchants m where m.id = w.merchant_id and m.status = 'active')
  and exists (select from withdraw_addresses a
    where a.id = w.withdraw_address_id and a.disabled_at is null
      and not ${isNotPayable("a")}))`;

/** Nobody has to approve it any more. */
const isAllowed: RawBuilder<boolean> = sql<boolean>`
  (w.held_because is null or w.approved_at is not null)`;

/** May be sent from the account, and does not wait for that in the queue; the oldest first. */
export const listToQueue = statement<{
  readonly chainId: string;
  readonly account: string;
  readonly now: Date;
  readonly rowsMax: number;
}>("list_withdrawals_to_queue")((p) =>
  queries
    .selectFrom("withdrawals as w")
    .select(["w.id", "w.deployment_id", "w.address", "w.contract_address", "w.send_amount_raw"])
    .select(sql<Date>`coalesce(w.approved_at, w.created_at)`.as("since"))
    .where("w.chain_id", "=", p.chainId)
    .where("w.status", "=", "pending")
    .where(isAllowed)
    .where(isFree)
    .where(isReachable(p.now))
    .where(
      sql<boolean>`not exists (select from outgoing_transactions o
        where o.purpose = 'withdrawal' and o.subject_id = w.id
          and o.status = 'queued' and o.account = ${p.account}::text)`,
    )
    .orderBy("w.created_at")
    .orderBy("w.id")
    .limit(p.rowsMax),
);

function queuedWithoutNonce(p: { readonly chainId: string }) {
  return queries
    .selectFrom("outgoing_transactions as o")
    .innerJoin("withdrawals as w", "w.id", "o.subject_id")
    .select("w.id")
    .where("o.chain_id", "=", p.chainId)
    .where("o.purpose", "=", "withdrawal")
    .where("o.status", "=", "queued")
    .where("o.reserved_nonce", "is", null);
}

/** In the queue, without a nonce, and may not be sent: cancelled, rejected, or held back by now. */
export const listQueuedInVain = statement<{
  readonly chainId: string;
  readonly now: Date;
  readonly rowsMax: number;
}>("list_withdrawals_queued_in_vain")((p) =>
  queuedWithoutNonce(p)
    .where(sql<boolean>`not (w.status = 'pending' and ${isFree} and ${isReachable(p.now)})`)
    .limit(p.rowsMax),
);

/** What the merchants of these have in the queue of the chain, without a nonce, the oldest first. */
export const listQueuedBeside = statement<{
  readonly chainId: string;
  readonly ids: readonly string[];
  readonly rowsMax: number;
}>("list_queued_withdrawals_beside")((p) =>
  queuedWithoutNonce(p)
    .where(
      sql<boolean>`w.merchant_id in (
        select one.merchant_id from withdrawals one where one.id = ${anyOf(p.ids)})`,
    )
    .orderBy("o.created_at")
    .orderBy("o.id")
    .limit(p.rowsMax),
);

/** Whether what was claimed may still be sent. */
export const readIsFree = statement<{ readonly id: string }>("read_withdrawal_is_free")((p) =>
  queries.selectFrom("withdrawals as w").select(isFree.as("is_free")).where("w.id", "=", p.id),
);

export const readSent = statement<{ readonly id: string }>("read_sent_withdrawal")((p) =>
  queries
    .selectFrom("withdrawals")
    .select([...withdrawalColumns, "decided_as"])
    .where("id", "=", p.id),
);

interface StepValues {
  readonly id: string;
  readonly now: Date;
}

/** One of the two, this or a cancellation: whoever has the row first. No row: it may not be sent. */
export const claimWithdrawal = statement<StepValues & EventValues>("claim_withdrawal")((p) =>
  effectWith(recordingEvent, p)("claimed", (q) =>
    q
      .updateTable("withdrawals as w")
      .set({ status: "processing", updated_at: p.now })
      .where("w.id", "=", p.id)
      .where("w.status", "=", "pending")
      .where(isAllowed)
      .where(isFree)
      .where(isReachable(p.now))
      .returning("w.id"),
  ).select("id"),
);

/** Back to `pending`. The database refuses it while it has a nonce, and once anything was stored. */
export const unclaimWithdrawal = statement<StepValues>("unclaim_withdrawal")((p) =>
  queries
    .updateTable("withdrawals")
    .set({ status: "pending", updated_at: p.now })
    .where("id", "=", p.id)
    .where("status", "=", "processing")
    .returning("id"),
);

interface SignedValues extends StepValues {
  readonly txHash: string;
}

/** The first that was signed for it is stored. No row: its money may no longer leave. */
export const broadcastWithdrawal = statement<
  SignedValues & EventValues & { readonly sendsNothing: boolean }
>("broadcast_withdrawal")((p) =>
  effectWith(recordingEvent, p)("changed", (q) =>
    q
      .updateTable("withdrawals as w")
      .set({ status: "broadcast", tx_hash: p.txHash, updated_at: p.now })
      .where("w.id", "=", p.id)
      .where("w.status", "=", "processing")
      .where(sql<boolean>`(${p.sendsNothing}::boolean or ${isFree})`)
      .returning("w.id"),
  ).select("id"),
);

/** A further transaction of the same nonce is stored. */
export const replaceTransaction = statement<SignedValues>("replace_withdrawal_transaction")((p) =>
  queries
    .updateTable("withdrawals")
    .set({ tx_hash: p.txHash, updated_at: p.now })
    .where("id", "=", p.id)
    .where("status", "=", "broadcast")
    .returning("id"),
);

/** It would take more gas than we give it. No row: it is not pending. */
export const rejectCostlyWithdrawal = statement<RejectionValues>("reject_costly_withdrawal")((p) =>
  rejecting(p).selectFrom("rejected").select("id"),
);

/** The end of what was broadcast, with its money and its event, and what it means for its address. */
export const endWithdrawal = statement<
  StepValues &
    EventValues &
    LedgerValues & {
      readonly status: "confirmed" | "failed";
      readonly txHash: string | null;
      readonly reason: string | null;
      /** It was mined, at our cost, and moved nothing. */
      readonly isForNothing: boolean;
    }
>("end_withdrawal")((p) => {
  const count = sql<number>`a.reverted_count`;
  // A token says nothing of what its recipient does with coin.
  const proves = sql<boolean>`(${p.status}::text = 'confirmed' and ended.contract_address is null)`;
  const ended = queries
    .with("ended", (q) =>
      q
        .updateTable("withdrawals")
        .set({ status: p.status, reason: p.reason, tx_hash: p.txHash, updated_at: p.now })
        .where("id", "=", p.id)
        .where("status", "=", "broadcast")
        .returning(["id", "withdraw_address_id", "contract_address"]),
    )
    .with("failing_address", (q) =>
      q
        .updateTable("withdraw_addresses as a")
        .from("ended")
        .set({
          is_proven: sql<boolean>`a.is_proven or ${proves}`,
          reverted_count: sql<number>`case when ${p.isForNothing}::boolean then ${count} + 1 else 0 end`,
          waits_until: sql<Date | null>`case when ${p.isForNothing}::boolean
            then ${p.now}::timestamptz + ${waitOf(count)} end`,
        })
        .whereRef("a.id", "=", "ended.withdraw_address_id")
        .where(
          sql<boolean>`(${p.isForNothing}::boolean
            or ${p.status}::text = 'confirmed' and ${count} > 0 or ${proves} and not a.is_proven)`,
        ),
    );
  return recordingEvent(recordingPostings(ended, "ended", p), "ended", p)
    .selectFrom("ended")
    .select("id");
});
