// What there is afterwards, against what was answered: each thing once, and none that nobody asked for.

import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../adapters/system/clock.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { topics } from "../../adapters/evm/logs.ts";
import { testUsdAddress } from "../../adapters/local-chain/contract-addresses.ts";
import { verifyLedger } from "../../service/ledger/verifier.ts";
import { usd } from "../client/tool/test-usd.ts";
import type { Written } from "./asking.ts";
import { findAll } from "./findings.ts";
import type { Load, Order, Withdrawal } from "./load.ts";
import { moneyFaults } from "./money.ts";
import type { MoneyJudged } from "./money.ts";
import { openFaults } from "./moves.ts";
import { query } from "./querying.ts";
import type { Receiver } from "./receiver.ts";
import type { Settling } from "./settling.ts";

export interface Judged extends Omit<MoneyJudged, "load" | "settlements"> {
  readonly load: Pick<Load, "payments" | "withdrawals" | "paid" | "paidInCoin" | "faults">;
  readonly settling: Pick<Settling, "settlements">;
  readonly vault: string;
  readonly receiver: Pick<Receiver, "taken" | "wronglySigned">;
}

const endSecondsMax = 180;

/** Waits until nothing is on its way any more; then one sentence for each fault. */
export async function findFaults(judged: Judged): Promise<readonly string[]> {
  const { load, url } = judged;
  const { settlements } = judged.settling;
  const faults = await findAll({
    "what is on its way": () => untilStill(url, load),
    "what was answered": () => lostFaults(url, load),
    "what was paid at addresses": () => depositFaults(judged),
    "what was withdrawn": () => sendingFaults(judged),
    "whose money is where": () => moneyFaults({ ...judged, settlements }),
    "what was told": () => webhookFaults(judged),
    "the ledger": () => ledgerFaults(url),
  });
  return [...load.faults, ...openFaults(settlements), ...faults];
}

/** Can be asked at any time. */
export async function lostFaults(
  url: string,
  { payments, withdrawals }: Pick<Load, "payments" | "withdrawals">,
): Promise<readonly string[]> {
  const faultsOf = async (what: string, orders: readonly Order[], text: string) => {
    // What is answered while the rows are read need not be among them, and what is asked for meanwhile may be.
    const wantedOf = ({ number, asked }: Order) => ({ number, merchantId: asked.merchant.id });
    const before = orders.map((order) => ({ ...wantedOf(order), id: order.id }));
    const rows = await query(url, text);
    const since = orders.slice(before.length).map(wantedOf);
    const read = rows.map((row) => ({
      number: String(row["number"]),
      id: String(row["id"]),
      merchantId: String(row["merchant_id"]),
    }));
    return orderFaults(what, [...before, ...since], read);
  };
  return [
    ...(await faultsOf(
      "payment",
      payments,
      "select merchant_order_no as number, id, merchant_id from payments",
    )),
    ...(await faultsOf(
      "withdrawal",
      withdrawals,
      "select idempotency_key as number, id, merchant_id from withdrawals",
    )),
  ];
}

/** Of what is under way, and of what the service will begin with by itself: a sweep, of an address or the settlement account. */
const waitingText = `
  select (select count(*)::integer from withdrawals where status not in ('confirmed', 'failed')) as withdrawals,
    (select count(*)::integer from webhook_deliveries where status = 'pending') as deliveries,
    (select count(*)::integer from outgoing_transactions where status in ('queued', 'broadcast')) as transactions,
    (select count(*)::integer from x402_settlements where status in ('queued', 'settled')) as settlements,
    (select count(*)::integer from sweeps where status in ('gas', 'moving')) as sweeps,
    (select count(*)::integer from deposits
      where source = 'address' and status = 'final' and sweep_id is null) as unswept,
    (select case when coalesce(sum(case kind when 'chain:settlement' then balance else -balance end), 0) >= 1000000
        then 1 else 0 end from ledger_accounts
      where deployment_id = '${usd.deploymentId}'
        and kind in ('chain:settlement', 'merchant:x402_hold', 'payer:refund_due', 'payer:unmatched')) as surpluses,
    (select count(*)::integer from deposits where source = 'address' and status = 'final') as deposits`;

