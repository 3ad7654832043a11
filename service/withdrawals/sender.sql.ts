// The statements of the sender of withdrawals: claiming, and storing what was signed.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import { leased } from "../sending/accounts.sql.ts";
import type { AccountValues, LeaseValues } from "../sending/accounts.sql.ts";
import { queries, statement } from "../database/statement.ts";
import { withdrawalColumns } from "./withdrawals.sql.ts";

/**
 * What was signed and is not mined, as far as the count says, with its newest transaction. One that
 * has ended is among them only if the chain took back a block that was final.
 */
export const listUnmined = statement<
  AccountValues & { readonly minedCount: bigint; readonly rowsMax: number }
>("list_unmined_withdrawals")((p) =>
  queries
    .selectFrom("sender_nonces as n")
    .innerJoin("withdrawals as w", "w.id", "n.subject_id")
    .innerJoinLateral(
      (q) =>
        q
          .selectFrom("withdrawal_attempts")
          .selectAll()
          .whereRef("withdrawal_id", "=", "w.id")
          .orderBy("attempt", "desc")
          .limit(sql.lit(1))
          .as("a"),
      (join) => join.onTrue(),
    )
    .select(["w.id", "w.status", "w.address", "w.contract_address", "w.send_amount_raw", "n.nonce"])
    .select("w.sends_nothing")
    .select(["a.attempt", "a.raw", "a.max_fee_per_gas", "a.max_priority_fee_per_gas"])
    .select(["a.signed_at_block", "a.sent_at"])
    .where("n.chain_id", "=", p.chainId)
    .where("n.account", "=", p.account)
    .where("n.subject_type", "=", "withdrawal")
    .where("n.nonce", ">=", p.minedCount)
    .orderBy("n.nonce")
    .limit(p.rowsMax),
);

const isStopped: RawBuilder<boolean> = sql<boolean>`
  exists (select from withdrawal_stops s where s.chain_id in ('*', w.chain_id))`;

/** Whether money of the withdrawal `w` may leave now; asked again when it is claimed and signed. */
const isFree: RawBuilder<boolean> = sql<boolean>`(
  not ${isStopped}
  and not exists (select from deployment_freezes f where f.deployment_id = w.deployment_id)
  and not exists (select from ledger_accounts debt
    where debt.merchant_id = w.merchant_id and debt.environment = w.environment
      and debt.kind = 'merchant:debt' and debt.balance > 0)
  and exists (select from deployments d where d.id = w.deployment_id and d.withdrawal_enabled)
  and exists (select from merchants m where m.id = w.merchant_id and m.status = 'active')
  and exists (select from withdraw_addresses a
    where a.id = w.withdraw_address_id and a.disabled_at is null))`;

/** Nobody has to approve it any more. */
const isAllowed: RawBuilder<boolean> = sql<boolean>`(held_because is null or approved_at is not null)`;

const toSend = [...withdrawalColumns, "address", "contract_address", "created_at"] as const;

/** The oldest first. */
export const listClaimable = statement<{
  readonly chainId: string;
  readonly now: Date;
  readonly rowsMax: number;
}>("list_claimable_withdrawals")((p) =>
  queries
    .selectFrom("withdrawals as w")
    .select(toSend)
    .where("chain_id", "=", p.chainId)
    .where("status", "=", "pending")
    .where("not_before", "<=", p.now)
    .where(isAllowed)
    .where(isFree)
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.rowsMax),
);

/** Claimed, and nothing stored that was signed: whoever claimed it with this account is gone. */
export const listProcessing = statement<AccountValues & { readonly rowsMax: number }>(
  "list_processing_withdrawals",
)((p) =>
  queries
    .selectFrom("withdrawals as w")
    .select(toSend)
    .select(["reserved_nonce", "sends_nothing", isStopped.as("is_stopped"), isFree.as("is_free")])
    .where("chain_id", "=", p.chainId)
    .where("status", "=", "processing")
    .where((e) => e.or([e("reserved_account", "=", p.account), e("reserved_account", "is", null)]))
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.rowsMax),
);

interface StepValues {
  readonly id: string;
  readonly now: Date;
}

interface ReservedValues extends StepValues, LeaseValues {
  readonly nonce: bigint;
}

/**
 * One of the two, this or a cancellation: whoever has the row first. From here on it is signed with
 * this number or not at all. No row: not ours, or the lease is lost.
 */
export const claimWithdrawal = statement<ReservedValues & EventValues>("claim_withdrawal")((p) =>
  recordingEvent(
    leased(p)
      .with("current", (q) =>
        q
          .selectFrom("withdrawals as w")
          .select("id")
          .where("id", "=", p.id)
          .where("status", "=", "pending")
          .where(isAllowed)
          .where(isFree)
          .forNoKeyUpdate()
          .skipLocked(),
      )
      .with("claimed", (q) =>
        q
          .updateTable("withdrawals")
          .set({
            status: "processing",
            reserved_account: p.account,
            reserved_nonce: p.nonce,
            updated_at: p.now,
          })
          .where("id", "=", p.id)
          .where("status", "=", "pending")
          .where(sql<boolean>`exists (select from current)`)
          .where(sql<boolean>`exists (select from account)`)
          .returning("id"),
      ),
    "claimed",
    p,
  )
    .selectFrom("claimed")
    .select("id"),
);

