// Signs requests to the merchant interface. One file without dependencies: copy it into your shop.
//
//   const call = signingFetch({ key, secret });
//   const answer = await call("https://pay.example/v1/currencies?limit=5");
//
// or with types:  createClient<paths>({ baseUrl, fetch: signingFetch({ key, secret }) })
//
// This is a second implementation of the rules, on purpose: it shares nothing with the server, so
// that the two can be compared by a test.

import { createHash, createHmac, randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

export interface Credentials {
  /** `mk_...`, public */
  readonly key: string;
  /** `sk_...`, exactly as it was issued: it is not base64-decoded */
  readonly secret: string;
}

export interface SigningInput extends Credentials {
  readonly method: string;
  /** as on the request line, without the query */
  readonly path: string;
  /** as on the request line, without "?" */
  readonly query?: string | undefined;
  /** exactly the bytes that are sent; a text is sent as UTF-8 */
  readonly body?: string | Uint8Array | undefined;
  readonly idempotencyKey?: string | undefined;
  /** unix seconds; now when left out */
  readonly timestamp?: number | string | undefined;
  /** 16 to 64 of A-Z a-z 0-9 _ -, never used before with this key; random when left out */
  readonly nonce?: string | undefined;
}

export interface SignedHeaders {
  readonly "X-Api-Key": string;
  readonly "X-Timestamp": string;
  readonly "X-Nonce": string;
  readonly "X-Signature": string;
  readonly "Idempotency-Key"?: string;
}

/** The headers of one request. Every attempt needs new ones: a nonce is taken once. */
export function sign(input: SigningInput): SignedHeaders {
  const { key, secret, idempotencyKey } = input;
  const timestamp = String(input.timestamp ?? Math.floor(Date.now() / 1000));
  const nonce = input.nonce ?? `n-${randomBytes(16).toString("hex")}`;
  const text = canonicalString({ ...input, timestamp, nonce });
  return {
    "X-Api-Key": key,
    "X-Timestamp": timestamp,
    "X-Nonce": nonce,
    "X-Signature": createHmac("sha256", secret).update(text).digest("hex"),
    ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
  };
}

/** What is signed: nine lines, without a line feed at the end. */
export function canonicalString(input: SigningInput): string {
  return [
    "CPS1-HMAC-SHA256",
    input.key,
    String(input.timestamp),
    input.nonce,
    input.method.toUpperCase(),
    input.path,
    canonicalQuery(input.query ?? ""),
    input.idempotencyKey ?? "",
    createHash("sha256")
      .update(input.body ?? "")
      .digest("hex"),
  ].join("\n");
}

/**
 * Each pair decoded, encoded again in the one way of RFC 3986, sorted by name and then value (as
 * encoded, character by character). A plus sign is a space, as the server reads it; empty pairs
 * do not count; a name without "=" has an empty value.
 */
export function canonicalQuery(query: string): string {
  const pairs = query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair): readonly [name: string, value: string] => {
      const equals = pair.indexOf("=");
      if (equals === -1) return [encodeAgain(pair), ""];
      return [encodeAgain(pair.slice(0, equals)), encodeAgain(pair.slice(equals + 1))];
    });
  return pairs
    .toSorted(([name, value], [other, otherValue]) => {
      return compareTexts(name, other) || compareTexts(value, otherValue);
    })
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** Throws a URIError when the text has an escape that is no UTF-8. */
function encodeAgain(text: string): string {
  const plain = decodeURIComponent(text.replaceAll("+", "%20"));
  // encodeURIComponent leaves five characters alone that RFC 3986 reserves
  return encodeURIComponent(plain).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

// ---------------------------------------------------------------------------------------------
// fetch

/** One sending of a request, and how it went. */
export interface Attempt {
  readonly method: string;
  /** without the query */
  readonly url: string;
  /** 1 for the first */
  readonly number: number;
  /** undefined: there was no whole answer */
  readonly status: number | undefined;
  /** why there was none */
  readonly error: unknown;
  /** until the next one; undefined: this was the last */
  readonly waitMilliseconds: number | undefined;
}

export interface SigningOptions {
  /** how often a request is sent at most, the first time included; 1 means never again. 3 when left out */
  readonly attemptsMax?: number;
  /** how long one attempt may take, its answer included; 60,000 when left out, longer than a settlement waits */
  readonly timeoutMilliseconds?: number;
  /** hears of each attempt: for a log. It holds no secret */
  readonly onAttempt?: (attempt: Attempt) => void;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly nowMilliseconds?: () => number;
  /** rejects as soon as the signal says so */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>;
  /** from 0 to below 1; Math.random when left out */
  readonly random?: () => number;
}

const waitMillisecondsMax = 30_000;
/** Answers after which the same request may succeed; each may say when, in Retry-After. */
const passing = new Set([429, 502, 503, 504]);

const standard = {
  attemptsMax: 3,
  timeoutMilliseconds: 60_000,
  onAttempt: () => undefined,
  fetch: (request: Request): Promise<Response> => fetch(request),
  nowMilliseconds: Date.now,
  wait: (milliseconds: number, signal: AbortSignal): Promise<unknown> =>
    wait(milliseconds, undefined, { signal }),
  random: Math.random,
} satisfies Required<SigningOptions>;

/**
 * A `fetch` that signs what it sends. Bodies are read into memory: that of a request first, so that the signature is
 * about the very bytes on the wire, and that of an answer before it is given, so that one that breaks off is none.
 *
 * A request that got no whole answer, or "not now", is sent again with a new timestamp and nonce and the same
 * Idempotency-Key; one that writes without an Idempotency-Key is never repeated, since it may have had its effect. Between
 * attempts it waits as long as `Retry-After` says, at most half a minute, or twice as long each time, by chance up to a
 * half less. When the service refuses the timestamp, this clock is off: from then on it is put right by the service's,
 * where TLS says that it is the service (or it is on this machine): who could tell any time would get requests signed
 * that are good for then.
 * Redirects are not followed: their target is not signed.
 *
 * Throws what `fetch` throws: after the last attempt, or as soon as the request's signal is aborted.
 */
export function signingFetch(
  { key, secret }: Credentials,
  options: SigningOptions = {},
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  const parts = { ...standard, ...options };
  const clock = new ServiceClock(parts.nowMilliseconds);
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const mayRepeat =
      request.headers.has("Idempotency-Key") || /^(?:GET|HEAD)$/.test(request.method);
    for (let number = 1; ; number += 1) {
      const timestamp = clock.seconds();
      const signed = signedRequest(request, body, { key, secret, timestamp });
      const ending = await endingOf(signed, parts);
      // A request that is refused for its time had no effect, whatever it is.
      const { response } = ending;
      const isPutRight =
        response !== undefined && isTrusted(request) && (await clock.learn(response));
      const isOver = number >= parts.attemptsMax || request.signal.aborted;
      const again = !isOver && (isPutRight || (mayRepeat && isPassing(ending)));
      const asked = ending.response?.headers.get("Retry-After") ?? null;
      const doubled = isPutRight ? 0 : waitMilliseconds(number, asked, parts.random());
      const { origin, pathname } = new URL(request.url);
      parts.onAttempt({
        method: request.method,
        url: origin + pathname,
        number,
        status: ending.response?.status,
        error: ending.error,
        waitMilliseconds: again ? doubled : undefined,
      });
      if (again) await parts.wait(doubled, request.signal);
      else if (ending.response === undefined) throw ending.error;
      else return ending.response;
    }
  };
}

