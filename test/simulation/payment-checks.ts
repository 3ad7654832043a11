// Every payment got to where it is by edges of the table, as its events tell; and what it received
// is shared out to the unit.

import { paymentEdges } from "../../service/payments/states.ts";
import { shareProblems } from "../support/shares.ts";
import { checkHighValues } from "./high-value-checks.ts";
import type { World } from "./world.ts";

const edges = new Set(paymentEdges.map(({ from, to, event }) => `${from ?? ""} ${to} ${event}`));
/** They tell of money, and the status may stay what it was. */
const withoutStep: ReadonlySet<string> = new Set([
  "payment.reorged",
  "payment.deposit_after_close",
  "x402.settlement_submitted",
  "x402.settled",
  "x402.settlement_failed",
  "x402.released",
]);

interface HistoryRow {
  readonly id: string;
  readonly status: string;
  readonly events: readonly { readonly type: string; readonly status: string }[];
}

export async function checkPaymentHistories(world: World): Promise<void> {
  const rows = await world.rows<HistoryRow>(
    `select p.id, p.status, jsonb_agg(jsonb_build_object('type', e.type,
        'status', e.data::jsonb ->> 'status') order by e.sequence) as events
      from payments p left join events e on e.merchant_id = p.merchant_id
        and e.environment = p.environment and e.resource_type = 'payment' and e.resource_id = p.id
      group by p.id order by p.id`,
  );
  for (const { id, status, events } of rows) {
    let at = "";
    for (const { type, status: to } of events) {
      const isStay = to === at && withoutStep.has(type);
      if (!isStay && !edges.has(`${at} ${to} ${type}`)) {
        world.complain(`${id} went from ${at} to ${to} with ${type}`);
      }
      at = to;
    }
    if (at !== status) world.complain(`${id} is ${status}, but its last event says ${at}`);
  }
  await checkShares(world);
  await checkHighValues(world);
  world.problems.push(...(await shareProblems(world.database)));
}

/** What is booked of deposits is what was credited to somebody, and no unit more. */
async function checkShares(world: World): Promise<void> {
  const rows = await world.rows<{ deployment_id: string; booked: string; posted: string }>(
    `select d.id as deployment_id,
        (select coalesce(sum(amount_raw), 0) from deposits where deployment_id = d.id
          and bookings > reversals)::text as booked,
        (select coalesce(sum(p.amount), 0) from ledger_postings p
          join ledger_transactions t on t.id = p.transaction_id
          where p.deployment_id = d.id
            and p.account_kind in ('chain:deposit_addresses', 'chain:settlement')
            and t.kind in ('deposit_credited', 'deposit_reversed', 'unmatched_credited',
              'unmatched_reversed'))::text as posted
      from deployments d`,
  );
  for (const { deployment_id: id, booked, posted } of rows) {
    if (booked !== posted)
      world.complain(`${id}: ${booked} of deposits is booked, ${posted} posted`);
  }
}
