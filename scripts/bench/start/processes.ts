// A program with all processes that it has started: the processor time and the memory of the whole.

import { readFileSync, readdirSync } from "node:fs";

/** Of everything that runs below a process, itself included. */
export interface Usage {
  /** those that have ended included, once their parent has taken note */
  readonly cpuSeconds: number;
  /** MiB; pages that several of them share are counted in parts (PSS) */
  readonly memory: number;
  /** MiB; of the process that has the most, its own peak (RSS) */
  readonly peak: number;
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
}

const ticksPerSecond = 100; // on Linux
const kibPerMib = 1024;

export function usageOf(root: number): Usage {
  const tree = below(root);
  const pids = tree.map(({ pid }) => pid);
  return {
    cpuSeconds: sum(tree.map(({ cpuSeconds }) => cpuSeconds)),
    memory: sum(pids.map((pid) => kibOf(pid, "smaps_rollup", "Pss"))) / kibPerMib,
    peak: Math.max(...pids.map((pid) => kibOf(pid, "status", "VmHWM"))) / kibPerMib,
  };
}

/** The numbers of all of them, the last ones first: to be ended from the leaves on. */
export function processesBelow(root: number): readonly number[] {
  return below(root)
    .map(({ pid }) => pid)
    .toReversed();
}

/** Parents stand before their children. */
function below(root: number): readonly Stat[] {
  const all = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? statOf(name) : []));
  const found = all.filter(({ pid }) => pid === root);
  for (const { pid: parent } of found) {
    found.push(...all.filter((one) => one.parent === parent));
  }
  return found;
}

/** proc_pid_stat(5); nothing of a process that has just ended. */
function statOf(pid: string): readonly Stat[] {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return [];
  // The name in parentheses may hold spaces; state is the third field.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [parent, utime, stime, cutime, cstime] = [1, 11, 12, 13, 14].map((at) =>
    Number(fields[at]),
  ) as [number, number, number, number, number]; // as many as were asked for
  const cpuSeconds = (utime + stime + cutime + cstime) / ticksPerSecond;
  return [{ pid: Number(pid), parent, cpuSeconds }];
}

function kibOf(pid: number, file: string, field: string): number {
  const text = read(`/proc/${pid}/${file}`) ?? "";
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0);
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // it has just ended
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
