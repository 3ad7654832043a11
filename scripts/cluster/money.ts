// What is on the chain and in the database of x402, of sweeps and of our accounts, read when nothing is on its way any more, and
// judged by moves.ts.

import { encodeFunctionData } from "viem/utils";
import { permit2Abi, permit2Address } from "../../adapters/evm/calldata.ts";
import { topics } from "../../adapters/evm/logs.ts";
import type { BenchNode } from "../bench/settle/node.ts";
import { coin, usd } from "../client/tool/test-usd.ts";
import { readEarnings } from "./earnings.ts";
import { findAll } from "./findings.ts";
import type { Load } from "./load.ts";
import {
  comingRaw,
  holdingFaults,
  isUsedIn,
  leftFaults,
  moveFaults,
  senderFaults,
  settlementFaults,
  sweepFaults,
  toldFaults,
  useFaults,
  wantedOf,
  wordOf,
} from "./moves.ts";
import type {
  Asked,
  Cause,
  Holding,
  Left,
  Move,
  Sender,
  SettlementRow,
  SweepRow,
} from "./moves.ts";
import { query } from "./querying.ts";
import type { Settlement } from "./settling.ts";

export interface MoneyJudged {
  readonly load: Pick<Load, "payments" | "paid" | "paidInCoin" | "withdrawals">;
  readonly settlements: readonly Settlement[];
  readonly node: Pick<BenchNode, "rpc">;
  /** how the hot account got its money */
  readonly funding: Cause;
  /** whose payments at addresses are those of the load */
  readonly payer: string;
  readonly url: string;
}

export async function moneyFaults(judged: MoneyJudged): Promise<readonly string[]> {
  const { load, url, node } = judged;
  const asked = judged.settlements.map(({ order, ...one }) => ({
    ...one,
    paymentId: order.id ?? "",
    merchantId: order.asked.merchant.id,
  }));
  const { payments, withdrawals } = load;
  const paid = [...load.paid, ...load.paidInCoin];
  const rows = await readSettlements(url);
  const addresses = await readAddresses(url);
  const held = {
    [usd.deploymentId]: await readHeld(addresses, (address) => heldBy(node, address)),
    [coin.deploymentId]: await readHeld(addresses, (address) => coinOf(node, address)),
  };
  return findAll({
    settlements: () => settlementFaults(asked, rows),
    "nonces of authorizations": () => usedFaults(judged, asked),
    transfers: async () => moveFaults(await readMoves(node), await readCauses(judged, asked, rows)),
    sweeps: () => sweptFaults(judged, held),
    "what accounts hold": async () => holdingFaults(await readHoldings(judged, held)),
    "what merchants have": async () => holdingFaults(await readEarnings(judged, asked)),
    "what accounts have sent": async () => senderFaults(await readSenders(judged, addresses)),
    "what is left": async () => leftFaults(await readLeft(url), asked),
    events: async () =>
      toldFaults(await readTold(url), wantedOf({ payments, withdrawals, paid, asked })),
  });
}

const text = (value: unknown): string => String(value).toLowerCase();
/** Of a sum that the statement gives as text; null: of nothing. */
const raw = (value: unknown): bigint => BigInt(typeof value === "string" ? value : 0);

async function readSettlements(url: string): Promise<readonly SettlementRow[]> {
  const rows = await query(
    url,
    `select s.id, s.nonce, s.payment_id, s.status, s.tx_hash, s.refund_raw::text as refund_raw,
      s.released_at is not null as is_released, p.status as payment_status, (
        select coalesce(jsonb_agg(jsonb_build_object('txHash', d.tx_hash, 'paymentId', d.payment_id,
          'raw', d.amount_raw::text, 'booked', d.bookings - d.reversals)), '[]')
        from deposits d where d.settlement_id = s.id or d.payment_id = p.id) as deposits
    from x402_settlements s join payments p on p.id = s.payment_id`,
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    nonce: text(row["nonce"]),
    paymentId: String(row["payment_id"]),
    status: String(row["status"]),
    txHash: text(row["tx_hash"]),
    paymentStatus: String(row["payment_status"]),
    refundRaw: raw(row["refund_raw"]),
    isReleased: row["is_released"] === true,
    // As the statement makes them.
    deposits: (row["deposits"] as readonly DepositText[]).map(({ raw: amount, ...one }) => {
      return { ...one, amountRaw: BigInt(amount) };
    }),
  }));
}

interface DepositText {
  readonly txHash: string;
  readonly paymentId: string;
  readonly raw: string;
  readonly booked: number;
}

/** By deployment and address, in smallest units. */
type Held = Readonly<Record<string, ReadonlyMap<string, bigint>>>;

async function sweptFaults({ load, url }: MoneyJudged, held: Held): Promise<readonly string[]> {
  const paid = [
    [usd.deploymentId, load.paid] as const,
    [coin.deploymentId, load.paidInCoin] as const,
  ];
  const faults: string[] = [];
  for (const [deploymentId, payments] of paid) {
    const received = payments.map(({ address, amountRaw }) => {
      return { address: address.toLowerCase(), amountRaw };
    });
    const sweeps = await readSweeps(url, deploymentId);
    faults.push(...sweepFaults(received, sweeps, held[deploymentId] ?? new Map()));
  }
  return faults;
}

