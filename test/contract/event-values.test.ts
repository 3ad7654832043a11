// What an event says, against what the answer said: the two are read by different programs of the merchant,
// and one of them may never see the other. The names of the events are those of the written document.

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
import { operationBy } from "../support/contract-resources.ts";
import { addSubscription, createSchedule, scheduleBody } from "../support/schedule-resources.ts";
import type { Merchant } from "../support/service.ts";
import { newAddress, payableRequest, pendingWithdrawal } from "../support/withdrawal-resources.ts";
import { localPayment, settlementOf } from "../support/x402-resources.ts";
import { accept, orderOf, standard } from "./payment-calls.ts";
import { describeOnEngines, type Scene } from "./scene.ts";

interface Told {
  readonly operationId: string;
  readonly type: string;
  readonly prepare: (merchant: Merchant) => Promise<Change> | Change;
  /** all of it; what the answer says when left out */
  readonly data?: (answer: JsonObject, asked: Asked) => JsonObject | Promise<JsonObject>;
  /** or some of it */
  readonly part?: (answer: JsonObject, asked: Asked) => JsonObject;
}

interface Asked {
  readonly merchant: Merchant;
  readonly change: Change;
  /** of the event before, about the same */
  readonly before: JsonObject;
}

/** A payment as events have it: with what is missing of it, and without its link. */
function paymentData(answer: JsonObject, { change }: Pick<Asked, "change">): JsonObject {
  const { checkout_url: _link, ...rest } = answer;
  const quotes = Object.entries(bodyOf(rest["quotes"])).map(([id, quote]) => {
    const deployments = listAt(bodyOf(quote), "deployments")
      .filter(isObject)
      .map((one) => ({ ...one, due_raw: one["raw_amount"] ?? null, received_raw: "0" }));
    return [id, { ...bodyOf(quote), deployments }];
  });
  const { user_id = null, memo = null } = bodyOf(change.body ?? {});
  return { ...rest, quotes: Object.fromEntries(quotes) as JsonObject, user_id, memo };
}

