// One effect for each Idempotency-Key, and one answer, however often it was sent and by whom; each
// slot of a schedule and each period of a subscription once.

import { decidedLater, mayBeForgotten } from "./client.ts";
import type { Call } from "./client.ts";
import type { World } from "./world.ts";

const tables: ReadonlyMap<string, string> = new Map([
  ["createPayment", "payments"],
  ["requestWithdrawal", "withdrawals"],
  ["registerWithdrawAddress", "withdraw_addresses"],
  ["createPayoutSchedule", "payout_schedules"],
  ["registerWebhookEndpoint", "webhook_endpoints"],
]);

export async function checkKeys(world: World): Promise<void> {
  for (const call of world.calls.filter(({ operation }) => !decidedLater.has(operation))) {
    if (new Set(call.answers).size > 1) world.complain(`${call.key} has several answers`);
  }
  for (const [operation, table] of tables) {
    const rows = await world.rows<{ id: string; key: string; merchant_id: string }>(
      `select id, idempotency_key as key, merchant_id from ${table}
        where idempotency_key is not null order by id`,
    );
    const calls = world.calls.filter((one) => one.operation === operation);
    checkEffects(world, rows, calls);
  }
}

function checkEffects(
  world: World,
  rows: readonly { readonly id: string; readonly key: string }[],
  calls: readonly Call[],
): void {
  const made = new Map<string, string>();
  for (const { id, key } of rows) {
    if (made.has(key)) world.complain(`${key} has made ${id} and ${made.get(key)}`);
    made.set(key, id);
  }
  for (const call of calls) {
    const { key, answers, isOpen, refusal } = call;
    const [answer] = answers;
    const id = made.get(key);
    if (answer !== undefined && (id === undefined || !answer.includes(id))) {
      world.complain(`${key} was answered with ${answer}, but has made ${id}`);
    }
    const isRefused = answer === undefined && !isOpen && !mayBeForgotten(world, call);
    if (isRefused && id !== undefined) {
      world.complain(`${key} was refused (${refusal}), and has made ${id}`);
    }
    made.delete(key);
  }
  for (const [key, id] of made) world.complain(`nobody has asked for ${id} with ${key}`);
}

/** Beside what the database forbids by its keys. */
export async function checkOnce(world: World): Promise<void> {
  const bills = await world.rows<{ id: string; period: string }>(
    `select b.subscription_id as id, b.period_start::text as period
      from subscription_bills b join payments p on p.id = b.payment_id
      where p.status in ('paid', 'overpaid', 'paid_late')
      group by b.subscription_id, b.period_start having count(*) > 1`,
  );
  // A customer may pay a try that has expired already, or two of them: both are the payer's doing.
  for (const { id } of bills) world.note("periods paid twice", id.slice(0, 3));
  const tries = await world.rows<{ id: string; open: number }>(
    `select b.subscription_id as id, count(*)::int as open
      from subscription_bills b join payments p on p.id = b.payment_id
      where p.status = 'pending' and b.period_start = (
        select max(period_start) from subscription_bills c
        where c.subscription_id = b.subscription_id)
      group by b.subscription_id having count(*) > 1`,
  );
  for (const { id, open } of tries) world.complain(`${id} has ${open} open bills of one period`);
  const runs = await world.rows<{ id: string }>(
    `select w.id from payout_runs r join withdrawals w on w.id = r.withdrawal_id
      group by w.id having count(*) > 1`,
  );
  for (const { id } of runs) world.complain(`${id} was asked for by two runs`);
  const asked = await world.rows<{ id: string }>(
    `select w.id from withdrawals w where w.idempotency_key is null
      and not exists (select from payout_runs r where r.withdrawal_id = w.id)`,
  );
  for (const { id } of asked) world.complain(`nobody has asked for ${id}`);
}
