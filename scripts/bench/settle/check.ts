// Whether what was answered is so: on the chain, in the database, in the ledger.

import { systemClock } from "../../../adapters/system/clock.ts";
import { openPostgres } from "../../../adapters/database/postgres.ts";
import { testUsdAddress } from "../../../adapters/local-chain/contract-addresses.ts";
import { verifyLedger } from "../../../service/ledger/verifier.ts";
import { topics } from "../../../adapters/evm/logs.ts";
import { query } from "../measuring.ts";
import type { Answered, Order } from "./load-plan.ts";
import type { BenchNode } from "./node.ts";
import { priceRaw } from "./payers.ts";

export interface Checked {
  readonly node: BenchNode;
  readonly databaseUrl: string;
  readonly payTo: string;
  readonly orders: readonly Order[];
  /** all that there were */
  readonly answers: readonly Answered[];
}

/** One sentence for each. */
export async function findFaults(checked: Checked): Promise<readonly string[]> {
  return [
    ...answerFaults(checked.answers),
    ...orderFaults(checked),
    ...(await chainFaults(checked)),
    ...(await databaseFaults(checked)),
  ];
}

/** Whoever is refused, or not told the end of it, is told when to come back. */
export function answerFaults(answers: readonly Answered[]): readonly string[] {
  const faults = answers.flatMap(({ status, code, retryAfterSeconds }) => {
    if (status === 200) return [];
    const said = `${status} ${code}`.trim();
    if (status !== 202 && status !== 429 && status !== 503) return [`an answer was ${said}`];
    return (retryAfterSeconds ?? 0) > 0 ? [] : [`${said} does not say when to come back`];
  });
  return countedOnce(faults);
}

function countedOnce(faults: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const fault of faults) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return Array.from(counts, ([fault, count]) => (count === 1 ? fault : `${count} times: ${fault}`));
}

function orderFaults({ orders }: Checked): readonly string[] {
  const lost = orders.filter(({ isAsked, isSettled }) => isAsked && !isSettled).length;
  return lost === 0 ? [] : [`${lost} that were asked for were never settled`];
}

interface Log {
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
}

async function chainFaults({
  node,
  databaseUrl,
  payTo,
  orders,
}: Checked): Promise<readonly string[]> {
  const settled = orders.filter(({ isSettled }) => isSettled);
  const logsOf = async (filter: readonly (string | null)[]): Promise<readonly Log[]> => {
    const range = { address: testUsdAddress, fromBlock: "0x0", toBlock: "latest" };
    // As the chain's interface has it.
    return (await node.rpc("eth_getLogs", [{ ...range, topics: filter }])) as readonly Log[];
  };
  const used = await logsOf([topics.authorizationUsed]);
  const nonces = new Set(used.map((log) => log.topics[2]));
  const to = `0x${payTo.slice(2).toLowerCase().padStart(64, "0")}`;
  const moved = await logsOf([topics.transfer, null, to]);
  const wrong = moved.filter(({ data }) => BigInt(data) !== priceRaw);
  const transactions = new Set(moved.map(({ transactionHash }) => transactionHash));
  const sent = Number(await node.rpc("eth_getTransactionCount", [payTo, "latest"]));
  // What was settled is brought to the hot account now and then; what is signed for that may not be mined yet.
  const [others] = await query(
    databaseUrl,
    `select count(*)::integer as count
    from sender_nonces n join outgoing_transactions o on o.id = n.outgoing_id
    where n.account = '${payTo}' and n.nonce < ${sent} and o.purpose <> 'x402_settlement'`,
  );
  const missing = settled.filter(({ nonce }) => !nonces.has(nonce)).length;
  const count = settled.length;
  return [
    ...(missing > 0 ? [`${missing} were answered as settled, and are not on the chain`] : []),
    ...countFaults(count, {
      "authorizations used": used.length,
      "different ones used": nonces.size,
      "transfers to our account": moved.length,
      "transactions with one": transactions.size,
      "transactions that our account sent for them": sent - Number(others?.["count"]),
    }),
    ...(wrong.length > 0 ? [`${wrong.length} transfers are not of the price`] : []),
  ];
}

function countFaults(count: number, found: Readonly<Record<string, number>>): readonly string[] {
  return Object.entries(found).flatMap(([what, number]) =>
    number === count ? [] : [`${what}: ${number}, and ${count} were settled`],
  );
}

async function databaseFaults({ databaseUrl, orders }: Checked): Promise<readonly string[]> {
  const count = orders.filter(({ isSettled }) => isSettled).length;
  const [row = {}] = await query(
    databaseUrl,
    `select (select count(*)::integer from payments where status = 'paid') as paid,
      (select count(*)::integer from x402_settlements where status in ('settled', 'final')) as settled,
      (select count(*)::integer from x402_settlements) as accepted,
      (select count(distinct nonce)::integer from x402_settlements) as nonces,
      (select count(*)::integer from ledger_transactions where kind = 'deposit_credited') as booked`,
  );
  const sums = await query(
    databaseUrl,
    `select deployment_id from ledger_postings group by deployment_id having sum(amount) <> 0`,
  );
  const database = await openPostgres({ url: databaseUrl, connectionsMax: 2 });
  try {
    const { differences } = await verifyLedger({ database, clock: systemClock });
    return [
      ...countFaults(count, {
        "payments that are paid": Number(row["paid"]),
        "settlements in the database": Number(row["settled"]),
        "authorizations accepted": Number(row["accepted"]),
        "different ones accepted": Number(row["nonces"]),
        "settlements in the ledger": Number(row["booked"]),
      }),
      ...sums.map((one) => `the ledger of ${String(one["deployment_id"])} is not zero`),
      ...differences,
    ];
  } finally {
    await database.close();
  }
}
