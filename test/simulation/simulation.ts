// A long life of the service in a short time, with everything that can go wrong going wrong: played
// from a seed, looked at in between and at the end.

import type { Database } from "../../service/ports/database.ts";
import { rememberOwnAccounts } from "../../service/withdrawals/own-accounts.ts";
import { CatalogWriter } from "../../service/catalog/writer.ts";
import { paySigned, sendAstray } from "./arrivals.ts";
import { payTwoTries, receiveBills } from "./bills.ts";
import { chooseFate, chooseJob, chooseNamedDeath, runJob } from "./background.ts";
import { settleChains, settleEverything } from "./calm.ts";
import { checkAtRest, checkAlways, checkChains } from "./checks.ts";
import { sendCall } from "./client.ts";
import type { Call } from "./client.ts";
import { assets, currencies, deep } from "./market.ts";
import { sendGift } from "./gifts.ts";
import * as merchants from "./merchants.ts";
import { liveBefore } from "./past.ts";
import * as outside from "./outside.ts";
import { blocksUntilFinal, payTwice } from "./paid-twice.ts";
import { namedAccounts } from "./worker.ts";
import { race, sendCent, settle } from "./settling.ts";
import { decideSuspense } from "./suspense.ts";
import { turnSignerClock } from "./signer.ts";
import { SimulationError, World } from "./world.ts";
import type { WorldOptions } from "./world.ts";

export interface SimulationOptions extends WorldOptions {
  readonly steps: number;
  /** steps between two looks at everything */
  readonly lookEvery?: number;
  /** to break something on purpose, after every step */
  readonly onStep?: (world: World, step: number) => Promise<void>;
  /** hears how far it is */
  readonly onProgress?: (line: string) => void;
}

export interface Summary {
  readonly seed: number;
  readonly steps: number;
  readonly days: number;
  /** what happened how often, by name */
  readonly counts: readonly (readonly [string, number])[];
}

const merchantCount = 4;
const standardLookEvery = 250;

interface Step {
  readonly weight: number;
  readonly name: string;
  readonly play: (world: World) => unknown;
}

const steps: readonly Step[] = [
  { name: "job", weight: 26, play: playJobs },
  { name: "both at once", weight: 18, play: playTogether },
  { name: "death", weight: 12, play: playDeath },
  { name: "mine", weight: 14, play: (world) => outside.mine(world, world.dice.pick(world.chains)) },
  { name: "pay", weight: 16, play: merchants.pay },
  { name: "pay many", weight: 0.8, play: (world) => merchants.payMany(world) },
  { name: "signed", weight: 4, play: paySigned },
  { name: "settle", weight: 6, play: (w) => settle(w, (call) => playCall(w, call)) },
  { name: "race", weight: 2, play: race },
  { name: "cent", weight: 2, play: sendCent },
  { name: "astray", weight: 1, play: sendAstray },
  { name: "gift", weight: 0.7, play: sendGift },
  { name: "time", weight: 8, play: outside.passTime },
  { name: "create", weight: 12, play: (world) => playCall(world, merchants.createPayment(world)) },
  { name: "page", weight: 11, play: merchants.openPage },
  { name: "withdraw", weight: 9, play: async (w) => playCall(w, await merchants.withdraw(w)) },
  { name: "again", weight: 4, play: playAgain },
  {
    name: "reorg",
    weight: 3,
    play: (world) => outside.reorganize(world, world.dice.pick(world.chains)),
  },
  {
    name: "disturb",
    weight: 3,
    play: (world) => outside.disturbChain(world, world.dice.pick(world.chains)),
  },
  {
    name: "calm a chain",
    weight: 3,
    play: (world) => outside.calmChain(world.dice.pick(world.chains)),
  },
  { name: "operator", weight: 4, play: outside.operate },
  { name: "address", weight: 3, play: (w) => playCall(w, merchants.registerAddress(w)) },
  { name: "cancel", weight: 2.5, play: (w) => playCall(w, merchants.cancelPayment(w)) },
  { name: "take back", weight: 1.5, play: (w) => playCall(w, merchants.cancelWithdrawal(w)) },
  { name: "mood", weight: 1.5, play: outside.changeMood },
  { name: "switch", weight: 1, play: (w) => playCall(w, merchants.switchEndpoint(w)) },
  { name: "schedule", weight: 1, play: (w) => playCall(w, merchants.createSchedule(w)) },
  { name: "jump", weight: 0.6, play: playJump },
  { name: "accept", weight: 0.5, play: (w) => playCall(w, merchants.replaceAcceptance(w)) },
  { name: "pause", weight: 0.4, play: (w) => playCall(w, merchants.pauseSchedule(w)) },
  { name: "unsubscribe", weight: 0.2, play: (w) => playCall(w, merchants.cancelSubscription(w)) },
  { name: "signer clock", weight: 0.8, play: turnSignerClock },
  { name: "bills", weight: 2, play: receiveBills },
  { name: "suspense", weight: 2.5, play: decideSuspense },
  { name: "two tries", weight: 0.6, play: payTwoTries },
  { name: "deep reorg", weight: 0.6, play: playDeepReorg },
];