function toldBy({ service, asker }: Scene): readonly Told[] {
  const query: typeof service.query = (sql, values) => service.query(sql, values);
  const endpoint = async (merchant: Merchant) => {
    const body = { url: `https://shop.example/${newAddress()}` };
    const answer = await asker.ask(merchant, "registerWebhookEndpoint", { body });
    return { path: { id: textOf(bodyOf(answer.body)["id"]) } };
  };
  const payment = async (merchant: Merchant) => {
    await accept(merchant, standard);
    const answer = await asker.ask(merchant, "createPayment", { body: orderOf() });
    return { path: { id: textOf(bodyOf(answer.body)["id"]) } };
  };
  return [
    {
      operationId: "updateWebhookEndpoint",
      type: "webhook_endpoint.updated",
      prepare: async (merchant) => ({
        ...(await endpoint(merchant)),
        body: { url: "https://shop.example/new", event_types: ["payment.paid"] },
      }),
    },
    {
      operationId: "setWebhookEndpointStatus",
      type: "webhook_endpoint.disabled",
      prepare: async (merchant) => ({ ...(await endpoint(merchant)), body: { active: false } }),
    },
    {
      operationId: "rotateWebhookEndpointSecret",
      type: "webhook_endpoint.secret_rotated",
      prepare: endpoint,
      // never the secret: what a read of it says
      data: async (_, { merchant, change }) => {
        const { path = {} } = change;
        return bodyOf((await asker.ask(merchant, "getWebhookEndpoint", { path })).body);
      },
    },
    {
      operationId: "createPayment",
      type: "payment.created",
      prepare: async (merchant) => {
        await accept(merchant, standard);
        return { body: orderOf({ user_id: "user-1", memo: "for nobody else" }) };
      },
      data: paymentData,
    },
    {
      operationId: "cancelPayment",
      type: "payment.cancelled",
      prepare: payment,
      data: (answer, { before }) => ({ ...before, ...paymentData(answer, { change: {} }) }),
    },
    {
      operationId: "registerWithdrawAddress",
      type: "withdraw_address.registered",
      prepare: () => ({ body: { chain_id: "eip155:8453", address: newAddress() } }),
    },
    {
      operationId: "requestWithdrawal",
      type: "withdrawal.requested",
      prepare: async (merchant) => ({ body: await payableRequest(query, merchant) }),
      data: (answer) => ({ ...answer, tx_hash: null }),
    },
    {
      operationId: "cancelWithdrawal",
      type: "withdrawal.cancelled",
      prepare: async (merchant) => ({ path: { id: await pendingWithdrawal(query, merchant) } }),
      data: ({ status = null }, { before }) => ({ ...before, status }),
    },
    {
      operationId: "createPayoutSchedule",
      type: "payout_schedule.created",
      prepare: async (merchant) => ({ body: await scheduleBody(query, merchant) }),
    },
    {
      operationId: "pausePayoutSchedule",
      type: "payout_schedule.paused",
      prepare: async (merchant) => ({ path: { id: (await createSchedule(query, merchant)).id } }),
      data: ({ retired_at: _null, ...rest }) => rest,
    },
    {
      operationId: "cancelSubscription",
      type: "subscription.cancelled",
      prepare: async (merchant) => ({ path: { id: await addSubscription(query, merchant.key) } }),
    },
    {
      operationId: "replaceCurrencyAcceptance",
      type: "currency_acceptance.updated",
      prepare: () => ({ body: { currencies: standard } }),
    },
    {
      operationId: "settleX402Payment",
      type: "x402.settlement_submitted",
      prepare: async (merchant) => ({ body: await settlementOf(await localPayment(merchant)) }),
      part: ({ payment_id: id = null, tx_hash = null }, { before, change }) => {
        const { asset = null, pay_to = null, scheme = null } = requirementsOf(change);
        const {
          network = null,
          nonce = null,
          max_amount_required: max_raw = null,
        } = requirementsOf(change);
        const terms = { asset, pay_to, scheme, network, nonce, max_raw };
        return { ...before, id, status: "confirming", x402: { ...terms, tx_hash } };
      },
    },
    {
      operationId: "reportX402Usage",
      type: "x402.usage_reported",
      prepare: async (merchant) => ({
        path: { payment_id: await localPayment(merchant) },
        body: { actual_amount: "1.25", usage_id: "usage-1", evidence: { tokens: 12 } },
      }),
      part: ({ payment_id: id = null, scheme: _upto, ...used }, { before }) => ({
        ...before,
        id,
        x402: used,
      }),
    },
  ];
}

function requirementsOf({ body }: Change): JsonObject {
  return bodyOf(bodyOf(body)["payment_requirements"]);
}

function describeEvents(scene: Scene): void {
  const { service, asker, test } = scene;
  test.for(toldBy(scene))("$operationId tells $type", async (told, { merchant }) => {
    const { operationId, type, prepare, data = (answer) => answer, part } = told;
    expect(listAt(operationBy(operationId).node, "x-emitted-events")).toContain(type);
    const change = await prepare(merchant);
    const answer = await asker.ask(merchant, operationId, change);
    expect(answer.status).toBeLessThan(300);
    const events = await service.query(
      `select type, data, sequence::int, lag(data) over (order by sequence) as before from events
          where merchant_id = $1 and resource_id = (
            select resource_id from events where merchant_id = $1 and type = $2)`,
      [merchant.merchantId, type],
    );
    const event = events.find((one) => one["type"] === type);
    const [said, before] = [event?.["data"], event?.["before"]].map((text) =>
      bodyOf(JSON.parse(typeof text === "string" ? text : "{}") as Json),
    );
    const asked = { merchant, change, before: before ?? {} };
    if (part !== undefined) expect(said).toMatchObject(part(bodyOf(answer.body), asked));
    else expect(said).toEqual(await data(bodyOf(answer.body), asked));
  });
}

describeOnEngines(describeEvents, { hasChain: true });
