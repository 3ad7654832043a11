// What is read of the restored database and of the chain, for the judges.

import { query } from "../../bench/measuring.ts";
import { waitUntil } from "../../cluster/parts.ts";
import { usd } from "../../client/tool/test-usd.ts";
import { balanceFaults } from "./judging.ts";
import { urlOf } from "./postgres.ts";
import { coinId } from "./site.ts";
import type { Site } from "./site.ts";

/** What the database has when it is restored, and nobody has written to it yet. */
export interface Kept {
  /** numbers of orders */
  readonly payments: ReadonlySet<string>;
  readonly withdrawals: ReadonlySet<string>;
  /** ids of payments that have an address */
  readonly addressed: ReadonlySet<string>;
  /** of endpoints and their events, as the receiver names them */
  readonly events: ReadonlySet<string>;
}

export async function readKept(url: string): Promise<Kept> {
  const names = async (text: string): Promise<ReadonlySet<string>> =>
    new Set((await query(url, text)).map(({ name }) => String(name)));
  return {
    payments: await names("select merchant_order_no as name from payments"),
    withdrawals: await names("select idempotency_key as name from withdrawals"),
    addressed: await names("select payment_id as name from deposit_addresses"),
    events: await names(
      `select substring(w.url from '[^/]+$') || ' ' || e.id as name
      from events e join webhook_endpoints w using (merchant_id, environment)`,
    ),
  };
}

/** Hashes of all that was ever signed for it. */
export async function readSigned(url: string): Promise<ReadonlySet<string>> {
  const rows = await query(url, "select tx_hash from outgoing_attempts");
  return new Set(rows.map(({ tx_hash: hash }) => String(hash)));
}

/** Accounts of which somebody else, or a database that was lost, has used nonces: those that the service has noticed. */
export async function readLookedAt(url: string): Promise<ReadonlySet<string>> {
  const rows = await query(
    url,
    `select o.role from sender_accounts s join own_accounts o on lower(o.account) = lower(s.account)
    where s.foreign_count is not null`,
  );
  return new Set(rows.map(({ role }) => String(role)));
}

export async function isStopped(url: string): Promise<boolean> {
  return (await query(url, "select from withdrawal_stops")).length > 0;
}

/** Of withdrawals, by the Idempotency-Key of their request. */
export async function readStatuses(url: string): Promise<ReadonlyMap<string, string>> {
  const rows = await query(url, "select idempotency_key as number, status from withdrawals");
  return new Map(rows.map(({ number, status }) => [String(number), String(status)]));
}

/** Deposits by their transaction. */
export async function readBooked(url: string) {
  const rows = await query(
    url,
    `select tx_hash, payment_id, bookings - reversals as times from deposits
    where status = 'final' and payment_id is not null`,
  );
  return new Map(
    rows.map((row) => {
      const booked = { paymentId: String(row["payment_id"]), times: Number(row["times"]) };
      return [String(row["tx_hash"]), booked] as const;
    }),
  );
}

const settledSecondsMax = 120;

/** Nothing is on its way any more: every withdrawal has ended, and every event has come. */
export async function untilSettled(url: string, paid: readonly string[]): Promise<void> {
  await waitUntil(
    "nothing is on its way",
    async () => {
      const [row] = await query(
        url,
        `select (select count(*) from withdrawals
            where status in ('pending', 'processing', 'broadcast'))
          + (select count(*) from outgoing_transactions where status in ('queued', 'broadcast'))
          + (select count(*) from deposits where status <> 'final')
          + (select count(*) from webhook_deliveries where status = 'pending') as count`,
      );
      if (Number(row?.["count"]) > 0) return false;
      const booked = await readBooked(url);
      return paid.every((txHash) => booked.has(txHash));
    },
    settledSecondsMax,
  );
}

/** The operator's own commands say that all is well, and the accounts hold what is booked. */
export async function booksFaults(site: Site): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const words of [["ledger", "verify"], ["audit", "verify"], ["status"]]) {
    const { exitCode, output } = await site.admin(words);
    if (exitCode !== 0) faults.push(`${words.join(" ")} ends with ${exitCode}:\n${output}`);
  }
  const { node, hot, settlement, place } = site;
  const data = `0x70a08231${hot.slice(2).toLowerCase().padStart(64, "0")}`; // balanceOf(address)
  const usdHeld = await node.rpc("eth_call", [{ to: usd.address, data }, "latest"]);
  const coinOf = async (account: string): Promise<bigint> =>
    BigInt(String(await node.rpc("eth_getBalance", [account, "latest"])));
  const held = new Map([
    [`hot ${usd.deploymentId}`, BigInt(String(usdHeld))],
    [`hot ${coinId}`, await coinOf(hot)],
    [`settlement ${coinId}`, await coinOf(settlement)],
  ]);
  const rows = await query(
    urlOf(place),
    `select case kind when 'chain:settlement' then 'settlement ' else 'hot ' end || deployment_id as name,
      sum(balance)::text as raw
    from ledger_accounts where kind in ('chain:hot', 'chain:gas', 'chain:settlement') group by 1`,
  );
  const booked = new Map(rows.map(({ name, raw }) => [String(name), BigInt(String(raw))]));
  return [...faults, ...balanceFaults(held, booked)];
}
