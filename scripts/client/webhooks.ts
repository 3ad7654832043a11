// Verifies what the service sends to a webhook endpoint (Standard Webhooks 1.0). One file without dependencies: copy it
// into your shop, with the types of the contract.
//
//   const event = verifyWebhook(await request.text(), request.headers, secret);
//   if (event.type === "payment.paid") ship(event.data.merchant_order_no);
//
// Like the signing of requests a second implementation, on purpose.

import { createHmac, timingSafeEqual } from "node:crypto";
import type { WebhookEvent } from "../../generated/types.ts";

/** What is wrong with a delivery: `header`, `timestamp`, `signature` or `body`. Answer 400; nothing of it counts. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly about: "header" | "timestamp" | "signature" | "body";

  constructor(about: WebhookError["about"], message: string) {
    super(message);
    this.about = about;
  }
}

/** Those of a web `Request`, or of Node's `IncomingMessage` (names in lower case). */
export type WebhookHeaders = FetchHeaders | NodeHeaders;

interface FetchHeaders {
  readonly get: (name: string) => string | null;
}

type NodeHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** of the endpoint (`whsec_...`); after a rotation the old one beside the new one */
  readonly secrets: readonly string[];
  /** how far `webhook-timestamp` may be off, in seconds; 300 when left out */
  readonly toleranceSeconds?: number;
  readonly nowMilliseconds?: () => number;
}

const prefix = "whsec_";

/**
 * The event of a delivery whose signature and time are right.
 *
 * A delivery may come more than once: of an `id` that was handled before nothing is to be done.
 *
 * @param body exactly as it came: a body that was parsed and written again is another one
 * @param by the secret of the endpoint, or several and how exact the time must be
 * @throws {WebhookError} nothing of it may be believed
 * @throws {TypeError} a secret is none: a mistake of whoever calls
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  by: string | WebhookOptions,
): WebhookEvent {
  const options: WebhookOptions = typeof by === "string" ? { secrets: [by] } : by;
  const { secrets, toleranceSeconds = 300, nowMilliseconds = Date.now } = options;
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const given = headerOf(headers, "webhook-signature").split(" ");
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookError("timestamp", "webhook-timestamp: unix seconds are expected");
  }
  const offSeconds = Math.abs(nowMilliseconds() / 1000 - Number(timestamp));
  if (offSeconds > toleranceSeconds) {
    const by = `${Math.round(offSeconds)} s off, ${toleranceSeconds} s are allowed`;
    throw new WebhookError("timestamp", `webhook-timestamp: ${by}`);
  }
  const expected = secrets.map((secret) => signatureOf(secret, { id, timestamp, body }));
  if (expected.length === 0) throw new TypeError("at least one secret is needed");
  // All are looked at, so that the time it takes says nothing of which one it is.
  const matches = given.flatMap((one) => expected.map((other) => isSame(one, other)));
  if (!matches.includes(true)) {
    throw new WebhookError("signature", "webhook-signature: made with none of the secrets");
  }
  return eventIn(body);
}

interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string | Uint8Array;
}

function signatureOf(secret: string, { id, timestamp, body }: Signed): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  if (!secret.startsWith(prefix) || key.length === 0) {
    throw new TypeError(`a webhook secret begins with ${prefix} and goes on in base64`);
  }
  const digest = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body);
  return `v1,${digest.digest("base64")}`;
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isGetter(headers) ? headers.get(name) : headers[name];
  if (typeof value !== "string" || value === "") {
    throw new WebhookError("header", `${name} is missing: this is no delivery of the service`);
  }
  return value;
}

function isGetter(headers: WebhookHeaders): headers is FetchHeaders {
  return typeof headers.get === "function";
}

function eventIn(body: string | Uint8Array): WebhookEvent {
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  try {
    // Whoever has the secret has sent it: the service, which sends what the contract says.
    return JSON.parse(text) as WebhookEvent;
  } catch {
    throw new WebhookError("body", "the body is no JSON");
  }
}
