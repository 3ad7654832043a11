// What the benchmark says: a line for each contender in each round, and the medians as a table.

import { median } from "../measuring.ts";
import type { LoadRun } from "../service/running.ts";
import type { PgbenchRun } from "./contenders.ts";
import type { Measured } from "../service/window.ts";

const noPgbench =
  "pgbench was not found, so there is nothing to compare with: THE RATIOS ARE MISSING. " +
  "Debian, Ubuntu: apt-get install postgresql-contrib";

export function printRound(
  number: number,
  service: LoadRun | undefined,
  pgbench: PgbenchRun | undefined,
): void {
  const late = service?.signedOnTheWay ?? 0;
  const lines = [
    service && `round ${number}  service  ${sentence(service)}, service ${cpu(service.serviceCpu)}`,
    late > 0 && `round ${number}  ${late} requests were signed while they were measured`,
    pgbench && `round ${number}  pgbench  ${sentence(pgbench)}`,
    service &&
      pgbench &&
      `round ${number}  service / pgbench: ${ratio(service, pgbench, "perSecond")} requests, ` +
        `${ratio(service, pgbench, "databaseCpu")} CPU of the database`,
  ];
  for (const line of lines) if (typeof line === "string") console.log(line);
}

function sentence({ perSecond, p50, p99, databaseCpu }: Measured): string {
  const rate = perSecond.toFixed(0).padStart(6);
  const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  return `${rate}/s, ${times}, database ${cpu(databaseCpu)}`;
}

function cpu(microseconds: number): string {
  return `${microseconds.toFixed(0)} us CPU`;
}

function ratio(one: Measured, other: Measured, key: keyof Measured): string {
  return (one[key] / other[key]).toFixed(2);
}

interface Runs {
  readonly service: readonly LoadRun[];
  readonly pgbench: readonly PgbenchRun[];
}

interface Circumstances {
  /** how many webhooks were sent in all; undefined: none, by intention */
  readonly received: number | undefined;
}

/** Medians of the rounds; a ratio is the median of the ratios of the rounds. */
export function print({ service, pgbench }: Runs, { received }: Circumstances): void {
  const of = (runs: readonly Measured[], key: keyof Measured, digits = 0): string =>
    median(runs.map((run) => run[key])).toFixed(digits);
  const rows = [
    ["", "per second", "p50 ms", "p99 ms", "CPU us: service", "database", "client"],
    ["---", "---:", "---:", "---:", "---:", "---:", "---:"],
    row("the service, over HTTP", of(service, "serviceCpu"), service),
  ];
  if (pgbench.length > 0) {
    rows.push(row("`pgbench`, same statements", "", pgbench));
    const ratioOf = (key: keyof Measured): string => shown(ratios(service, pgbench, key));
    const keys = ["perSecond", "p50", "p99"] as const;
    rows.push(["service / `pgbench`", ...keys.map(ratioOf), "", ratioOf("databaseCpu"), ""]);
  }
  console.log(`\nmedians of ${service.length} rounds; ratios with the lowest and the highest\n`);
  for (const cells of rows) console.log(`| ${cells.join(" | ")} |`);
  if (pgbench.length === 0) console.log(`\n${noPgbench}`);
  if (received !== undefined) console.log(`\n${received} webhooks were delivered meanwhile`);

  function row(name: string, ownCpu: string, runs: readonly Measured[]): string[] {
    const cpus = [of(runs, "databaseCpu"), of(runs, "clientCpu")];
    const times = [of(runs, "p50", 1), of(runs, "p99", 1)];
    return [name, of(runs, "perSecond"), ...times, ownCpu, ...cpus];
  }
}

function ratios(
  ones: readonly Measured[],
  others: readonly Measured[],
  key: keyof Measured,
): readonly number[] {
  return ones.map((one, round) => one[key] / (others[round]?.[key] ?? Number.NaN));
}

function shown(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(2));
  return `**${median(values).toFixed(2)}** (${low}-${high})`;
}
