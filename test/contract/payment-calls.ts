// Payments in the contract suite: a shop that accepts something, and what is asked of it.

import { expect } from "vitest";
import { type Answer, bodyOf } from "../support/contract-answers.ts";
import { type Json, type JsonObject, textOf } from "../support/contract-document.ts";
import { type Change, send, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import type { Merchant, TestService } from "../support/service.ts";
import type { Scene } from "./scene.ts";

let orders = 0;
export const newOrder = (): string => `A-${++orders}`;
export const base = "eip155:8453";
export const ethereum = "eip155:1";

/** A payment of 25 USDC that can be made, changed at will. */
export function orderOf(change: JsonObject = {}): JsonObject {
  return { merchant_order_no: newOrder(), quotes: { cur_usdc: { amount: "25.00" } }, ...change };
}

/** What every payment here needs first. */
export async function accept(merchant: Merchant, currencies: JsonObject): Promise<void> {
  const operation = operationBy("replaceCurrencyAcceptance");
  const response = await send(merchant, validRequest(operation, { body: { currencies } }));
  expect(response.status).toBe(200);
}

export const standard: JsonObject = {
  cur_usdc: { chain_ids: [base, ethereum] },
  cur_eth: { chain_ids: [base] },
  cur_dai: {},
};

export async function newShop(service: TestService): Promise<Merchant> {
  const merchant = await service.newMerchant();
  await accept(merchant, standard);
  return merchant;
}
export function share(merchantId: string, bps = 100): JsonObject {
  return { type: "percentage", merchant_id: merchantId, bps };
}

/** The quotes of an order with one price. */
export function quote(
  currencyId: string,
  amount: string,
  chainIds?: readonly string[],
): JsonObject {
  const chains = chainIds === undefined ? {} : { chain_ids: [...chainIds] };
  return { quotes: { [currencyId]: { amount, ...chains } } };
}

/** Decimal text of so many units. */
export function amountText(raw: bigint, decimals: number): string {
  const digits = raw.toString();
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

export function callsOf({ service, asker }: Scene) {
  const create = (merchant: Merchant, body: JsonObject): Promise<Answer> =>
    asker.ask(merchant, "createPayment", { body });
  const created = async (merchant: Merchant, body = orderOf()): Promise<JsonObject> => {
    const answer = await create(merchant, body);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
    return bodyOf(answer.body);
  };
  const cancel = (merchant: Merchant, id: Json | undefined): Promise<Answer> =>
    asker.ask(merchant, "cancelPayment", { path: { id: textOf(id) } });
  const countPayments = (merchant: Merchant, body: Json | undefined): Promise<number> =>
    service.count("select 1 from payments where merchant_id = $1 and merchant_order_no = $2", [
      merchant.merchantId,
      textOf(bodyOf(body)["merchant_order_no"]),
    ]);
  const eventsOf = (id: Json | undefined) =>
    service.query("select type, sequence::int, data from events where resource_id = $1", [id]);
  const setStatus = (id: Json | undefined, status: string) =>
    service.query("update payments set status = $2, version = version + 1 where id = $1", [
      id,
      status,
    ]);
  const prepareOrder = async (merchant: Merchant): Promise<Change> => {
    await accept(merchant, standard);
    return { body: orderOf() };
  };
  return { create, created, cancel, countPayments, eventsOf, setStatus, prepareOrder };
}
