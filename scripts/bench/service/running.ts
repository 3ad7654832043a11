// The service in a process of its own, and the load in another one.

import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LoadPlan, LoadResult } from "./load-plan.ts";
import { look, runSeconds } from "./window.ts";
import type { Measured, WindowPlan } from "./window.ts";

export interface ServicePlan {
  readonly environment: Readonly<Record<string, string>>;
  /** sends webhooks and runs the jobs, too */
  readonly isDelivering: boolean;
}

interface Place {
  /** of its log */
  readonly name: string;
  /** for files */
  readonly scratch: string;
}

/** What the process of the service is told. */
export type Told =
  { readonly do: "begin profile" } | { readonly do: "end profile"; readonly file: string };

export interface RunningService {
  readonly url: string;
  readonly pid: number;
  readonly tell: (what: Told) => Promise<void>;
}

/** Starts it, and ends it when `use` has ended. */
export async function withService<Result>(
  { name, scratch }: Place,
  { environment, isDelivering }: ServicePlan,
  use: (service: RunningService) => Promise<Result>,
): Promise<Result> {
  // A line for every request, as in production; nobody reads them, so they are in a file.
  const log = openSync(join(scratch, `${name}.log`), "w");
  const program = join(import.meta.dirname, "server.ts");
  const child = spawn(process.execPath, [program, ...(isDelivering ? ["--deliver"] : [])], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", log, "inherit", "ipc"],
  });
  closeSync(log);
  try {
    // What a program of ours says first.
    const { url } = (await said(child)) as { readonly url: string };
    const tell = async (what: Told): Promise<void> => {
      child.send(what);
      await said(child);
    };
    return await use({ url, pid: child.pid ?? 0, tell });
  } finally {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    const ended = isOver ? undefined : once(child, "exit");
    if (child.connected) child.disconnect();
    await ended;
  }
}

export interface LoadRun extends Measured {
  readonly ids: readonly string[];
  /** all that were answered, those before and after the window included */
  readonly requests: number;
  readonly signedOnTheWay: number;
}

export interface Loading {
  readonly service: RunningService;
  /** more servers on the same database, which share the load with it */
  readonly others?: readonly RunningService[];
  readonly window: Omit<WindowPlan, "servicePids" | "clientPid">;
  readonly load: Omit<LoadPlan, "urls" | "seconds">;
  /** for files */
  readonly scratch: string;
  /** where a profile of the window goes; none is made when left out */
  readonly profile?: string;
}

export async function runLoad(loading: Loading): Promise<LoadRun> {
  const { service, others = [], window, load, scratch } = loading;
  const services = [service, ...others];
  const urls = services.map(({ url }) => url);
  const servicePids = services.map(({ pid }) => pid);
  const running = await startLoad(scratch, { ...load, urls, seconds: runSeconds(window) });
  const done = running.done();
  const measured = await look(
    { ...window, servicePids, clientPid: running.pid, around: aroundOf(loading) },
    done.then(({ completions }) => completions),
  );
  const { ids, completions, signedOnTheWay } = await done;
  return { ...measured, ids, requests: completions.length, signedOnTheWay };
}

function aroundOf({ service, profile: file }: Loading): WindowPlan["around"] {
  if (file === undefined) return undefined;
  return {
    begin: () => service.tell({ do: "begin profile" }),
    end: () => service.tell({ do: "end profile", file }),
  };
}

interface RunningLoad {
  readonly pid: number;
  readonly done: () => Promise<LoadResult>;
}

/** Resolves when it has begun. */
async function startLoad(scratch: string, plan: LoadPlan): Promise<RunningLoad> {
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

/** The next thing it says. */
export async function said(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  const early = once(child, "exit", { signal }).then(
    () => {
      throw new Error(`${child.spawnargs.slice(1, 2).join("")} ended before it answered`);
    },
    () => undefined, // it has answered
  );
  const [message] = (await Promise.race([once(child, "message", { signal }), early])) as [unknown];
  over.abort();
  return message;
}
