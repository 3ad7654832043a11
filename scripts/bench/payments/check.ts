// Whether the databases hold what was answered: nothing lost, nothing doubled.

import { query } from "../measuring.ts";
import type { LoadRun } from "../service/running.ts";
import type { PgbenchRun } from "./contenders.ts";

/** What payments leave behind. */
export interface Written {
  readonly ids: ReadonlySet<string>;
  readonly events: number;
  readonly deliveries: number;
  readonly keys: number;
  readonly nonces: number;
}

export async function readWritten(url: string): Promise<Written> {
  const ids = await query(url, "select id from payments");
  const [row] = await query(
    url,
    `select
      (select count(*) from events where resource_type = 'payment') as events,
      (select count(*) from webhook_deliveries where resource_type = 'payment') as deliveries,
      (select count(*) from idempotency_keys where operation_id = 'createPayment') as keys,
      (select count(*) from nonces) as nonces`,
  );
  return {
    ids: new Set(ids.map(({ id }) => String(id))),
    events: Number(row?.["events"]),
    deliveries: Number(row?.["deliveries"]),
    keys: Number(row?.["keys"]),
    nonces: Number(row?.["nonces"]),
  };
}

export interface Checked {
  readonly serviceUrl: string;
  readonly pgbenchUrl: string;
  /** what stood in both databases before */
  readonly before: Written;
  readonly service: readonly LoadRun[];
  readonly pgbench: readonly PgbenchRun[];
}

/** One sentence for each. */
export async function findFaults(checked: Checked): Promise<readonly string[]> {
  const { before, service, pgbench } = checked;
  const answered = service.flatMap(({ ids }) => ids);
  const doubled = answered.length - new Set(answered).size;
  const written = await readWritten(checked.serviceUrl);
  const missing = answered.filter((id) => !written.ids.has(id));
  const faults = [...countFaults("the service", answered.length, { before, written })];
  if (doubled > 0) faults.push(`${doubled} payments were answered twice`);
  if (missing.length > 0) {
    faults.push(`${missing.length} payments were answered and are not there: ${missing[0]}, ...`);
  }
  if (pgbench.length === 0) return faults;
  const transactions = pgbench.reduce((sum, run) => sum + run.transactions, 0);
  const ofPgbench = await readWritten(checked.pgbenchUrl);
  return [...faults, ...countFaults("pgbench", transactions, { before, written: ofPgbench })];
}

function countFaults(
  name: string,
  expected: number,
  { before, written }: { readonly before: Written; readonly written: Written },
): readonly string[] {
  const counts = {
    payments: written.ids.size - before.ids.size,
    events: written.events - before.events,
    deliveries: written.deliveries - before.deliveries,
    "idempotency keys": written.keys - before.keys,
    nonces: written.nonces - before.nonces,
  };
  return Object.entries(counts)
    .filter(([, count]) => count !== expected)
    .map(([what, count]) => `${name} did ${expected}, and there are ${count} ${what}`);
}
