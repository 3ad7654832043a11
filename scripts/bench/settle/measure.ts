// What settlements cost between two moments in which all that was settled is booked.

import { processCpuMicroseconds, query, serverCpuMicroseconds } from "../measuring.ts";
import type { Answered } from "./load-plan.ts";
import type { BenchNode, NodeCounts } from "./node.ts";

export interface Watched {
  readonly databaseUrl: string;
  readonly databasePid: number;
  readonly servicePid: number;
  readonly signerPid: number;
  readonly clientPid: number;
  readonly node: BenchNode;
}

export interface Snapshot {
  readonly atMilliseconds: number;
  /** settlements in the ledger */
  readonly booked: number;
  readonly node: NodeCounts;
  /** microseconds */
  readonly service: number;
  readonly signer: number;
  readonly database: number;
  readonly client: number;
}

/** Of the costs each is that of a settlement which was booked. */
export interface Measured {
  /** booked, a second, from the first request to the last booking */
  readonly perSecond: number;
  /** answered as settled, since it was confirmed on the chain, a second, from the first to the last */
  readonly answered: number;
  /** milliseconds, of what was answered as settled; NaN: nothing was */
  readonly p50: number;
  readonly p99: number;
  /** milliseconds */
  readonly serviceCpu: number;
  readonly signerCpu: number;
  readonly databaseCpu: number;
  readonly clientCpu: number;
  readonly requests: number;
  readonly calls: number;
  readonly byMethod: Readonly<Record<string, number>>;
}

export async function snapshot(watched: Watched): Promise<Snapshot> {
  const [row] = await query(
    watched.databaseUrl,
    "select count(*)::integer as booked from ledger_transactions where kind = 'deposit_credited'",
  );
  return {
    atMilliseconds: performance.timeOrigin + performance.now(),
    booked: Number(row?.["booked"]),
    node: watched.node.counts(),
    service: processCpuMicroseconds(watched.servicePid),
    signer: processCpuMicroseconds(watched.signerPid),
    database: serverCpuMicroseconds(watched.databasePid),
    client: processCpuMicroseconds(watched.clientPid),
  };
}

export function between(first: Snapshot, last: Snapshot, answers: readonly Answered[]): Measured {
  const count = last.booked - first.booked;
  const latencies = answers
    .filter(({ status }) => status === 200)
    .map(({ latencyMilliseconds }) => latencyMilliseconds)
    .toSorted((a, b) => a - b);
  const times = answers.map(({ atMilliseconds: at }) => at);
  const answeredSeconds = (Math.max(...times) - first.atMilliseconds) / 1_000;
  const seconds = (last.atMilliseconds - first.atMilliseconds) / 1_000;
  const share = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
  const cpu = (of: "service" | "signer" | "database" | "client") =>
    (last[of] - first[of]) / 1_000 / count;
  const methods = Object.entries(last.node.byMethod).map(([method, calls]) => {
    return [method, (calls - (first.node.byMethod[method] ?? 0)) / count] as const;
  });
  return {
    perSecond: count / seconds,
    answered: latencies.length / answeredSeconds,
    p50: share(0.5),
    p99: share(0.99),
    serviceCpu: cpu("service"),
    signerCpu: cpu("signer"),
    databaseCpu: cpu("database"),
    clientCpu: cpu("client"),
    requests: (last.node.requests - first.node.requests) / count,
    calls: (last.node.calls - first.node.calls) / count,
    byMethod: Object.fromEntries(methods.toSorted(([, a], [, b]) => b - a)),
  };
}
