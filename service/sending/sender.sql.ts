// The statements of the sender: which accounts have something to send, and
// storing what was signed before anybody sees it.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { anyOf, placeIn } from "../database/row-source.ts";
import { leased } from "./accounts.sql.ts";
import type { AccountValues, LeaseValues } from "./accounts.sql.ts";
import { queries, statement } from "../database/statement.ts";

/**
 * Whether the transaction `o` may be signed now; asked again when what was signed is stored. An
 * operator's stop holds for everything but x402 settlements: they only bring money in, and whoever
 * has restored a database from a backup cannot bring it in twice, since an authorization counts once.
 * What goes to a payer waits like a withdrawal while the chain holds less than we owe. So does, as long as it has
 * no nonce, what was not used of an authorization whose money a reorganisation took. What else holds
 * back a withdrawal is asked by its own room, in the same transactions (`PurposeSteps`).
 */
const isFree: RawBuilder<boolean> = sql<boolean>`(
  (o.purpose = 'x402_settlement'
    or not exists (select from withdrawal_stops s where s.chain_id in ('*', o.chain_id)))
  and (o.purpose not in ('x402_release', 'refund')
    or not exists (select from deployment_freezes f where f.deployment_id = o.deployment_id))
  and (o.purpose <> 'x402_release' or o.reserved_nonce is not null
    or coalesce((select bool_or(d.bookings > d.reversals) from deposits d
      where d.settlement_id = o.subject_id and d.source = 'x402'), true)))`;

/**
 * Accounts to look after: something waits, or was not looked after for a while. Those of ours come first, so that
 * addresses of payments never take their places; `behind` come behind all others of their kind, in this order, and the
 * others as long as they have had no turn. With each is since when the oldest of all waits.
 */
export const listOutgoingAccounts = statement<{
  readonly chainId: string;
  readonly now: Date;
  readonly lookedBefore: Date;
  readonly behind: readonly string[];
  readonly rowsMax: number;
}>("list_outgoing_accounts")((p) =>
  queries
    .selectFrom("outgoing_transactions as o")
    .select("o.account")
    .select(sql<boolean>`bool_and(o.account_role = 'deposit')`.as("is_deposit"))
    .select(
      sql<Date | null>`min(min(o.created_at) filter (where o.status = 'queued')) over ()`.as(
        "oldest",
      ),
    )
    .where("o.chain_id", "=", p.chainId)
    .where((e) =>
      e.or([
        e.and([e("o.status", "=", "queued"), e("o.not_before", "<=", p.now), isFree]),
        e.and([
          e("o.status", "=", "broadcast"),
          e.or([e("o.looked_at", "is", null), e("o.looked_at", "<=", p.lookedBefore)]),
        ]),
      ]),
    )
    .groupBy("o.account")
    .orderBy(sql`bool_and(o.account_role = 'deposit')`)
    .orderBy(sql`${placeIn(p.behind, "o.account")} nulls first`)
    .orderBy(sql`min(coalesce(o.looked_at, o.created_at))`)
    .orderBy("o.account")
    .limit(p.rowsMax),
);

/** After a turn, so that the others get theirs. */
export const markLookedAfter = statement<AccountValues & { readonly now: Date }>(
  "mark_outgoing_looked_after",
  { isDurable: false },
)((p) =>
  queries
    .updateTable("outgoing_transactions")
    .set({ looked_at: p.now })
    .where("chain_id", "=", p.chainId)
    .where("account", "=", p.account)
    .where("status", "=", "broadcast"),
);

/**
 * What was signed and is not mined, as far as the count says, with its newest transaction. One that
 * has ended is among them only if the chain took back a block that was final.
 */
export const listUnminedOutgoing = statement<
  AccountValues & { readonly minedCount: bigint; readonly rowsMax: number }
>("list_unmined_outgoing")((p) =>
  queries
    .selectFrom("sender_nonces as n")
    .innerJoin("outgoing_transactions as o", "o.id", "n.outgoing_id")
    .innerJoinLateral(
      (q) =>
        q
          .selectFrom("outgoing_attempts")
          .selectAll()
          .whereRef("outgoing_id", "=", "o.id")
          .orderBy("attempt", "desc")
          .limit(sql.lit(1))
          .as("a"),
      (join) => join.onTrue(),
    )
    .select(["o.id", "o.status", "o.account", "o.account_role", "o.account_index", "o.action"])
    .select(["o.purpose", "o.subject_id", "o.sends_nothing", "o.gas_units_max", "n.nonce"])
    .select(["a.attempt", "a.raw", "a.max_fee_per_gas"])
    .select(["a.max_priority_fee_per_gas", "a.signed_at_block", "a.sent_at"])
    .where("n.chain_id", "=", p.chainId)
    .where("n.account", "=", p.account)
    .where("n.nonce", ">=", p.minedCount)
    .orderBy("n.nonce")
    .limit(p.rowsMax),
);

