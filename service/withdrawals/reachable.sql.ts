// Where nothing is sent for a while: what is mined and comes to nothing costs us gas, and its merchant nothing.

import { sql } from "kysely";
import type { RawBuilder } from "kysely";

/** Ten minutes, and twice as long for each further one in a row, up to a day. */
export const waitOf = (count: RawBuilder<number>): RawBuilder<string> =>
  sql`make_interval(secs => least(600 * 2 ^ least(${count}, 10), 86400))`;

/** So long a failure counts against addresses of its merchant that have never received coin. */
const remembered = sql`interval '30 days'`;
/** Transfers of coin under way at once to all addresses of a merchant on a chain that have never received any. */
const unprovenMax = sql`8`;

/** A row of the table is an address of the merchant of `w` on its chain. */
const isBeside = (table: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${table}.merchant_id`)} = w.merchant_id
    and ${sql.ref(`${table}.environment`)} = w.environment and ${sql.ref(`${table}.chain_id`)} = w.chain_id)`;

/** Coin under way to addresses of the merchant on the chain that have never received any. */
const unprovenUnderWay = sql`withdrawals other
  join withdraw_addresses beside on beside.id = other.withdraw_address_id
  where other.status in ('processing', 'broadcast') and other.id <> w.id
    and other.contract_address is null and ${isBeside("beside")} and not beside.is_proven`;

/** When the last of those in a row failed: the wait began then. */
const failedAt = sql`(failing.waits_until - ${waitOf(sql`failing.reverted_count - 1`)})`;

/**
 * Its merchant has had others come to nothing on the chain, at addresses that have never received coin: each further
 * one makes coin for all of these wait longer, together, and then they get one at a time. Without any, some at a time.
 */
const isHeldIfUnproven = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(exists (select from withdraw_addresses failing
      where ${isBeside("failing")} and not failing.is_proven and failing.waits_until is not null
        and ${failedAt} > ${now}::timestamptz - ${remembered}
      having count(*) > 0
        and (max(${failedAt}) + ${waitOf(sql`sum(failing.reverted_count) - 1`)} > ${now}::timestamptz
          or exists (select from ${unprovenUnderWay})))
    or exists (select from ${unprovenUnderWay} having count(*) >= ${unprovenMax}))`;

/**
 * What was sent to its address lately was mined and came to nothing: nothing is sent there for a while,
 * and then one at a time until one has arrived. The coin alone asks its recipient: where none ever arrived, what came to
 * nothing at such others of the merchant counts too, since an address is easily registered.
 */
export function isReachable(now: Date): RawBuilder<boolean> {
  return sql<boolean>`not exists (select from withdraw_addresses a
    where a.id = w.withdraw_address_id
      and (a.waits_until is not null
          and (a.waits_until > ${now}::timestamptz
            or exists (select from withdrawals other
              where other.withdraw_address_id = a.id and other.id <> w.id
                and other.status in ('processing', 'broadcast')))
        or w.contract_address is null and not a.is_proven and ${isHeldIfUnproven(now)}))`;
}