interface Ending {
  readonly response?: Response;
  readonly error?: unknown;
}

type Sending = Required<Pick<SigningOptions, "fetch" | "timeoutMilliseconds">>;

/** A whole answer, or what was thrown instead of one. */
async function endingOf(request: Request, { fetch: send, timeoutMilliseconds }: Sending) {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMilliseconds)]);
  try {
    const response = await send(new Request(request, { signal }));
    const { status, statusText, headers } = response;
    const bytes = await response.arrayBuffer();
    // Answers of some statuses have no body, not even an empty one.
    const body = bytes.byteLength === 0 ? null : bytes;
    return { response: new Response(body, { status, statusText, headers }) } satisfies Ending;
  } catch (error) {
    return { error } satisfies Ending;
  }
}

/** The clock of this machine, put right by what the service says of its own. */
class ServiceClock {
  readonly #nowMilliseconds: () => number;
  #offsetSeconds = 0;

  constructor(nowMilliseconds: () => number) {
    this.#nowMilliseconds = nowMilliseconds;
  }

  /** unix seconds */
  seconds(): number {
    return Math.floor(this.#nowMilliseconds() / 1000) + this.#offsetSeconds;
  }

  /** Whether it was a refusal of the timestamp, and there is something to learn from it. */
  async learn(response: Response): Promise<boolean> {
    if (response.status !== 401) return false;
    const serverTime = serverTimeIn(await response.clone().text());
    if (serverTime === undefined) return false;
    const before = this.seconds();
    this.#offsetSeconds += serverTime - before;
    return serverTime !== before;
  }
}

function isTrusted({ url }: Request): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || /^(?:127(?:\.\d+){3}|\[::1\]|localhost)$/.test(hostname);
}

/** Of an error `timestamp_out_of_range`: `details.server_time`, in unix seconds. */
function serverTimeIn(text: string): number | undefined {
  const { code, details } = recordIn(text);
  if (code !== "timestamp_out_of_range") return undefined;
  const { server_time: time } = Object(details) as Readonly<Record<string, unknown>>;
  return typeof time === "number" && Number.isSafeInteger(time) ? time : undefined;
}

function recordIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    // Not the service's own answer: a proxy in front writes what it likes.
    return {};
  }
}

type Signer = Credentials & { readonly timestamp: number };

function signedRequest(
  request: Request,
  body: Uint8Array<ArrayBuffer> | undefined,
  signer: Signer,
): Request {
  // The URL of a Request is in the form that goes on the request line.
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  const signed = sign({
    ...signer,
    method: request.method,
    path: pathname,
    query: search.slice(1),
    body,
    idempotencyKey: headers.get("Idempotency-Key") ?? undefined,
  });
  for (const [name, value] of Object.entries(signed)) headers.set(name, String(value));
  return new Request(request.url, {
    method: request.method,
    headers,
    body: body ?? null,
    redirect: "manual",
    signal: request.signal,
  });
}

/** 409 comes with Retry-After while the first request with this Idempotency-Key still runs. */
function isPassing({ response }: Ending): boolean {
  if (response === undefined) return true;
  const { status, headers } = response;
  return passing.has(status) || (status === 409 && headers.has("Retry-After"));
}

/** @param chance from 0 to below 1: clients that failed together do not all come back together */
function waitMilliseconds(attempt: number, retryAfter: string | null, chance: number): number {
  const asked = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : 0;
  const doubling = Math.round(250 * 2 ** attempt * (1 - chance / 2));
  return Math.min(Math.max(asked, doubling), waitMillisecondsMax);
}
