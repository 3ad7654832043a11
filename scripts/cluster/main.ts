// npm run cluster: the service on PostgreSQL under Patroni, PgBouncer and haproxy, all on this machine, with load on it;
// one part after the other is broken, and what was answered is compared with what there is.

import { chmodSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Dice } from "../../test/simulation/dice.ts";
import { UsageError } from "../../generator/command/terminal.ts";
import { flags, positive, readCommandLine, seedOf, worded } from "../command-line.ts";
import { startNode } from "../bench/settle/node.ts";
import type { BenchNode } from "../bench/settle/node.ts";
import { startDoors } from "./doors.ts";
import { drawn, faults, type Cluster } from "./faults.ts";
import { findAll } from "./findings.ts";
import { fund, type Funded } from "./funding.ts";
import { guard } from "./guard.ts";
import { findFaults } from "./judging.ts";
import { Load } from "./load.ts";
import { openMerchants, withAdmin } from "./merchants.ts";
import { hasDisks, role, startMembers } from "./members.ts";
import { freePorts, Part, waitUntil } from "./parts.ts";
import { findPrograms, ProgramsMissing, type Programs } from "./programs.ts";
import { query } from "./querying.ts";
import { Receiver } from "./receiver.ts";
import { startServices } from "./services.ts";
import { Settling } from "./settling.ts";
import { breakOne, printTable, type Entry, waitUntilWhole } from "./watching.ts";

const names = Object.keys(faults);
const help = `npm run cluster -- [options]

Starts etcd, three PostgreSQL servers under Patroni, haproxy, PgBouncer, a chain, a signer and two processes of the
service on this machine, sends load, and breaks one part after the other. Linux, with Debian's packages.

  --minutes N      how long parts are broken (10)
  --seed N         of their order (1)
  --faults A,...   these alone, in this order, once each
  --merchants N    who create payments, two a second each (24)
  --keep           leaves logs and configurations where they are
  --help

${names.map((name) => `  ${name.padEnd(16)} ${faults[name]?.says ?? ""}`).join("\n")}`;

interface Options {
  readonly minutes: number;
  readonly seed: number;
  /** undefined: all, as the seed has them */
  readonly wanted: readonly string[] | undefined;
  readonly merchants: number;
  readonly isKept: boolean;
}

const config = {
  options: {
    ...worded({ minutes: "10", seed: "1", merchants: "24" }),
    ...flags("keep"),
    faults: { type: "string" },
  },
} as const;

function readOptions(): Options {
  return readCommandLine(help, config, ({ values }) => {
    const wanted = values.faults?.split(",");
    const unknown = wanted?.find((name) => faults[name] === undefined);
    if (unknown !== undefined)
      throw new UsageError(`--faults knows no ${unknown}; there are ${names.join(", ")}`);
    if (wanted?.includes("full-disk") === true && !hasDisks())
      throw new UsageError("full-disk needs root: only root can make a disk for each server");
    return {
      minutes: positive("minutes", values.minutes, 600),
      seed: seedOf(values.seed),
      wanted,
      merchants: positive("merchants", values.merchants, 60),
      isKept: values.keep,
    };
  });
}

/** What a killed process was sending from the settlement account waits for a minute. */
const stopMilliseconds = 120_000;
const vault = `0x${"7a".repeat(20)}`;

async function run(options: Options, programs: Programs, folder: string): Promise<boolean> {
  const node = await startNode();
  const receiver = new Receiver();
  try {
    await receiver.start();
    const cluster = await startCluster(programs, folder, node);
    const { services, members } = cluster;
    const { merchants, funded } = await withAdmin(
      services.environment,
      await members.url(role),
      async (admin) => {
        const opening = { services: services.all, count: options.merchants, vault, receiver };
        const opened = await openMerchants(admin, opening);
        return { merchants: opened, funded: await fund(admin, await members.url(role), node) };
      },
    );
    const load = new Load(funded.payer, { isCoinToo: true });
    await load.enrich(merchants, async () => isAllPaid(await members.url(role)));
    const settling = new Settling({ load, services: services.all, ...funded });
    load.start(merchants);
    await settling.start(merchants.settling);
    if (!(await waitUntilWhole(cluster, load)))
      throw new Error("it did not get whole at its start");
    const entries = await breakAll(options, cluster, load);
    await Promise.all([load.stop(stopMilliseconds), settling.stop()]);
    printTable(entries, load);
    const ended = { cluster, load, settling, node, receiver, funded };
    const found = [
      ...entries.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
      ...Part.surprises,
      ...(await findAll({ "what there is": () => judge(ended) })),
    ];
    for (const fault of found.slice(0, 50)) {
      console.log(`WRONG: ${fault}`);
      for (const line of services.linesAbout(fault)) console.log(`    ${line}`);
    }
    console.log(found.length === 0 ? allRight : `${found.length} faults.`);
    await stopAll(cluster);
    return found.length === 0;
  } finally {
    await Promise.all([node.stop(), receiver.stop()]);
  }
}

const allRight =
  "What was answered is there, once; each withdrawal, settlement and sweep was sent once; each event has come; " +
  "the ledger sums to zero and is what the chain has.";

