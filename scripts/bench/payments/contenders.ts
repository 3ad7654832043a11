// The two that are compared, each run for a while by itself: the service in a new process with the
// load in another one, and pgbench.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { start } from "../measuring.ts";
import type { LoadPlan, LoadResult } from "./load.ts";
import type { PgbenchScript } from "./script.ts";
import type { Shop } from "./shops.ts";
import { look, runSeconds } from "./window.ts";
import type { Completion, Measured, WindowPlan } from "./window.ts";

export interface Round {
  readonly number: number;
  readonly clients: number;
  readonly window: Omit<WindowPlan, "servicePid" | "clientPid">;
  /** for files */
  readonly scratch: string;
}

export interface ServicePlan {
  readonly environment: Readonly<Record<string, string>>;
  readonly shops: readonly Shop[];
  /** sends webhooks and runs the jobs, too */
  readonly isDelivering: boolean;
}

export interface ServiceRun extends Measured {
  /** of every 201, those before and after the window included */
  readonly paymentIds: readonly string[];
  readonly signedOnTheWay: number;
}

export async function runService(round: Round, plan: ServicePlan): Promise<ServiceRun> {
  const { child, url } = await startServer(round, plan);
  try {
    const { number, clients } = round;
    const seconds = runSeconds(round.window);
    const load = await startLoad(round, {
      url,
      shops: plan.shops,
      clients,
      seconds,
      round: number,
    });
    const done = load.done();
    const measured = await look(
      { ...round.window, servicePid: child.pid, clientPid: load.pid },
      done.then(({ completions }) => completions),
    );
    const { paymentIds, signedOnTheWay } = await done;
    return { ...measured, paymentIds, signedOnTheWay };
  } finally {
    const ended = child.exitCode === null ? once(child, "exit") : undefined;
    if (child.connected) child.disconnect();
    await ended;
  }
}

async function startServer(
  { scratch, number }: Round,
  { environment, isDelivering }: ServicePlan,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  // A line for every request, as in production; nobody reads them, so they are in a file.
  const log = openSync(join(scratch, `service-${number}.log`), "w");
  const program = join(import.meta.dirname, "server.ts");
  const child = spawn(process.execPath, [program, ...(isDelivering ? ["--deliver"] : [])], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", log, "inherit", "ipc"],
  });
  closeSync(log);
  // What a program of ours says first.
  const { url } = (await said(child)) as { readonly url: string };
  return { child, url };
}

interface RunningLoad {
  readonly pid: number;
  readonly done: () => Promise<LoadResult>;
}

/** Resolves when it has begun. */
async function startLoad({ scratch }: Round, plan: LoadPlan): Promise<RunningLoad> {
  const [planFile, resultFile] = [join(scratch, "plan.json"), join(scratch, "result.json")];
  writeFileSync(planFile, JSON.stringify(plan), { mode: 0o600 });
  const program = join(import.meta.dirname, "load.ts");
  const child = spawn(process.execPath, [program, planFile, resultFile], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  await said(child);
  return {
    pid: child.pid ?? 0,
    done: async () => {
      await ended;
      if (child.exitCode !== 0) throw new Error("the load has failed");
      // A program of ours wrote it.
      return JSON.parse(readFileSync(resultFile, "utf8")) as LoadResult;
    },
  };
}

async function said(child: ChildProcess): Promise<unknown> {
  const early = once(child, "exit").then(() => {
    throw new Error(`${child.spawnargs.slice(1, 2).join("")} ended before it began`);
  });
  const [message] = (await Promise.race([once(child, "message"), early])) as [unknown];
  return message;
}

export interface PgbenchPlan {
  readonly program: string;
  readonly script: PgbenchScript;
  readonly url: string;
}

export interface PgbenchRun extends Measured {
  /** all of the run */
  readonly transactions: number;
}

export async function runPgbench(round: Round, plan: PgbenchPlan): Promise<PgbenchRun> {
  const { scratch, number, clients } = round;
  const script = join(scratch, "request.sql");
  writeFileSync(script, plan.script.text);
  const prefix = `pgbench-${number}`;
  const running = start(plan.program, [
    "--no-vacuum",
    "--protocol=prepared",
    "--jobs=1",
    `--file=${script}`,
    `--client=${clients}`,
    `--time=${runSeconds(round.window)}`,
    "--log",
    `--log-prefix=${join(scratch, prefix)}`,
    `--define=round=${number}`,
    "--define=i=0",
    ...Array.from(plan.script.variables(), ([name, value]) => `--define=${name}=${value}`),
    plan.url,
  ]);
  let transactions = 0;
  const completions = running.output.then((text) => {
    transactions = Number(/actually processed: (\d+)/.exec(text)?.[1]);
    return readLog(scratch, prefix);
  });
  const window = { ...round.window, servicePid: undefined, clientPid: running.pid };
  const measured = await look(window, completions);
  return { ...measured, transactions };
}

/** Lines of: client, number, microseconds it took, script, and when: seconds and microseconds. */
function readLog(folder: string, prefix: string): readonly Completion[] {
  const files = readdirSync(folder).filter((name) => name.startsWith(`${prefix}.`));
  const text = files.map((name) => readFileSync(join(folder, name), "utf8")).join("");
  for (const name of files) rmSync(join(folder, name));
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [, , took, , seconds, microseconds] = line.split(" ").map(Number);
      return {
        atMilliseconds: (seconds ?? Number.NaN) * 1_000 + (microseconds ?? Number.NaN) / 1_000,
        latencyMilliseconds: (took ?? Number.NaN) / 1_000,
      };
    });
}
