// What the merchants have before the first round: keys for what they do, money, an address that it may
// go to, payments that were made, and schedules.

import pg from "pg";
import { fund } from "../../../test/support/withdrawal-resources.ts";
import type { Query } from "../../../test/support/withdrawal-resources.ts";
import type { Credentials } from "../../client/canonical.ts";
import type { BenchService } from "../service/service.ts";
import { call, make, openShops, orderBody } from "../service/shops.ts";
import type { Shop } from "../service/shops.ts";

/** One is made by each, so that a page is full. */
export const schedulesEach = 20;
/** More than the newest 100 deliveries are shown of nobody; each of these payments has one. */
const paymentsEach = 100;

const base = "eip155:8453";
const deploymentId = "dep_usdc_base";
/** of USDC, in its smallest units: more than a benchmark can withdraw */
const fundsRaw = 10n ** 18n;

export interface Merchant {
  /** creates payments */
  readonly shop: Shop;
  /** looks at what is there */
  readonly reader: Credentials;
  /** moves money, from this machine only */
  readonly treasurer: Credentials;
  /** of USDC on Base */
  readonly withdrawAddressId: string;
  readonly made: readonly MadePayment[];
}

/** As it was asked for and answered. */
export interface MadePayment {
  readonly idempotencyKey: string;
  readonly body: object;
  readonly answer: string;
  /** of its checkout page */
  readonly token: string;
}

/** @param url of the database of the service */
export async function openMerchants(
  service: BenchService,
  { count, url }: { readonly count: number; readonly url: string },
): Promise<readonly Merchant[]> {
  const webhookUrl = "https://shop.example/hooks";
  const shops = await openShops(service, { count, webhookUrl });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const execute: Query = async (sql, values) => {
      const { rows } = await client.query<Readonly<Record<string, unknown>>>(sql, [...values]);
      return rows;
    };
    // One after the other: they share a connection.
    for (const { key } of shops) await fund(execute, key, { deploymentId, amountRaw: fundsRaw });
  } finally {
    await client.end();
  }
  return Promise.all(shops.map((shop, index) => equip(service, shop, index)));
}

async function equip(service: BenchService, shop: Shop, index: number): Promise<Merchant> {
  const keys = keyMaker(service, shop.merchantId);
  const reader = await keys(["webhooks:read", "currencies:read", "payouts:read"]);
  const registrar = await keys(["withdraw_addresses:write"]);
  // On a main network money leaves only by keys that are bound to addresses.
  const treasurer = await keys(["withdrawals:write", "payouts:write"], ["127.0.0.1/32"]);
  const addresses: string[] = [];
  for (let number = 0; number < schedulesEach; number++) {
    const address = `0x1${(index * schedulesEach + number).toString(16).padStart(39, "0")}`;
    const id = await make(service, registrar, {
      path: "/v1/withdraw-addresses",
      body: { chain_id: base, address },
    });
    addresses.push(id);
    await make(service, treasurer, { path: "/v1/payout-schedules", body: scheduleTo(id) });
  }
  const [withdrawAddressId = ""] = addresses;
  return { shop, reader, treasurer, withdrawAddressId, made: await makePayments(service, shop) };
}

type Scopes = Parameters<BenchService["operator"]["apiKeys"]["create"]>[0]["scopes"];

function keyMaker({ operator }: BenchService, merchantId: string) {
  return async (scopes: Scopes, cidrs: readonly string[] = []): Promise<Credentials> => {
    const wish = { merchantId, environment: "test", scopes, cidrs, expiresAt: null } as const;
    const { key, secret } = await operator.apiKeys.create(wish);
    return { key: key.id, secret };
  };
}

function scheduleTo(withdrawAddressId: string): object {
  return {
    currency_id: "cur_usdc",
    target_chain_id: base,
    withdraw_address_id: withdrawAddressId,
    interval_secs: 86_400,
    min_send_amount: "50.00",
    mode: "auto_request",
  };
}

/** 0.25 USDC to the first of its addresses. */
export function withdrawalBody({ withdrawAddressId }: Merchant): object {
  return {
    currency_id: "cur_usdc",
    target_chain_id: base,
    amount: "0.25",
    withdraw_address_id: withdrawAddressId,
  };
}

async function makePayments(service: BenchService, shop: Shop): Promise<readonly MadePayment[]> {
  const made: MadePayment[] = [];
  for (let number = 0; number < paymentsEach; number++) {
    const body = orderBody(`made-${number}`);
    const idempotencyKey = `made-${number}-of-${shop.merchantId}`;
    const path = "/v1/payments";
    const answer = await call(service, shop, { method: "POST", path, body, idempotencyKey });
    const token = /"checkout_url":"[^"]*\/checkout\/([^"]+)"/.exec(answer)?.[1];
    if (token === undefined) throw new Error(`a payment has no checkout page: ${answer}`);
    made.push({ idempotencyKey, body, answer, token });
  }
  return made;
}