async function readSweeps(url: string, deploymentId: string): Promise<readonly SweepRow[]> {
  const rows = await query(
    url,
    `select s.id, s.address, s.status, s.covered_raw::text as covered, s.left_raw::text as left_raw,
      s.arrived_raw::text as arrived, (
        select sum(o.gas_raw)::text from outgoing_transactions o
        where o.purpose = 'sweep' and o.subject_id = s.id and o.account = s.address) as gas
    from sweeps s where s.kind = 'sweep' and s.deployment_id = '${deploymentId}'`,
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    address: text(row["address"]),
    status: String(row["status"]),
    coveredRaw: raw(row["covered"]),
    leftRaw: raw(row["left_raw"]),
    arrivedRaw: raw(row["arrived"]),
    gasRaw: raw(row["gas"]),
  }));
}

interface Log {
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
}

async function logsOf(node: MoneyJudged["node"], topic: string): Promise<readonly Log[]> {
  const range = { address: usd.address, fromBlock: "0x0", toBlock: "latest" };
  // As the chain's interface has it.
  return (await node.rpc("eth_getLogs", [{ ...range, topics: [topic] }])) as readonly Log[];
}

const nobody = `0x${"00".repeat(20)}`;

/** All but what was minted, which only its owner can do. */
async function readMoves(node: MoneyJudged["node"]): Promise<readonly Move[]> {
  const logs = await logsOf(node, topics.transfer);
  const addressIn = (topic = ""): string => `0x${topic.slice(-40)}`;
  return logs
    .map(({ topics: [, from, to], data, transactionHash }) => ({
      txHash: transactionHash,
      from: addressIn(from),
      to: addressIn(to),
      amountRaw: BigInt(data),
    }))
    .filter(({ from }) => from !== nobody);
}

/** By EIP-3009 the token itself says which authorization a transaction has used; Permit2 only that one was. */
async function usedFaults(
  { node }: MoneyJudged,
  asked: readonly Asked[],
): Promise<readonly string[]> {
  const byToken = new Map<string, string[]>();
  for (const { topics: named, transactionHash } of await logsOf(node, topics.authorizationUsed)) {
    const nonce = named[2] ?? "";
    byToken.set(nonce, [...(byToken.get(nonce) ?? []), transactionHash]);
  }
  const permits = asked.filter(({ method }) => method === "permit2");
  const words = await inTurns(permits, (one) => readPermits(node, one));
  const permitted = permits.filter(({ nonce }, index) => isUsedIn(words[index] ?? 0n, nonce));
  return useFaults(asked, { byToken, byPermit: new Set(permitted.map(({ nonce }) => nonce)) });
}

/** Of the word that the nonce is in, those that were used. */
async function readPermits(node: MoneyJudged["node"], { payer, nonce }: Asked): Promise<bigint> {
  const data = encodeFunctionData({
    abi: permit2Abi,
    functionName: "nonceBitmap",
    args: [`0x${payer.slice(2)}`, wordOf(nonce)],
  });
  return BigInt(String(await node.rpc("eth_call", [{ to: permit2Address, data }, "latest"])));
}

/** What has left our accounts, as the database has it. */
const sentText = `
  select 'withdrawal ' || w.id as what, o.tx_hash, o.account as sender, o.action ->> 'to' as recipient,
    w.send_amount_raw::text as amount
  from withdrawals w join outgoing_transactions o on o.purpose = 'withdrawal' and o.subject_id = w.id
  where w.status = 'confirmed'
  union all
  select s.kind || ' ' || s.id, o.tx_hash, s.address, s.target_address, s.left_raw::text
  from sweeps s join outgoing_transactions o on o.purpose = s.kind and o.subject_id = s.id
  where s.status = 'moved' and s.deployment_id = '${usd.deploymentId}'
  union all
  select 'release of ' || s.id, o.tx_hash, o.account, s.payer, s.refund_raw::text
  from x402_settlements s join outgoing_transactions o on o.purpose = 'x402_release' and o.subject_id = s.id
  where s.released_at is not null`;

async function readCauses(
  { load, funding, payer, url }: MoneyJudged,
  asked: readonly Asked[],
  rows: readonly SettlementRow[],
): Promise<readonly Cause[]> {
  const sent = (await query(url, sentText)).map((row) => ({
    what: String(row["what"]),
    txHash: text(row["tx_hash"]),
    from: text(row["sender"]),
    to: text(row["recipient"]),
    amountRaw: raw(row["amount"]),
  }));
  const paid = load.paid.map(({ paymentId, txHash, amountRaw, address }) => {
    return {
      what: paymentId,
      txHash,
      from: payer.toLowerCase(),
      to: address.toLowerCase(),
      amountRaw,
    };
  });
  const [settlement] = await query(
    url,
    "select lower(account) as account from own_accounts where role = 'settlement'",
  );
  const byNonce = new Map(rows.map((row) => [row.nonce, row]));
  const settled = asked.flatMap((one) => {
    const row = byNonce.get(one.nonce);
    const isThere = row?.status === "final" || row?.status === "settled";
    const txHash = one.txHashes[0] ?? (isThere ? row.txHash : undefined);
    if (txHash === undefined) return [];
    const to = String(settlement?.["account"]);
    const what = `authorization ${one.nonce}`;
    return [{ what, txHash, from: one.payer, to, amountRaw: comingRaw(one) }];
  });
  return [funding, ...paid, ...settled, ...sent];
}