interface Ended {
  readonly cluster: Cluster;
  readonly load: Load;
  readonly settling: Settling;
  readonly node: BenchNode;
  readonly receiver: Receiver;
  readonly funded: Funded;
}

async function judge({ cluster, funded, ...ended }: Ended): Promise<readonly string[]> {
  const { members } = cluster;
  await waitUntil("a server leads", async () => (await members.leader()) !== undefined);
  const url = await members.url(role);
  const { funding, payer } = funded;
  return findAll({
    "what was answered": () => findFaults({ ...ended, vault, url, funding, payer: payer.address }),
    "how much there is": () => countAll(ended, url),
  });
}

/** For people. What has not happened was not looked at: that is a fault. */
async function countAll(
  { load, settling, receiver }: Pick<Ended, "load" | "settling" | "receiver">,
  url: string,
): Promise<readonly string[]> {
  const [sweeps] = await query(
    url,
    `select count(*) filter (where kind = 'sweep' and method = 'collect')::integer as collected,
      count(*) filter (where kind = 'sweep' and method = 'transfer')::integer as transferred,
      count(*) filter (where kind = 'consolidation')::integer as consolidations from sweeps where status = 'moved'`,
  );
  const counts = {
    payments: load.payments.length,
    "paid in USDC": load.paid.length,
    "paid in coin": load.paidInCoin.length,
    withdrawals: load.withdrawals.length,
    "handed in by x402": settling.settlements.length,
    "of which settled": settling.settlements.filter(({ txHashes }) => txHashes.length > 0).length,
    "addresses swept of USDC": Number(sweeps?.["collected"]),
    "and of coin": Number(sweeps?.["transferred"]),
    "sweeps of the settlement account": Number(sweeps?.["consolidations"]),
    events: receiver.taken.size,
  };
  const repeated = [...receiver.taken.values()].filter((times) => times > 1).length;
  const texts = Object.entries(counts).map(([what, count]) => `${what}: ${count}`);
  console.log(`${texts.join(", ")}, of which ${repeated} came more than once`);
  const missing = Object.entries(counts).filter(([, count]) => count === 0);
  return missing.map(([what]) => `${what}: none`);
}

async function startCluster(programs: Programs, folder: string, node: BenchNode): Promise<Cluster> {
  const [etcd = 0, peer = 0, router = 0, pooler = 0, one = 0, two = 0, ...others] =
    await freePorts(15);
  const places = [0, 1, 2].map((index) => ({
    postgres: others[index] ?? 0,
    rest: others[index + 3] ?? 0,
  }));
  const place = { folder, programs };
  const members = await startMembers(place, { etcdPorts: [etcd, peer], members: places });
  const doors = startDoors(place, places, { network: others.slice(6), router, pooler });
  // Patroni may not be done yet with the server that leads, and a service that finds no writes there ends.
  await waitUntil("PgBouncer leads to writes", () => takesWrites(doors.urls.pooler));
  const ports = [one, two];
  const services = await startServices({ folder, ports, urls: doors.urls, chainUrl: node.url });
  return { members, doors, services };
}

async function takesWrites(url: string): Promise<boolean> {
  try {
    const [row] = await query(url, "select current_setting('transaction_read_only') as only");
    return row?.["only"] === "off";
  } catch {
    return false; // nobody leads
  }
}

async function isAllPaid(url: string): Promise<boolean> {
  const [row] = await query(url, "select every(status = 'paid') as paid from payments");
  return row?.["paid"] === true;
}

async function breakAll(
  { minutes, seed, wanted }: Options,
  cluster: Cluster,
  load: Load,
): Promise<readonly Entry[]> {
  const dice = new Dice(seed);
  const possible = names.filter((name) => name !== "full-disk" || hasDisks());
  if (possible.length < names.length)
    console.log("full-disk is left out: only root can make a disk");
  const endAt = performance.now() + minutes * 60_000;
  const entries: Entry[] = [];
  for (const name of wanted ?? drawn(possible, dice)) {
    if (wanted === undefined && performance.now() > endAt) break;
    const entry = await breakOne(name, cluster, { load, dice });
    entries.push(entry);
    if (entry.problem !== undefined) break;
  }
  return entries;
}

async function stopAll({ services, doors, members }: Cluster): Promise<void> {
  await Promise.all(services.all.map(({ part }) => part.stop()));
  await services.signer.stop();
  await Promise.all([doors.pooler, doors.router, doors.network].map((part) => part.stop()));
  await Promise.all(members.all.map(({ part }) => part.stop()));
  await members.etcd.stop();
}

async function main(options: Options): Promise<void> {
  const programs = findPrograms(process.env);
  // As the kernel names it: its processes are known by where they are.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "merchant-cluster-")));
  chmodSync(folder, 0o755); // its programs run as several users
  const own = guard(folder, options);
  console.log(
    `seed ${options.seed}; PgBouncer in ${programs.poolMode} mode` +
      (options.isKept ? `; logs in ${folder}` : ""),
  );
  let isRight = false;
  try {
    isRight = await run(options, programs, folder);
  } finally {
    Part.endAll();
    await own.end();
  }
  if (!isRight) process.exitCode = 1;
}

// The guard sees to the rest.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
try {
  await main(readOptions());
} catch (error) {
  if (!(error instanceof ProgramsMissing)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
process.exit();
