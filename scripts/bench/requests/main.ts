// Measures what merchants and customers ask of the service beside creating payments, each kind by itself:
// replays, withdrawals, reads. In interleaved rounds on one PostgreSQL server (fsync on), against the real
// service in a process of its own, new for each round. Creating payments is measured with them, as the
// measure for the others.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgresServer } from "../../../test/support/postgres-server.ts";
import type { PostgresServer } from "../../../test/support/postgres-server.ts";
import { makeServiceDatabase, readSettings, tidy } from "../service/database.ts";
import { productionEnvironment } from "../service/environment.ts";
import { UsageError } from "../../../generator/command/terminal.ts";
import { flags, positive, readCommandLine, worded } from "../../command-line.ts";
import { profileLines } from "../service/profile-report.ts";
import { runLoad, withService } from "../service/running.ts";
import type { LoadRun, RunningService } from "../service/running.ts";
import { startBenchService } from "../service/service.ts";
import { findFaults, readCounts } from "./check.ts";
import type { Answered, Counts } from "./check.ts";
import { kinds } from "./kinds.ts";
import type { Kind } from "./kinds.ts";
import { openMerchants } from "./merchants.ts";
import type { Merchant } from "./merchants.ts";
import { printTurn, tableLines } from "./report.ts";
import type { Turn } from "./report.ts";

const help = `npm run bench:requests -- [options]

  --rounds N      how often each kind is measured, in turn, after one round that does not count (5)
  --seconds N     how long each time (5)
  --warm-up N     seconds before each of them that do not count (3)
  --clients N     connections with one request at a time, each of a merchant of its own (32)
  --only KIND,... of ${kinds.map(({ name }) => name).join(", ")} (all)
  --profile       one round more, of the service under V8's profiler, and its time by part and function
  --help`;

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly clients: number;
  readonly kinds: readonly Kind[];
  readonly isProfiling: boolean;
}

const config = {
  options: {
    ...worded({ rounds: "5", seconds: "5", "warm-up": "3", clients: "32" }),
    ...flags("profile"),
    only: { type: "string" },
  },
} as const;

function readOptions(): Options {
  return readCommandLine(help, config, ({ values }) => {
    return {
      rounds: positive("rounds", values.rounds, 999),
      // Signed before: a signature counts for 300 seconds.
      seconds: positive("seconds", values.seconds, 120),
      warmUpSeconds: positive("warm-up", values["warm-up"], 60),
      clients: positive("clients", values.clients, 90),
      kinds: values.only === undefined ? kinds : values.only.split(",").map(kindOf),
      isProfiling: values.profile,
    };
  });
}

function kindOf(name: string): Kind {
  const kind = kinds.find((one) => one.name === name);
  if (kind === undefined) throw new UsageError(`--only: there is no kind ${name}`);
  return kind;
}

interface Places {
  readonly server: PostgresServer;
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly merchants: readonly Merchant[];
  readonly before: Counts;
  /** for files */
  readonly scratch: string;
}

async function prepare(server: PostgresServer, scratch: string, count: number): Promise<Places> {
  const url = await makeServiceDatabase(server);
  // An address of a withdrawal is good at once.
  const waiting = { WITHDRAW_ADDRESS_COOLING_SECONDS: "0" };
  const environment = { ...productionEnvironment(url), ...waiting };
  const service = await startBenchService({ ...environment, LOG_LEVEL: "warn" });
  const merchants = await openMerchants(service, { count, url });
  await service.close();
  return { server, url, environment, merchants, before: await readCounts(url), scratch };
}

interface Round {
  readonly number: number;
  /** in the order of their turns */
  readonly kinds: readonly Kind[];
  readonly isProfiled: boolean;
}

interface Turned extends Turn {
  readonly answered: Answered;
}

async function run(round: Round, options: Options, places: Places): Promise<readonly Turned[]> {
  const { number } = round;
  const { environment, scratch } = places;
  const place = { name: `service-${number}`, scratch };
  return withService(place, { environment, isDelivering: false }, async (service) => {
    const turns: Turned[] = [];
    for (const [index, kind] of round.kinds.entries()) {
      const wish = { kind, number: number * kinds.length + index, isProfiled: round.isProfiled };
      const measured = await measure(service, wish, { options, places });
      turns.push({
        round: number,
        kind: kind.name,
        measured,
        answered: answeredOf(kind, measured, places),
      });
    }
    return turns;
  });
}

function answeredOf({ name, asked, isSigned }: Kind, run: LoadRun, places: Places): Answered {
  const { requests, ids } = run;
  const signed = (isSigned ? requests : 0) + asked * places.merchants.length;
  return { kind: name, requests, signed, ids };
}

interface Wish {
  readonly kind: Kind;
  /** of this load */
  readonly number: number;
  readonly isProfiled: boolean;
}

async function measure(
  service: RunningService,
  { kind, number, isProfiled }: Wish,
  { options, places }: { readonly options: Options; readonly places: Places },
): Promise<LoadRun> {
  const { seconds, warmUpSeconds } = options;
  const { server, url, merchants, scratch } = places;
  await tidy(url);
  const clients = await Promise.all(merchants.map((merchant) => kind.plan(service, merchant)));
  const profile = join(scratch, `${kind.name}.cpuprofile`);
  const run = await runLoad({
    service,
    window: { seconds, warmUpSeconds, databasePid: server.pid() },
    load: { clients, signedBeforePerSecond: kind.signedBeforePerSecond, number },
    scratch,
    ...(isProfiled ? { profile } : {}),
  });
  if (!isProfiled) return run;
  console.log(
    `\n${kind.label}: the service under the profiler, at ${run.perSecond.toFixed(0)}/s\n`,
  );
  for (const line of profileLines(profile, run)) console.log(line);
  return run;
}

/** The first of the rounds does not count: it fills the tables. */
async function measureAll(options: Options, places: Places): Promise<readonly Turned[]> {
  const all: Turned[] = [];
  for (let number = 0; number <= options.rounds; number++) {
    // Each begins with another kind.
    const first = number % options.kinds.length;
    const order = [...options.kinds.slice(first), ...options.kinds.slice(0, first)];
    const turns = await run({ number, kinds: order, isProfiled: false }, options, places);
    all.push(...turns);
    if (number === 0) continue;
    for (const { kind, measured } of turns) printTurn(number, kindOf(kind), measured);
  }
  const counting = all.filter(({ round }) => round > 0);
  console.log(`\nmedians of ${options.rounds} rounds; ratios with the lowest and the highest\n`);
  for (const line of tableLines(options.kinds, counting)) console.log(line);
  if (!options.isProfiling) return all;
  const last = { number: options.rounds + 1, kinds: options.kinds, isProfiled: true };
  return [...all, ...(await run(last, options, places))];
}

async function main(options: Options): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "bench-requests-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const server = await startPostgresServer({ isDurable: true });
  try {
    const names = options.kinds.map(({ name }) => name);
    console.log(JSON.stringify({ ...options, kinds: names, ...(await readSettings(server)) }));
    const places = await prepare(server, scratch, options.clients);
    const turns = await measureAll(options, places);
    const answered = turns.map((turn) => turn.answered);
    const faults = await findFaults({ ...places, answered });
    for (const fault of faults) console.error(`WRONG: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
    else console.log("\nEvery answer was the right one, and what was written is there, once.");
  } finally {
    await server.remove();
  }
}

// Everything else ends with us.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await main(readOptions());