async function readAddresses(url: string): Promise<readonly string[]> {
  const rows = await query(url, "select lower(address) as address from deposit_addresses");
  return rows.map(({ address }) => String(address));
}

async function readHeld(accounts: readonly string[], ask: (account: string) => Promise<bigint>) {
  const balances = await inTurns(accounts, ask);
  return new Map(accounts.map((account, index) => [account, balances[index] ?? 0n]));
}

async function heldBy(node: MoneyJudged["node"], account: string): Promise<bigint> {
  // balanceOf(address)
  const data = `0x70a08231${account.slice(2).padStart(64, "0")}`;
  return BigInt(String(await node.rpc("eth_call", [{ to: usd.address, data }, "latest"])));
}

async function coinOf(node: MoneyJudged["node"], account: string): Promise<bigint> {
  return BigInt(String(await node.rpc("eth_getBalance", [account, "latest"])));
}

const atOnce = 16;

async function inTurns<One, Result>(
  all: readonly One[],
  ask: (one: One) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < all.length; from += atOnce)
    results.push(...(await Promise.all(all.slice(from, from + atOnce).map(ask))));
  return results;
}

async function readHoldings({ node, url }: MoneyJudged, held: Held): Promise<readonly Holding[]> {
  const books = new Map<string, bigint>();
  const kinds = "kind like 'chain:%' and merchant_id is null";
  for (const { kind, deployment_id: of, balance } of await query(
    url,
    // What the hot account has spent for gas is on an account of its own.
    `select case kind when 'chain:gas' then 'chain:hot' else kind end as kind, deployment_id, sum(balance)::text as balance
    from ledger_accounts where ${kinds} group by 1, 2`,
  ))
    books.set(`${String(kind)} ${String(of)}`, raw(balance));
  const own = await query(url, "select lower(account) as account, role from own_accounts");
  const all = Object.entries(held).flatMap(([deploymentId, amounts]) =>
    [...amounts.values()].map((amount): [string, string, bigint] => {
      return ["chain:deposit_addresses", deploymentId, amount];
    }),
  );
  for (const { account, role } of own) {
    const address = String(account);
    all.push([`chain:${String(role)}`, usd.deploymentId, await heldBy(node, address)]);
    all.push([`chain:${String(role)}`, coin.deploymentId, await coinOf(node, address)]);
  }
  const sums = new Map([...books.keys()].map((name) => [name, 0n]));
  for (const [account, deploymentId, amount] of all) {
    const name = `${account} ${deploymentId}`;
    sums.set(name, (sums.get(name) ?? 0n) + amount);
  }
  return [...sums].map(([name, heldRaw]) => {
    const [account = "", deploymentId = ""] = name.split(" ");
    return { account, deploymentId, heldRaw, bookedRaw: books.get(name) ?? 0n };
  });
}

/** Those that sweep by a transfer of their own, too. */
async function readSenders(
  { node, url }: MoneyJudged,
  addresses: readonly string[],
): Promise<readonly Sender[]> {
  const own = await query(url, "select lower(account) as account from own_accounts");
  const rows = await query(url, "select lower(account) as account, nonce from sender_nonces");
  const accounts = [...own.map(({ account }) => String(account)), ...addresses];
  const nonces = Map.groupBy(rows, ({ account }) => String(account));
  return inTurns(accounts, async (account) => {
    const mined = Number(await node.rpc("eth_getTransactionCount", [account, "latest"]));
    const given = nonces.get(account) ?? [];
    const known = given.filter(({ nonce }) => Number(nonce) < mined).length;
    return { account, mined, known };
  });
}

async function readLeft(url: string): Promise<readonly Left[]> {
  const rows = await query(
    url,
    `select kind, merchant_id, sum(balance)::text as balance from ledger_accounts
    where kind in ('merchant:x402_hold', 'merchant:unmatched', 'merchant:withdrawing', 'payer:refund_due',
      'payer:unmatched', 'payer:refunding')
    group by 1, 2, deployment_id having sum(balance) <> 0`,
  );
  return rows.map(({ kind, merchant_id: merchantId, balance }) => ({
    kind: String(kind),
    merchantId: typeof merchantId === "string" ? merchantId : undefined,
    balance: String(balance),
  }));
}

async function readTold(url: string) {
  const rows = await query(
    url,
    `select resource_id, type, count(*)::integer as count from events
    where resource_type in ('payment', 'withdrawal') group by 1, 2`,
  );
  return rows.map((row) => ({
    resourceId: String(row["resource_id"]),
    type: String(row["type"]),
    count: Number(row["count"]),
  }));
}
