// Every two requests about one thing, at the same time, on two servers with one database: the answers and
// what is left are those of one after the other, in one of the two orders. The orders are really tried
// first, so nothing here says what they should be. Then one of the two is held before each of its statements
// while the other one runs as far as it can, and the other way round; and both are let go at once.

import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect } from "vitest";
import { type Answer, bodyOf } from "../support/contract-answers.ts";
import { buildAsker } from "../support/contract-asker.ts";
import { type JsonObject, textOf } from "../support/contract-document.ts";
import type { Change } from "../support/contract-requests.ts";
import { addSubscription, createSchedule, scheduleBody } from "../support/schedule-resources.ts";
import { type Merchant, useService } from "../support/service.ts";
import { newAddress, payableRequest, pendingWithdrawal } from "../support/withdrawal-resources.ts";
import { localPayment, settlementOf } from "../support/x402-resources.ts";
import { accept, newOrder, orderOf } from "./payment-calls.ts";
import { outcome, testWith } from "./scene.ts";

const service = useService("PostgreSQL", { hasChain: true, hasTwin: true });
const asker = buildAsker();

type Rows = Awaited<ReturnType<typeof service.query>>;
type Ask = (operationId: string, change: Change) => Promise<Answer>;

/** About one thing: what can be asked of it, and what is left of it. */
interface Thing {
  readonly requests: Readonly<Record<string, (ask: Ask) => Promise<Answer>>>;
  readonly look: () => Promise<Rows>;
  /** what is told of it goes on with the blocks */
  readonly isOnChain?: true;
}

const look = (sql: string, ...values: readonly unknown[]) => service.query(sql, values);
const query: typeof service.query = (sql, values) => service.query(sql, values);

async function endpoint(merchant: Merchant): Promise<Thing> {
  const url = (name: string): string => `https://shop.example/${name}`;
  const register = (name: string) => (ask: Ask) =>
    ask("registerWebhookEndpoint", { body: { url: url(name) } });
  const made = await asker.ask(merchant, "registerWebhookEndpoint", { body: { url: url("one") } });
  const path = { id: textOf(bodyOf(made.body)["id"]) };
  const update = (name: string) => (ask: Ask) =>
    ask("updateWebhookEndpoint", { path, body: { url: url(name), event_types: [`payment.paid`] } });
  const set = (active: boolean) => (ask: Ask) =>
    ask("setWebhookEndpointStatus", { path, body: { active } });
  return {
    requests: {
      "register two": register("two"),
      "update to two": update("two"),
      "update to three": update("three"),
      "switch off": set(false),
      "switch on": set(true),
      rotate: (ask) => ask("rotateWebhookEndpointSecret", { path }),
    },
    look: () =>
      look(
        `select url, event_types, active, inactive_reason, previous_secret_sealed is null as is_first,
            generation from webhook_endpoints where merchant_id = $1 order by url`,
        merchant.merchantId,
      ),
  };
}

async function order(merchant: Merchant): Promise<Thing> {
  await accept(merchant, { cur_usdc: {} });
  const number = newOrder();
  const make = (more: JsonObject) => (ask: Ask) =>
    ask("createPayment", { body: orderOf({ merchant_order_no: number, ...more }) });
  const accepting = (currencies: JsonObject) => (ask: Ask) =>
    ask("replaceCurrencyAcceptance", { body: { currencies } });
  return {
    requests: {
      make: make({}),
      "make a dearer one": make({ quotes: { cur_usdc: { amount: "26" } } }),
      "accept nothing": accepting({}),
      "accept others": accepting({ cur_eth: {} }),
    },
    look: () =>
      look(
        `select (select string_agg(status || quotes::text, ' ') from payments
            where merchant_id = $1) as payments,
          (select string_agg(distinct currency_id, ' ') from currency_acceptance
            where merchant_id = $1) as accepted`,
        merchant.merchantId,
      ),
  };
}

