// Measures creating payments as merchants do it: signed requests over HTTP, each with an
// Idempotency-Key, answered 201 when the payment, its event, its delivery and the answer are on the
// disk. In the same run, in turn and on the same PostgreSQL server (fsync on), pgbench runs the very
// statements that the service runs for one request, one by one, with as many clients.
//
// Only ratios mean something. Everything shares this machine: service, load, server and pgbench.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgresServer } from "../../../test/support/postgres-server.ts";
import type { PostgresServer } from "../../../test/support/postgres-server.ts";
import { findPgbench } from "../measuring.ts";
import { findFaults } from "./check.ts";
import { runPgbench, runService } from "./contenders.ts";
import type { LoadRun } from "../service/running.ts";
import type { PgbenchRun, Round } from "./contenders.ts";
import { print, printRound } from "./report.ts";
import { readSettings, tidy } from "../service/database.ts";
import { flags, positive, readCommandLine, worded } from "../../command-line.ts";
import { profileLines } from "../service/profile-report.ts";
import {
  beginStatementCosts,
  countingSettings,
  statementCostLines,
} from "../service/statement-costs.ts";
import { prepare, startReceiver } from "./setup.ts";
import type { Prepared } from "./setup.ts";

const help = `npm run bench:payments -- [options]

  --rounds N      how often the service and pgbench are measured, in turn, after one that does not
                  count (5)
  --seconds N     how long each time (10)
  --warm-up N     seconds before each of them that do not count (5)
  --clients N     connections with one request at a time, and clients of pgbench (32)
  --merchants N   who share them (as many as clients)
  --profile       one window more, of the service under V8's profiler, and its time by part and function; it
                  counts for Prometheus there, which it does in none of the others
  --statements    one window more, and the database's time by statement
  --deliver       the service also sends the webhooks, to a receiver here, and runs its jobs
  --help`;

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly clients: number;
  readonly merchants: number;
  readonly isDelivering: boolean;
  readonly isProfiling: boolean;
  readonly isCounting: boolean;
}

const config = {
  options: {
    ...worded({ rounds: "5", seconds: "10", "warm-up": "5", clients: "32" }),
    ...flags("profile", "statements", "deliver"),
    merchants: { type: "string" },
  },
} as const;

function readOptions(): Options {
  return readCommandLine(help, config, ({ values }) => {
    const clients = positive("clients", values.clients, 90);
    return {
      rounds: positive("rounds", values.rounds, 999),
      // Signed before: a signature counts for 300 seconds.
      seconds: positive("seconds", values.seconds, 120),
      warmUpSeconds: positive("warm-up", values["warm-up"], 60),
      clients,
      merchants: positive("merchants", values.merchants ?? String(clients), 1_000),
      isDelivering: values.deliver,
      isProfiling: values.profile,
      isCounting: values.statements,
    };
  });
}

interface Places extends Prepared {
  readonly server: PostgresServer;
  readonly pgbench: string | undefined;
  /** for files */
  readonly scratch: string;
}

interface Results {
  readonly service: readonly LoadRun[];
  readonly pgbench: readonly PgbenchRun[];
}

function roundOf(number: number, options: Options, { server, scratch }: Places): Round {
  const { seconds, warmUpSeconds, clients } = options;
  const window = { seconds, warmUpSeconds, databasePid: server.pid() };
  return { number, clients, window, scratch };
}

/**
 * The first of the results is of a round that does not count: it fills the tables, so that the
 * server then plans for tables that are not empty.
 */
async function measure(options: Options, places: Places): Promise<Results> {
  const { plan, script, serviceUrl, pgbenchUrl, pgbench: program } = places;
  const [service, pgbench]: [LoadRun[], PgbenchRun[]] = [[], []];
  for (let number = 0; number <= options.rounds; number++) {
    const round = roundOf(number, options, places);
    const measureService = async () => {
      await tidy(serviceUrl);
      service.push(await runService(round, plan));
    };
    const measurePgbench = async () => {
      if (program === undefined) return;
      await tidy(pgbenchUrl);
      pgbench.push(await runPgbench(round, { program, script, url: pgbenchUrl }));
    };
    const turns = [measureService, measurePgbench];
    for (const turn of number % 2 === 0 ? turns : turns.toReversed()) await turn();
    if (number > 0) printRound(number, service.at(-1), pgbench.at(-1));
  }
  return { service, pgbench };
}

/** It counts for nothing but the profile: the profiler takes time, too. */
async function profile(options: Options, places: Places): Promise<LoadRun> {
  const { scratch, serviceUrl, plan } = places;
  await tidy(serviceUrl);
  const file = join(scratch, "service.cpuprofile");
  const environment = { ...plan.environment, METRICS_LISTEN: "127.0.0.1:0" };
  const round = roundOf(options.rounds + 1, options, places);
  const run = await runService(round, { ...plan, environment }, file);
  console.log(`\nthe service under the profiler, at ${run.perSecond.toFixed(0)}/s\n`);
  for (const line of profileLines(file, run)) console.log(line);
  return run;
}

/** So does this: counting takes time, too. */
async function countStatements(options: Options, places: Places): Promise<LoadRun> {
  const { serviceUrl, plan } = places;
  await tidy(serviceUrl);
  await beginStatementCosts(serviceUrl);
  const run = await runService(roundOf(options.rounds + 2, options, places), plan);
  console.log(`\nthe database, at ${run.perSecond.toFixed(0)}/s\n`);
  for (const line of await statementCostLines(serviceUrl, run.requests)) console.log(line);
  return run;
}

async function main(options: Options): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "bench-payments-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const server = await startPostgresServer({
    isDurable: true,
    settings: options.isCounting ? countingSettings : {},
  });
  const receiver = options.isDelivering ? await startReceiver() : undefined;
  try {
    const prepared = await prepare(server, { merchants: options.merchants, receiver });
    console.log(JSON.stringify({ ...options, ...(await readSettings(server)) }));
    console.log(`a request runs: ${prepared.script.statements.join(", ")}`);
    const pgbench = findPgbench(server.binaries);
    const places = { ...prepared, server, pgbench, scratch };
    const results = await measure(options, places);
    const counting = { service: results.service.slice(1), pgbench: results.pgbench.slice(1) };
    print(counting, { received: receiver?.received() });
    const profiled = options.isProfiling ? [await profile(options, places)] : [];
    const counted = options.isCounting ? [await countStatements(options, places)] : [];
    const service = [...results.service, ...profiled, ...counted];
    const faults = await findFaults({ ...prepared, ...results, service });
    for (const fault of faults) console.error(`WRONG: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
    else
      console.log("\nEvery payment that was answered is there, once, with all that belongs to it.");
  } finally {
    receiver?.close();
    await server.remove();
  }
}

// Everything else ends with us.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await main(readOptions());
