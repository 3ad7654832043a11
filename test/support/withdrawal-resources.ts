// What a withdrawal needs and no operation gives: money, and an address whose waiting is over.

import { type Json, type JsonObject, isObject } from "./contract-document.ts";
import { send, type Signer, validRequest } from "./contract-requests.ts";
import { operationBy } from "./contract-resources.ts";

export type Query = (
  sql: string,
  values: readonly unknown[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>;

let made = 0;

/** As if it had come in with a payment. */
export async function fund(query: Query, apiKey: string, money: Money): Promise<void> {
  made += 1;
  const id = `ltx_test${process.pid}x${made}`;
  await query(
    `insert into ledger_transactions (id, kind, reference, occurred_at, posted_at)
      values ($1, 'test_deposit', $1, now(), now())`,
    [id],
  );
  await query(
    `insert into ledger_postings (
        transaction_id, position, account_kind, deployment_id, merchant_id, environment, amount)
      select $1, 0, 'merchant:available', $3, merchant_id, environment, -($4::numeric)
      from api_keys where id = $2
      union all select $1, 1, 'chain:hot', $3, null, null, $4::numeric`,
    [id, apiKey, money.deploymentId, money.amountRaw],
  );
}

export interface Money {
  readonly deploymentId: string;
  readonly amountRaw: bigint;
}

/** An address that nobody else has. */
export function newAddress(): string {
  made += 1;
  const digits = (BigInt(process.pid) * 1_000_000n + BigInt(made)).toString(16);
  return `0x1${digits.padStart(39, "0")}`;
}

/** Registered by the operation, and active at once. */
export async function activeAddress(
  query: Query,
  signer: Signer,
  chainId: string,
): Promise<string> {
  const body = { chain_id: chainId, address: newAddress() };
  const operation = operationBy("registerWithdrawAddress");
  const response = await send(signer, validRequest(operation, { body }));
  const id = idOf((await response.json()) as Json);
  await query("update withdraw_addresses set activates_at = created_at where id = $1", [id]);
  return id;
}

/** 1000 units of the example's coin, an address, and a request for the amount. */
export async function payableRequest(
  query: Query,
  signer: Signer,
  change: JsonObject = {},
): Promise<JsonObject> {
  const money = { deploymentId: "dep_usdc_base", amountRaw: 1_000_000_000n };
  await fund(query, signer.key, money);
  const withdraw_address_id = await activeAddress(query, signer, "eip155:8453");
  const place = { currency_id: "cur_usdc", target_chain_id: "eip155:8453" };
  return { ...place, amount: "100", withdraw_address_id, ...change };
}

/** One that is pending. */
export async function pendingWithdrawal(query: Query, signer: Signer): Promise<string> {
  const body = await payableRequest(query, signer);
  const response = await send(signer, validRequest(operationBy("requestWithdrawal"), { body }));
  return idOf((await response.json()) as Json);
}

function idOf(body: Json): string {
  const { id } = isObject(body) ? body : {};
  if (typeof id === "string") return id;
  throw new Error(`nothing was made: ${JSON.stringify(body)}`);
}
