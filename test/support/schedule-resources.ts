// What payout schedules and subscriptions need and no operation gives: an address whose waiting is over,
// also for keys that may not register one, and a subscription.

import { systemClock as clock } from "../../adapters/system/clock.ts";
import { buildIdentifiers } from "../../adapters/system/identifiers.ts";
import { randomFillSync } from "node:crypto";
import { isObject, type Json, type JsonObject } from "./contract-document.ts";
import { send, type Signer, validRequest } from "./contract-requests.ts";
import { operationBy } from "./contract-resources.ts";
import { newAddress } from "./withdrawal-resources.ts";

type Query = (
  sql: string,
  values: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const fillRandom = (bytes: Uint8Array): void => void randomFillSync(bytes);
const identifiers = buildIdentifiers({ clock, fillRandom });

/** Of the merchant and the environment of the key. */
export async function addAddress(
  query: Query,
  apiKey: string,
  chainId = "eip155:8453",
): Promise<string> {
  const id = identifiers.next("wad");
  await query(
    `insert into withdraw_addresses (id, merchant_id, environment, chain_id, chain_family, address,
        destination_type, created_at, activates_at, idempotency_key)
      select $1, merchant_id, environment, $3, 'evm', $4, 'self_hosted',
        '2020-01-01', '2020-01-01', $1
      from api_keys where id = $2`,
    [id, apiKey, chainId, newAddress()],
  );
  return id;
}

/** Daily, from 50 USDC on, to an address of its own. */
export async function scheduleBody(
  query: Query,
  signer: Signer,
  change: JsonObject = {},
): Promise<JsonObject> {
  return {
    currency_id: "cur_usdc",
    target_chain_id: "eip155:8453",
    withdraw_address_id: await addAddress(query, signer.key),
    interval_secs: 86_400,
    min_send_amount: "50.00",
    mode: "auto_request",
    ...change,
  };
}

/** One that is active, as it was answered. */
export async function createSchedule(
  query: Query,
  signer: Signer,
  change: JsonObject = {},
): Promise<JsonObject & { readonly id: string }> {
  const body = await scheduleBody(query, signer, change);
  const response = await send(signer, validRequest(operationBy("createPayoutSchedule"), { body }));
  const answer = (await response.json()) as Json;
  const { id } = isObject(answer) ? answer : {};
  if (!isObject(answer) || typeof id !== "string") {
    throw new Error(`no schedule: ${JSON.stringify(answer)}`);
  }
  return { ...answer, id };
}

/** Monthly, of 9.99 USDC. */
export async function addSubscription(
  query: Query,
  apiKey: string,
  status: "incomplete" | "active" | "past_due" | "cancelled" | "expired" = "active",
): Promise<string> {
  const id = identifiers.next("sub");
  await query(
    `insert into subscriptions (id, merchant_id, environment, status, currency_id, deployment_id,
        chain_id, amount_raw, interval_seconds, next_bill_at, past_due_since, created_at, updated_at)
      select $1, merchant_id, environment, $3, 'cur_usdc', 'dep_usdc_base', 'eip155:8453', 9990000,
        2592000, case when $3 not in ('cancelled', 'expired') then now() + interval '1 day' end,
        case when $3 = 'past_due' then now() end, now(), now()
      from api_keys where id = $2`,
    [id, apiKey, status],
  );
  return id;
}
