// What lives bring to the ledger, as it was recorded: a change that only makes something quicker changes none of it.
// A change that is meant to: `npm run test:all -- test/simulation/recorded-ledgers -u`, and read the difference.

import { createHash } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { useQuietServer } from "../database/quiet-server.ts";
import { query } from "../support/service-parts.ts";
import { simulate } from "./simulation.ts";

const openQuiet = useQuietServer();
const seeds = [1, 2, 3];
const steps = 400;

test("the same lives have the same postings as before", async () => {
  const lines: string[] = [];
  for (const seed of seeds) {
    const database = await openQuiet();
    await simulate(database, { seed, steps });
    const transactions = await query(
      database,
      sql<{ text: string }>`
      select concat_ws(' ', t.kind, t.reference, t.occurred_at at time zone 'UTC', string_agg(concat_ws(' ',
        p.account_kind, p.deployment_id, p.merchant_id, p.environment, p.amount), ', '
        order by p.position)) as text
      from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
      group by t.id
      order by t.kind collate "C", t.reference collate "C"`,
    );
    const kinds = await query(
      database,
      sql<{ kind: string; count: string; moved: string }>`
      select kind, count(*)::text as count, sum(amount) filter (where amount > 0)::text as moved
      from ledger_transactions t join ledger_postings p on p.transaction_id = t.id
      group by kind
      order by kind collate "C"`,
    );
    const all = transactions.map((row) => row.text).join("\n");
    const digest = createHash("sha256").update(all).digest("hex");
    lines.push(`seed ${seed}: ${transactions.length} transactions, ${digest}`);
    for (const { kind, count, moved } of kinds) {
      lines.push(`  ${kind}: ${count} postings, ${moved} moved`);
    }
  }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("recorded-ledgers.txt");
});