async function withdrawal(merchant: Merchant): Promise<Thing> {
  const path = { id: await pendingWithdrawal(query, merchant) };
  // There is enough for one of them, or for one of them and what a cancelled one gives back.
  const body = await payableRequest(query, merchant, { amount: "1850" });
  return {
    requests: {
      cancel: (ask) => ask("cancelWithdrawal", { path }),
      "request 1850": (ask) => ask("requestWithdrawal", { body }),
      "request 60": (ask) => ask("requestWithdrawal", { body: { ...body, amount: "60" } }),
    },
    look: () =>
      look(
        `select string_agg(send_amount_raw || status, ' ' order by send_amount_raw) as withdrawals,
            (select string_agg(kind || balance, ' ' order by kind) from ledger_accounts
              where merchant_id = $1) as balances
          from withdrawals where merchant_id = $1`,
        merchant.merchantId,
      ),
  };
}

function address(merchant: Merchant): Thing {
  const chosen = newAddress();
  const register = (more: JsonObject) => (ask: Ask) =>
    ask("registerWithdrawAddress", { body: { chain_id: "eip155:8453", address: chosen, ...more } });
  return {
    requests: { register: register({}), "register with a name": register({ label: "bank" }) },
    look: () =>
      look(
        "select label, destination_type from withdraw_addresses where merchant_id = $1",
        merchant.merchantId,
      ),
  };
}

async function schedule(merchant: Merchant): Promise<Thing> {
  const body = await scheduleBody(query, merchant);
  const { id } = await createSchedule(query, merchant, body);
  const make = (more: JsonObject) => (ask: Ask) =>
    ask("createPayoutSchedule", { body: { ...body, ...more } });
  return {
    requests: {
      pause: (ask) => ask("pausePayoutSchedule", { path: { id } }),
      "make its twin": make({}),
      "make a weekly twin": make({ interval_secs: 604_800 }),
    },
    look: () =>
      look(
        `select status, interval_seconds::int as interval, count(*)::int from payout_schedules
          where merchant_id = $1 group by 1, 2 order by 1, 2`,
        merchant.merchantId,
      ),
  };
}

async function subscription(merchant: Merchant): Promise<Thing> {
  const id = await addSubscription(query, merchant.key);
  return {
    requests: { cancel: (ask) => ask("cancelSubscription", { path: { id } }) },
    look: () =>
      look(
        `select status, (select count(*)::int from events where resource_id = $1) as events
          from subscriptions where id = $1`,
        id,
      ),
  };
}

async function authorized(merchant: Merchant): Promise<Thing> {
  const id = await localPayment(merchant);
  const [first, second] = [
    await settlementOf(id, { scheme: "upto" }),
    await settlementOf(id, { scheme: "upto" }),
  ];
  const settle = (body: JsonObject) => (ask: Ask) => ask("settleX402Payment", { body });
  const report = (amount: string) => (ask: Ask) =>
    ask("reportX402Usage", {
      path: { payment_id: id },
      body: { actual_amount: amount, usage_id: "usage-1", evidence: {} },
    });
  return {
    isOnChain: true,
    requests: {
      settle: settle(first),
      "settle by another authorization": settle(second),
      "report 1": report("1"),
      "report 2": report("2"),
      cancel: (ask) => ask("cancelPayment", { path: { id } }),
    },
    look: () =>
      look(
        `select status, (select string_agg(actual_raw::text, ' ') from x402_usages
              where payment_id = $1) as usages,
            (select string_agg(status, ' ') from x402_settlements where payment_id = $1) as settled
          from payments where id = $1`,
        id,
      ),
  };
}

const things = {
  endpoint,
  order,
  withdrawal,
  address,
  schedule,
  subscription,
  authorized,
} satisfies Record<string, Prepare>;

/** What is said of a settlement that runs is said otherwise once it has ended. */
const sameCodes: Readonly<Record<string, string>> = {
  settlement_in_progress: "payment_already_settled",
};

type Prepare = (merchant: Merchant) => Promise<Thing> | Thing;
type Calls = readonly [() => Promise<Answer>, () => Promise<Answer>];
/** Both answers, in the order of the calls; undefined: this could not be played. */
type Play = (calls: Calls) => Promise<readonly Answer[] | undefined>;

interface Way {
  readonly play: Play;
  /** the second of the pair is the first of the calls */
  readonly isSwapped: boolean;
}

