// Compares our writes with those of pgbench on one real server (fsync on), and with the embedded
// database. Only ratios mean something: everybody writes in turn, in several rounds.
//
// pgbench is looked for beside the server's programs, in PATH and in Debian's folders; Debian and
// Ubuntu have it in the package postgresql-contrib (apt-get install postgresql-contrib).

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { openPglite } from "../../../adapters/database/pglite.ts";
import { openPostgres } from "../../../adapters/database/postgres.ts";
import { statement } from "../../../service/database/statement.ts";
import { startPostgresServer } from "../../../test/support/postgres-server.ts";
import type { PostgresServer } from "../../../test/support/postgres-server.ts";
import { positive, readCommandLine, worded } from "../../command-line.ts";
import { findPgbench, median, serverCpuMicroseconds, start } from "../measuring.ts";
import type { ClientResult } from "./client.ts";
import { answer, eventData, parameterNames, setUpTexts, shapes } from "./statements.ts";
import type { ShapeName } from "./statements.ts";

const help = `npm run bench:store -- [options]

  --rounds N   how often each is measured, in turn (5)
  --seconds N  how long (3)
  --clients N  that write at once, and as many connections, but one for PGlite (32)
  --help`;

const config = {
  options: {
    ...worded({ rounds: "5", seconds: "3", clients: "32" }),
  },
} as const;
const { rounds, seconds, clients } = readCommandLine(help, config, ({ values }) => ({
  rounds: positive("rounds", values.rounds, 999),
  seconds: positive("seconds", values.seconds, 120),
  clients: positive("clients", values.clients, 90),
}));
/** Numbers that one measurement may use up. */
const range = seconds * 12_000;

const contenders = {
  pgbench: "pgbench, same statement",
  bare: "bare pg, pooled",
  single: "ours, one by one",
  batched: "ours, batched",
  "embedded single": "PGlite on disk, one by one",
  "embedded batched": "PGlite on disk, batched",
} as const;
type Name = keyof typeof contenders;

interface Measured {
  readonly perSecond: number;
  /** of client and server together */
  readonly cpuMicroseconds: number;
}

interface Places {
  readonly server: PostgresServer;
  readonly url: string;
  readonly folder: string;
  readonly pgbench: string | undefined;
}

const scratch = mkdtempSync(join(tmpdir(), "bench-store-"));
const server = await startPostgresServer({ isDurable: true });
try {
  await main(await prepare());
} finally {
  await server.remove();
  rmSync(scratch, { recursive: true, force: true });
}

async function main(places: Places): Promise<void> {
  if (places.pgbench === undefined) {
    console.log(
      "pgbench was not found, so ours is compared with a bare loop over the driver `pg` instead. " +
        "Debian, Ubuntu: apt-get install postgresql-contrib",
    );
  }
  const names = (Object.keys(contenders) as Name[]).filter(
    (name) => name !== "pgbench" || places.pgbench !== undefined,
  );
  let base = 0;
  for (const shape of Object.keys(shapes) as ShapeName[]) {
    const measured = new Map<Name, Measured[]>(names.map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const name of names) {
        const result = await measure(places, { name, shape, base });
        measured.get(name)?.push(result);
        base += range;
      }
    }
    print(shape, measured);
  }
}

async function prepare(): Promise<Places> {
  const measurements = rounds * Object.keys(contenders).length * Object.keys(shapes).length;
  const texts = setUpTexts(range * measurements);
  await server.execute("create database bench");
  const url = server.url("bench");
  const folder = join(scratch, "pglite");
  const databases = [await openPostgres({ url }), await openPglite({ folder })];
  for (const database of databases) {
    for (const [index, text] of texts.entries()) {
      await database.run(
        statement<object>(`bench.set_up_${index}`)(() => sql.raw(text)),
        {},
      );
    }
    await database.close();
  }
  return { server, url, folder, pgbench: findPgbench(server.binaries) };
}