export async function simulate(database: Database, options: SimulationOptions): Promise<Summary> {
  const { seed, steps: count, lookEvery = standardLookEvery, onStep, onProgress } = options;
  const world = new World(database, options);
  const replay =
    `npm run simulate -- --seed ${seed} --steps ${count}` +
    (options.isWild === true ? " --wild" : "") +
    ` (or SEED=${seed} npx vitest run test/simulation)`;
  const assertSound = (): void => {
    if (world.problems.length > 0) throw new SimulationError(world.problems, replay);
  };
  await begin(world);
  for (let step = 1; step <= count; step++) {
    const chosen = world.dice.weighted(steps);
    try {
      await chosen.play(world);
    } catch (error) {
      world.complain(`step ${step} (${chosen.name}): ${String(error)}`);
      if (error instanceof Error) world.complain(error.stack ?? "");
    }
    await onStep?.(world, step);
    if (world.problems.length > 0) world.complain(`... in step ${step} (${chosen.name})`);
    assertSound();
    if (step % lookEvery !== 0) continue;
    await checkAlways(world);
    if (step % (2 * lookEvery) === 0) {
      await world.cuts.never(() => settleChains(world));
      await checkChains(world);
    }
    onProgress?.(`${step} of ${count} steps`);
    if (world.problems.length > 0) world.complain(`... looking after step ${step}`);
    assertSound();
  }
  await world.cuts.never(() => endCalmly(world));
  if (world.problems.length > 0) world.complain("... at the end, when all was quiet");
  assertSound();
  return summaryOf(world, options);
}

async function endCalmly(world: World): Promise<void> {
  await settleEverything(world);
  await checkAlways(world);
  await checkChains(world);
  await checkAtRest(world);
}

async function begin(world: World): Promise<void> {
  const worker = world.worker(0);
  await new CatalogWriter(worker).apply(currencies, { isDryRun: false });
  for (let number = 1; number <= merchantCount; number++) {
    const { id: merchantId } = await worker.merchants.create(`Shop ${number}`);
    await worker.merchants.setFee(merchantId, world.dice.pick([0, 30, 100, 250]));
    world.owners.push({ merchantId, environment: "live" }, { merchantId, environment: "test" });
  }
  // Everybody has agreed to shares of everybody's payments.
  const merchantIds = new Set(world.owners.map(({ merchantId }) => merchantId));
  for (const merchantId of merchantIds) {
    for (const creatorId of merchantIds) {
      if (creatorId !== merchantId)
        await worker.merchants.consents.grant({ merchantId, creatorId });
    }
  }
  await rememberOwnAccounts(worker, namedAccounts);
  for (const owner of world.owners) {
    for (const kind of ["bound", "anywhere"] as const) await outside.issueKey(world, owner, kind);
    await sendCall(world, worker, merchants.replaceAcceptance(world, owner));
    await sendCall(world, worker, merchants.registerEndpoint(world, owner));
    await sendCall(world, worker, merchants.registerAddress(world, owner));
  }
  for (const one of world.chains) one.chain.mine(2);
  for (const one of world.chains) {
    if (world.dice.chance(0.4)) await liveBefore(world, one, world.dice.between(1, 4));
  }
  for (const asset of assets) {
    await outside.refill(world, asset, 1_000n);
    if (world.dice.chance(0.5)) await outside.subscribe(world, asset);
  }
}

/** Some jobs of one process after each other. */
async function playJobs(world: World): Promise<void> {
  const { dice } = world;
  const worker = world.anyWorker();
  worker.life.destine(undefined);
  for (let left = dice.between(1, 4); left > 0; left--) {
    await runJob(world, worker, chooseJob(dice, worker));
  }
}

