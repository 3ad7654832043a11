// What subscriptions ask of customers: bills that are paid, in part, late, or on two tries at once; and
// what must be true of them (threat 105).

import { assetOf } from "./market.ts";
import { openPage } from "./merchants.ts";
import type { World } from "./world.ts";

interface BillRow {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly environment: "live" | "test";
  readonly deployment_id: string;
  readonly amount_raw: string;
}

/** Customers get the links of their bills; from then on they pay as they pay everything else. */
export async function receiveBills(world: World): Promise<void> {
  const rows = await world.rows<BillRow>(
    `select b.payment_id, s.merchant_id, s.environment, s.deployment_id, b.amount_raw::text
      from subscription_bills b join subscriptions s on s.id = b.subscription_id
      where b.payment_id is not null order by b.created_at, b.payment_id`,
  );
  const known = new Set(world.payments.map(({ id }) => id));
  for (const row of rows.filter(({ payment_id: id }) => !known.has(id))) {
    const { payment_id: id, merchant_id: merchantId, environment } = row;
    const owner = world.owners.find(
      (one) => one.merchantId === merchantId && one.environment === environment,
    );
    if (owner === undefined) throw new Error(`${merchantId} is nobody`);
    const dues = new Map([[row.deployment_id, BigInt(row.amount_raw)]]);
    world.payments.push({ id, owner, dues, isPriceShared: false });
    world.note("bills", "received");
  }
  await openPage(world);
}

/** A customer of one of these pays all that is asked for on two tries of one period, in one block. */
export async function payTwoTries(
  world: World,
  subscriptions: readonly { readonly id: string }[] = world.subscriptions,
): Promise<boolean> {
  await receiveBills(world);
  const rows = await world.rows<{ ids: readonly string[] }>(
    `select array_agg(payment_id order by try desc) as ids from subscription_bills
      where payment_id is not null and subscription_id = any($1)
      group by subscription_id, period_start
      having count(*) > 1 order by max(created_at) desc, subscription_id limit 20`,
    [subscriptions.map(({ id }) => id)],
  );
  const ids = world.dice.pickIfAny(rows)?.ids.slice(0, 2) ?? [];
  const bills = world.payments.filter(({ id }) => ids.includes(id));
  const [due] = bills.flatMap(({ dues }) => [...dues.keys()]);
  if (due === undefined) return false;
  const { chainId, contractAddress } = assetOf(due).deployment;
  const one = world.chains.find(({ chain }) => chain.chainId === chainId);
  for (const bill of bills) {
    bill.address ??= await world.worker(0).addresses.open(bill.id, "evm");
    bill.isPaid = true;
    const amountRaw = bill.dues.get(due);
    if (one === undefined || amountRaw === undefined) throw new Error(`${due} is on a chain`);
    one.depositHashes.push(one.chain.deposit({ to: bill.address, amountRaw, contractAddress }));
  }
  world.note("bills", "two tries paid");
  return true;
}

/** Of a period one try is completed; and none was billed that the rule leaves out. */
export async function checkBills(world: World): Promise<void> {
  const twice = await world.rows<{ id: string; period: string }>(
    `select b.subscription_id as id, b.period_start::text as period
      from subscription_bills b join payments p on p.id = b.payment_id
      where p.status in ('paid', 'overpaid', 'paid_late')
      group by b.subscription_id, b.period_start having count(*) > 1`,
  );
  for (const { id, period } of twice) {
    world.complain(`the period ${period} of ${id} is completed twice`);
  }
  const old = await world.rows<{ id: string; period: string }>(
    `select s.id, b.period_start::text as period
      from subscription_bills b join subscriptions s on s.id = b.subscription_id
      where s.missed_periods = 'collapse' and b.try = 1
        and b.created_at >= b.period_start + s.interval_seconds * interval '1 second'`,
  );
  for (const { id, period } of old) {
    world.complain(`${id} has billed the period ${period} after a newer one had begun`);
  }
}
