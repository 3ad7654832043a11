// Measures two things about webhooks: what a backlog of deliveries that is being sent takes from creating
// payments, and what endpoints that never answer take from the others. The real service in a process of its
// own, PostgreSQL (fsync on), and a receiver in another process.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startPostgresServer } from "../../../test/support/postgres-server.ts";
import type { PostgresServer } from "../../../test/support/postgres-server.ts";
import { median, processCpuMicroseconds, serverCpuMicroseconds } from "../measuring.ts";
import { makeServiceDatabase, readSettings, tidy } from "../service/database.ts";
import { productionEnvironment } from "../service/environment.ts";
import { flags, positive, readCommandLine, worded } from "../../command-line.ts";
import { profileLines } from "../service/profile-report.ts";
import {
  beginStatementCosts,
  countingSettings,
  statementCostLines,
} from "../service/statement-costs.ts";
import { runLoad, withService } from "../service/running.ts";
import type { LoadRun, RunningService } from "../service/running.ts";
import { startBenchService } from "../service/service.ts";
import { creating, openShops } from "../service/shops.ts";
import type { Shop } from "../service/shops.ts";
import { createPayment, createPayments, endpointsEach, openCrowd } from "./endpoints.ts";
import type { Crowd } from "./endpoints.ts";
import { countCrowd, deliveredUntil, latencies, waitUntilLeft } from "./looking.ts";
import type { ReceiverOrder, ReceiverState } from "./receiver.ts";

const help = `npm run bench:deliveries -- [options]

  --rounds N      how often each is measured, in turn (3)
  --seconds N     how long creating is measured each time (8)
  --backlog N     deliveries that wait when it begins (20000)
  --endpoints N   they go to; ${endpointsEach} for each merchant (1000)
  --dead N,N,...  how many of them never answer, one run for each (0,1,40)
  --clients N     connections that create payments, each of another merchant (32)
  --profile       the rest of the backlog of the last round under V8's profiler, and its time by part and function
  --statements    and the database's time by statement
  --help`;

interface Options {
  readonly rounds: number;
  readonly seconds: number;
  readonly backlog: number;
  readonly endpoints: number;
  readonly dead: readonly number[];
  readonly clients: number;
  readonly isProfiling: boolean;
  readonly isCounting: boolean;
}

const config = {
  options: {
    ...worded({
      rounds: "3",
      seconds: "8",
      backlog: "20000",
      endpoints: "1000",
      dead: "0,1,40",
      clients: "32",
    }),
    ...flags("profile", "statements"),
  },
} as const;

function readOptions(): Options {
  return readCommandLine(help, config, ({ values }) => {
    const endpoints = positive("endpoints", values.endpoints, 10_000);
    return {
      rounds: positive("rounds", values.rounds, 99),
      seconds: positive("seconds", values.seconds, 120),
      backlog: positive("backlog", values.backlog, 1_000_000),
      endpoints,
      dead: values.dead
        .split(",")
        .map((text) => (text === "0" ? 0 : positive("dead", text, endpoints))),
      clients: positive("clients", values.clients, 90),
      isProfiling: values.profile,
      isCounting: values.statements,
    };
  });
}

interface Places {
  readonly server: PostgresServer;
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly shops: readonly Shop[];
  readonly crowd: Crowd;
  readonly receiver: ChildProcess;
  readonly scratch: string;
}

const warmUpSeconds = 3;
/** Payments of the crowd while endpoints are dead: a few hundred deliveries a second. */
const paymentsPerSecond = 10;
const paceSeconds = 20;

async function order(receiver: ChildProcess, what: ReceiverOrder): Promise<ReceiverState> {
  const said = once(receiver, "message");
  receiver.send(what);
  const [state] = (await said) as [ReceiverState];
  return state;
}

