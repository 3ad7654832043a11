// A fetch that signs what it sends, and sends it again where that is safe.

import type { Credentials } from "./canonical.ts";
import { retryAfterIn, verdictOf, waitMilliseconds } from "./repeating.ts";
import { isTime, isTrusted, ServiceClock } from "./service-clock.ts";
import { type Signer, signerOf } from "./signing.ts";

/** One sending of a request, and how it went. */
export interface Attempt {
  readonly method: string;
  /** without the query */
  readonly url: string;
  /** 1 for the first */
  readonly number: number;
  /** undefined: there was no whole answer */
  readonly status: number | undefined;
  readonly idempotencyKey: string | undefined;
  /** what support asks for */
  readonly requestId: string | undefined;
  /** why there was no answer */
  readonly error: unknown;
  /** until the next one; undefined: this was the last */
  readonly waitMilliseconds: number | undefined;
}

export interface SigningOptions {
  /** how often a request is sent at most, the first time included; 1 means never again. 3 when left out */
  readonly attemptsMax?: number | undefined;
  /** how long one attempt may take, its answer included; 60,000 when left out, longer than a settlement waits */
  readonly timeoutMilliseconds?: number | undefined;
  /** how long all of it may take until nothing is sent again; 120,000 when left out */
  readonly wholeMilliseconds?: number | undefined;
  /** hears of each attempt: for a log. It holds no secret; what it throws is told to `console.error` */
  readonly onAttempt?: ((attempt: Attempt) => unknown) | undefined;
  readonly fetch?: ((request: Request, init: RequestInit) => Promise<Response>) | undefined;
  readonly nowMilliseconds?: (() => number) | undefined;
  /** rejects as soon as the signal says so */
  readonly wait?: ((milliseconds: number, signal: AbortSignal) => Promise<unknown>) | undefined;
  /** from 0 to below 1; Math.random when left out */
  readonly random?: (() => number) | undefined;
}

export type SigningFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that signs what it sends. Bodies are read into memory: that of a request first, so that the signature is
 * about the very bytes on the wire, and that of an answer before it is given, so that one that breaks off is none.
 *
 * A request that got no whole answer, or "not now", is sent again with a new timestamp and nonce and the same
 * Idempotency-Key; one that writes without an Idempotency-Key is not, since it may have had its effect. When the service
 * refuses the timestamp, this clock is off: from then on it is put right by the service's, where TLS says that it is the
 * service (or it is on this machine). Redirects are not followed: their target is not signed.
 *
 * Throws what `fetch` throws, after the last attempt: then, and after an answer that says "not now", what was to be
 * written may have been. Asking again with the same Idempotency-Key tells. Throws the reason of the request's signal as
 * soon as it is aborted.
 *
 * @throws {TypeError} an option is no number that it may be, or there is no secret
 */
export function signingFetch(credentials: Credentials, options: SigningOptions = {}): SigningFetch {
  const parts = partsOf(options);
  const signer = signerOf(credentials);
  const clock = new ServiceClock(parts.nowMilliseconds);
  return async (input, init) => {
    const outer = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    const request = new Request(input, init);
    const body = request.body === null ? undefined : await bytesOf(request, outer, parts);
    const mayRepeat =
      request.headers.has("Idempotency-Key") || /^(?:GET|HEAD)$/.test(request.method);
    const startedAt = performance.now();
    let counted = 0;
    let isPutRight = false;
    for (let number = 1; ; number += 1) {
      const timestamp = clock.seconds();
      const signed = await signedRequest(request, body, { signer, timestamp });
      const ending = await endingOf(signed, outer, parts);
      const { response, code } = ending;
      const isNew: boolean =
        !isPutRight && isTrusted(request.url) && hasLearned(clock, ending, timestamp);
      isPutRight ||= isNew;
      const verdict = verdictOf({ response, code, mayRepeat, isPutRight: isNew });
      if (verdict === "counted") counted += 1;
      const asked = retryAfterIn(response, clock.seconds() * 1000);
      const pause = isNew ? 0 : waitMilliseconds(number, asked, parts.random());
      const isOver =
        verdict === "over" ||
        counted >= parts.attemptsMax ||
        outer?.aborted === true ||
        performance.now() - startedAt + (pause ?? Infinity) > parts.wholeMilliseconds;
      const waited = isOver ? undefined : pause;
      tell(parts.onAttempt, attemptOf(request, ending, { number, waitMilliseconds: waited }));
      if (waited !== undefined) await paused(waited, outer, parts);
      else if (response !== undefined) return response;
      else throw ending.error;
    }
  };
}

type Parts = Required<{ [Name in keyof SigningOptions]: NonNullable<SigningOptions[Name]> }>;

