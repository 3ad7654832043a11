// A payment's status after its creation: whose time is over, and every change with its event.

import { sql } from "kysely";
import { recordingEvent } from "../events/events.sql.ts";
import type { EventValues } from "../events/events.sql.ts";
import type { PaymentStatus } from "../database/words.ts";
import { anyOf } from "../database/row-source.ts";
import { effectWith, statement } from "../database/statement.ts";

interface DueValues {
  readonly now: Date;
  /** chains that somebody reads for us */
  readonly connectedChainIds: readonly string[];
  /** those of them that are not stale, and all others of them */
  readonly freshChainIds: readonly string[];
  readonly staleChainIds: readonly string[];
  readonly rowsMax: number;
}

/**
 * Payments whose time is over for sure: each of their connected chains was read past it, and is not
 * stale. Where none of the chains is connected there is only the clock.
 */
export const findDuePayments = statement<DueValues>("find_due_payments")(
  (p) => sql<{ id: string; expires_at: Date }>`
    select p.id, p.expires_at from payments p
    where p.status in ('pending', 'partially_paid')
      -- those that have failed wait for another try
      and not exists (select from payment_troubles t
        where t.payment_id = p.id and t.next_try_at > ${p.now}::timestamptz)
      -- none of the others can be due: this is where the walk through the index ends
      and p.expires_at < greatest(${p.now}::timestamptz, (
        select max(block_time) from chain_cursors
        where chain_id = ${anyOf(p.connectedChainIds)}))
      -- Said below as well; but while a chain is silent its payments heap up, and each is looked at
      and not p.chain_ids && ${p.staleChainIds}::text[]
      and case when p.chain_ids && ${p.connectedChainIds}::text[]
        then not exists (
          select from unnest(p.chain_ids) as own (chain_id)
          left join chain_cursors k on k.chain_id = own.chain_id
            and k.block_time > p.expires_at and k.chain_id = ${anyOf(p.freshChainIds)}
          where own.chain_id = ${anyOf(p.connectedChainIds)} and k.chain_id is null)
        else p.expires_at < ${p.now}::timestamptz end
    order by p.expires_at, p.id
    limit ${p.rowsMax}::integer`,
);

interface ChangeValues extends EventValues {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly versionRead: bigint;
  readonly now: Date;
}

/** A new status, or the one it has, and the event about it. A row, if it still was what was read. */
export const changePayment = statement<ChangeValues>("change_payment")((p) =>
  effectWith(recordingEvent, p)("changed", (q) =>
    q
      .updateTable("payments")
      .set({ status: p.status, version: sql<bigint>`version + 1`, updated_at: p.now })
      .where("id", "=", p.id)
      .where("version", "=", p.versionRead)
      .returning("version"),
  ).select("version"),
);
