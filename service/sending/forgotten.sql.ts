// The statements of transactions that the chain has and this database has forgotten.

import { sql } from "kysely";
import type { OutgoingPurpose, OwnAccountRole } from "../database/words.ts";
import type { AccountValues } from "./accounts.sql.ts";
import { queries, statement } from "../database/statement.ts";
import { broadcastColumns } from "./sender.sql.ts";
import type { SignedOutgoingValues } from "./sender.sql.ts";

/**
 * Whoever sends from it waits until the commit. No row: nothing of ours was ever sent from it there.
 */
export const lockSenderAccount = statement<AccountValues>("lock_sender_account")((p) =>
  queries
    .selectFrom("sender_accounts as s")
    .select("s.account")
    .select(
      sql<OwnAccountRole | null>`(
        select role from own_accounts o where o.account = lower(s.account))`.as("role"),
    )
    .where("s.chain_id", "=", p.chainId)
    .where("s.account", "=", p.account)
    .forNoKeyUpdate(),
);

/** One of ours from which nothing was sent there yet, as far as is known. */
export const noteSenderAccount = statement<AccountValues>("note_sender_account")(
  (p) => sql<{ account: string }>`
    insert into sender_accounts (chain_id, account)
    select ${p.chainId}::text, ${p.account}::text
    where exists (select from own_accounts o where o.account = lower(${p.account}::text))
      or exists (select from deposit_addresses a
        where a.chain_family = 'evm' and a.address = ${p.account}::text)
    on conflict (chain_id, account) do nothing
    returning account`,
);

/** Up to there nothing that it has sent is looked for any more. */
export const markAddressLookedAt = statement<AccountValues & { readonly usedCount: bigint }>(
  "mark_address_looked_at",
)((p) =>
  queries
    .updateTable("sender_accounts")
    .set({ foreign_count: sql<bigint>`greatest(foreign_count, ${p.usedCount}::bigint)` })
    .where("chain_id", "=", p.chainId)
    .where("account", "=", p.account),
);

/** What has the nonce here. */
export const findNonceOwner = statement<AccountValues & { readonly nonce: bigint }>(
  "find_nonce_owner",
)((p) =>
  queries
    .selectFrom("sender_nonces as n")
    .innerJoin("outgoing_transactions as o", "o.id", "n.outgoing_id")
    .select(["o.id", "o.purpose", "o.subject_id", "o.action"])
    .select(
      sql<readonly string[]>`array(
        select tx_hash from outgoing_attempts a where a.outgoing_id = o.id order by attempt desc)`.as(
        "tx_hashes",
      ),
    )
    .where("n.chain_id", "=", p.chainId)
    .where("n.account", "=", p.account)
    .where("n.nonce", "=", p.nonce),
);

/** What is to be sent, or was, for a subject; locked to the commit. */
export const lockOutgoing = statement<{
  readonly purpose: OutgoingPurpose;
  readonly subjectId: string;
}>("lock_outgoing")((p) =>
  queries
    .selectFrom("outgoing_transactions as o")
    .select(["o.id", "o.chain_id", "o.account", "o.status", "o.reserved_nonce", "o.action"])
    .select(
      sql<bigint | null>`(select nonce from sender_nonces n where n.outgoing_id = o.id)`.as(
        "nonce",
      ),
    )
    .where("o.purpose", "=", p.purpose)
    .where("o.subject_id", "=", p.subjectId)
    .forUpdate(),
);

export interface RememberedValues extends Pick<
  SignedOutgoingValues,
  "id" | "txHash" | "raw" | "maxFeePerGas" | "maxPriorityFeePerGas" | "now"
> {
  readonly blockNumber: bigint;
}

function attemptOf(p: RememberedValues) {
  return sql<{ attempt: number }>`(
    insert into outgoing_attempts (
      outgoing_id, attempt, tx_hash, raw, max_fee_per_gas, max_priority_fee_per_gas,
      signed_at_block, signed_at, sent_at
    )
    select changed.id,
      coalesce((select max(attempt) from outgoing_attempts a where a.outgoing_id = changed.id), 0) + 1,
      ${p.txHash}::text, ${p.raw}::bytea, ${p.maxFeePerGas}::numeric,
      ${p.maxPriorityFeePerGas}::numeric, ${p.blockNumber}::bigint, ${p.now}::timestamptz,
      ${p.now}::timestamptz
    from changed
    returning attempt)`;
}

/** It was sent before it could be stored, and has its nonce again. No row: it has one, or has ended. */
export const storeForgottenOutgoing = statement<
  RememberedValues & { readonly nonce: bigint; readonly gasUnitsMax: bigint }
>("store_forgotten_outgoing")((p) =>
  queries
    .with("changed", (q) =>
      q
        .updateTable("outgoing_transactions")
        .set(broadcastColumns(p))
        .where("id", "=", p.id)
        .where("status", "=", "queued")
        .where("reserved_nonce", "is", null)
        .returning(["id", "chain_id", "account"]),
    )
    .with(
      "nonce",
      () => sql<{ nonce: bigint }>`(
      insert into sender_nonces (chain_id, account, nonce, outgoing_id, created_at)
      select changed.chain_id, changed.account, ${p.nonce}::bigint, changed.id, ${p.now}::timestamptz
      from changed
      returning nonce)`,
    )
    .with("attempt", () => attemptOf(p))
    .selectFrom("changed")
    .select("id"),
);

/**
 * One more transaction of its nonce. What was unclear is asked of the chain again, at once. No row: it
 * is not under way.
 */
export const addForgottenAttempt = statement<RememberedValues & { readonly sendsNothing: boolean }>(
  "add_forgotten_attempt",
)((p) =>
  queries
    .with("changed", (q) =>
      q
        .updateTable("outgoing_transactions")
        .set({
          tx_hash: p.txHash,
          gas_max_raw: sql`gas_units_max * ${p.maxFeePerGas}::numeric`,
          sends_nothing: p.sendsNothing,
          lost_since_block: null,
          unclear_at: null,
          decided_at: null,
          checked_at: null,
          updated_at: p.now,
        })
        .where("id", "=", p.id)
        .where("status", "=", "broadcast")
        .returning("id"),
    )
    .with("attempt", () => attemptOf(p))
    .selectFrom("changed")
    .select("id"),
);