/** It cannot be sent now: others go first, and this one is looked at again later. */
export const deferWithdrawal = statement<{ readonly id: string; readonly notBefore: Date }>(
  "defer_withdrawal",
)((p) =>
  queries
    .updateTable("withdrawals")
    .set({ not_before: p.notBefore })
    .where("id", "=", p.id)
    .where("status", "=", "pending"),
);

/**
 * Back to `pending`, without its number: for whoever knows that nothing was signed with that, or that
 * it can never be mined. The database refuses it if anything was stored.
 */
export const unclaimWithdrawal = statement<
  StepValues & LeaseValues & { readonly nonce: bigint | null; readonly notBefore: Date }
>("unclaim_withdrawal")((p) =>
  leased(p)
    .with("unclaimed", (q) =>
      q
        .updateTable("withdrawals")
        .set({
          status: "pending",
          reserved_account: null,
          reserved_nonce: null,
          sends_nothing: false,
          not_before: p.notBefore,
          updated_at: p.now,
        })
        .where("id", "=", p.id)
        .where("status", "=", "processing")
        .where(sql<boolean>`reserved_nonce is not distinct from ${p.nonce}::bigint`)
        .where(sql<boolean>`exists (select from account)`)
        .returning("id"),
    )
    .selectFrom("unclaimed")
    .select("id"),
);

/** Its number is used for nothing, for good: decided before that is signed. No row: the lease is lost. */
export const emptyWithdrawal = statement<ReservedValues>("empty_withdrawal")((p) =>
  leased(p)
    .with("emptied", (q) =>
      q
        .updateTable("withdrawals")
        .set({ sends_nothing: true, updated_at: p.now })
        .where("id", "=", p.id)
        .where("status", "=", "processing")
        .where("reserved_account", "=", p.account)
        .where("reserved_nonce", "=", p.nonce)
        .where(sql<boolean>`exists (select from account)`)
        .returning("id"),
    )
    .selectFrom("emptied")
    .select("id"),
);

export interface SignedValues extends StepValues, LeaseValues {
  readonly attempt: number;
  readonly txHash: string;
  readonly raw: Uint8Array;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly signedAtBlock: bigint;
}

function attemptOf(p: SignedValues, condition: RawBuilder<unknown>) {
  return sql<{ attempt: number }>`(
    insert into withdrawal_attempts (
      withdrawal_id, attempt, tx_hash, raw, max_fee_per_gas, max_priority_fee_per_gas,
      signed_at_block, signed_at
    )
    select ${p.id}::text, ${p.attempt}::integer, ${p.txHash}::text, ${p.raw}::bytea,
      ${p.maxFeePerGas}::numeric, ${p.maxPriorityFeePerGas}::numeric,
      ${p.signedAtBlock}::bigint, ${p.now}::timestamptz
    ${condition}
    returning attempt)`;
}

/**
 * The number, the bytes and the state in one commit, before anybody sees the bytes. No row: the lease
 * is lost, or the money may no longer leave; then the bytes must be forgotten, and the number is still
 * the withdrawal's.
 */
export const storeSigned = statement<
  SignedValues & EventValues & { readonly nonce: bigint; readonly sendsNothing: boolean }
>("store_signed_withdrawal")((p) =>
  recordingEvent(
    leased(p)
      .with("changed", (q) =>
        q
          .updateTable("withdrawals as w")
          .set({ status: "broadcast", tx_hash: p.txHash, updated_at: p.now })
          .where("id", "=", p.id)
          .where("status", "=", "processing")
          .where("reserved_account", "=", p.account)
          .where("reserved_nonce", "=", p.nonce)
          .where(sql<boolean>`w.sends_nothing = ${p.sendsNothing}::boolean`)
          .where(sql<boolean>`(w.sends_nothing or ${isFree})`)
          .where(sql<boolean>`exists (select from account)`)
          .returning("id"),
      )
      .with(
        "nonce",
        () => sql<{ nonce: bigint }>`(
        insert into sender_nonces (chain_id, account, nonce, subject_type, subject_id, created_at)
        select account.chain_id, account.account, ${p.nonce}::bigint, 'withdrawal', changed.id,
          ${p.now}::timestamptz
        from account, changed
        returning nonce)`,
      )
      .with("attempt", () => attemptOf(p, sql`from changed`)),
    "changed",
    p,
  )
    .selectFrom("changed")
    .select("id"),
);

/** A further transaction of the same number. No row: the lease is lost, or it is decided already. */
export const storeReplacement = statement<SignedValues>("store_replacing_transaction")((p) =>
  leased(p)
    .with("changed", (q) =>
      q
        .updateTable("withdrawals")
        .set({ tx_hash: p.txHash, updated_at: p.now })
        .where("id", "=", p.id)
        .where("status", "=", "broadcast")
        .where(sql<boolean>`exists (select from account)`)
        .returning("id"),
    )
    .with("attempt", () => attemptOf(p, sql`from changed`))
    .selectFrom("changed")
    .select("id"),
);

export const markSent = statement<StepValues & { readonly attempt: number }>(
  "mark_withdrawal_sent",
  { isDurable: false },
)((p) =>
  queries
    .updateTable("withdrawal_attempts")
    .set({ sent_at: p.now })
    .where("withdrawal_id", "=", p.id)
    .where("attempt", "=", p.attempt),
);