async function prepare(server: PostgresServer, options: Options): Promise<Places> {
  const scratch = mkdtempSync(join(tmpdir(), "bench-deliveries-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const receiver = spawn(process.execPath, [join(import.meta.dirname, "receiver.ts")], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const [{ url: receiverUrl }] = (await once(receiver, "message")) as [ReceiverState];
  const url = await makeServiceDatabase(server);
  // Production sends nothing to receivers on this machine.
  const receiving = { NODE_ENV: "test", WEBHOOK_HTTP_HOSTS: "127.0.0.1" };
  const environment = { ...productionEnvironment(url), ...receiving };
  const service = await startBenchService({ ...environment, LOG_LEVEL: "warn" });
  const shops = await openShops(service, {
    count: options.clients,
    webhookUrl: `${receiverUrl}/other`,
  });
  const crowd = await openCrowd(service, {
    endpoints: options.endpoints,
    receiverUrl: `${receiverUrl}/crowd`,
  });
  await service.close();
  return { server, url, environment, shops, crowd, receiver, scratch };
}

interface BacklogRound {
  readonly quiet: LoadRun;
  readonly busy: LoadRun;
  /** deliveries of the backlog a second, while payments were created */
  readonly drained: number;
  /** and when nothing else was asked for */
  readonly alone: Alone;
}

interface Alone {
  readonly perSecond: number;
  /** microseconds for each delivery */
  readonly serviceCpu: number;
  readonly databaseCpu: number;
  /** what they cost; none unless asked for */
  readonly statements: readonly string[];
}

let loads = 0;

async function create(
  service: RunningService,
  { seconds }: Options,
  { server, shops, scratch }: Places,
): Promise<LoadRun> {
  return runLoad({
    service,
    window: { seconds, warmUpSeconds, databasePid: server.pid() },
    load: {
      clients: shops.map((credentials) => ({ credentials, requests: [creating] })),
      signedBeforePerSecond: 2_500,
      number: ++loads,
    },
    scratch,
  });
}

async function backlogRound(
  number: number,
  options: Options,
  places: Places,
): Promise<BacklogRound> {
  const { environment, scratch, url, crowd } = places;
  const place = { name: `service-${number}`, scratch };
  const plan = { environment, isDelivering: true };
  await tidy(url);
  const quiet = await withService(place, plan, (service) => create(service, options, places));
  const since = new Date();
  await withService(place, { ...plan, isDelivering: false }, (service) =>
    createPayments(service, crowd.shops, Math.ceil(options.backlog / endpointsEach)),
  );
  const { pending } = await countCrowd(url, since);
  await tidy(url);
  const begun = new Date();
  const isLast = number === options.rounds;
  const isCounted = options.isCounting && isLast;
  const profile =
    options.isProfiling && isLast ? join(scratch, "deliveries.cpuprofile") : undefined;
  const { busy, drained, alone } = await withService(place, plan, async (service) => {
    const run = await create(service, options, places);
    const created = new Date();
    const then = await deliveredUntil(url, since, created);
    if (then === pending) throw new Error("nothing is left of the backlog: it needs a longer one");
    return {
      busy: run,
      drained: then / ((created.getTime() - begun.getTime()) / 1_000),
      alone: await drain(service, places, {
        since,
        count: pending - then,
        profile,
        isCounted,
      }),
    };
  });
  const faults = await countCrowd(url, since);
  if (faults.delivered !== pending) throw new Error(`${pending} waited: ${JSON.stringify(faults)}`);
  console.log(
    `round ${number}  creates ${quiet.perSecond.toFixed(0)}/s, with a backlog of ${pending} ` +
      `${busy.perSecond.toFixed(0)}/s (${(busy.perSecond / quiet.perSecond).toFixed(2)}), p99 ` +
      `${quiet.p99.toFixed(0)} and ${busy.p99.toFixed(0)} ms; drained at ${drained.toFixed(0)}/s, ` +
      `then ${alone.perSecond.toFixed(0)}/s, CPU us: service ${alone.serviceCpu.toFixed(0)}, ` +
      `database ${alone.databaseCpu.toFixed(0)}`,
  );
  if (profile !== undefined) for (const line of profileLines(profile, alone)) console.log(line);
  for (const line of alone.statements) console.log(line);
  return { quiet, busy, drained, alone };
}

interface Rest {
  readonly since: Date;
  readonly count: number;
  readonly profile: string | undefined;
  readonly isCounted: boolean;
}

/** What is left of a backlog, with nothing else to do. */
async function drain(
  service: RunningService,
  { server, url }: Places,
  { since, count, profile, isCounted }: Rest,
): Promise<Alone> {
  const cpu = () => ({
    service: processCpuMicroseconds(service.pid),
    database: serverCpuMicroseconds(server.pid()),
  });
  if (profile !== undefined) await service.tell({ do: "begin profile" });
  if (isCounted) await beginStatementCosts(url);
  const [begun, before] = [Date.now(), cpu()];
  const end = await waitUntilLeft(url, since, 0);
  const after = cpu();
  if (profile !== undefined) await service.tell({ do: "end profile", file: profile });
  return {
    perSecond: count / ((end.getTime() - begun) / 1_000),
    serviceCpu: (after.service - before.service) / count,
    databaseCpu: (after.database - before.database) / count,
    statements: isCounted ? await statementCostLines(url, count) : [],
  };
}

interface DeadRun {
  readonly dead: number;
  readonly delivered: number;
  readonly p50: number;
  readonly p99: number;
}

async function deadRun(dead: number, places: Places): Promise<DeadRun> {
  const { environment, scratch, url, crowd, receiver } = places;
  // Of as many merchants as there can be.
  const names = crowd.names.toSorted((one, other) => placeOf(one) - placeOf(other));
  await order(receiver, { dead: names.slice(0, dead) });
  await tidy(url);
  const place = { name: `dead-${dead}`, scratch };
  const since = new Date();
  const payments = paymentsPerSecond * paceSeconds;
  const run = await withService(place, { environment, isDelivering: true }, async (service) => {
    const begun = performance.now();
    const created: Promise<void>[] = [];
    for (let index = 0; index < payments; index++) {
      const due = begun + (index * 1_000) / paymentsPerSecond;
      await wait(Math.max(0, due - performance.now()));
      created.push(createPayment(service, crowd.shops, index));
    }
    await Promise.all(created);
    const { pending, delivered } = await countCrowd(url, since);
    const all = pending + delivered;
    const perPayment = all / payments;
    if (perPayment !== endpointsEach) throw new Error(`${all} deliveries of ${payments} payments`);
    const living = expectedOfLiving(payments, names.slice(0, dead), crowd);
    await waitUntilLeft(url, since, all - living);
    const took = await latencies(url, since);
    const share = (part: number) => took[Math.floor(took.length * part)] ?? Number.NaN;
    if (took.length !== living) throw new Error(`${took.length} of ${living} were delivered`);
    return { dead, delivered: took.length, p50: share(0.5), p99: share(0.99) };
  });
  const { answered } = await order(receiver, { dead: [] });
  const all = await countCrowd(url, new Date(0));
  if (answered < all.delivered) throw new Error(`${answered} of ${all.delivered} were received`);
  console.log(
    `${dead} of ${crowd.names.length} endpoints dead: ${run.delivered} to the others, ` +
      `p50 ${run.p50.toFixed(0)} ms, p99 ${run.p99.toFixed(0)} ms`,
  );
  return run;
}

/** Of an endpoint among those of its merchant. */
function placeOf(name: string): number {
  return Number(name.split("-")[1] ?? 0);
}

/** How many of the deliveries go to endpoints that answer. */
function expectedOfLiving(payments: number, dead: readonly string[], crowd: Crowd): number {
  const deadOf = new Map<number, number>();
  for (const name of dead) {
    const shop = Number(name.split("-")[0]);
    deadOf.set(shop, (deadOf.get(shop) ?? 0) + 1);
  }
  let count = 0;
  for (let index = 0; index < payments; index++) {
    count += endpointsEach - (deadOf.get(index % crowd.shops.length) ?? 0);
  }
  return count;
}

async function main(options: Options): Promise<void> {
  const server = await startPostgresServer({
    isDurable: true,
    settings: options.isCounting ? countingSettings : {},
  });
  let receiver: ChildProcess | undefined;
  try {
    console.log(JSON.stringify({ ...options, ...(await readSettings(server)) }));
    const places = await prepare(server, options);
    ({ receiver } = places);
    const rounds: BacklogRound[] = [];
    for (let number = 1; number <= options.rounds; number++) {
      rounds.push(await backlogRound(number, options, places));
    }
    const ratios = rounds.map(({ quiet, busy }) => busy.perSecond / quiet.perSecond);
    console.log(
      `creating with a backlog / without: ${median(ratios).toFixed(2)} ` +
        `(${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)})\n`,
    );
    for (const dead of options.dead) await deadRun(dead, places);
    console.log("\nEvery delivery to an endpoint that answers was delivered.");
  } finally {
    receiver?.disconnect();
    await server.remove();
  }
}

// Everything else ends with us.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await main(readOptions());
