// The load, in a process of its own: makes payments, signs authorizations for them, and asks for their
// settlement as it is told to.
//
//   node load.ts PLAN.json      answers each thing it is told by its parent with a file's name

import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Credentials } from "../../client/canonical.ts";
import { Asking } from "./asking.ts";
import type { Answered, Done, SettlePlan, Told } from "./load-plan.ts";
import { signFor } from "./payers.ts";

const [, , planFile = ""] = process.argv;
// A program of ours wrote it.
const plan = JSON.parse(readFileSync(planFile, "utf8")) as SettlePlan;
const asking = new Asking(plan.url);
const creatingAtOnce = 32;
const usualWaitSeconds = 1;

interface Order {
  readonly shop: Credentials;
  readonly paymentId: string;
  readonly nonce: string;
  readonly body: string;
  /** the first time; undefined: not yet */
  askedAt: number | undefined;
  isSettled: boolean;
}

const orders: Order[] = [];
/** the first that nobody has asked for */
let next = 0;
let answers: Answered[] = [];

async function prepare(count: number): Promise<void> {
  const end = orders.length + count;
  let started = orders.length;
  const create = async (): Promise<void> => {
    while (started < end) {
      const number = started++;
      const shop = inTurn(plan.shops, number);
      const payer = inTurn(plan.payers, number);
      const paymentId = await asking.createPayment(shop, number);
      const signed = signFor({ payer, paymentId, payTo: plan.payTo });
      orders.push({ shop, paymentId, ...signed, askedAt: undefined, isSettled: false });
    }
  };
  await Promise.all(Array.from({ length: creatingAtOnce }, create));
}

function inTurn<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("the plan has nobody who buys or sells");
  return item;
}

function take(): Order {
  const order = orders[next++];
  if (order === undefined) throw new Error("more settlements than were prepared");
  return order;
}

async function ask(order: Order): Promise<Answered> {
  const { shop, paymentId, body } = order;
  order.askedAt ??= performance.now();
  const answer = await asking.settle(shop, paymentId, { body, askedAt: order.askedAt });
  order.isSettled = answer.status === 200;
  answers.push(answer);
  return answer;
}

/** As often as it is told to come back. */
async function askUntilSettled(order: Order): Promise<void> {
  while (!order.isSettled) {
    const { status, retryAfterSeconds } = await ask(order);
    if (status === 200) return;
    if (status === 402) return; // it would be answered the same again
    await wait((retryAfterSeconds ?? usualWaitSeconds) * 1_000);
  }
}

async function closed(clients: number, seconds: number): Promise<void> {
  const endAt = performance.now() + seconds * 1_000;
  const client = async (): Promise<void> => {
    while (performance.now() < endAt) await askUntilSettled(take());
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function open(perSecond: number, seconds: number): Promise<void> {
  const asked: Promise<Answered>[] = [];
  const startedAt = performance.now();
  for (;;) {
    const elapsed = (performance.now() - startedAt) / 1_000;
    const due = Math.floor(Math.min(elapsed, seconds) * perSecond);
    while (asked.length < due) asked.push(ask(take()));
    if (elapsed >= seconds) break;
    await wait(5);
  }
  await Promise.all(asked);
}

async function again(clients: number): Promise<void> {
  const unsettled = orders.filter(({ askedAt, isSettled }) => askedAt !== undefined && !isSettled);
  const client = async (): Promise<void> => {
    for (let order = unsettled.pop(); order !== undefined; order = unsettled.pop()) {
      await askUntilSettled(order);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function obey(told: Told): Promise<string> {
  answers = [];
  if (told.do === "prepare") await prepare(told.count);
  else if (told.do === "closed") await closed(told.clients, told.seconds);
  else if (told.do === "open") await open(told.perSecond, told.seconds);
  else await again(told.clients);
  const done: Done = {
    answers,
    orders: orders.map(({ paymentId, nonce, askedAt, isSettled }) => {
      return { paymentId, nonce, isAsked: askedAt !== undefined, isSettled };
    }),
    left: orders.length - next,
  };
  const file = `${planFile}.done`;
  writeFileSync(file, JSON.stringify(done));
  return file;
}

process.on("message", (told: Told) => void obey(told).then((file) => process.send?.(file)));
process.on("disconnect", () => process.exit());
process.send?.("ready");
