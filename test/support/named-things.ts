// The examples of the document name things of its own world. Before a handler that answers can be asked,
// they are put in place, by the letters that the ids of a kind begin with. So an operation that is new finds
// what it names: nothing here is a list of operations.

import { isObject, type Json, type JsonObject, listAt, operations } from "./contract-document.ts";
import {
  type ContractRequest,
  newKey,
  send,
  type Signer,
  validRequest,
} from "./contract-requests.ts";
import { operationBy } from "./contract-resources.ts";
import { exampleBodies, isMaker, kindOf, thingsNamedBy, visit } from "./named-ids.ts";
import { addAddress, addSubscription } from "./schedule-resources.ts";
import { fund, type Query } from "./withdrawal-resources.ts";
import { localPayment, settlementLike } from "./x402-resources.ts";

export interface World {
  /** undefined elsewhere, where nobody reaches into the database */
  readonly query: Query | undefined;
  /** for what a request says of another merchant; undefined: there is none */
  readonly otherMerchantId?: string | undefined;
}

/** What needs more than a request to its operation, or is made by none. */
const makers: Readonly<Record<string, (query: Query, signer: Signer) => Promise<string>>> = {
  wad: async (query, signer) => {
    await fund(query, signer.key, { deploymentId: "dep_usdc_base", amountRaw: 1_000_000_000n });
    return addAddress(query, signer.key);
  },
  sub: (query, signer) => addSubscription(query, signer.key),
};

/** The id of a new thing of the signer's; undefined: elsewhere, where it cannot be made. */
async function make(kind: string, signer: Signer, world: World): Promise<string | undefined> {
  const { query } = world;
  const known = makers[kind];
  if (known !== undefined) return query && known(query, signer);
  const maker = operations.find((one) => isMaker(one, kind));
  if (maker === undefined)
    throw new Error(`no operation makes a ${kind}_: say here how it is made`);
  const request = await withThings(signer, validRequest(maker), world);
  const response = await send(signer, { ...request, body: unlike(request.body) });
  const answer = (await response.json()) as Json;
  const { id } = isObject(answer) ? answer : {};
  if (typeof id === "string") return id;
  if (query === undefined) return undefined;
  throw new Error(`nothing was made: ${JSON.stringify(answer)}`);
}

/** With a name of its own, of those that a merchant has once only. */
function unlike(body: Json | undefined): Json | undefined {
  if (!isObject(body)) return body;
  return {
    ...body,
    ...("url" in body ? { url: `https://shop.example/${newKey()}` } : {}),
    ...("merchant_order_no" in body ? { merchant_order_no: newKey() } : {}),
  };
}

/** The request about things of the signer's that are there, and that it may ask for. */
export async function withThings(
  signer: Signer,
  request: ContractRequest,
  world: World,
): Promise<ContractRequest> {
  const { operation } = request;
  if (operation.operationId === "createPayment") {
    await acceptCurrencies(signer);
    return { ...request, body: withSplitsFor(world.otherMerchantId, request.body) };
  }
  if (operation.path.startsWith("/v1/x402/")) return withLocalPayment(signer, request, world);
  const made = new Map<string, string>();
  for (const { kind } of thingsNamedBy(operation)) {
    const id = made.get(kind) ?? (await make(kind, signer, world));
    if (id !== undefined) made.set(kind, id);
  }
  const rename = <Value extends Json>(value: Value): Value | string =>
    made.get(kindOf(value) ?? "") ?? value;
  const path = Object.entries(request.path).map(([name, id]) => [name, rename(id)] as const);
  const paged = request.query.includes("cursor=") ? await secondPage(signer, request, world) : {};
  const body = request.body === undefined ? undefined : replaced(request.body, rename);
  return { ...request, path: Object.fromEntries(path), body, ...paged };
}

/** With every value below as `rename` gives it; times that the examples have in the future stay there. */
function replaced(value: Json, rename: (value: Json) => Json): Json {
  if (Array.isArray(value)) return value.map((one: Json) => replaced(one, rename));
  if (!isObject(value)) return rename(value);
  const entries = Object.entries(value).map(([name, one]) => {
    const isLate = name === "first_run_at";
    return [name, isLate ? "2999-01-03T06:00:00+01:00" : replaced(one, rename)] as const;
  });
  return Object.fromEntries(entries);
}

/** What x402 settles is signed for the payment that there is, on a chain that there is. */
async function withLocalPayment(
  signer: Signer,
  request: ContractRequest,
  { query }: World,
): Promise<ContractRequest> {
  if (query === undefined) return request;
  const { body, path } = request;
  if (isObject(body) && "payment_payload" in body) {
    return { ...request, body: await settlementLike(signer, body) };
  }
  const id = await localPayment(signer);
  const names = Object.keys(path).map((name) => [name, id] as const);
  return { ...request, path: Object.fromEntries(names) };
}

async function secondPage(
  signer: Signer,
  { operation, query }: ContractRequest,
  world: World,
): Promise<Pick<ContractRequest, "query">> {
  const page = operation.responses.get("200");
  const [list] = page === undefined ? [] : exampleBodies(page);
  const ids: Json[] = [];
  visit(list ?? null, (value) => ids.push(value));
  const kind = ids.map(kindOf).find((one) => one !== undefined);
  if (kind !== undefined) for (const _ of [1, 2]) await make(kind, signer, world);
  const filters = query.replace(/&?cursor=[^&]*/, "").replace(/limit=\d+/, "limit=1");
  const first = await send(signer, { ...validRequest(operation), query: filters });
  const cursor = first.headers.get("X-Next-Cursor");
  if (cursor === null && world.query === undefined) return { query: filters };
  if (cursor === null) throw new Error(`${operation.operationId} has one page only`);
  return { query: `${filters}&cursor=${encodeURIComponent(cursor)}` };
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
  const given: readonly JsonObject[] = listAt(body, "splits").filter(isObject);
  return { ...rest, splits: given.map((split) => ({ ...split, merchant_id: merchantId })) };
}
