// Whether the database holds what was answered: nothing lost, nothing doubled, nothing by a read.

import { query } from "../measuring.ts";

/** What one request of a kind leaves behind. */
const left: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  create: { payments: 1, "events of payments": 1, deliveries: 1, "idempotency keys": 1 },
  withdraw: {
    withdrawals: 1,
    "events of withdrawals": 1,
    deliveries: 1,
    "idempotency keys": 1,
    "ledger transactions": 1,
    "ledger postings": 2,
  },
};

const counted = {
  payments: "payments",
  withdrawals: "withdrawals",
  "events of payments": "events where resource_type = 'payment'",
  "events of withdrawals": "events where resource_type = 'withdrawal'",
  events: "events",
  deliveries: "webhook_deliveries",
  "idempotency keys": "idempotency_keys",
  "ledger transactions": "ledger_transactions",
  "ledger postings": "ledger_postings",
  nonces: "nonces",
} as const;

export type Counts = Readonly<Record<string, number>>;

export async function readCounts(url: string): Promise<Counts> {
  const columns = Object.entries(counted).map(
    ([name, rows]) => `(select count(*) from ${rows}) as "${name}"`,
  );
  const [row = {}] = await query(url, `select ${columns.join(", ")}`);
  return Object.fromEntries(Object.entries(row).map(([name, count]) => [name, Number(count)]));
}

/** All of a kind that were answered, in every round. */
export interface Answered {
  readonly kind: string;
  readonly requests: number;
  /** of those that went before to learn the answer, too */
  readonly signed: number;
  readonly ids: readonly string[];
}

export interface Checked {
  readonly url: string;
  readonly before: Counts;
  readonly answered: readonly Answered[];
}

/** One sentence for each. */
export async function findFaults({ url, before, answered }: Checked): Promise<readonly string[]> {
  const after = await readCounts(url);
  const rows = await query(url, "select id from payments union all select id from withdrawals");
  const written = new Set(rows.map(({ id }) => String(id)));
  return [
    ...countFaults({ before, after }, answered),
    ...idFaults(written, answered),
    ...(await balanceFaults(url)),
  ];
}

export function countFaults(
  { before, after }: { readonly before: Counts; readonly after: Counts },
  answered: readonly Answered[],
): readonly string[] {
  const expected = expectedCounts(answered);
  return Object.entries(after).flatMap(([name, count]) => {
    const [more, wanted] = [count - (before[name] ?? 0), expected.get(name) ?? 0];
    return more === wanted ? [] : [`there are ${more} more ${name}, and should be ${wanted}`];
  });
}

function expectedCounts(answered: readonly Answered[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  const add = (name: string, count: number) => sums.set(name, (sums.get(name) ?? 0) + count);
  for (const { kind, requests, signed } of answered) {
    add("nonces", signed);
    for (const [name, each] of Object.entries(left[kind] ?? {})) {
      add(name, each * requests);
      if (name.startsWith("events of")) add("events", each * requests);
    }
  }
  return sums;
}

export function idFaults(
  written: ReadonlySet<string>,
  answered: readonly Answered[],
): readonly string[] {
  return answered.flatMap(({ kind, ids }) => {
    const doubled = ids.length - new Set(ids).size;
    const missing = ids.filter((id) => !written.has(id));
    return [
      ...(doubled > 0 ? [`${kind}: ${doubled} ids were answered twice`] : []),
      ...(missing.length > 0 ? [`${kind}: ${missing.length} are not there: ${missing[0]}`] : []),
    ];
  });
}

/** What is set aside is what was asked for, and with what is left it is what there was. */
async function balanceFaults(url: string): Promise<readonly string[]> {
  const sum = (kind: string): string =>
    `(select coalesce(sum(balance), 0) from ledger_accounts where kind = '${kind}')`;
  const [row = {}] = await query(
    url,
    `select ${sum("merchant:withdrawing")}
          = (select coalesce(sum(send_amount_raw + fee_raw), 0) from withdrawals) as is_set_aside,
        ${sum("merchant:withdrawing")} + ${sum("merchant:available")} = ${sum("chain:hot")}
          as is_conserved`,
  );
  return [
    ...(row["is_set_aside"] === true ? [] : ["what is set aside is not what was asked for"]),
    ...(row["is_conserved"] === true ? [] : ["the balances do not add up to what there was"]),
  ];
}