/**
 * What was about to be signed comes first, then the settlements, since somebody waits for them, and then the oldest; but
 * those last that nobody could say anything about: a turn ends with a few of them, and the next one comes ever later, so
 * that many of them would never let anything else through. Before those come the ones that were set aside with them.
 */
export const listQueuedOutgoing = statement<
  AccountValues & { readonly now: Date; readonly rowsMax: number }
>("list_queued_outgoing")((p) =>
  queries
    .selectFrom("outgoing_transactions as o")
    .select(["o.id", "o.purpose", "o.subject_id", "o.account", "o.account_role"])
    .select(["o.account_index", "o.action", "o.created_at", "o.reserved_nonce", "o.sends_nothing"])
    .select("o.deployment_id")
    .select(isFree.as("is_free"))
    .where("o.chain_id", "=", p.chainId)
    .where("o.account", "=", p.account)
    .where("o.status", "=", "queued")
    .where((e) =>
      e.or([
        e("o.reserved_nonce", "is not", null),
        e.and([e("o.not_before", "<=", p.now), isFree]),
      ]),
    )
    .orderBy(sql`o.reserved_nonce is null`)
    .orderBy(sql`o.purpose <> 'x402_settlement'`)
    .orderBy(
      sql`case when o.last_problem like 'unanswered: %' then 2
        when o.last_problem like 'beside unanswered: %' then 1 else 0 end`,
    )
    .orderBy("o.created_at")
    .orderBy("o.id")
    .limit(p.rowsMax),
);

/**
 * From here on it is signed with this nonce or not at all. No row: the lease is lost, or it may not
 * be sent any more.
 */
export const reserveNonce = statement<
  LeaseValues & { readonly id: string; readonly nonce: bigint }
>("reserve_outgoing_nonce")((p) =>
  leased(p)
    .with("reserved", (q) =>
      q
        .updateTable("outgoing_transactions as o")
        .set({ reserved_nonce: p.nonce })
        .where("o.id", "=", p.id)
        .where("o.account", "=", p.account)
        .where("o.status", "=", "queued")
        .where(isFree)
        .where(sql<boolean>`exists (select from account)`)
        .returning("o.id"),
    )
    .selectFrom("reserved")
    .select("id"),
);

interface ReservedValues extends LeaseValues {
  readonly id: string;
  readonly nonce: bigint;
  readonly now: Date;
}

/**
 * For whoever knows that nothing was signed with it, or that it can never be mined. No row: the lease
 * is lost.
 */
export const freeNonce = statement<ReservedValues>("free_outgoing_nonce")((p) =>
  leased(p)
    .with("freed", (q) =>
      q
        .updateTable("outgoing_transactions")
        .set({ reserved_nonce: null, sends_nothing: false, updated_at: p.now })
        .where("id", "=", p.id)
        .where("status", "=", "queued")
        .where("reserved_nonce", "=", p.nonce)
        .where(sql<boolean>`exists (select from account)`)
        .returning("id"),
    )
    .selectFrom("freed")
    .select("id"),
);

/** Its nonce is used for nothing, for good: decided before that is signed. No row: the lease is lost. */
export const emptyOutgoing = statement<ReservedValues>("empty_outgoing")((p) =>
  leased(p)
    .with("emptied", (q) =>
      q
        .updateTable("outgoing_transactions")
        .set({ sends_nothing: true, updated_at: p.now })
        .where("id", "=", p.id)
        .where("status", "=", "queued")
        .where("reserved_nonce", "=", p.nonce)
        .where(sql<boolean>`exists (select from account)`)
        .returning("id"),
    )
    .selectFrom("emptied")
    .select("id"),
);

/** It cannot be sent now: others go first, and this one is looked at again later. */
export const deferOutgoing = statement<{
  readonly id: string;
  readonly notBefore: Date;
  readonly problem: string;
}>("defer_outgoing")((p) =>
  queries
    .updateTable("outgoing_transactions")
    .set({ not_before: p.notBefore, last_problem: sql`left(${p.problem}::text, 400)` })
    .where("id", "=", p.id)
    .where("status", "=", "queued"),
);

/**
 * All of these that are due, of an account, go behind the others. Settlements do not: they are asked about together, and
 * somebody waits for them.
 */
export const deferBesideUnanswered = statement<
  AccountValues & {
    readonly deploymentIds: readonly string[];
    readonly subjectIds: readonly string[];
    readonly problem: string;
    readonly now: Date;
    readonly notBefore: Date;
  }
