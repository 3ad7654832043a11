// The life of each thing, step by step: made, read, changed, ended, and used after its end. A table says
// what each step hears; what a step has made, later ones name.

import { expect } from "vitest";
import { bodyOf } from "../support/contract-answers.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  textOf,
} from "../support/contract-document.ts";
import type { Change } from "../support/contract-requests.ts";
import { addSubscription, scheduleBody } from "../support/schedule-resources.ts";
import type { Merchant } from "../support/service.ts";
import { payableRequest } from "../support/withdrawal-resources.ts";
import { localPayment, settlementOf } from "../support/x402-resources.ts";
import { newOrder, orderOf } from "./payment-calls.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

/** Answers of the steps before, in order; the last one stands at -1. */
type Before = readonly JsonObject[];

interface Step {
  readonly ask: string;
  readonly change?: (before: Before) => Change | Promise<Change>;
  readonly status: number;
  readonly code?: string;
  /** what the answer says, among other things */
  readonly says?: (before: Before) => JsonObject;
}

const first = (before: Before): JsonObject => before[0] ?? {};
const path = (before: Before): Change => ({ path: { id: textOf(first(before)["id"]) } });

const endpointLife: readonly Step[] = [
  {
    ask: "registerWebhookEndpoint",
    change: () => ({ body: { url: "https://shop.example/one" } }),
    status: 201,
    says: () => ({ event_types: ["*"] }),
  },
  {
    ask: "getWebhookEndpoint",
    change: path,
    status: 200,
    says: () => ({ url: "https://shop.example/one", active: true }),
  },
  {
    ask: "registerWebhookEndpoint",
    change: () => ({ body: { url: "https://shop.example/one" } }),
    status: 409,
    code: "endpoint_already_exists",
  },
  {
    ask: "updateWebhookEndpoint",
    change: (before) => ({
      ...path(before),
      body: { url: "https://shop.example/two", event_types: ["payment.paid"] },
    }),
    status: 200,
  },
  {
    ask: "setWebhookEndpointStatus",
    change: (before) => ({ ...path(before), body: { active: false } }),
    status: 200,
    says: () => ({ active: false, url: "https://shop.example/two" }),
  },
  { ask: "rotateWebhookEndpointSecret", change: path, status: 200 },
  {
    ask: "getWebhookEndpoint",
    change: path,
    status: 200,
    says: () => ({ active: false, event_types: ["payment.paid"] }),
  },
  {
    ask: "setWebhookEndpointStatus",
    change: (before) => ({ ...path(before), body: { active: true } }),
    status: 200,
    says: () => ({ active: true }),
  },
  // its first URL is free again
  {
    ask: "registerWebhookEndpoint",
    change: () => ({ body: { url: "https://shop.example/one" } }),
    status: 201,
  },
];

const number = (before: Before): JsonObject => ({
  merchant_order_no: textOf(first(before)["merchant_order_no"]),
});

const paymentLife: readonly Step[] = [
  {
    ask: "createPayment",
    change: () => ({ body: orderOf({ merchant_order_no: newOrder() }) }),
    status: 201,
    says: () => ({ status: "pending" }),
  },
  {
    ask: "createPayment",
    change: (before) => ({ body: orderOf(number(before)) }),
    status: 409,
    code: "order_already_exists",
    says: (before) => ({ details: { payment_id: first(before)["id"] ?? null } }),
  },
  { ask: "cancelPayment", change: path, status: 200, says: () => ({ status: "cancelled" }) },
  {
    ask: "cancelPayment",
    change: path,
    status: 200,
    says: (before) => ({ ...before.at(-1), quotes: first(before)["quotes"] ?? null }),
  },
  {
    ask: "createPayment",
    change: (before) => ({ body: orderOf(number(before)) }),
    status: 409,
    code: "order_already_exists",
  },
  {
    ask: "settleX402Payment",
    change: async (before) => ({ body: await settlementOf(textOf(first(before)["id"])) }),
    status: 409,
    code: "payment_not_payable",
    says: () => ({ details: { status: "cancelled" } }),
  },
  {
    ask: "reportX402Usage",
    change: (before) => ({
      path: { payment_id: textOf(first(before)["id"]) },
      body: { actual_amount: "1", usage_id: "usage-1", evidence: {} },
    }),
    status: 409,
    code: "usage_closed",
    says: () => ({ details: { status: "cancelled" } }),
  },
  { ask: "cancelPayment", change: path, status: 200, says: () => ({ status: "cancelled" }) },
];