interface Task {
  readonly name: Name;
  readonly shape: ShapeName;
  readonly base: number;
}

async function measure(places: Places, task: Task): Promise<Measured> {
  // What earlier writers left to do for the server is not charged to the next one.
  await withClient(places.url, (client) => client.query("checkpoint"));
  const before = serverCpuMicroseconds(places.server.pid());
  const { writes, seconds, cpuMicroseconds } =
    task.name === "pgbench" ? await runPgbench(places, task) : await runOurs(places, task);
  const serverCpu = serverCpuMicroseconds(places.server.pid()) - before;
  const isEmbedded = task.name.startsWith("embedded");
  return {
    perSecond: writes / seconds,
    cpuMicroseconds: (cpuMicroseconds + (isEmbedded ? 0 : serverCpu)) / writes,
  };
}

async function runOurs(places: Places, { name, shape, base }: Task): Promise<ClientResult> {
  const isEmbedded = name.startsWith("embedded");
  const { output } = start(process.execPath, [
    join(import.meta.dirname, "client.ts"),
    `--mode=${name}`,
    `--place=${isEmbedded ? places.folder : places.url}`,
    `--shape=${shape}`,
    `--base=${base}`,
    `--concurrency=${clients}`,
    `--seconds=${seconds}`,
  ]);
  // A program of ours wrote it.
  return JSON.parse(await output) as ClientResult;
}

async function runPgbench({ pgbench, url }: Places, { shape, base }: Task): Promise<ClientResult> {
  const text = shapes[shape].text.replaceAll(
    /\$(\d+)/g,
    (_, index: string) => `:${parameterNames[Number(index) - 1]}`,
  );
  const script = join(scratch, `${shape}.sql`);
  const number = String.raw`\set n :base + :client_id * :stride + :i
\set i :i + 1`;
  writeFileSync(script, `${number}\n${text.replaceAll("\n", " ")};\n`);
  const stride = Math.floor(range / clients);
  const variables = {
    base,
    stride,
    i: 0,
    now: new Date().toISOString(),
    body: answer,
    data: eventData,
  };
  const parameters = [
    "--no-vacuum",
    "--protocol=prepared",
    "--jobs=1",
    `--file=${script}`,
    `--client=${clients}`,
    `--time=${seconds}`,
    ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
    url,
  ];
  // The shell tells what its child cost.
  const command = '"$0" "$@"; code=$?; times; exit $code';
  const said = await start("/bin/sh", ["-c", command, pgbench ?? "", ...parameters]).output;
  const writes = Number(/actually processed: (\d+)/.exec(said)?.[1]);
  const perSecond = Number(/tps = ([\d.]+)/.exec(said)?.[1]);
  const times = [...said.matchAll(/(\d+)m([\d.]+)s/g)].slice(-2);
  const cpuSeconds = times.reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
  return { writes, seconds: writes / perSecond, cpuMicroseconds: cpuSeconds * 1e6 };
}

async function withClient(
  url: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client);
  await client.end();
}

function print(shape: ShapeName, measured: ReadonlyMap<Name, readonly Measured[]>): void {
  const reference: Name = measured.has("pgbench") ? "pgbench" : "bare";
  const rate = (name: Name) => median((measured.get(name) ?? []).map((one) => one.perSecond));
  const cost = (name: Name) => median((measured.get(name) ?? []).map((one) => one.cpuMicroseconds));
  console.log(`\ncreate-${shape}-shaped writes, ${clients} at once; ratios to ${reference}`);
  console.log(`${"".padEnd(28)}writes/s   ratio   CPU us/write   ratio`);
  for (const name of measured.keys()) {
    const columns = [
      contenders[name].padEnd(28),
      rate(name).toFixed(0).padStart(8),
      (rate(name) / rate(reference)).toFixed(2).padStart(8),
      cost(name).toFixed(0).padStart(15),
      (cost(name) / cost(reference)).toFixed(2).padStart(8),
    ];
    console.log(columns.join(""));
  }
}
