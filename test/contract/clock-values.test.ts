// Every time that an answer says, and every time that a rule goes by, against the clock that the service was
// given: to the millisecond. What is promised stands here as numbers.

import { expect } from "vitest";
import { systemClock } from "../../adapters/system/clock.ts";
import { clockOf } from "../support/clock.ts";
import { type Answer, bodyOf, errorOf } from "../support/contract-answers.ts";
import { isObject, type JsonObject, listAt, textOf } from "../support/contract-document.ts";
import { type Change, newKey } from "../support/contract-requests.ts";
import { scheduleBody } from "../support/schedule-resources.ts";
import type { Merchant } from "../support/service.ts";
import { fund, newAddress } from "../support/withdrawal-resources.ts";
import { orderOf } from "./payment-calls.ts";
import { describeOnEngines, outcome, type Scene } from "./scene.ts";

const start = "2031-02-03T04:05:06.789Z";
let passedMilliseconds = 0;
const clock = { ...systemClock, ...clockOf(() => Date.parse(start) + passedMilliseconds) };
const seconds = (): number => Math.floor(clock.nowMilliseconds() / 1000);

function asking({ asker }: Scene) {
  return async (merchant: Merchant, operationId: string, change: Change = {}): Promise<Answer> => {
    const time = { "X-Timestamp": String(seconds()), "Idempotency-Key": newKey() };
    const headers = { ...time, ...change.headers };
    return asker.ask(merchant, operationId, { ...change, headers });
  };
}

function testWith({ test }: Scene) {
  return test.extend("start", () => {
    passedMilliseconds = 0;
    return start;
  });
}

function describePayments(scene: Scene): void {
  const [test, ask] = [testWith(scene), asking(scene)];

  test("a payment lasts 1800 s, or what is asked for up to 604800 s", async ({
    merchant,
    start,
  }) => {
    const body = { currencies: { cur_usdc: {} } };
    expect((await ask(merchant, "replaceCurrencyAcceptance", { body })).status).toBe(200);
    const made = async (more: JsonObject): Promise<JsonObject> =>
      bodyOf((await ask(merchant, "createPayment", { body: orderOf(more) })).body);
    expect(start).toBe("2031-02-03T04:05:06.789Z");
    const usual = await made({});
    expect(usual["expires_at"]).toBe("2031-02-03T04:35:06.789Z");
    expect((await made({ expires_in_secs: 1 }))["expires_at"]).toBe("2031-02-03T04:05:07.789Z");
    const longest = await made({ expires_in_secs: 604_800 });
    expect(longest["expires_at"]).toBe("2031-02-10T04:05:06.789Z");
    const order = { body: orderOf({ expires_in_secs: 604_801 }) };
    const longer = await ask(merchant, "createPayment", order);
    expect(outcome(longer)).toEqual([422, "expires_in_out_of_range"]);
    passedMilliseconds += 60_000;
    const path = { id: textOf(usual["id"]) };
    const cancelled = await ask(merchant, "cancelPayment", { path });
    expect(bodyOf(cancelled.body)["expires_at"]).toBe("2031-02-03T04:35:06.789Z");
  });

  test("a signature is good for 300 s to both sides, and a refusal says the time", async ({
    merchant,
    start,
  }) => {
    const now = Math.floor(Date.parse(start) / 1000);
    const at = (time: number): Promise<Answer> =>
      ask(merchant, "listCurrencies", { headers: { "X-Timestamp": String(time) } });
    for (const time of [now - 300, now, now + 300]) expect((await at(time)).status).toBe(200);
    for (const time of [now - 301, now + 301]) {
      const answer = await at(time);
      expect(outcome(answer)).toEqual([401, "timestamp_out_of_range"]);
      expect(errorOf(answer.body).details).toMatchObject({ server_time: now });
    }
  });
}

