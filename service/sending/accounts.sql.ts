// The statements of our accounts on chains: who may sign for one now, and which nonces were given.

import { sql } from "kysely";
import { recordingAudit } from "../audit/audit.sql.ts";
import type { AuditValues } from "../audit/audit.sql.ts";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";

export interface AccountValues {
  readonly chainId: string;
  readonly account: string;
}

export interface LeaseValues extends AccountValues {
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

const lastStored = sql<bigint | null>`(
  select max(n.nonce) from sender_nonces n
  where n.chain_id = s.chain_id and n.account = s.account)`;
const lastReserved = sql<bigint | null>`(
  select max(o.reserved_nonce) from outgoing_transactions o
  where o.chain_id = s.chain_id and o.account = s.account and o.status = 'queued')`;

/**
 * The highest nonce that was given, or was to be given before one that is reserved; the same with the
 * reserved ones, for which the signer may have been asked; null: none yet; what was noted by
 * `stopForForeignUse`; and whether withdrawals are stopped on the chain, for whatever reason.
 */
export const readKnownNonces = statement<AccountValues>("read_known_sender_nonces")((p) =>
  queries
    .selectFrom("sender_accounts as s")
    .select("s.foreign_count")
    .select(
      sql<boolean>`exists (select from withdrawal_stops w where w.chain_id in ('*', s.chain_id))`.as(
        "is_stopped",
      ),
    )
    .select(sql<bigint | null>`greatest(${lastStored}, ${lastReserved} - 1)`.as("last_given"))
    .select(sql<bigint | null>`greatest(${lastStored}, ${lastReserved})`.as("last_asked"))
    .where("s.chain_id", "=", p.chainId)
    .where("s.account", "=", p.account),
);

/** Of a stop; what was found or said first is in the audit log. */
const reasonCharactersMax = 2000;

/**
 * In an `on conflict do update` of a stop that stands: the newest reason comes first, and how it came. Whoever has looked
 * at the stop before has not seen it, and does not lift it.
 */
export const reasonBeforeOthers = (how: "found" | "said") => sql<string>`left(
  excluded.reason || ${sql.lit(` (${how} `)}
    || to_char(excluded.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
    || '); before that: ' || withdrawal_stops.reason,
  ${sql.lit(reasonCharactersMax)})`;

interface ForeignUseValues extends AccountValues, AuditValues {
  readonly usedCount: bigint;
  readonly reason: string;
  readonly now: Date;
}

/**
 * Others have used nonces of the account: nothing more is signed there until somebody has looked. Where withdrawals are
 * stopped already, the stop says this as well. Like all that writes a stop, it takes the stop first and then its turn in
 * the audit log, so that none waits for another one that waits for it.
 * @param leaseToken undefined: whoever says so has locked the account
 */
function stoppingForUse(p: ForeignUseValues, leaseToken?: string) {
  const noting = queries.with("noted", (q) =>
    q
      .updateTable("sender_accounts")
      .set({ foreign_count: p.usedCount })
      .where("chain_id", "=", p.chainId)
      .where("account", "=", p.account)
      .$if(leaseToken !== undefined, (noted) => noted.where("lease_token", "=", leaseToken ?? ""))
      .returning("chain_id"),
  );
  const stopping = noting.with(
    "stopped",
    () => sql<{ chain_id: string }>`(
    insert into withdrawal_stops (chain_id, reason, since)
    select noted.chain_id, ${p.reason}::text, ${p.now}::timestamptz from noted
    on conflict (chain_id) do update set reason = ${reasonBeforeOthers("found")}
    returning chain_id)`,
  );
  return recordingAudit(stopping, "stopped", p).selectFrom("stopped").select("chain_id");
}

/** What the sender finds out by the chain or by its signer. */
export const stopForForeignUse = statement<ForeignUseValues & LeaseValues>("stop_for_foreign_use")(
  (p) => stoppingForUse(p, p.leaseToken),
);

/** What comes out by what an operator says of a transaction. */
export const stopForRememberedUse = statement<ForeignUseValues>("stop_for_remembered_use")((p) =>
  stoppingForUse(p),
);

/** Held to the commit, so that nobody else takes the lease while its owner writes. */
export function leased(p: LeaseValues) {
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

/** Those that are accounts of ours: each was leased before it sent anything. */
export const findSenderAccounts = statement<{
  readonly chainId: string;
  readonly senders: readonly string[];
}>("find_sender_accounts")((p) =>
  queries
    .selectFrom("sender_accounts")
    .select("account")
    .where("chain_id", "=", p.chainId)
    .where("account", "=", anyOf(p.senders)),
);
