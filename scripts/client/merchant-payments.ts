// The client of the merchant interface: every operation of the contract, signed, and sent again where that is safe.

import { type Client, createClient } from "../../generated/client/client.ts";
import type { Credentials } from "./canonical.ts";
import { signingFetch, type SigningOptions } from "./signing-fetch.ts";

export interface Options extends Credentials, SigningOptions {
  /** of the service, without `/v1` */
  readonly url: string;
}

/**
 * @example
 *   const pay = merchantPayments({ url: "https://pay.example", key: "mk_...", secret: "sk_..." });
 *   const payment = await pay.payments.createPayment({ merchant_order_no: "A-1001", quotes });
 *
 * @throws {TypeError} an option is none
 */
export function merchantPayments({ url, key, secret, ...options }: Options): Client {
  return createClient({ baseUrl: url, fetch: signingFetch({ key, secret }, options) });
}

export type * from "../../generated/client/client.ts";
export {
  NoResponseError,
  ResponseError,
  UnexpectedResponseError,
} from "../../generated/client/client.ts";
export type { Credentials, SignedHeaders, SigningInput } from "./canonical.ts";
export { sign } from "./signing.ts";
export type { Attempt, SigningFetch, SigningOptions } from "./signing-fetch.ts";
export { signingFetch } from "./signing-fetch.ts";
export type { WebhookBody, WebhookHeaders, WebhookOptions } from "./webhooks.ts";
export { verifyWebhook, WebhookError } from "./webhooks.ts";