function partsOf(options: SigningOptions): Parts {
  const {
    attemptsMax = 3,
    timeoutMilliseconds = 60_000,
    wholeMilliseconds = 120_000,
    onAttempt = (): void => undefined,
    fetch: send = (request: Request, init: RequestInit): Promise<Response> => fetch(request, init),
    nowMilliseconds = Date.now,
    wait = waitFor,
    random = Math.random,
  } = options;
  for (const [name, number] of Object.entries({
    attemptsMax,
    timeoutMilliseconds,
    wholeMilliseconds,
  })) {
    // what a timer takes
    if (Number.isSafeInteger(number) && number >= 1 && number < 2 ** 31) continue;
    throw new TypeError(`${name} is ${number}: write a whole number from 1 to 2147483647`);
  }
  const timers = { timeoutMilliseconds, wholeMilliseconds, wait, nowMilliseconds, random };
  return { attemptsMax, onAttempt, fetch: send, ...timers };
}

function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      // whatever the caller has given as its reason
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    }, milliseconds);
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
}

async function paused(milliseconds: number, outer: AbortSignal | undefined, { wait }: Parts) {
  await wait(milliseconds, outer ?? new AbortController().signal);
}

/** A stream is read once, so that it can be signed and sent again. */
async function bytesOf(request: Request, outer: AbortSignal | undefined, parts: Parts) {
  return new Uint8Array(await limited(outer, parts, () => request.arrayBuffer()));
}

interface Ending {
  readonly response: Response | undefined;
  readonly error: unknown;
  /** of an error of the service */
  readonly code: string | undefined;
  readonly serverTime: unknown;
}

/** A whole answer, or what was thrown instead of one. */
async function endingOf(
  request: Request,
  outer: AbortSignal | undefined,
  parts: Parts,
): Promise<Ending> {
  try {
    return await limited(outer, parts, async (signal) => {
      // The signal of a Request alone is forgotten with it; this one is held until the end.
      const response = await parts.fetch(request, { signal });
      const bytes = await response.clone().arrayBuffer();
      const text = response.status < 400 ? "" : new TextDecoder().decode(bytes);
      const { code, details } = recordIn(text);
      const { server_time: serverTime } = Object(details) as Readonly<Record<string, unknown>>;
      return { response, error: undefined, code: textOf(code), serverTime };
    });
  } catch (error) {
    return { response: undefined, error, code: undefined, serverTime: undefined };
  }
}

/** Ends with the caller's signal, by its reason, and after the time of an attempt. */
async function limited<Result>(
  outer: AbortSignal | undefined,
  { timeoutMilliseconds }: Parts,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const { signal } = controller;
  const giveUp = (): void => controller.abort(outer?.reason);
  const late = (): void => {
    const message = `no answer within ${timeoutMilliseconds} ms`;
    controller.abort(new DOMException(message, "TimeoutError"));
  };
  const timer = setTimeout(late, timeoutMilliseconds);
  const ended = new Promise<never>((_, reject) => {
    // whatever the caller has given as its reason
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  if (outer?.aborted === true) giveUp();
  outer?.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([ended, work(signal)]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", giveUp);
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function recordIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    // Not the service's own answer: a proxy in front writes what it likes.
    return {};
  }
}

/** A request that is refused for its time had no effect, whatever it is. */
function hasLearned(clock: ServiceClock, { response, code, serverTime }: Ending, sent: number) {
  const isRefused = response?.status === 401 && code === "timestamp_out_of_range";
  return isRefused && isTime(serverTime) && clock.learn(serverTime, sent);
}

function attemptOf(
  { method, url, headers }: Request,
  { response, error }: Ending,
  of: Pick<Attempt, "number" | "waitMilliseconds">,
): Attempt {
  const { origin, pathname } = new URL(url);
  const requestId = response?.headers.get("X-Request-Id") ?? undefined;
  const idempotencyKey = headers.get("Idempotency-Key") ?? undefined;
  const status = response?.status;
  return { method, url: origin + pathname, idempotencyKey, status, requestId, error, ...of };
}

/** Whoever listens has no say in what becomes of the request. */
function tell(onAttempt: Parts["onAttempt"], attempt: Attempt): void {
  const complain = (error: unknown): void => console.error("onAttempt:", error);
  try {
    Promise.resolve(onAttempt(attempt)).catch(complain);
  } catch (error) {
    complain(error);
  }
}

async function signedRequest(
  request: Request,
  body: Uint8Array<ArrayBuffer> | undefined,
  { signer, timestamp }: { readonly signer: Signer; readonly timestamp: number },
): Promise<Request> {
  // The URL of a Request is in the form that goes on the request line.
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  const signed = await signer({
    method: request.method,
    path: pathname,
    query: search.slice(1),
    body,
    idempotencyKey: headers.get("Idempotency-Key") ?? undefined,
    timestamp,
  });
  for (const [name, value] of Object.entries(signed)) headers.set(name, String(value));
  return new Request(request.url, {
    method: request.method,
    headers,
    body: body ?? null,
    redirect: "manual",
  });
}