async function untilStill(
  url: string,
  { paid, paidInCoin }: Pick<Load, "paid" | "paidInCoin">,
): Promise<readonly string[]> {
  const paidCount = paid.length + paidInCoin.length;
  const giveUpAt = Date.now() + endSecondsMax * 1_000;
  for (;;) {
    const [{ deposits, ...row } = {}] = await query(url, waitingText);
    const unseen = Math.max(0, paidCount - Number(deposits));
    const counts = Object.entries<unknown>({ ...row, "unseen deposits": unseen });
    const waiting = counts.filter(([, count]) => Number(count) > 0);
    if (waiting.length === 0) return [];
    if (Date.now() > giveUpAt) {
      const what = waiting.map(([name, count]) => `${String(count)} ${name}`).join(", ");
      return [`after ${endSecondsMax} s there wait: ${what}`];
    }
    await pause(500);
  }
}

export interface Row {
  readonly number: string;
  readonly id: string;
  /** whose it is, where that is compared */
  readonly merchantId?: string;
}

/** One that was asked for. */
interface Wanted {
  readonly number: string;
  /** undefined: it was never answered */
  readonly id?: string | undefined;
  /** who has asked, where that is compared */
  readonly merchantId?: string;
}

/** What was answered is there, of whom asked and with the id that was answered, and nothing is there twice or for nobody. */
export function orderFaults(
  what: string,
  orders: readonly Wanted[],
  rows: readonly Row[],
): readonly string[] {
  const made = Map.groupBy(rows, ({ number }) => number);
  const faults = orders.flatMap(({ number, id, merchantId }) => {
    const [row, ...others] = made.get(number) ?? [];
    made.delete(number);
    if (others.length > 0) return [`${what} ${number} was made ${others.length + 1} times`];
    if (row === undefined)
      return id === undefined ? [] : [`${what} ${id} was answered and is lost`];
    if (id !== undefined && row.id !== id)
      return [`${what} ${number} was answered as ${id}, and is ${row.id}`];
    if (row.merchantId === merchantId) return [];
    return [`${what} ${row.id} was asked for by ${merchantId}, and is ${row.merchantId}'s`];
  });
  const others = made.size === 0 ? [] : [`${made.size} of ${what} that nobody asked for`];
  return [...faults, ...others];
}

async function depositFaults({ load, url }: Judged): Promise<readonly string[]> {
  const rows = await query(
    url,
    `select d.tx_hash, d.payment_id, d.amount_raw::text as amount, d.bookings - d.reversals as booked, p.status
    from deposits d join payments p on p.id = d.payment_id where d.status = 'final' and d.source = 'address'`,
  );
  const byHash = new Map(rows.map((row) => [String(row["tx_hash"]), row]));
  const paid = [...load.paid, ...load.paidInCoin];
  const faults = paid.flatMap(({ txHash, paymentId, amountRaw }) => {
    const row = byHash.get(txHash);
    if (row === undefined) return [`what ${txHash} paid for ${paymentId} is not there`];
    const isRight =
      row["payment_id"] === paymentId &&
      row["amount"] === amountRaw.toString() &&
      Number(row["booked"]) === 1 &&
      row["status"] === "paid";
    return isRight ? [] : [`what ${txHash} paid is there as ${JSON.stringify(row)}`];
  });
  const more = rows.length - paid.length;
  return more > 0 ? [...faults, `${more} deposits that nobody has paid`] : faults;
}

interface Log {
  readonly data: string;
}

/** Every withdrawal has an amount of its own. */
async function sendingFaults({ load, node, vault, url }: Judged): Promise<readonly string[]> {
  const to = `0x${vault.slice(2).toLowerCase().padStart(64, "0")}`;
  const range = { address: testUsdAddress, fromBlock: "0x0", toBlock: "latest" };
  const filter = { ...range, topics: [topics.transfer, null, to] };
  // As the chain's interface has it.
  const logs = (await node.rpc("eth_getLogs", [filter])) as readonly Log[];
  const rows = await query(
    url,
    "select id, send_amount_raw::text as amount from withdrawals where status = 'confirmed'",
  );
  const confirmed = rows.map(({ id, amount }) => ({ id: String(id), amount: String(amount) }));
  return [
    ...confirmationFaults(load.withdrawals, confirmed),
    ...transferFaults(
      logs.map(({ data }) => BigInt(data).toString()),
      confirmed,
    ),
  ];
}

