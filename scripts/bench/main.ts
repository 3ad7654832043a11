// Compares the generated routes with other ways to serve the same contract on this machine.
//
// Only ratios mean something. Every round measures each server once, in turn, so that what else the
// machine does falls on all of them alike; and everything is repeated with fresh processes, because
// two runs of one server differ by ten percent for as long as they live. The load comes from here.

import { UsageError } from "../../generator/command/terminal.ts";
import { readCommandLine, worded } from "../command-line.ts";
import { load } from "./load.ts";
import { median } from "./measuring.ts";
import { Peer } from "./peer.ts";
import { samples, type Sample } from "./requests.ts";

interface Contender {
  readonly label: string;
  /** whether it checks requests against the contract */
  readonly isChecked: boolean;
}

const contenders: Readonly<Record<string, Contender>> = {
  "node-http": { label: "node:http, no checks", isChecked: false },
  hono: { label: "Hono, no checks", isChecked: false },
  "zod-openapi": { label: "@hono/zod-openapi", isChecked: true },
  fastify: { label: "Fastify + Ajv", isChecked: true },
  express: { label: "express + express-openapi-validator", isChecked: true },
  ours: { label: "generated routes", isChecked: true },
};

const help = `npm run bench -- [options]

  --sets N          how often all servers are started anew (5)
  --rounds N        how often each server is measured in a set (5)
  --seconds N       how long each time (1)
  --connections N   at the same time (64)
  --peers a,b       of ${Object.keys(contenders).join(", ")} (all)
  --operations a,b  of ${samples.map((one) => one.operationId).join(", ")} (all)
  --help`;

interface Plan {
  readonly sets: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  readonly names: readonly string[];
  readonly samples: readonly Sample[];
}

interface Measurement {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicroseconds: number;
}

/** By server, in the order of the sets and rounds. */
type Measurements = Map<string, Measurement[][]>;

const config = {
  options: {
    ...worded({
      sets: "5",
      rounds: "5",
      seconds: "1",
      connections: "64",
      peers: Object.keys(contenders).join(","),
      operations: samples.map((one) => one.operationId).join(","),
    }),
  },
} as const;

function readPlan(): Plan {
  return readCommandLine(help, config, ({ values }) => {
    const names = values.peers.split(",");
    const unknown = names.find((name) => !Object.hasOwn(contenders, name));
    if (unknown !== undefined) throw new UsageError(`--peers: no server is called ${unknown}`);
    const operations = values.operations.split(",");
    const missing = operations.find((name) => !samples.some((one) => one.operationId === name));
    if (missing !== undefined) throw new UsageError(`--operations: there is no ${missing}`);
    return {
      sets: positive("sets", values.sets),
      rounds: positive("rounds", values.rounds),
      seconds: positive("seconds", values.seconds),
      connections: positive("connections", values.connections),
      names,
      samples: samples.filter((one) => operations.includes(one.operationId)),
    };
  });
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new UsageError(`--${name} must be a number above 0`);
  return value;
}

async function measure(peer: Peer, sample: Sample, plan: Plan): Promise<Measurement> {
  const { connections, seconds } = plan;
  const before = await peer.cpuMicroseconds();
  const done = await load({ url: new URL(peer.url), sample, connections, seconds });
  const cpu = (await peer.cpuMicroseconds()) - before;
  return {
    perSecond: done.requests / done.seconds,
    p50: done.p50,
    p99: done.p99,
    cpuMicroseconds: cpu / done.requests,
  };
}

/** One set: every server in its own new process. */
async function compare(plan: Plan, all: ReadonlyMap<Sample, Measurements>): Promise<void> {
  const peers: Peer[] = [];
  try {
    for (const name of plan.names) {
      const peer = await Peer.start(name);
      peers.push(peer);
      for (const sample of plan.samples) {
        await peer.prove(sample, contenders[name]?.isChecked ?? true);
      }
    }
    for (const [sample, found] of all) await compareOne({ peers, sample, found }, plan);
  } finally {
    for (const peer of peers) peer.stop();
  }
}

async function compareOne(
  { peers, sample, found }: { peers: readonly Peer[]; sample: Sample; found: Measurements },
  plan: Plan,
): Promise<void> {
  const set = new Map(peers.map((peer) => [peer, new Array<Measurement>()]));
  for (const peer of peers) await measure(peer, sample, { ...plan, seconds: 1 });
  for (let round = 0; round < plan.rounds; round++) {
    for (let turn = 0; turn < peers.length; turn++) {
      // another server first in each round
      const peer = peers[(round + turn) % peers.length];
      if (peer !== undefined) set.get(peer)?.push(await measure(peer, sample, plan));
    }
  }
  for (const [peer, list] of set) found.get(peer.name)?.push(list);
}

function medianOf(sets: readonly Measurement[][], key: keyof Measurement): number {
  return median(sets.flat().map((one) => one[key]));
}

/** How many times the other's value: each round compared with itself, and the median of a set. */
function ratios(
  one: readonly Measurement[][],
  other: readonly Measurement[][],
  key: keyof Measurement,
): readonly number[] {
  return one.map((list, set) => {
    const with_ = other[set] ?? [];
    return median(list.map((item, round) => item[key] / (with_[round]?.[key] ?? Number.NaN)));
  });
}

/** The median of the sets, and between which values they lie. */
function shown(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((value) => value.toFixed(2));
  return `${median(values).toFixed(2)} (${low}-${high})`;
}

function print(sample: Sample, found: Measurements): void {
  const size = sample.body === undefined ? "" : `, body of ${sample.body.length} bytes`;
  console.log(`\n${sample.method} ${sample.template} (${sample.operationId}${size})\n`);
  const against = (
    name: string,
    sets: readonly Measurement[][],
    key: keyof Measurement,
  ): string => {
    const other = found.get(name);
    return other === undefined ? "-" : shown(ratios(sets, other, key));
  };
  const rows = Array.from(found, ([name, sets]) => [
    contenders[name]?.label ?? name,
    medianOf(sets, "perSecond").toFixed(0),
    medianOf(sets, "p50").toFixed(1),
    medianOf(sets, "p99").toFixed(1),
    medianOf(sets, "cpuMicroseconds").toFixed(1),
    against("hono", sets, "perSecond"),
    against("fastify", sets, "perSecond"),
    against("hono", sets, "cpuMicroseconds"),
  ]);
  const head = ["server", "req/s", "p50 ms", "p99 ms", "CPU us", "req/s / Hono", "req/s / Fastify"];
  head.push("CPU / Hono");
  const table = [head, head.map(() => "---"), ...rows];
  const widths = head.map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? "").length)),
  );
  for (const row of table) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`| ${cells.join(" | ")} |`);
  }
}

async function run(plan: Plan): Promise<void> {
  const all = new Map(
    plan.samples.map((sample): [Sample, Measurements] => [
      sample,
      new Map(plan.names.map((name) => [name, []])),
    ]),
  );
  for (let set = 0; set < plan.sets; set++) await compare(plan, all);
  for (const [sample, found] of all) print(sample, found);
}

await run(readPlan());
