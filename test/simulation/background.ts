// The jobs of the two processes: one after the other, both at once, and with a death in the middle.

import { ServiceError } from "../../service/errors.ts";
import type { Job } from "../../service/jobs/jobs.ts";
import type { OutgoingConfirmerPoint } from "../../service/sending/confirmer.ts";
import { SignerRefusal } from "../../service/ports/signer.ts";
import type { SenderPoint } from "../../service/sending/ports.ts";
import type { WatcherStep } from "../../service/chains/watcher.ts";
import type { Dice } from "./dice.ts";
import { Killed } from "./life.ts";
import type { Fate } from "./life.ts";
import type { Worker } from "./worker.ts";
import type { World } from "./world.ts";

/** Everywhere that the rules let a process die by name, with the beginning of the job's name. */
const namedSteps: readonly (readonly [string, readonly Step[]])[] = [
  ["send-", ["leased", "claimed", "given_up", "signed", "stored", "replaced", "sent"]],
  ["confirm-", ["asked", "ended"]],
  ["watch-", ["head_read", "blocks_read", "deposits_found", "blocks_abandoned", "cursor_moved"]],
  ["watch-", ["deposits_recorded", "payments_touched", "committed", "second_look_done"]],
  ["watch-", ["deposits_finalized"]],
];

type Step = SenderPoint | OutgoingConfirmerPoint | WatcherStep;

/** By the beginning of its name, how often one is chosen. */
const weights: readonly (readonly [string, number])[] = [
  ["watch-", 8],
  ["send-", 7],
  ["confirm-", 6],
  ["sweep-", 2],
  ["match-arrivals", 4],
  ["book-unmatched", 3],
  ["dispatch", 10],
  ["expire-payments", 4],
  ["run-payouts", 3],
  ["bill-subscriptions", 3],
  ["announce-", 2],
  ["check-reserve", 1],
  ["compare-accounts", 2],
  ["ledger-verify", 0.4],
];
const otherWeight = 0.5;

export function chooseJob(dice: Dice, { jobs }: Worker): Job {
  const weighted = jobs.all.map((job) => {
    const found = weights.find(([start]) => job.name.startsWith(start));
    return { job, weight: found?.[1] ?? otherWeight };
  });
  return dice.weighted(weighted).job;
}

export function chooseFate(dice: Dice): Fate {
  const when = dice.chance(0.5) ? "before" : "after";
  const kind = dice.chance(0.7) ? "dies" : "cut_off";
  return { kind, when, statements: dice.between(1, 12) };
}

/** A step that has a name, and the jobs that can reach it. */
export function chooseNamedDeath(dice: Dice, { jobs }: Worker) {
  const [start, steps] = dice.pick(namedSteps);
  const fate: Fate = { kind: "dies_at", step: dice.pick(steps) };
  return { fate, jobs: jobs.all.filter(({ name }) => name.startsWith(start)) };
}

/** Once. Anything but a death, a chain or a database that is away is a fault of ours. */
export async function runJob(world: World, worker: Worker, job: Job): Promise<boolean> {
  try {
    world.note("job runs");
    const { isMore, done } = await world.cuts.during(() => worker.jobs.run(job));
    if (done > 0) world.note("work done", job.name);
    return isMore;
  } catch (error) {
    if (worker.life.isDead || error instanceof Killed) return false;
    const isAway =
      error instanceof ServiceError &&
      (error.code === "chain_unavailable" || error.code === "service_unavailable");
    // Its clock is wrong for a while.
    const isRefused = error instanceof SignerRefusal && world.signer.skewMilliseconds > 0;
    if (!isAway && !isRefused) world.complain(`${job.name} failed: ${textOf(error)}`);
    world.note("job failures");
    return false;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** More than this many runs in a row would be a job that never comes to an end. */
const runsMax = 300;

/** All jobs of a process until none has more to do; but nothing new is swept, or it would not end. */
export async function drain(world: World, worker: Worker): Promise<void> {
  for (const job of worker.jobs.all.filter(({ name }) => !name.startsWith("sweep-"))) {
    for (let runs = 1; await runJob(world, worker, job); runs++) {
      if (runs <= runsMax) continue;
      world.complain(`${job.name} does not come to an end`);
      break;
    }
  }
}
