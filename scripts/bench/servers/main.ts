// Measures creating payments over HTTP with one server, and with several on the same database that share the clients:
// what a request costs them together, and the database. In the same run, in turn.
//
// Only ratios mean something. Everything shares this machine: more servers than cores are no quicker here, and what
// a request costs says what they would do with cores of their own.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgresServer } from "../../../test/support/postgres-server.ts";
import { median } from "../measuring.ts";
import { findFaults } from "../payments/check.ts";
import { runServices } from "../payments/contenders.ts";
import { prepare } from "../payments/setup.ts";
import type { Prepared } from "../payments/setup.ts";
import { readSettings, tidy } from "../service/database.ts";
import { flags, positive, readCommandLine, worded } from "../../command-line.ts";
import type { LoadRun } from "../service/running.ts";
import type { Measured } from "../service/window.ts";

const help = `npm run bench:servers -- [options]

  --servers N,...  how many share the work, in turn (1,2,4)
  --rounds N       how often each is measured, after one round that does not count (3)
  --seconds N      how long each time (8)
  --warm-up N      seconds before each of them that do not count (5)
  --clients N      connections with one request at a time, that the servers share (32)
  --clients-each N as many for each server, in place of that: each has what one alone has, and combines as many requests
  --counting       in place of several: one server, and one that counts what it does, and is asked for it every 5 s
  --tracing        in place of several: one server, one that tells a collector of all that it does, and one of a twentieth
  --help`;

const clientsMax = 90;

/** What is measured in turn. */
interface Contender {
  readonly name: string;
  readonly servers: number;
  readonly environment: Readonly<Record<string, string>>;
}

const oneServer: Contender = { name: "1", servers: 1, environment: {} };
const countingServer: Contender = {
  ...oneServer,
  name: "1, counting",
  environment: { METRICS_LISTEN: "127.0.0.1:0" },
};

/** @param url of the collector */
function tracingServers(url: string): readonly Contender[] {
  const told = { OTEL_EXPORTER_OTLP_ENDPOINT: url };
  const part = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.05" };
  return [
    { ...oneServer, name: "1, tracing", environment: told },
    { ...oneServer, name: "1, tracing 5 %", environment: { ...told, ...part } },
  ];
}