/** Jobs that die, or whose database is away for a moment. */
async function playDeath(world: World): Promise<void> {
  const { dice } = world;
  const worker = world.anyWorker();
  const named = chooseNamedDeath(dice, worker);
  const isNamed = dice.chance(0.5);
  worker.life.destine(isNamed ? named.fate : chooseFate(dice));
  const any = [1, 2, 3, 4].map(() => chooseJob(dice, worker));
  for (const job of isNamed ? named.jobs : any) {
    if (!worker.life.isDead) await runJob(world, worker, job);
  }
  // What it was about to send must not be sent any more when the next one looks at it.
  if (worker.life.isDead && dice.chance(0.5)) await outside.suspendClaimed(world);
  worker.life.destine(undefined);
}

/** The same job, or two different ones, in both processes; and something happens meanwhile. */
async function playTogether(world: World): Promise<void> {
  const { dice, gate } = world;
  const [one, other] = [world.worker(0), world.worker(1)];
  const job = chooseJob(dice, one);
  const same = other.jobs.all.find(({ name }) => name === job.name);
  const second = same !== undefined && dice.chance(0.6) ? same : chooseJob(dice, other);
  one.life.destine(dice.chance(0.15) ? chooseFate(dice) : undefined);
  other.life.destine(undefined);
  const works = [() => runJob(world, one, job), () => runJob(world, other, second)];
  if (dice.chance(0.5)) works.push(() => gate.pass(() => happen(world)));
  const cancel = dice.chance(0.3) ? merchants.cancelWithdrawal(world) : undefined;
  if (cancel !== undefined) works.push(async () => (await sendCall(world, other, cancel), false));
  await gate.together(works);
}

/** Merchants who have just taken their money out are the ones who owe it afterwards. */
async function playDeepReorg(world: World): Promise<void> {
  const { chainId } = deep.options;
  for (let left = world.dice.between(0, 6); left > 0; left--) {
    await playCall(world, await merchants.withdraw(world, chainId));
  }
  const one = world.chains.find(({ character }) => character === deep);
  if (one === undefined) return;
  const spared = world.dice.chance(0.5) ? await payTwice(world, one) : undefined;
  if (spared === undefined) await outside.reorganizeDeep(world, one);
  else await outside.reorganizeDeep(world, one, { depthMin: blocksUntilFinal + 1, spared });
}

/** Much is due at once afterwards, and both processes wake up to it. */
async function playJump(world: World): Promise<void> {
  outside.jumpInTime(world);
  const [one, other] = [world.worker(0), world.worker(1)];
  for (const start of ["watch-", "run-payouts", "bill-subscriptions", "expire-payments"]) {
    for (const job of one.jobs.all.filter(({ name }) => name.startsWith(start))) {
      const same = other.jobs.all.find(({ name }) => name === job.name) ?? job;
      await world.gate.together([() => runJob(world, one, job), () => runJob(world, other, same)]);
    }
  }
}

function happen(world: World): boolean {
  const one = world.dice.pick(world.chains);
  if (world.dice.chance(0.7)) outside.mine(world, one);
  else outside.reorganize(world, one);
  return false;
}

async function playCall(world: World, call: Call | undefined): Promise<void> {
  if (call === undefined) return;
  const { dice } = world;
  const worker = world.anyWorker();
  worker.life.destine(dice.chance(0.15) ? chooseFate(dice) : undefined);
  if (dice.chance(0.12)) {
    // An impatient program: the same request to both.
    const both = [world.worker(0), world.worker(1)].map((one) => () => sendCall(world, one, call));
    await world.gate.together(both);
  } else {
    await sendCall(world, worker, call);
  }
  worker.life.destine(undefined);
}

/** What nobody has answered is sent again; and what was answered long ago as well. */
async function playAgain(world: World): Promise<void> {
  const { dice } = world;
  const open = world.calls.filter(({ isOpen }) => isOpen);
  const call = dice.chance(0.8) ? dice.pickIfAny(open) : dice.pickIfAny(world.calls);
  await playCall(world, call ?? dice.pickIfAny(world.calls));
}

async function summaryOf(world: World, { seed, steps }: SimulationOptions): Promise<Summary> {
  for (const table of ["payments", "withdrawals", "subscriptions", "payout_schedules"]) {
    const rows = await world.rows<{ status: string; count: number }>(
      `select status, count(*)::int as count from ${table} group by status order by status`,
    );
    for (const { status, count } of rows) world.counts.set(`${table}: ${status}`, count);
  }
  const deliveries = await world.rows<{ status: string; count: number }>(
    `select status, count(*)::int as count from webhook_deliveries group by status`,
  );
  for (const { status, count } of deliveries) world.counts.set(`deliveries: ${status}`, count);
  const started = Date.parse("2026-01-01T00:00:00Z");
  const days = Math.round((world.nowMilliseconds - started) / 86_400_000);
  const counts = [...world.counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { seed, steps, days, counts };
}
