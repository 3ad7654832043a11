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

export interface SigningOptions {
  /** how often a request is sent at most, the first time included; 1 means never again */
  readonly attemptsMax?: number;
  readonly fetch?: (request: Request) => Promise<Response>;
  readonly nowMilliseconds?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

const attemptsMaxDefault = 3;
const waitMillisecondsMax = 30_000;
/** Answers after which the same request may succeed; each may say when, in Retry-After. */
const passing = new Set([429, 502, 503, 504]);

/**
 * A `fetch` that signs what it sends. The body is read into memory first, so that the signature is
 * about the very bytes on the wire. A request that failed on the way, or was answered "not now", is
 * sent again with a new timestamp and nonce and the same Idempotency-Key; one that writes without
 * an Idempotency-Key is never repeated. Redirects are not followed: their target is not signed.
 */
export function signingFetch(
  { key, secret }: Credentials,
  options: SigningOptions = {},
): (input: string | URL | Request, init?: RequestInit) => Promise<Response> {
  const {
    attemptsMax = attemptsMaxDefault,
    fetch: send = (request) => fetch(request),
    nowMilliseconds = Date.now,
    wait = (milliseconds) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  } = options;
  return async (input, init) => {
    const request = new Request(input, init);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const idempotencyKey = request.headers.get("Idempotency-Key") ?? undefined;
    const mayRepeat = idempotencyKey !== undefined || /^(?:GET|HEAD)$/.test(request.method);
    const attempts = mayRepeat ? attemptsMax : 1;
    for (let attempt = 1; ; attempt += 1) {
      const timestamp = Math.floor(nowMilliseconds() / 1000);
      const signed = signedRequest(request, body, { key, secret, timestamp });
      const isLast = attempt >= attempts;
      try {
        const response = await send(signed);
        if (isLast || !isPassing(response)) return response;
        await response.body?.cancel();
        await wait(waitMilliseconds(attempt, response.headers.get("Retry-After")));
      } catch (error) {
        // An aborted request is one that the caller does not want any more.
        if (isLast || request.signal.aborted) throw error;
        await wait(waitMilliseconds(attempt, null));
      }
    }
  };
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
function isPassing({ status, headers }: Response): boolean {
  return passing.has(status) || (status === 409 && headers.has("Retry-After"));
}

function waitMilliseconds(attempt: number, retryAfter: string | null): number {
  const asked = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : 0;
  const doubling = 250 * 2 ** attempt;
  return Math.min(Math.max(asked, doubling), waitMillisecondsMax);
}
