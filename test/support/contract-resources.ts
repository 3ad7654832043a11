// The examples of the document name resources of its own world; before a handler that answers can
// be asked, they are put in place, or replaced by ones that exist.

import {
  isObject,
  type Json,
  type JsonObject,
  listAt,
  operations,
  type Operation,
} from "./contract-document.ts";
import {
  type ContractRequest,
  newKey,
  send,
  type Signer,
  validRequest,
} from "./contract-requests.ts";

export function operationBy(operationId: string): Operation {
  const found = operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`the document has no operation ${operationId}`);
  return found;
}

/**
 * The request with ids and cursors that this server knows. `otherMerchantId` is for what a request
 * says of another merchant; undefined: there is none.
 */
export async function withResources(
  signer: Signer,
  request: ContractRequest,
  otherMerchantId?: string,
): Promise<ContractRequest> {
  const { operation, query } = request;
  if (operation.operationId === "createPayment") {
    await acceptCurrencies(signer);
    return { ...request, body: withSplitsFor(otherMerchantId, request.body) };
  }
  if (operation.operationId === "cancelPayment") {
    return { ...request, path: { id: await createdPayment(signer) } };
  }
  if (operation.path.startsWith("/v1/webhook-endpoints/{id}")) {
    return { ...request, path: { id: await registeredEndpoint(signer) } };
  }
  if (operation.operationId === "listCurrencies" && query.includes("cursor=")) {
    const filters = query.replace(/&?cursor=[^&]*/, "").replace(/limit=\d+/, "limit=1");
    const first = await send(signer, { ...validRequest(operation), query: filters });
    const cursor = first.headers.get("X-Next-Cursor");
    if (cursor === null) throw new Error("the catalog has one page only");
    return { ...request, query: `${filters}&cursor=${encodeURIComponent(cursor)}` };
  }
  return request;
}

async function acceptCurrencies(signer: Signer): Promise<void> {
  const operation = operationBy("replaceCurrencyAcceptance");
  const body = { currencies: { cur_usdc: {}, cur_eth: {} } };
  const response = await send(signer, validRequest(operation, { body }));
  if (!response.ok) throw new Error(`nothing is accepted: ${await response.text()}`);
}

function withSplitsFor(merchantId: string | undefined, body: Json | undefined): Json | undefined {
  if (!isObject(body)) return body;
  const { splits, ...rest } = body;
  if (splits === undefined || merchantId === undefined) return rest;
  const given = listAt(body, "splits").filter(isObject);
  return { ...rest, splits: given.map((split) => ({ ...split, merchant_id: merchantId })) };
}

async function createdPayment(signer: Signer): Promise<string> {
  await acceptCurrencies(signer);
  const operation = operationBy("createPayment");
  const body = { merchant_order_no: newKey(), quotes: { cur_usdc: { amount: "25" } } };
  const response = await send(signer, validRequest(operation, { body }));
  const { id } = (await response.json()) as JsonObject;
  if (typeof id !== "string") throw new Error("no payment was made");
  return id;
}

async function registeredEndpoint(signer: Signer): Promise<string> {
  const operation = operationBy("registerWebhookEndpoint");
  const url = `https://shop.example/hooks/${Date.now()}-${Math.random()}`;
  const body = { url };
  const response = await send(signer, validRequest(operation, { body }));
  const answer = (await response.json()) as JsonObject;
  const { id } = isObject(answer) ? answer : {};
  if (typeof id !== "string") throw new Error(`no endpoint: ${JSON.stringify(answer)}`);
  return id;
}