interface Confirmed {
  readonly id: string;
  readonly amount: string;
}

/** Nothing here is a reason for a withdrawal to fail. */
export function confirmationFaults(
  withdrawals: readonly Pick<Withdrawal, "id" | "amountRaw">[],
  confirmed: readonly Confirmed[],
): readonly string[] {
  const amounts = new Map(confirmed.map(({ id, amount }) => [id, amount]));
  return withdrawals.flatMap(({ id, amountRaw }) => {
    if (id === undefined || amounts.get(id) === amountRaw.toString()) return [];
    return [`withdrawal ${id} of ${amountRaw} is confirmed with ${amounts.get(id) ?? "nothing"}`];
  });
}

export function transferFaults(
  sent: readonly string[],
  confirmed: readonly Confirmed[],
): readonly string[] {
  const counts = new Map<string, number>();
  for (const amount of sent) counts.set(amount, (counts.get(amount) ?? 0) + 1);
  const faults = confirmed.flatMap(({ id, amount }) => {
    const count = counts.get(amount) ?? 0;
    counts.delete(amount);
    return count === 1 ? [] : [`withdrawal ${id} is confirmed and was sent ${count} times`];
  });
  return [...faults, ...[...counts].map(([amount]) => `${amount} was sent for no withdrawal`)];
}

/** Every event of who listens has come, since they listen. More than once it may. */
export async function webhookFaults({
  receiver,
  url,
}: Pick<Judged, "receiver" | "url">): Promise<readonly string[]> {
  const rows = await query(
    url,
    `select substring(w.url from '[^/]+$') || ' ' || e.id as id, e.type, e.occurred_at > w.created_at as is_after
    from events e join webhook_endpoints w using (merchant_id, environment) where '*' = any (w.event_types)`,
  );
  const events = rows.map(({ id, type, is_after: isAfter }) => {
    return { id: String(id), type: String(type), isWanted: isAfter === true };
  });
  return eventFaults(events, receiver);
}

interface EventRow {
  /** as the receiver has it, with the endpoint */
  readonly id: string;
  readonly type: string;
  /** it happened when somebody listened */
  readonly isWanted: boolean;
}

export function eventFaults(
  events: readonly EventRow[],
  { taken, wronglySigned }: Pick<Receiver, "taken" | "wronglySigned">,
): readonly string[] {
  const known = new Set(events.map(({ id }) => id));
  const lost = events.filter(({ id, isWanted }) => isWanted && !taken.has(id));
  return [
    ...lost.map(({ id, type }) => `${type} ${id} has not come`),
    ...[...taken.keys()].filter((id) => !known.has(id)).map((id) => `${id} came, and is no event`),
    ...(wronglySigned === 0 ? [] : [`${wronglySigned} deliveries were wrongly signed`]),
  ];
}

export async function ledgerFaults(url: string): Promise<readonly string[]> {
  const sums = await query(
    url,
    "select deployment_id from ledger_postings group by deployment_id having sum(amount) <> 0",
  );
  const database = await openPostgres({ url, connectionsMax: 2 });
  try {
    const { differences } = await verifyLedger({ database, clock: systemClock });
    const unequal = sums.map((one) => `the ledger of ${String(one["deployment_id"])} is not zero`);
    return [...unequal, ...differences];
  } finally {
    await database.close();
  }
}

/** The longest that no write of a service was answered, in seconds, between two moments. */
export function longestGap(
  written: readonly Written[],
  service: string,
  [from, to]: readonly [number, number],
): number {
  const times = written
    .filter((one) => one.service === service && one.at > from && one.at < to)
    .map(({ at }) => at)
    .toSorted((one, other) => one - other);
  let longest = 0;
  let before = from;
  for (const at of [...times, to]) {
    longest = Math.max(longest, at - before);
    before = at;
  }
  return longest / 1_000;
}
