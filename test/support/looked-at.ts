// Tests share a chain, and each has a database of its own, for which all that an account did before
// is somebody else's doing.

import { sql } from "kysely";
import type { Chain } from "../../service/ports/chain.ts";
import type { Database } from "../../service/ports/database.ts";
import { query } from "./service-parts.ts";

/** As it stands after an operator has looked at what the account had done, and let it go on. */
export async function markLookedAt(
  database: Database,
  { chainId, minedCount }: Pick<Chain, "chainId" | "minedCount">,
  account: string,
): Promise<void> {
  const count = await minedCount(account);
  await query(
    database,
    sql`insert into sender_accounts (chain_id, account, foreign_count)
      values (${sql.lit(chainId)}, ${sql.lit(account)}, ${sql.lit(Number(count))})
      on conflict (chain_id, account) do update set foreign_count = excluded.foreign_count`,
  );
}
