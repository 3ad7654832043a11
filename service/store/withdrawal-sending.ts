// The statements of the sender: the lease of an account, claiming, and storing what was signed.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { recordingAudit } from "./audit.ts";
import type { AuditValues } from "./audit.ts";
import { recordingEvent } from "./events.ts";
import type { EventValues } from "./events.ts";
import { queries, statement } from "./statement.ts";
import { withdrawalColumns } from "./withdrawals.ts";

interface AccountValues {
  readonly chainId: string;
  readonly account: string;
}

interface LeaseValues extends AccountValues {
  readonly leaseToken: string;
}

/** No row: somebody else has it. Whoever had it before can write nothing more. */
export const takeSenderLease = statement<
  LeaseValues & { readonly now: Date; readonly expiresAt: Date }
>("take_sender_lease")((p) =>
  queries
    .insertInto("sender_accounts")
    .values({
      chain_id: p.chainId,
      account: p.account,
      lease_token: p.leaseToken,
      lease_expires_at: p.expiresAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["chain_id", "account"])
        .doUpdateSet({ lease_token: p.leaseToken, lease_expires_at: p.expiresAt })
        .where((e) =>
          e.or([
            e("sender_accounts.lease_token", "is", null),
            e("sender_accounts.lease_expires_at", "<=", p.now),
          ]),
        ),
    )
    .returning("account"),
);

/** No row: somebody else has it by now. */
export const extendSenderLease = statement<LeaseValues & { readonly expiresAt: Date }>(
  "extend_sender_lease",
)((p) =>
  queries
    .updateTable("sender_accounts")
    .set({ lease_expires_at: p.expiresAt })
    .where("chain_id", "=", p.chainId)
    .where("account", "=", p.account)
    .where("lease_token", "=", p.leaseToken)
    .returning("account"),
);

export const releaseSenderLease = statement<LeaseValues>("release_sender_lease")((p) =>
  queries
    .updateTable("sender_accounts")
    .set({ lease_token: null, lease_expires_at: null })
    .where("chain_id", "=", p.chainId)
    .where("account", "=", p.account)
    .where("lease_token", "=", p.leaseToken),
);

/** The highest number that was given, null: none yet; and what was noted by `stopForForeignUse`. */
export const readLastNonce = statement<AccountValues>("read_last_sender_nonce")((p) =>
  queries
    .selectFrom("sender_accounts as s")
    .select("s.foreign_count")
    .select((e) =>
      e
        .selectFrom("sender_nonces as n")
        .select((one) => one.fn.max<bigint | null>("n.nonce").as("last"))
        .whereRef("n.chain_id", "=", "s.chain_id")
        .whereRef("n.account", "=", "s.account")
        .as("last"),
    )
    .where("s.chain_id", "=", p.chainId)
    .where("s.account", "=", p.account),
);

/** Others have used numbers of the account: nothing more is signed there until somebody has looked. */
export const stopForForeignUse = statement<
  LeaseValues &
    AuditValues & { readonly minedCount: bigint; readonly reason: string; readonly now: Date }
>("stop_for_foreign_use")((p) =>
  recordingAudit(
    queries
      .with("noted", (q) =>
        q
          .updateTable("sender_accounts")
          .set({ foreign_count: p.minedCount })
          .where("chain_id", "=", p.chainId)
          .where("account", "=", p.account)
          .where("lease_token", "=", p.leaseToken)
          .returning("chain_id"),
      )
      .with(
        "stopped",
        () =>
          // If they are stopped already, that reason stands.
          sql<{ chain_id: string }>`(
          insert into withdrawal_stops (chain_id, reason, since)
          select noted.chain_id, ${p.reason}::text, ${p.now}::timestamptz from noted
          on conflict (chain_id) do nothing
          returning chain_id)`,
      ),
    "stopped",
    p,
  )
    .selectFrom("noted")
    .select("chain_id"),
);

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
    .select(["a.attempt", "a.raw", "a.max_fee_per_gas", "a.max_priority_fee_per_gas"])
    .select(["a.signed_at_block", "a.sent_at"])
    .where("n.chain_id", "=", p.chainId)
    .where("n.account", "=", p.account)
    .where("n.subject_type", "=", "withdrawal")
    .where("n.nonce", ">=", p.minedCount)
    .orderBy("n.nonce")
    .limit(p.rowsMax),
);

/** Whether money of the withdrawal `w` may leave now; asked again when it is claimed and signed. */
const isFree: RawBuilder<boolean> = sql<boolean>`(
  not exists (select from withdrawal_stops s where s.chain_id in ('*', w.chain_id))
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

/** Claimed, and nothing signed: whoever claimed them is gone, or they had to wait. */
export const listProcessing = statement<{ readonly chainId: string; readonly rowsMax: number }>(
  "list_processing_withdrawals",
)((p) =>
  queries
    .selectFrom("withdrawals as w")
    .select(toSend)
    .select(isFree.as("is_free"))
    .where("chain_id", "=", p.chainId)
    .where("status", "=", "processing")
    .orderBy("created_at")
    .orderBy("id")
    .limit(p.rowsMax),
);

interface StepValues {
  readonly id: string;
  readonly now: Date;
}

/** One of the two, this or a cancellation: whoever has the row first. No row: not ours. */
export const claimWithdrawal = statement<StepValues & EventValues>("claim_withdrawal")((p) =>
  recordingEvent(
    queries
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
          .set({ status: "processing", updated_at: p.now })
          .where("id", "=", p.id)
          .where("status", "=", "pending")
          .where(sql<boolean>`exists (select from current)`)
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

/** Back to `pending`. The database refuses it if anything was signed. */
export const unclaimWithdrawal = statement<StepValues & { readonly notBefore: Date }>(
  "unclaim_withdrawal",
)((p) =>
  queries
    .updateTable("withdrawals")
    .set({ status: "pending", not_before: p.notBefore, updated_at: p.now })
    .where("id", "=", p.id)
    .where("status", "=", "processing")
    .returning("id"),
);

export interface SignedValues extends StepValues, LeaseValues {
  readonly attempt: number;
  readonly txHash: string;
  readonly raw: Uint8Array;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly signedAtBlock: bigint;
}

/** Held to the commit, so that nobody else takes the lease while its owner writes. */
function leased(p: LeaseValues) {
  return queries.with("account", (q) =>
    q
      .selectFrom("sender_accounts")
      .select(["chain_id", "account"])
      .where("chain_id", "=", p.chainId)
      .where("account", "=", p.account)
      .where("lease_token", "=", p.leaseToken)
      .forNoKeyUpdate(),
  );
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
 * is lost, or the money may no longer leave; then the bytes must be forgotten.
 */
export const storeSigned = statement<SignedValues & EventValues & { readonly nonce: bigint }>(
  "store_signed_withdrawal",
)((p) =>
  recordingEvent(
    leased(p)
      .with("changed", (q) =>
        q
          .updateTable("withdrawals as w")
          .set({ status: "broadcast", tx_hash: p.txHash, updated_at: p.now })
          .where("id", "=", p.id)
          .where("status", "=", "processing")
          .where(isFree)
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