/** Both are asked about a new thing of a new merchant: what they heard, and what is left. */
async function run(
  prepare: Prepare,
  pair: readonly [string, string],
  { play, isSwapped }: Way,
): Promise<string | undefined> {
  const merchant = await service.newMerchant();
  const thing = await prepare(merchant);
  const callOf = (name: string, url: string) => (): Promise<Answer> => {
    const call = thing.requests[name];
    if (call === undefined) throw new Error(`there is no request ${name}`);
    return call((operationId, change) => asker.ask({ ...merchant, url }, operationId, change));
  };
  const [one, other] = isSwapped ? [pair[1], pair[0]] : pair;
  const answers = await play([callOf(one, service.url), callOf(other, service.twinUrl)]);
  if (answers === undefined) return undefined;
  const heard = answers.map((answer) => {
    const [status, code = ""] = outcome(answer);
    return `${status} ${sameCodes[code] ?? code}`;
  });
  if (isSwapped) heard.reverse();
  const told = await look(
    "select string_agg(type, ' ' order by type) as events from events where merchant_id = $1",
    merchant.merchantId,
  );
  return JSON.stringify({ heard, left: await thing.look(), ...(thing.isOnChain ? {} : { told }) });
}

const inOrder: Play = async ([one, other]) => [await one(), await other()];
const atOnce: Play = ([one, other]) => Promise.all([one(), other()]);

/** Until it has ended, or somebody waits for a lock. */
async function asFarAsItCan(running: Promise<unknown>): Promise<void> {
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  const ended = running.then(() => true);
  for (;;) {
    if (await Promise.race([ended, nextTurn(false)])) return;
    if ((await service.count(waiting, [])) > 0) return;
  }
}

/** The first is held before its statement after so many; undefined: it did not have as many. */
async function heldAfter(
  statements: number,
  [one, other]: Calls,
): Promise<readonly Answer[] | undefined> {
  const hold = service.holdEffects(statements);
  const held = one();
  const isHeld = await Promise.race([hold.reached.then(() => true), held.then(() => false)]);
  if (!isHeld) {
    hold.release();
    return undefined;
  }
  const running = other();
  await asFarAsItCan(running);
  hold.release();
  return Promise.all([held, running]);
}

/** The second of two that differ in what they say only: it is tried against the first. */
const like: Readonly<Record<string, string>> = {
  "update to three": "update to two",
  "switch on": "switch off",
  "make a dearer one": "make",
  "accept others": "accept nothing",
  "register with a name": "register",
  "make a weekly twin": "make its twin",
  "settle by another authorization": "settle",
  "report 2": "report 1",
};

const pairs = Object.entries({
  endpoint: [
    "register two",
    "update to two",
    "update to three",
    "switch off",
    "switch on",
    "rotate",
  ],
  order: ["make", "make a dearer one", "accept nothing", "accept others"],
  withdrawal: ["cancel", "request 1850", "request 60"],
  address: ["register", "register with a name"],
  schedule: ["pause", "make its twin", "make a weekly twin"],
  subscription: ["cancel"],
  authorized: ["settle", "settle by another authorization", "report 1", "report 2", "cancel"],
} satisfies Record<keyof typeof things, readonly string[]>).flatMap(([name, requests]) =>
  requests.flatMap((one, at) =>
    requests
      .slice(at)
      .filter((other) => like[other] === undefined || like[other] === one)
      .filter((other) => like[one] === undefined || one === other)
      .map((other) => ({ name, one, other })),
  ),
);

function describePairs(): void {
  const test = testWith(service);

  test.for(pairs)("$name: $one, $other", async ({ name, one, other }) => {
    // the names are those of the table
    const prepare: Prepare = things[name as keyof typeof things];
    const pair = [one, other] as const;
    const orders = [
      await run(prepare, pair, { play: inOrder, isSwapped: false }),
      await run(prepare, pair, { play: inOrder, isSwapped: true }),
    ];
    expect(orders).toContain(await run(prepare, pair, { play: atOnce, isSwapped: false }));
    for (const isSwapped of [false, true]) {
      // It waits for blocks as long as it is let: that is no race.
      if ((isSwapped ? other : one).startsWith("settle")) continue;
      let statements = 0;
      for (;;) {
        const play: Play = (calls) => heldAfter(statements, calls);
        const found = await run(prepare, pair, { play, isSwapped });
        if (found === undefined) break;
        expect([statements, orders]).toEqual([statements, expect.arrayContaining([found])]);
        statements += 1;
      }
      expect(statements).toBeGreaterThan(0);
    }
  });
}

describe("at once on two servers", () => {
  describePairs();
});