function describeWebhooks(scene: Scene): void {
  const [test, ask] = [testWith(scene), asking(scene)];

  test("an endpoint keeps the time it was made; a delivery has that of its event", async ({
    merchant,
    start,
  }) => {
    const made = await ask(merchant, "registerWebhookEndpoint", {
      body: { url: "https://shop.example/hooks" },
    });
    const path = { id: textOf(bodyOf(made.body)["id"]) };
    passedMilliseconds += 1_234;
    const url = "https://shop.example/other";
    for (const [operationId, body] of [
      ["getWebhookEndpoint", undefined],
      ["updateWebhookEndpoint", { url, event_types: ["*"] }],
      ["setWebhookEndpointStatus", { active: true }],
    ] as const) {
      const change = body === undefined ? { path } : { path, body: { ...body } as JsonObject };
      const answer = await ask(merchant, operationId, change);
      expect(bodyOf(answer.body)["created_at"]).toBe(start);
    }
    const body = { currencies: { cur_usdc: {} } };
    expect((await ask(merchant, "replaceCurrencyAcceptance", { body })).status).toBe(200);
    passedMilliseconds += 10_000;
    const { deliveries = null } = bodyOf((await ask(merchant, "listWebhookDeliveries")).body);
    expect(listAt({ deliveries }, "deliveries").filter(isObject)).toEqual([
      {
        id: expect.stringMatching(/^dlv_/) as string,
        event_type: "currency_acceptance.updated",
        status: "pending",
        attempts: 0,
        created_at: "2031-02-03T04:05:08.023Z",
      },
    ]);
  });
}

function describeMoneyOut(scene: Scene): void {
  const [test, ask] = [testWith(scene), asking(scene)];
  const { service } = scene;

  test("a withdraw address waits for a day, and not a millisecond less", async ({
    merchant,
    start,
  }) => {
    const registered = await ask(merchant, "registerWithdrawAddress", {
      body: { chain_id: "eip155:8453", address: newAddress() },
    });
    const { id, status, created_at, activates_at } = bodyOf(registered.body);
    const until = "2031-02-04T04:05:06.789Z";
    expect([status, created_at, activates_at]).toEqual(["pending_activation", start, until]);
    const money = { deploymentId: "dep_usdc_base", amountRaw: 1_000_000_000n };
    await fund(service.query, merchant.key, money);
    const body = {
      currency_id: "cur_usdc",
      target_chain_id: "eip155:8453",
      amount: "1",
      withdraw_address_id: textOf(id),
    };
    passedMilliseconds = 86_400_000 - 1;
    const early = await ask(merchant, "requestWithdrawal", { body });
    expect(outcome(early)).toEqual([422, "withdraw_address_inactive"]);
    expect(errorOf(early.body).details).toMatchObject({ activates_at: until });
    passedMilliseconds += 1;
    expect((await ask(merchant, "requestWithdrawal", { body })).status).toBe(201);
  });

  test("a schedule runs an interval from now, or when it is told to", async ({
    merchant,
    start,
  }) => {
    const make = async (more: JsonObject): Promise<Answer> => {
      const body = await scheduleBody(service.query, merchant, more);
      return ask(merchant, "createPayoutSchedule", { body });
    };
    const made = bodyOf((await make({ interval_secs: 3_600 })).body);
    expect(made).toMatchObject({
      created_at: start,
      updated_at: start,
      next_run_at: "2031-02-03T05:05:06.789Z",
    });
    const told = await make({ first_run_at: "2031-02-04T06:00:00.5+01:00" });
    expect(bodyOf(told.body)["next_run_at"]).toBe("2031-02-04T05:00:00.500Z");
    expect((await make({ interval_secs: 31_622_400 })).status).toBe(201);
    for (const interval_secs of [3_599, 31_622_401]) {
      expect(outcome(await make({ interval_secs }))).toEqual([422, "interval_out_of_range"]);
    }
    const past = await make({ first_run_at: "2031-02-03T04:05:06.788Z" });
    expect(outcome(past)).toEqual([422, "first_run_in_past"]);
    passedMilliseconds += 5_000;
    const path = { id: textOf(made["id"]) };
    const paused = bodyOf((await ask(merchant, "pausePayoutSchedule", { path })).body);
    expect(paused).toEqual({
      ...made,
      status: "paused",
      enabled: false,
      updated_at: "2031-02-03T04:05:11.789Z",
      retired_at: null,
    });
    const listed = await ask(merchant, "listPayoutSchedules", { query: "status=paused" });
    const { retired_at: _never, ...shown } = paused;
    expect(bodyOf(listed.body)["schedules"]).toEqual([shown]);
  });
}

describeOnEngines(
  (scene) => {
    describePayments(scene);
    describeWebhooks(scene);
    describeMoneyOut(scene);
  },
  { clock },
);