>("defer_beside_unanswered")((p) =>
  queries
    .updateTable("outgoing_transactions")
    .set({
      not_before: p.notBefore,
      // What was asked about itself stays the last.
      last_problem: sql`case when last_problem like 'unanswered: %' then last_problem
        else left(${p.problem}::text, 400) end`,
    })
    .where("chain_id", "=", p.chainId)
    .where("account", "=", p.account)
    .where("status", "=", "queued")
    .where("reserved_nonce", "is", null)
    .where("not_before", "<=", p.now)
    .where("purpose", "<>", "x402_settlement")
    .where((e) =>
      e.or([
        e("deployment_id", "=", anyOf(p.deploymentIds)),
        e("subject_id", "=", anyOf(p.subjectIds)),
      ]),
    ),
);

export interface SignedOutgoingValues extends LeaseValues {
  readonly id: string;
  readonly attempt: number;
  readonly txHash: string;
  readonly raw: Uint8Array;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly signedAtBlock: bigint;
  readonly now: Date;
}

/** What a queued row becomes when its first transaction is stored. */
export const broadcastColumns = (
  p: Pick<SignedOutgoingValues, "txHash" | "maxFeePerGas" | "now"> & {
    readonly gasUnitsMax: bigint;
  },
) =>
  ({
    status: "broadcast",
    tx_hash: p.txHash,
    gas_units_max: p.gasUnitsMax,
    gas_max_raw: sql<string>`${p.gasUnitsMax}::numeric * ${p.maxFeePerGas}::numeric`,
    signed_at: p.now,
    updated_at: p.now,
    last_problem: null,
  }) as const;

function attemptOf(p: SignedOutgoingValues) {
  return sql<{ attempt: number }>`(
    insert into outgoing_attempts (
      outgoing_id, attempt, tx_hash, raw, max_fee_per_gas, max_priority_fee_per_gas,
      signed_at_block, signed_at
    )
    select changed.id, ${p.attempt}::integer, ${p.txHash}::text, ${p.raw}::bytea,
      ${p.maxFeePerGas}::numeric, ${p.maxPriorityFeePerGas}::numeric,
      ${p.signedAtBlock}::bigint, ${p.now}::timestamptz
    from changed
    returning attempt)`;
}

/**
 * The nonce, the bytes and the state in one commit, before anybody sees the bytes. No row: the lease
 * is lost, or it may not be sent any more; then the bytes must be forgotten, and the nonce is its own
 * still.
 */
export const storeSignedOutgoing = statement<
  SignedOutgoingValues & {
    readonly nonce: bigint;
    readonly gasUnitsMax: bigint;
    readonly sendsNothing: boolean;
  }
>("store_signed_outgoing")((p) =>
  leased(p)
    .with("changed", (q) =>
      q
        .updateTable("outgoing_transactions as o")
        .set(broadcastColumns(p))
        .where("o.id", "=", p.id)
        .where("o.status", "=", "queued")
        .where("o.reserved_nonce", "=", p.nonce)
        .where(sql<boolean>`o.sends_nothing = ${p.sendsNothing}::boolean`)
        .where(sql<boolean>`(o.sends_nothing or ${isFree})`)
        .where(sql<boolean>`exists (select from account)`)
        .returning("o.id"),
    )
    .with(
      "nonce",
      () => sql<{ nonce: bigint }>`(
      insert into sender_nonces (chain_id, account, nonce, outgoing_id, created_at)
      select account.chain_id, account.account, ${p.nonce}::bigint, changed.id,
        ${p.now}::timestamptz
      from account, changed
      returning nonce)`,
    )
    .with("attempt", () => attemptOf(p))
    .selectFrom("changed")
    .select("id"),
);

/** A further transaction of the same nonce. No row: the lease is lost, or it is decided already. */
export const storeReplacingOutgoing = statement<SignedOutgoingValues>("store_replacing_outgoing")(
  (p) =>
    leased(p)
      .with("changed", (q) =>
        q
          .updateTable("outgoing_transactions")
          .set({
            tx_hash: p.txHash,
            gas_max_raw: sql`gas_units_max * ${p.maxFeePerGas}::numeric`,
            updated_at: p.now,
          })
          .where("id", "=", p.id)
          .where("status", "=", "broadcast")
          .where(sql<boolean>`exists (select from account)`)
          .returning("id"),
      )
      .with("attempt", () => attemptOf(p))
      .selectFrom("changed")
      .select("id"),
);

export const markOutgoingSent = statement<{
  readonly id: string;
  readonly attempt: number;
  readonly now: Date;
}>("mark_outgoing_sent", { isDurable: false })((p) =>
  queries
    .updateTable("outgoing_attempts")
    .set({ sent_at: p.now })
    .where("outgoing_id", "=", p.id)
    .where("attempt", "=", p.attempt),
);
