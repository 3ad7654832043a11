// For generated requests: a merchant that has one of everything, and how many requests are drawn.

import { type Known, type Values } from "../support/contract-arbitraries.ts";
import fc from "fast-check";
import { bodyOf, readAnswer } from "../support/contract-answers.ts";
import { type JsonObject, listAt, placeAt, textOf } from "../support/contract-document.ts";
import { knownValues } from "../support/contract-pool.ts";
import { newKey, send, type Signer, validRequest } from "../support/contract-requests.ts";
import { operationBy } from "../support/contract-resources.ts";
import type { RunningContract } from "../support/contract-server.ts";
import { webPages } from "../support/contract-texts.ts";
import { addSubscription, createSchedule } from "../support/schedule-resources.ts";
import { activeAddress, fund, pendingWithdrawal } from "../support/withdrawal-resources.ts";

/** How many requests of each operation are drawn; `RUNS=1000` draws more. */
export const runs = Number(process.env["RUNS"] ?? 10);

const schemas = "/components/schemas";

/** What the document says of a value in words, and no schema can say. */
const inWords: ReadonlyMap<string, Values> = new Map<string, Values>([
  // "https only, no user information"
  [`${schemas}/CreatePaymentRequest/properties/redirect_url`, webPages],
]);

/** Endpoints and events that are right, where it is something else that is to be wrong. */
const soundEndpoints: ReadonlyMap<string, Values> = new Map<string, Values>([
  ...inWords,
  ...["RegisterWebhookEndpointRequest", "UpdateWebhookEndpointRequest"].map((name) => {
    const urls = fc.nat().map((at) => `https://shop.example/hooks/${at}`);
    return [`${schemas}/${name}/properties/url`, urls] as const;
  }),
  [
    `${schemas}/EventTypes`,
    fc.array(fc.constantFrom(...eventNames()), { minLength: 1, maxLength: 4 }),
  ],
]);

function eventNames(): readonly string[] {
  const { node } = placeAt(`${schemas}/EventType`);
  return listAt(node, "x-known-values")
    .map(textOf)
    .filter((name) => name !== "*");
}

export interface World {
  /** as the document alone says, with a merchant's own ids among the values */
  readonly known: Known;
  /** the same, and nothing of it is refused for what the document says in words */
  readonly sound: Known;
}

/** Elsewhere nobody reaches into the database, so there is less. */
export async function fillWorld(server: RunningContract): Promise<World> {
  const { query } = server;
  const make = (operationId: string, body: JsonObject): Promise<string> =>
    made(server, operationId, body);
  await make("replaceCurrencyAcceptance", { currencies: { cur_usdc: {}, cur_eth: {} } });
  const order = (): JsonObject => ({
    merchant_order_no: newKey(),
    quotes: { cur_usdc: { amount: "25" } },
  });
  const live = new Map<string, readonly string[]>([
    ["whe", [await make("registerWebhookEndpoint", { url: `https://shop.example/${newKey()}` })]],
    ["pay", [await make("createPayment", order()), await make("createPayment", order())]],
  ]);
  if (query !== undefined) {
    await fund(query, server.key, { deploymentId: "dep_usdc_base", amountRaw: 10n ** 12n });
    live.set("wad", [await activeAddress(query, server, "eip155:8453")]);
    live.set("wdr", [await pendingWithdrawal(query, server)]);
    live.set("pos", [(await createSchedule(query, server)).id]);
    live.set("sub", [await addSubscription(query, server.key)]);
    live.set("mer", [(await server.newMerchantId()) ?? ""]);
  }
  return { known: knownValues(live, inWords), sound: knownValues(live, soundEndpoints) };
}

async function made(signer: Signer, operationId: string, body: JsonObject): Promise<string> {
  const operation = operationBy(operationId);
  const answer = await readAnswer(await send(signer, validRequest(operation, { body })), operation);
  if (answer.status >= 300) throw new Error(`${operationId}: ${JSON.stringify(answer.body)}`);
  return textOf(bodyOf(answer.body)["id"]);
}