/** `body`: of a schedule whose address is there; each has a twin that may not be made beside it. */
const scheduleLife = (body: JsonObject): readonly Step[] => [
  { ask: "createPayoutSchedule", change: () => ({ body }), status: 201 },
  {
    ask: "createPayoutSchedule",
    change: () => ({ body: { ...body, interval_secs: 604_800 } }),
    status: 409,
    code: "schedule_already_exists",
  },
  {
    ask: "pausePayoutSchedule",
    change: path,
    status: 200,
    says: () => ({ status: "paused", enabled: false, retired_at: null }),
  },
  {
    ask: "pausePayoutSchedule",
    change: path,
    status: 200,
    says: (before) => ({ ...before.at(-1) }),
  },
  {
    ask: "createPayoutSchedule",
    change: () => ({ body: { ...body, interval_secs: 604_800 } }),
    status: 201,
    says: () => ({ status: "active", interval_secs: 604_800 }),
  },
  {
    ask: "pausePayoutSchedule",
    change: path,
    status: 200,
    says: (before) => ({
      id: first(before)["id"] ?? null,
      status: "retired",
      retired_at: before.at(-1)?.["created_at"] ?? null,
    }),
  },
  { ask: "listPayoutSchedules", change: () => ({ query: "status=retired" }), status: 200 },
];

const withdrawalLife = (body: JsonObject): readonly Step[] => [
  {
    ask: "requestWithdrawal",
    change: () => ({ body: { ...body, amount: "1000" } }),
    status: 201,
    says: () => ({ status: "pending", total_debit_raw: "1000000000" }),
  },
  {
    ask: "requestWithdrawal",
    change: () => ({ body: { ...body, amount: "0.000001" } }),
    status: 422,
    code: "insufficient_balance",
    says: () => ({ details: { available_raw: "0", required_raw: "1" } }),
  },
  { ask: "cancelWithdrawal", change: path, status: 200, says: () => ({ status: "cancelled" }) },
  { ask: "cancelWithdrawal", change: path, status: 200, says: () => ({ status: "cancelled" }) },
  { ask: "requestWithdrawal", change: () => ({ body: { ...body, amount: "1000" } }), status: 201 },
  {
    ask: "requestWithdrawal",
    change: () => ({ body }),
    status: 422,
    code: "insufficient_balance",
  },
];

const acceptanceLife = (paymentId: string): readonly Step[] => [
  {
    ask: "replaceCurrencyAcceptance",
    change: () => ({ body: { currencies: {} } }),
    status: 200,
    says: () => ({ currencies: {} }),
  },
  {
    ask: "createPayment",
    change: () => ({ body: orderOf() }),
    status: 422,
    code: "currency_not_accepted",
  },
  // a payment that was made keeps its quotes
  {
    ask: "settleX402Payment",
    change: async () => ({ body: await settlementOf(paymentId) }),
    status: 200,
    says: () => ({ success: true, payment_id: paymentId }),
  },
  {
    ask: "cancelPayment",
    change: () => ({ path: { id: paymentId } }),
    status: 409,
    code: "payment_not_cancellable",
    says: () => ({ details: { status: "confirming" } }),
  },
];

const subscriptionLife = (id: string): readonly Step[] =>
  [1, 2].map(() => ({
    ask: "cancelSubscription",
    change: () => ({ path: { id } }),
    status: 200,
    says: () => ({ id, status: "cancelled", next_bill_at: null }),
  }));

function describeLives(scene: Scene): void {
  const { service, asker, test } = scene;

  const live = async (merchant: Merchant, steps: readonly Step[]): Promise<Before> => {
    const before: JsonObject[] = [];
    for (const { ask, change, status, code, says } of steps) {
      const answer = await asker.ask(merchant, ask, await change?.(before));
      expect([ask, ...outcome(answer)]).toEqual([ask, status, code]);
      const body = bodyOf(answer.body);
      expect(body).toMatchObject(says?.(before) ?? {});
      before.push(body);
    }
    return before;
  };

  test("a webhook endpoint", async ({ merchant }) => {
    const answers = await live(merchant, endpointLife);
    expect(answers.at(5)?.["secret"]).not.toBe(first(answers)["secret"]);
  });

  test("a payment, and what cannot be done with one that is cancelled", async ({ merchant }) => {
    const body = { currencies: { cur_usdc: {} } };
    await asker.ask(merchant, "replaceCurrencyAcceptance", { body });
    await live(merchant, paymentLife);
  });

  test("a payout schedule, which another one retires", async ({ merchant }) => {
    const answers = await live(merchant, scheduleLife(await scheduleBody(service.query, merchant)));
    const { schedules = null } = answers.at(-1) ?? {};
    const retired: readonly Json[] = listAt({ schedules }, "schedules");
    expect(retired.filter(isObject).map(({ id }) => id)).toEqual([first(answers)["id"]]);
  });

  test("a withdrawal, which gives everything back", async ({ merchant }) => {
    await live(merchant, withdrawalLife(await payableRequest(service.query, merchant)));
  });

  test("what a merchant accepts", async ({ merchant }) => {
    await live(merchant, acceptanceLife(await localPayment(merchant)));
  });

  test("a subscription", async ({ merchant }) => {
    await live(merchant, subscriptionLife(await addSubscription(service.query, merchant.key)));
  });
}

describeOnEngines(describeLives, { hasChain: true });
