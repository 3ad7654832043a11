// What the benchmarks measure with: processor time of other processes, other programs, a database.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import pg from "pg";

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Beside the server's programs, in PATH and in Debian's folders. */
export function findPgbench(binaries: string): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const folders = [
    binaries,
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin")),
  ];
  return folders.map((folder) => join(folder, "pgbench")).find((path) => existsSync(path));
}

export interface Running {
  readonly pid: number;
  /** what it wrote to its standard output; rejects unless it ends with 0 */
  readonly output: Promise<string>;
}

export function start(command: string, parameters: readonly string[]): Running {
  const child = spawn(command, parameters, { stdio: ["ignore", "pipe", "pipe"] });
  let text = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  child.stderr.setEncoding("utf8").on("data", (part: string) => (errors += part));
  const output = once(child, "close").then(() => {
    if (child.exitCode !== 0) throw new Error(`${command} failed: ${errors}`);
    return text;
  });
  return { pid: child.pid ?? 0, output };
}

const microsecondsPerTick = 1e6 / 100;

/** Of a process alone. */
export function processCpuMicroseconds(pid: number): number {
  return sum(ticks(String(pid)).slice(0, 2)) * microsecondsPerTick;
}

/** Of all processes that this one has started and that have ended, with theirs. */
export function childrenCpuMicroseconds(): number {
  return sum(ticks("self").slice(2, 4)) * microsecondsPerTick;
}

/** Of a server and its children, those that have ended included. */
export function serverCpuMicroseconds(pid: number): number {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
  const children = stdout.split(/\s+/).filter(Boolean);
  const theirs = children.flatMap((child) => ticks(child).slice(0, 2));
  return (sum(ticks(String(pid))) + sum(theirs)) * microsecondsPerTick;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** utime, stime, cutime and cstime of proc_pid_stat(5), a hundred for each second on Linux. */
function ticks(pid: string): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold spaces; state is the third field, utime the fourteenth.
    return text
      .slice(text.lastIndexOf(")") + 2)
      .split(" ")
      .slice(11, 15)
      .map(Number);
  } catch {
    return []; // it has just ended: its parent has its time now
  }
}

export type Rows = readonly Readonly<Record<string, unknown>>[];

/** In milliseconds; without it is waited for as long as it takes. */
export type Patience = Pick<pg.ClientConfig, "connectionTimeoutMillis" | "query_timeout">;

/** On a connection of its own. */
export async function query(url: string, text: string, patience: Patience = {}): Promise<Rows> {
  const client = new pg.Client({ connectionString: url, ...patience });
  client.on("error", () => undefined); // the query that it breaks reports it
  await client.connect();
  try {
    const { rows } = await client.query<Readonly<Record<string, unknown>>>(text);
    return rows;
  } finally {
    await client.end();
  }
}
