// Compares the generated routes with other ways to serve the same contract on this machine.
//
// Only ratios mean something: every round measures each server once, in turn, so that what else
// the machine does falls on all of them alike. The load generator runs in this process.

import { parseArgs } from "node:util";
import autocannon from "autocannon";
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

  --rounds N        how often each server is measured (5)
  --seconds N       how long each time (3)
  --connections N   at the same time (32)
  --peers a,b       of ${Object.keys(contenders).join(", ")} (all)
  --operations a,b  of ${samples.map((one) => one.operationId).join(", ")} (all)
  --help`;

interface Plan {
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

/** By server, in the order of the rounds. */
type Measurements = Map<string, Measurement[]>;

function readPlan(): Plan | undefined {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "3" },
      connections: { type: "string", default: "32" },
      peers: { type: "string", default: Object.keys(contenders).join(",") },
      operations: { type: "string", default: samples.map((one) => one.operationId).join(",") },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const names = values.peers.split(",");
  const unknown = names.find((name) => !Object.hasOwn(contenders, name));
  if (unknown !== undefined) throw new Error(`no server is called ${unknown}\n${help}`);
  const operations = values.operations.split(",");
  return {
    rounds: positive("rounds", values.rounds),
    seconds: positive("seconds", values.seconds),
    connections: positive("connections", values.connections),
    names,
    samples: samples.filter((one) => operations.includes(one.operationId)),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a number above 0\n${help}`);
  return value;
}

async function measure(peer: Peer, sample: Sample, plan: Plan): Promise<Measurement> {
  const before = await peer.cpuMicroseconds();
  const { method, headers, target, body } = sample;
  const result = await autocannon({
    url: peer.url + target,
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    connections: plan.connections,
    duration: plan.seconds,
  });
  const cpu = (await peer.cpuMicroseconds()) - before;
  const failed = result.errors + result.timeouts + result.non2xx;
  if (failed > 0) throw new Error(`${peer.name}: ${failed} requests failed`);
  return {
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuMicroseconds: cpu / result.requests.total,
  };
}

async function compare(peers: readonly Peer[], sample: Sample, plan: Plan): Promise<Measurements> {
  const found: Measurements = new Map(peers.map((peer) => [peer.name, []]));
  for (const peer of peers) await measure(peer, sample, { ...plan, seconds: 1 });
  for (let round = 0; round < plan.rounds; round++) {
    for (let turn = 0; turn < peers.length; turn++) {
      // another server first in each round
      const peer = peers[(round + turn) % peers.length];
      if (peer !== undefined) found.get(peer.name)?.push(await measure(peer, sample, plan));
    }
  }
  return found;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

function medianOf(list: readonly Measurement[], key: keyof Measurement): number {
  return median(list.map((one) => one[key]));
}

/** How many times the other's throughput; each round is compared with itself. */
function ratio(list: readonly Measurement[], other: readonly Measurement[] | undefined): string {
  if (other === undefined) return "-";
  const ratios = list.map((one, round) => one.perSecond / (other[round]?.perSecond ?? Number.NaN));
  return median(ratios).toFixed(2);
}

function print(sample: Sample, found: Measurements): void {
  const size = sample.body === undefined ? "" : `, body of ${sample.body.length} bytes`;
  console.log(`\n${sample.method} ${sample.template} (${sample.operationId}${size})\n`);
  const rows = Array.from(found, ([name, list]) => [
    contenders[name]?.label ?? name,
    medianOf(list, "perSecond").toFixed(0),
    medianOf(list, "p50").toFixed(1),
    medianOf(list, "p99").toFixed(1),
    medianOf(list, "cpuMicroseconds").toFixed(1),
    ratio(list, found.get("hono")),
    ratio(list, found.get("fastify")),
  ]);
  const head = ["server", "req/s", "p50 ms", "p99 ms", "CPU us", "/ Hono", "/ Fastify"];
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
  const peers: Peer[] = [];
  try {
    for (const name of plan.names) {
      const peer = await Peer.start(name);
      peers.push(peer);
      for (const sample of plan.samples) {
        await peer.prove(sample, contenders[name]?.isChecked ?? true);
      }
    }
    for (const sample of plan.samples) print(sample, await compare(peers, sample, plan));
  } finally {
    for (const peer of peers) peer.stop();
  }
}

const plan = readPlan();
if (plan === undefined) console.log(help);
else await run(plan);
