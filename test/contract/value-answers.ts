// Real answers that together meet every relation of values, in the order in which they came: each by a name,
// with what was asked for.

import { answerOf } from "../../generator/suite/answer-judge.ts";
import type { Answer } from "../support/contract-answers.ts";
import { bodyOf } from "../support/contract-answers.ts";
import { isObject, type JsonObject, type Operation, textOf } from "../support/contract-document.ts";
import { type Change, newKey, send, sentFor, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import { type Asked, askedOf } from "../support/relations/asked.ts";
import { addSubscription, scheduleBody } from "../support/schedule-resources.ts";
import type { Merchant, TestService } from "../support/service.ts";
import { newAddress, payableRequest } from "../support/withdrawal-resources.ts";
import { localPayment, settlementOf } from "../support/x402-resources.ts";
import { base, ethereum, orderOf, share } from "./payment-calls.ts";

export interface Answered {
  readonly name: string;
  readonly operation: Operation;
  readonly answer: Answer;
  readonly asked: Asked;
}

/** On this chain nothing is open. */
export const closedChain = "eip155:137";

/** Every switch of the closed chain is off. */
export function withClosedChain(shipped: string): string {
  const close = (_: string, value: unknown): unknown =>
    isObject(value) && value["chain_id"] === closedChain
      ? { ...value, deposit_enabled: false, withdrawal_enabled: false }
      : value;
  return JSON.stringify(JSON.parse(shipped, close));
}

export class Conversation {
  readonly answers: Answered[] = [];
  readonly #service: TestService;
  readonly #merchant: Merchant;

  constructor(service: TestService, merchant: Merchant) {
    this.#service = service;
    this.#merchant = merchant;
  }

  async ask(
    name: string,
    operationId: string,
    { signer = this.#merchant, ...change }: Change & { readonly signer?: Merchant } = {},
  ): Promise<JsonObject> {
    const operation = operationBy(operationId);
    const response = await send(signer, validRequest(operation, change));
    const answer = answerOf(response, await response.text());
    const sent = sentFor(response);
    if (sent === undefined) throw new Error("it was sent from here");
    this.answers.push({ name, operation, answer, asked: askedOf(sent) });
    return isObject(answer.body) ? answer.body : {};
  }

  async haveAll(): Promise<readonly Answered[]> {
    await this.#catalog();
    await this.#webhooks();
    await this.#payments();
    await this.#paymentsRefused();
    await this.#withdrawals();
    await this.#schedules();
    await this.#x402();
    await this.#refused();
    await this.ask("deliveries", "listWebhookDeliveries");
    return this.answers;
  }

  async #catalog(): Promise<void> {
    const live = await this.#service.newKey(this.#merchant, { environment: "live" });
    await this.ask("catalog", "listCurrencies", { query: "limit=100" });
    await this.ask("first currencies", "listCurrencies", { query: "limit=2" });
    const tag = this.answers.at(-1)?.answer.headers;
    const cursor = encodeURIComponent(tag?.get("X-Next-Cursor") ?? "");
    await this.ask("next currencies", "listCurrencies", { query: `limit=2&cursor=${cursor}` });
    await this.ask("currency", "getCurrency", { path: { id: "cur_usdc" } });
    const headers = { "If-None-Match": tag?.get("ETag") ?? "" };
    await this.ask("same catalog", "listCurrencies", { headers });
    await this.ask("live catalog", "listCurrencies", { query: "limit=100", signer: live });
    const currencies = { cur_usdc: { chain_ids: [base, ethereum] }, cur_eth: {}, cur_dai: {} };
    await this.ask("acceptance", "replaceCurrencyAcceptance", { body: { currencies } });
  }

  async #webhooks(): Promise<void> {
    const event_types = ["payment.paid", "payment.created"];
    const url = "https://shop.example/hooks";
    const { id } = await this.ask("endpoint", "registerWebhookEndpoint", {
      body: { url, event_types },
    });
    const path = { id: textOf(id) };
    await this.ask("endpoint for all", "registerWebhookEndpoint", {
      body: { url: `${url}/all` },
    });
    await this.ask("endpoint read", "getWebhookEndpoint", { path });
    await this.ask("endpoint changed", "updateWebhookEndpoint", {
      path,
      body: { url: `${url}/new`, event_types },
    });
    await this.ask("endpoint off", "setWebhookEndpointStatus", { path, body: { active: false } });
    await this.ask("secret", "rotateWebhookEndpointSecret", { path });
  }

  async #payments(): Promise<void> {
    const prices = {
      cur_usdc: { amount: "25.50", chain_ids: [base, ethereum] },
      cur_eth: { amount: "0.04" },
    };
    const change = {
      headers: { "Idempotency-Key": newKey() },
      body: orderOf({ quotes: prices, expires_in_secs: 3600 }),
    };
    const { id } = await this.ask("payment", "createPayment", change);
    await this.ask("payment again", "createPayment", change);
    await this.ask("payment of half an hour", "createPayment", { body: orderOf() });
    await this.ask("order that exists", "createPayment", { body: change.body });
    await this.ask("key of another", "createPayment", { ...change, body: orderOf() });
    const path = { id: textOf(id) };
    await this.ask("payment cancelled", "cancelPayment", { path });
    await this.#service.query("update payments set status = 'expired' where id = $1", [id]);
    await this.ask("payment that is over", "cancelPayment", { path });
    const { query } = this.#service;
    const subscription = { id: await addSubscription(query, this.#merchant.key) };
    await this.ask("subscription", "cancelSubscription", { path: subscription });
    await this.ask("subscription again", "cancelSubscription", { path: subscription });
  }

  async #paymentsRefused(): Promise<void> {
    const order = async (name: string, more: JsonObject): Promise<void> => {
      await this.ask(name, "createPayment", { body: orderOf(more) });
    };
    const price = (id: string, amount: string, ...chain_ids: string[]): JsonObject => ({
      quotes: { [id]: chain_ids.length === 0 ? { amount } : { amount, chain_ids } },
    });
    await order("price too precise", price("cur_usdc", "1.0000001"));
    await order("currency unknown", price("cur_usdt1", "1"));
    await order("currency not accepted", price("cur_usdt", "1"));
    await order("chain not accepted", price("cur_usdc", "1", "eip155:10"));
    await order("too long", { expires_in_secs: 604_801 });
    const { merchantId } = this.#merchant;
    const others = [await this.#service.newMerchant(), await this.#service.newMerchant()];
    await order("share for oneself", { splits: [share(merchantId)] });
    const [one, other] = others.map((each) => share(each.merchantId, 6000));
    await order("shares too much", { splits: [one ?? null, other ?? null] });
    const body = { currencies: { cur_usdc: { chain_ids: [closedChain] } } };
    await this.ask("deposits off", "replaceCurrencyAcceptance", { body });
    await order("order of a number", { merchant_order_no: 7 });
  }

  async #withdrawals(): Promise<void> {
    const { query } = this.#service;
    const body = await payableRequest(query, this.#merchant);
    const { id } = await this.ask("withdrawal", "requestWithdrawal", { body });
    const path = { id: textOf(id) };
    const ask = async (name: string, more: JsonObject): Promise<void> => {
      await this.ask(name, "requestWithdrawal", { body: { ...body, ...more } });
    };
    await ask("balance too low", { amount: "100000" });
    await ask("withdrawals off", { target_chain_id: closedChain });
    await this.ask("withdrawal cancelled", "cancelWithdrawal", { path });
    const address = newAddress();
    const given = { chain_id: base, address, label: "cold", destination_type: "custodial" };
    const made = await this.ask("address", "registerWithdrawAddress", { body: given });
    await ask("address that waits", { withdraw_address_id: made["id"] ?? null });
    const sent = await this.ask("withdrawal that goes", "requestWithdrawal", { body });
    await query("update withdrawals set status = 'processing' where id = $1", [sent["id"]]);
    await this.ask("withdrawal on its way", "cancelWithdrawal", {
      path: { id: textOf(sent["id"]) },
    });
  }

  async #schedules(): Promise<void> {
    const body = await scheduleBody(this.#service.query, this.#merchant);
    const { id } = await this.ask("schedule", "createPayoutSchedule", { body });
    const later = new Date(Date.now() + 7_200_000).toISOString();
    const other = await scheduleBody(this.#service.query, this.#merchant, { first_run_at: later });
    await this.ask("schedule from then", "createPayoutSchedule", { body: other });
    await this.ask("schedule that exists", "createPayoutSchedule", { body });
    const refused = async (name: string, more: JsonObject): Promise<void> => {
      const wrong = await scheduleBody(this.#service.query, this.#merchant, more);
      await this.ask(name, "createPayoutSchedule", { body: wrong });
    };
    await refused("interval too short", { interval_secs: 60 });
    await refused("run in the past", { first_run_at: "2020-01-01T00:00:00Z" });
    await this.ask("first schedules", "listPayoutSchedules", { query: "limit=1" });
    const cursor = this.answers.at(-1)?.answer.headers.get("X-Next-Cursor") ?? "";
    const query = `limit=1&cursor=${encodeURIComponent(cursor)}`;
    await this.ask("next schedules", "listPayoutSchedules", { query });
    await this.ask("schedules", "listPayoutSchedules");
    await this.ask("schedule paused", "pausePayoutSchedule", { path: { id: textOf(id) } });
    const filters = "status=active&currency_id=cur_usdc&target_chain_id=eip155%3A8453";
    await this.ask("active schedules", "listPayoutSchedules", { query: filters });
    await this.ask("schedule that replaces", "createPayoutSchedule", { body });
    await this.ask("schedule retired", "pausePayoutSchedule", { path: { id: textOf(id) } });
  }

  async #x402(): Promise<void> {
    const [paid, used] = [await localPayment(this.#merchant), await localPayment(this.#merchant)];
    const body = await settlementOf(paid);
    const requirements = bodyOf(body["payment_requirements"]);
    const wrong = { ...requirements, network: base };
    await this.ask("terms that differ", "settleX402Payment", {
      body: { ...body, payment_requirements: wrong },
    });
    const headers = { "Idempotency-Key": newKey() };
    await this.ask("settlement", "settleX402Payment", { body, headers });
    await this.ask("settlement again", "settleX402Payment", { body, headers });
    const usage = { actual_amount: "1.25", usage_id: "usage-1", evidence: { tokens: 12 } };
    await this.ask("usage", "reportX402Usage", { path: { payment_id: used }, body: usage });
    await this.ask("usage again", "reportX402Usage", { path: { payment_id: used }, body: usage });
    await this.#service.query("update payments set status = 'cancelled' where id = $1", [used]);
    await this.ask("payment that takes nothing", "settleX402Payment", {
      body: await settlementOf(used),
    });
  }

  async #refused(): Promise<void> {
    const list = "listPayoutSchedules";
    await this.ask("limit too high", list, { query: "limit=101" });
    await this.ask("cursor of nobody", list, { query: "cursor=abc" });
    await this.ask("parameter unknown", list, { query: "color=red" });
    await this.ask("header missing", list, { absent: ["X-Nonce"] });
    const old = { "X-Timestamp": String(Math.floor(Date.now() / 1000) - 400) };
    await this.ask("old signature", list, { headers: old });
    const poor = await this.#service.newKey(this.#merchant, { scopes: ["currencies:read"] });
    await this.ask("scope missing", list, { signer: poor });
    const narrow = { ...(await this.#service.newMerchant()), url: this.#service.narrowUrl };
    await this.ask("first of one", list, { signer: narrow });
    await this.ask("too many", list, { signer: narrow });
    const large = orderOf({ memo: "x".repeat(70_000) });
    await this.ask("too large", "createPayment", { body: large });
    const headers = { "Content-Type": "text/plain", "Idempotency-Key": newKey() };
    await this.ask("text", "createPayment", { body: orderOf(), headers });
  }
}