/** A collector that takes everything and keeps nothing. */
async function startCollector(): Promise<string> {
  const collector = createServer((incoming, outgoing) => {
    incoming.resume().once("end", () => outgoing.end("{}"));
  });
  // It alone does not keep the process alive.
  collector.listen(0, "127.0.0.1").unref();
  await once(collector, "listening");
  // It listens on a port, so it has an address of this form.
  const { port } = collector.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

interface Wish {
  /** who is measured where nothing is to be observed */
  readonly plain: readonly Contender[];
  readonly isCounting: boolean;
  readonly isTracing: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** of so many servers */
  readonly clientsOf: (servers: number) => number;
}

interface Options extends Omit<Wish, "plain" | "isCounting" | "isTracing"> {
  readonly contenders: readonly Contender[];
}

const config = {
  options: {
    ...worded({ servers: "1,2,4", rounds: "3", seconds: "8", "warm-up": "5", clients: "32" }),
    ...flags("counting", "tracing"),
    "clients-each": { type: "string" },
  },
} as const;

function readWish(): Wish {
  return readCommandLine(help, config, ({ values }) => {
    const all = positive("clients", values.clients, clientsMax);
    const isObserving = values.counting || values.tracing;
    const plain = isObserving ? [oneServer] : contendersOf(values.servers);
    const most = Math.max(...plain.map(({ servers }) => servers));
    const { "clients-each": text } = values;
    const each =
      text === undefined
        ? undefined
        : positive("clients-each", text, Math.floor(clientsMax / most));
    return {
      plain,
      isCounting: values.counting,
      isTracing: values.tracing,
      rounds: positive("rounds", values.rounds, 999),
      seconds: positive("seconds", values.seconds, 120),
      warmUpSeconds: positive("warm-up", values["warm-up"], 60),
      clientsOf: each === undefined ? () => all : (count) => count * each,
    };
  });
}

async function opened({ plain, isCounting, isTracing, ...wish }: Wish): Promise<Options> {
  const observed = [
    ...(isCounting ? [countingServer] : []),
    ...(isTracing ? tracingServers(await startCollector()) : []),
  ];
  return { ...wish, contenders: observed.length > 0 ? [oneServer, ...observed] : plain };
}

/** Each holds 20 connections of the 100 that a server has. */
function contendersOf(counts: string): readonly Contender[] {
  return counts.split(",").map((count) => {
    const servers = positive("servers", count, 4);
    return { name: String(servers), servers, environment: {} };
  });
}

interface Places extends Prepared {
  readonly databasePid: number;
  readonly scratch: string;
}

/** By what was measured: a run for each round. The first round fills the tables, and does not count. */
type Runs = ReadonlyMap<Contender, readonly LoadRun[]>;

async function measure(options: Options, places: Places): Promise<Runs> {
  const { contenders, rounds, seconds, warmUpSeconds, clientsOf } = options;
  const { databasePid, scratch, serviceUrl, plan } = places;
  const runs = new Map<Contender, LoadRun[]>(contenders.map((one) => [one, []]));
  let number = 0;
  for (let round = 0; round <= rounds; round++) {
    for (const one of round % 2 === 0 ? contenders : contenders.toReversed()) {
      number += 1;
      await tidy(serviceUrl);
      const window = { seconds, warmUpSeconds, databasePid };
      const clients = clientsOf(one.servers);
      const environment = { ...plan.environment, ...one.environment };
      const place = { number, clients, window, scratch };
      const run = await runServices(place, { ...plan, environment }, one.servers);
      runs.get(one)?.push(run);
      if (round === 0) continue;
      const { perSecond, p99, serviceCpu, databaseCpu } = run;
      console.log(
        `round ${round}  servers: ${one.name}  ${perSecond.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms, ` +
          `CPU us: service ${serviceCpu.toFixed(0)}, database ${databaseCpu.toFixed(0)}`,
      );
    }
  }
  return runs;
}

function print(runs: Runs): void {
  const counted = Array.from(runs, ([{ name }, all]) => ({ name, all: all.slice(1) }));
  const [first] = counted;
  const keys = ["perSecond", "p50", "p99", "serviceCpu", "databaseCpu"] as const;
  console.log("\nmedians; ratios to the first row, with the lowest and the highest of a round\n");
  console.log(
    "| servers | per second | p50 ms | p99 ms | CPU us: service | database | service / one | database / one |",
  );
  console.log("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  for (const { name, all } of counted) {
    const values = keys.map((key) =>
      median(all.map((run) => run[key])).toFixed(key.startsWith("p5") || key === "p99" ? 1 : 0),
    );
    const ratios = (["serviceCpu", "databaseCpu"] as const).map((key) =>
      ratio(all, first?.all ?? [], key),
    );
    console.log(`| ${[name, ...values, ...ratios].join(" | ")} |`);
  }
}

function ratio(
  ones: readonly Measured[],
  others: readonly Measured[],
  key: keyof Measured,
): string {
  const all = ones.map((one, round) => one[key] / (others[round]?.[key] ?? Number.NaN));
  const [low, high] = [Math.min(...all), Math.max(...all)].map((value) => value.toFixed(2));
  return `**${median(all).toFixed(2)}** (${low}-${high})`;
}

async function main(options: Options): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), "bench-servers-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const server = await startPostgresServer({ isDurable: true });
  const clientsMost = Math.max(
    ...options.contenders.map(({ servers }) => options.clientsOf(servers)),
  );
  try {
    const prepared = await prepare(server, { merchants: clientsMost, receiver: undefined });
    console.log(
      JSON.stringify({
        ...options,
        clients: options.contenders.map(({ servers }) => options.clientsOf(servers)),
        ...(await readSettings(server)),
      }),
    );
    const runs = await measure(options, { ...prepared, databasePid: server.pid(), scratch });
    print(runs);
    const faults = await findFaults({
      ...prepared,
      service: [...runs.values()].flat(),
      pgbench: [],
    });
    for (const fault of faults) console.error(`WRONG: ${fault}`);
    if (faults.length > 0) process.exitCode = 1;
    else
      console.log("\nEvery payment that was answered is there, once, with all that belongs to it.");
  } finally {
    await server.remove();
  }
}

// Everything else ends with us.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
await main(await opened(readWish()));
