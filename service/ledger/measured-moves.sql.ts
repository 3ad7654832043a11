// The statement of what tells our own transactions from those of others, where a block is measured.

import { sql } from "kysely";
import { anyOf } from "../database/row-source.ts";
import { statement } from "../database/statement.ts";

interface SentFrom {
  readonly address: string;
  readonly hashes: readonly string[];
}

/** Which of these we have signed to move something away from this address. */
export const findSentFrom = statement<SentFrom>("find_sent_from")(
  (p) => sql<{ tx_hash: string }>`
    select a.tx_hash from outgoing_attempts a
    join outgoing_transactions o on o.id = a.outgoing_id
    where a.tx_hash = ${anyOf(p.hashes)}
      and lower(${p.address}::text) = lower(case o.action ->> 'kind'
        when 'transfer' then o.account
        when 'collect' then o.action -> 'authorization' ->> 'from' end)`,
);
