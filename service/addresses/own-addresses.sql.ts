// Which addresses of a chain are ours, for whoever reads it.

import { sql } from "kysely";
import { anyOf } from "../database/row-source.ts";
import { queries, statement } from "../database/statement.ts";

/** At least one; of the family of EVM chains. */
export const findOwnAddresses = statement<{ readonly addresses: readonly string[] }>(
  "find_own_addresses",
)((p) =>
  queries
    .selectFrom("deposit_addresses")
    .select("address")
    .where("chain_family", "=", sql.lit("evm"))
    .where("address", "=", anyOf(p.addresses)),
);

/** Those that may be paid to: their payments are open, or have ended since. */
export const listOpenAddresses = statement<{ readonly since: Date; readonly rowsMax: number }>(
  "list_open_addresses",
)((p) =>
  queries
    .selectFrom("deposit_addresses as a")
    .innerJoin("payments as p", "p.id", "a.payment_id")
    .select("a.address")
    .where("a.chain_family", "=", sql.lit("evm"))
    .where("p.expires_at", ">", p.since)
    .orderBy("p.expires_at", "desc")
    .orderBy("a.address")
    .limit(p.rowsMax),
);
