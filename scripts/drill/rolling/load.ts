// The load, in a process of its own: signed requests over TLS at a rate that does not wait for answers, as merchants do
// who know nothing of each other. Nobody asks twice: each request that is not answered as it should be is a failure.
//
//   node load.ts PLAN.json RESULT.json      says "begun" to its parent, and ends when that says "stop"

import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { signSync } from "../../client/sign-sync.ts";
import { usd } from "../../client/tool/test-usd.ts";
import type { Asked, Customer, LoadPlan, LoadResult } from "./plan.ts";

const [, , planFile = "", resultFile = ""] = process.argv;
// A program of ours wrote it.
const plan = JSON.parse(readFileSync(planFile, "utf8")) as LoadPlan;

/** Each on an address of its own, as `X-Forwarded-For` then says it. */
const addresses = 64;
const tickMilliseconds = 10;
const answerMillisecondsMax = 20_000;
/** The rate is reached after that: nobody meets a deployment for the first time with all that it can do. */
const rampSeconds = 10;
const failuresShown = 20;

const agents = Array.from({ length: addresses }, (_, index) => {
  const localAddress = `127.0.1.${index + 1}`;
  return new Agent({ keepAlive: true, ca: plan.authority, localAddress });
});

interface Wish {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: string;
  readonly body?: object;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

class Counted {
  readonly counts: Record<string, number> = {};
  readonly latencies: number[] = [];
  readonly asked: Asked[] = [];
  readonly failures: string[] = [];
  failureCount = 0;

  fail(what: string): void {
    this.failureCount += 1;
    if (this.failures.length < failuresShown) this.failures.push(what);
  }
}

const counted = new Counted();
/** Made, and not cancelled yet, with whose it is. */
const open: { readonly id: string; readonly customer: Customer }[] = [];

/** Throws what the connection throws. */
function send(customer: Customer, wish: Wish, agent: Agent): Promise<Answer> {
  const { method, path, query } = wish;
  const body = wish.body === undefined ? undefined : JSON.stringify(wish.body);
  const idempotencyKey = method === "GET" ? undefined : randomUUID();
  const headers = {
    ...signSync({ ...customer, method, path, query, body, idempotencyKey }),
    ...(body === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) }),
  };
  const url = `${plan.url}${path}${query === undefined ? "" : `?${query}`}`;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(answerMillisecondsMax);
    const sent = request(url, { method, headers, agent, signal }, (response) => {
      text(response).then(
        (answered) => resolve({ status: response.statusCode ?? 0, body: answered }),
        reject,
      );
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

/** Undefined: it was not answered as it should be. */
async function ask(customer: Customer, wish: Wish, status: number): Promise<Answer | undefined> {
  const agent = agents[plan.customers.indexOf(customer) % addresses];
  if (agent === undefined) throw new Error("there is no such address");
  const name = `${wish.method} ${wish.path.replaceAll(/[a-z]+_[0-9A-Z]{20,}/g, "{id}")}`;
  counted.counts[name] = (counted.counts[name] ?? 0) + 1;
  const sentAt = performance.now();
  const when = new Date().toISOString();
  try {
    const answer = await send(customer, wish, agent);
    counted.latencies.push(performance.now() - sentAt);
    if (answer.status === status) return answer;
    counted.fail(`${when} ${name}: ${answer.status} ${answer.body.slice(0, 300)}`);
  } catch (error) {
    counted.fail(`${when} ${name}: ${String(error)}`);
  }
  return undefined;
}

async function create(customer: Customer): Promise<void> {
  const number = randomUUID();
  const quotes = { [usd.currencyId]: { amount: "25", chain_ids: [usd.chainId] } };
  const body = { merchant_order_no: number, quotes, expires_in_secs: 86_400 };
  const answer = await ask(customer, { method: "POST", path: "/v1/payments", body }, 201);
  if (answer === undefined) {
    counted.asked.push({ number });
    return;
  }
  const { id } = JSON.parse(answer.body) as { id: string }; // as the contract has it
  counted.asked.push({ number, id });
  open.push({ id, customer });
}

async function cancel(customer: Customer): Promise<void> {
  const made = open.shift();
  if (made === undefined) return create(customer);
  const path = `/v1/payments/${made.id}/cancel`;
  await ask(made.customer, { method: "POST", path }, 200);
}

const read = (path: string, query?: string) => async (customer: Customer) => {
  const named = path.replace("{endpoint}", customer.endpointId);
  await ask(customer, { method: "GET", path: named, ...(query && { query }) }, 200);
};

const readCurrencies = read("/v1/currencies", "limit=5");
const readOne = [
  read(`/v1/currencies/${usd.currencyId}`),
  read("/v1/webhook-endpoints/{endpoint}"),
];
const readSix = [...readOne, readCurrencies, read("/v1/webhook-deliveries"), ...readOne];

/** In turn: a tenth is created, half of that cancelled, and the rest reads. */
const turns: readonly ((customer: Customer) => Promise<void>)[] = [
  create,
  readCurrencies,
  ...readSix,
  cancel,
  readCurrencies,
  create,
  ...readSix,
  readCurrencies,
  ...readOne,
];

const stop = new AbortController();
process.once("message", () => stop.abort());

/** How many have been sent by then. */
function dueAfter(seconds: number): number {
  const ramped = Math.min(seconds, rampSeconds);
  return plan.perSecond * (ramped ** 2 / (2 * rampSeconds) + seconds - ramped);
}

async function run(): Promise<void> {
  const running = new Set<Promise<void>>();
  const startedAt = performance.now();
  let sent = 0;
  process.send?.("begun");
  while (!stop.signal.aborted) {
    const due = dueAfter((performance.now() - startedAt) / 1_000);
    for (; sent < due; sent++) {
      const turn = turns[sent % turns.length];
      // Not the same turn for the same customer each time.
      const customer = plan.customers[Math.floor(sent / 7) % plan.customers.length];
      if (turn === undefined || customer === undefined) throw new Error("nobody to ask as");
      const one = turn(customer).finally(() => running.delete(one));
      running.add(one);
    }
    await pause(tickMilliseconds);
  }
  await Promise.all(running);
}

function result(): LoadResult {
  const { counts, asked, failures, failureCount } = counted;
  const sorted = counted.latencies.toSorted((one, other) => one - other);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  const milliseconds = { p50: at(0.5), p99: at(0.99), most: sorted.at(-1) ?? 0 };
  return { counts, milliseconds, asked, failures, failureCount };
}

await run();
writeFileSync(resultFile, JSON.stringify(result()));
process.disconnect();
for (const agent of agents) agent.destroy();
