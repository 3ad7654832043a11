// What the benchmark says: a row for each number of clients, the node's calls, and what became of ten times
// as many.

import type { Answered } from "./load-plan.ts";
import type { Measured } from "./measure.ts";

const head = [
  "clients",
  "settled per second",
  "booked per second",
  "p50 ms",
  "p99 ms",
  "CPU ms: service",
  "signer",
  "database",
  "client",
  "requests to the node",
  "calls",
];

export const headLines: readonly string[] = [
  lineOf(head),
  lineOf(["---", ...head.slice(1).map(() => "---:")]),
];

export function rowOf(name: string, measured: Measured): string {
  const { answered, perSecond, p50, p99, serviceCpu, signerCpu, databaseCpu, clientCpu } = measured;
  const { requests, calls } = measured;
  return lineOf([
    name,
    answered.toFixed(1),
    perSecond.toFixed(1),
    ...[p50, p99].map((milliseconds) => milliseconds.toFixed(0)),
    ...[serviceCpu, signerCpu, databaseCpu, clientCpu].map((cpu) => cpu.toFixed(2)),
    ...[requests, calls].map((count) => count.toFixed(1)),
  ]);
}

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** For each settlement, the most frequent first. */
export function methodLines({ byMethod }: Measured): readonly string[] {
  return Object.entries(byMethod)
    .filter(([, count]) => count >= 0.05)
    .map(([method, count]) => `${count.toFixed(1).padStart(6)}  ${method}`);
}

/** How many of each kind, and when they were told to come back. */
export function answerLines(answers: readonly Answered[]): readonly string[] {
  const kinds = new Map<string, Answered[]>();
  for (const answer of answers) {
    const kind = `${answer.status} ${answer.code}`.trim();
    kinds.set(kind, [...(kinds.get(kind) ?? []), answer]);
  }
  return Array.from(kinds, ([kind, all]) => {
    const latencies = all.map((one) => one.latencyMilliseconds).toSorted((a, b) => a - b);
    const share = (part: number) =>
      (latencies[Math.floor(latencies.length * part)] ?? 0).toFixed(0);
    const later = all.flatMap(({ retryAfterSeconds: after }) =>
      after === undefined ? [] : [after],
    );
    const back =
      later.length === 0
        ? ""
        : `, ${later.length} with Retry-After ${Math.min(...later)} to ${Math.max(...later)}`;
    const count = String(all.length).padStart(6);
    return `${count}  ${kind}: p50 ${share(0.5)} ms, p99 ${share(0.99)} ms${back}`;
  });
}
