// The two that are compared, each run for a while by itself: the service in a new process with the
// load in another one, and pgbench.

import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { start } from "../measuring.ts";
import type { ClientPlan } from "../service/load-plan.ts";
import { runLoad, withService } from "../service/running.ts";
import type { LoadRun, RunningService, ServicePlan } from "../service/running.ts";
import { creating } from "../service/shops.ts";
import type { Shop } from "../service/shops.ts";
import { look, runSeconds } from "../service/window.ts";
import type { Completion, Measured, WindowPlan } from "../service/window.ts";
import type { PgbenchScript } from "./script.ts";

export interface Round {
  readonly number: number;
  readonly clients: number;
  readonly window: Omit<WindowPlan, "servicePids" | "clientPid">;
  /** for files */
  readonly scratch: string;
}

export interface CreatingPlan extends ServicePlan {
  readonly shops: readonly Shop[];
}

/** Beyond what was measured. */
const signedBeforePerSecond = 2_500;

/** @param profile a file for a profile of the window; none is made when left out */
export function runService(round: Round, plan: CreatingPlan, profile?: string): Promise<LoadRun> {
  const { number, scratch, window } = round;
  const place = { name: `service-${number}`, scratch };
  const load = { clients: clientsOf(round, plan), signedBeforePerSecond, number };
  return withService(place, plan, (service) =>
    runLoad({ service, window, load, scratch, ...(profile === undefined ? {} : { profile }) }),
  );
}

/** So many of them on one database, which share the clients. */
export function runServices(round: Round, plan: CreatingPlan, count: number): Promise<LoadRun> {
  const { number, scratch, window } = round;
  const load = { clients: clientsOf(round, plan), signedBeforePerSecond, number };
  const begin = (services: readonly RunningService[]): Promise<LoadRun> => {
    const [service, ...others] = services;
    if (service !== undefined && services.length === count) {
      return runLoad({ service, others, window, load, scratch });
    }
    const place = { name: `service-${number}-${services.length}`, scratch };
    return withService(place, plan, (next) => begin([...services, next]));
  };
  return begin([]);
}

function clientsOf({ clients }: Round, { shops }: CreatingPlan): readonly ClientPlan[] {
  return Array.from({ length: clients }, (_, index) => {
    const shop = shops[index % shops.length];
    if (shop === undefined) throw new Error("the plan has no shop");
    return { credentials: shop, requests: [creating] };
  });
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
  const window = { ...round.window, servicePids: [], clientPid: running.pid };
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
