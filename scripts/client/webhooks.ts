// Verifies what the service sends to a webhook endpoint (Standard Webhooks 1.0), with WebCrypto. Like the signing of
// requests a second implementation, on purpose.

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

/** Those of a web `Request`, or an object of them, such as Node's `IncomingMessage` has. */
export type WebhookHeaders = FetchHeaders | PlainHeaders;

interface FetchHeaders {
  readonly get: (name: string) => string | null;
}

type PlainHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookOptions {
  /** of the endpoint (`whsec_...`); while it is being replaced, the old one beside the new one */
  readonly secrets: readonly string[];
  /** how far `webhook-timestamp` may be off, in seconds; 300 when left out */
  readonly toleranceSeconds?: number | undefined;
  readonly nowMilliseconds?: (() => number) | undefined;
}

/** As it came: a body that was parsed and written again is another one. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

const prefix = "whsec_";

/**
 * The event of a delivery whose signature and time are right.
 *
 * A delivery may come more than once: of an `id` that was handled before nothing is to be done.
 *
 * @param by the secret of the endpoint, or several and how exact the time must be
 * @throws {WebhookError} nothing of it may be believed
 * @throws {TypeError} a secret, the tolerance or the body is none: a mistake of whoever calls
 */
export async function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  by: string | WebhookOptions,
): Promise<WebhookEvent> {
  const options: WebhookOptions = typeof by === "string" ? { secrets: [by] } : by;
  const { secrets, toleranceSeconds = 300, nowMilliseconds = Date.now } = options;
  const keys = secrets.map(keyOf);
  if (keys.length === 0) throw new TypeError("secrets is empty: hand over that of the endpoint");
  if (!(toleranceSeconds >= 0 && toleranceSeconds < Infinity)) {
    throw new TypeError(`toleranceSeconds is ${toleranceSeconds}: write seconds from 0 on`);
  }
  const bytes = bytesOf(body);
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const given = headerOf(headers, "webhook-signature").split(/,?\s+/);
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new WebhookError("timestamp", "webhook-timestamp: unix seconds are expected");
  }
  const offSeconds = Math.abs(Math.floor(nowMilliseconds() / 1000) - Number(timestamp));
  // Said so that a time that is no number is none that is right.
  if (!(offSeconds <= toleranceSeconds)) {
    const off = `${offSeconds} s off, ${toleranceSeconds} s are allowed`;
    throw new WebhookError("timestamp", `webhook-timestamp: ${off}`);
  }
  const signed = joined(encoded(`${id}.${timestamp}.`), bytes);
  const expected = await Promise.all(keys.map((key) => signatureOf(key, signed)));
  // All are looked at, so that the time it takes says nothing of which one it is.
  const matches = given.flatMap((one) => expected.map((other) => isSame(one, other)));
  if (!matches.includes(true)) {
    throw new WebhookError("signature", "webhook-signature: made with none of the secrets");
  }
  return eventIn(new TextDecoder().decode(bytes));
}

/** Of a secret only what stands behind its prefix is the key, in base64. */
function keyOf(secret: unknown): Uint8Array<ArrayBuffer> {
  const text = typeof secret === "string" && secret.startsWith(prefix) ? secret.slice(6) : "";
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw new TypeError(
      `a webhook secret begins with ${prefix} and goes on in base64: this is none`,
    );
  }
  return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === "string") return encoded(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (body instanceof Uint8Array) return body;
  const advice = "hand over its bytes or text as it came (in Express by express.raw)";
  throw new TypeError(
    `the body of a webhook is ${body === null ? "null" : typeof body}: ${advice}`,
  );
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

async function signatureOf(secret: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", key, signed);
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}

/** In a time that does not tell where they differ. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < other.length; at += 1) {
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  }
  return difference === 0;
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isGetter(headers) ? headers.get(name) : plainHeader(headers, name);
  if (typeof value !== "string" || value === "") {
    throw new WebhookError("header", `${name} is missing: this is no delivery of the service`);
  }
  return value;
}

function isGetter(headers: WebhookHeaders): headers is FetchHeaders {
  return typeof headers.get === "function";
}

/** Names have no case (RFC 9110, section 5.1); gateways give them as they came, and values as lists. */
function plainHeader(headers: PlainHeaders, name: string): string | undefined {
  const found = Object.entries(headers).filter(([one]) => one.toLowerCase() === name);
  const values = found.flatMap(([, value]) => value ?? []);
  // Several of another name say nothing that could be relied on.
  return values.length < 2 || name === "webhook-signature" ? values.join(" ") : undefined;
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function eventIn(text: string): WebhookEvent {
  try {
    const event: unknown = JSON.parse(text);
    const { type } = Object(event) as Readonly<Record<string, unknown>>;
    // Whoever has the secret has sent it: the service, which sends what the contract says.
    if (typeof type === "string") return event as WebhookEvent;
  } catch {
    throw new WebhookError("body", "the body is no JSON");
  }
  throw new WebhookError("body", "the body is no event");
}
