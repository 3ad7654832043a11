// The steps of the benchmark, one after the other, on one service.

import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { query } from "../measuring.ts";
import { tidy } from "../service/database.ts";
import { profileLines } from "../service/profile-report.ts";
import type { RunningService } from "../service/running.ts";
import { beginStatementCosts, statementCostLines } from "../service/statement-costs.ts";
import type { Answered, Order } from "./load-plan.ts";
import { between, snapshot } from "./measure.ts";
import type { Measured, Watched } from "./measure.ts";
import { answerLines, headLines, methodLines, rowOf } from "./report.ts";
import type { RunningLoad } from "./running.ts";

export interface Options {
  readonly clients: readonly number[];
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly overloadSeconds: number;
  readonly isProfiling: boolean;
  readonly isCounting: boolean;
}

interface Places {
  readonly load: RunningLoad;
  readonly service: RunningService;
  readonly watched: Watched;
  /** for files */
  readonly scratch: string;
}

interface All {
  readonly orders: readonly Order[];
  readonly answers: readonly Answered[];
}

/** With fewer than these there is more to be had by more clients. */
const growthMin = 1.1;
const firstGuess = 60;
const overloadFactor = 10;
/** At once, when those that were refused are asked again. */
const againClients = 64;
const bookedSecondsMax = 120;

export async function measureAll(places: Places, options: Options): Promise<All> {
  const answers: Answered[] = [];
  const step = async (change: Partial<Step>) => {
    const usual = { clients: 1, seconds: options.seconds, isProfiled: false, isCounted: false };
    const done = await closedStep(places, {
      ...usual,
      perSecondMax: guess(best?.measured),
      ...change,
    });
    answers.push(...done.answers);
    return done.measured;
  };
  let best: { readonly clients: number; readonly measured: Measured } | undefined;
  // Cold code, connections and empty tables do not count.
  await step({ clients: Math.min(...options.clients), seconds: options.warmUpSeconds });
  for (const line of headLines) console.log(line);
  for (const clients of options.clients) {
    const measured = await step({ clients });
    console.log(rowOf(String(clients), measured));
    const before = best?.measured.answered ?? 0;
    if (measured.answered > before) best = { clients, measured };
    if (measured.answered < before * growthMin) break;
  }
  if (best === undefined) throw new Error("nothing was measured");
  console.log("\ncalls of the node for each settlement\n");
  for (const line of methodLines(best.measured)) console.log(line);
  if (options.isProfiling) await step({ clients: best.clients, isProfiled: true });
  if (options.isCounting) await step({ clients: best.clients, isCounted: true });
  if (options.overloadSeconds > 0) {
    answers.push(...(await overload(places, options, best.measured.answered)));
  }
  const { answers: last, orders } = await places.load.tell({ do: "again", clients: againClients });
  await waitForBooks(places.watched, orders);
  return { orders, answers: [...answers, ...last] };
}

function guess(measured: Measured | undefined): number {
  return measured === undefined ? firstGuess : Math.max(firstGuess, measured.answered * 2.5);
}

interface Step {
  readonly clients: number;
  readonly seconds: number;
  readonly perSecondMax: number;
  readonly isProfiled: boolean;
  readonly isCounted: boolean;
}

async function closedStep(
  { load, service, watched, scratch }: Places,
  { clients, seconds, perSecondMax, isProfiled, isCounted }: Step,
) {
  // What was written before is known to the planner, and not charged to this step.
  await tidy(watched.databaseUrl);
  await load.tell({ do: "prepare", count: Math.ceil(seconds * perSecondMax) + clients });
  if (isProfiled) await service.tell({ do: "begin profile" });
  if (isCounted) await beginStatementCosts(watched.databaseUrl);
  const first = await snapshot(watched);
  const { answers, orders } = await load.tell({ do: "closed", clients, seconds });
  await waitForBooks(watched, orders);
  const last = await snapshot(watched);
  const measured = between(first, last, answers);
  if (isCounted) {
    console.log(`\nthe database, at ${measured.perSecond.toFixed(1)}/s\n`);
    const lines = await statementCostLines(watched.databaseUrl, last.booked - first.booked);
    for (const line of lines) console.log(line);
  }
  if (!isProfiled) return { answers, measured };
  const file = join(scratch, "settle.cpuprofile");
  await service.tell({ do: "end profile", file });
  console.log(`\nthe service under the profiler, at ${measured.perSecond.toFixed(1)}/s\n`);
  for (const line of profileLines(file, measured)) console.log(line);
  return { answers, measured };
}

/** What is offered in so many seconds, and then asked again until all of it is settled. */
async function overload(
  { load, watched }: Places,
  { overloadSeconds: seconds }: Options,
  fitting: number,
): Promise<readonly Answered[]> {
  const perSecond = Math.ceil(fitting * overloadFactor);
  await load.tell({ do: "prepare", count: perSecond * seconds });
  const first = await snapshot(watched);
  const { answers } = await load.tell({ do: "open", perSecond, seconds });
  console.log(`\nten times as many: ${perSecond} a second for ${seconds} s\n`);
  for (const line of answerLines(answers)) console.log(line);
  const startedAt = performance.now();
  const again = await load.tell({ do: "again", clients: againClients });
  const took = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`\nthose that were refused or open, asked again as they were told: ${took} s\n`);
  for (const line of answerLines(again.answers)) console.log(line);
  await waitForBooks(watched, again.orders);
  const all = [...answers, ...again.answers];
  const { answered, perSecond: booked } = between(first, await snapshot(watched), all);
  console.log(`\n${answered.toFixed(1)} a second were settled, and ${booked.toFixed(1)} booked.`);
  return all;
}

/** What is settled is booked when its block is deep enough. */
async function waitForBooks({ databaseUrl }: Watched, orders: readonly Order[]): Promise<void> {
  const wanted = orders.filter(({ isSettled }) => isSettled).length;
  for (let second = 0; second < bookedSecondsMax; second++) {
    const [row] = await query(
      databaseUrl,
      "select count(*)::integer as paid from payments where status = 'paid'",
    );
    if (Number(row?.["paid"]) >= wanted) return;
    await wait(1_000);
  }
}
