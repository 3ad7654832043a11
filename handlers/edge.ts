// Our side of the generated routes: what happens first, who is calling, what a refusal looks like,
// what stands in every answer and in the log.

import type { Edge, Operation, RawRequest } from "../generated/runtime/runtime.ts";
import type { Authentication, OperationAccess } from "../service/merchants/authentication.ts";
import type { RateState } from "../service/ports/rate-limits.ts";
import type { Caller, EdgeHeader } from "./caller.ts";
import { refusalOf } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";
import { readOperationAccess } from "./operation-access.ts";
import { readSignedRequest } from "./signed-request.ts";

/** 64 kB, see "body_too_large" in the contract. */
const bodyBytesMax = 65_536;
/** Deeper JSON is an attack on whoever walks it; the deepest body of the contract has 6 levels. */
const depthMax = 32;
/** A path can be as long as all headers together; the log needs only its beginning. */
const loggedPathCharactersMax = 256;

/** Asked every few seconds: that all is well needs no line each time. */
const quietPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** All that stands below it is pages of payments, and what they load. */
const checkoutPath = "/checkout/";

/** Follows one request from its first byte to its line in the log. */
export interface RequestState {
  readonly requestId: string;
  readonly startedAtMilliseconds: number;
  readonly method: string;
  readonly path: string;
  /** of the client, also behind a proxy we trust */
  readonly clientAddress: string | undefined;
  /** as presented: public, and of the right form, but not yet proved */
  keyId: string | undefined;
  /** proved by the signature */
  merchantId: string | undefined;
  /** what is left to the caller, once it is known who that is */
  rate: RateState | undefined;
  /** code of the refusal, once there is one */
  refusedWith: string | undefined;
}

type LogFields = Readonly<Record<string, unknown>>;

/** The link to a checkout page is a secret: who has it sees the page (threats 64 and 72). */
function loggedPath(path: string): string {
  const segments = path.split("/");
  const at = segments.findIndex((segment) => decoded(segment).toLowerCase() === "checkout");
  const logged = at === -1 ? path : [...segments.slice(0, at + 1), "..."].join("/");
  return logged.slice(0, loggedPathCharactersMax);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // refused before anybody routes it
  }
}

export interface EdgePorts {
  readonly clock: {
    /** never goes back, unlike the time of day */
    readonly monotonicMilliseconds: () => number;
  };
  readonly ids: { readonly next: (prefix: "req") => string };
  readonly log: {
    readonly debug: (fields: LogFields, message: string) => void;
    readonly info: (fields: LogFields, message: string) => void;
    readonly error: (fields: LogFields, message: string) => void;
  };
  readonly authentication: Pick<Authentication, "meet" | "verify" | "admit">;
  /** looks through the proxies we trust */
  readonly clientAddress: (
    raw: Pick<RawRequest, "headers" | "remoteAddress">,
  ) => string | undefined;
  /** see `buildJudge` */
  readonly judge: NonNullable<Edge<RequestState, Caller>["judge"]>;
  readonly checkAnswers: boolean;
  /** hears of each request, when it begins */
  readonly onBegun?: ((begun: Begun) => void) | undefined;
  /** hears of each answer, when it is made */
  readonly onAnswered?: ((answered: Answered) => void) | undefined;
}

/** What a trace says of a request: nothing of it is chosen by who asks. */
export interface Begun {
  readonly requestId: string;
  readonly method: string;
  /** as the contract writes it; undefined: of none of the contract */
  readonly route: string | undefined;
}

/** What is counted of an answer: nothing of it is chosen by who asks. */
export interface Answered {
  /** undefined: of none of the contract */
  readonly operationId: string | undefined;
  readonly isCheckout: boolean;
  readonly status: number;
  /** of a refusal */
  readonly code: string | undefined;
  /** from the beginning of the request to its answer */
  readonly milliseconds: number;
}

/**
 * Our choice: a client's own X-Request-Id is ignored. It would let a stranger put chosen text, or
 * the id of another merchant's request, into our log and our answers; a client that wants to find
 * its request again keeps the id it was given.
 */
export function buildEdge(ports: EdgePorts): Edge<RequestState, Caller> {
  const { clock, ids, log } = ports;
  const accessOf = readOperationAccess();
  return {
    begin: (raw, operation) => {
      const requestId = ids.next("req");
      ports.onBegun?.({ requestId, method: raw.method, route: operation?.route.path });
      return {
        requestId,
        startedAtMilliseconds: clock.monotonicMilliseconds(),
        method: raw.method,
        path: loggedPath(raw.path),
        clientAddress: ports.clientAddress(raw),
        keyId: undefined,
        merchantId: undefined,
        rate: undefined,
        refusedWith: undefined,
      };
    },
    authenticate: async (raw, operation, state) => {
      const access = accessOf.get(operation.operationId);
      if (access === undefined) throw new Error(`${operation.operationId} is not in the contract`);
      return authenticate(ports, { raw, operation, access }, state);
    },
    judge: ports.judge,
    // Else whoever tries paths, or sends what is too large, would be counted nowhere.
    turnedAway: (state) => ports.authentication.meet(state.clientAddress),
    refuse: (error, state, operation) => {
      const { code, answer } = refusalOf(error, state.requestId);
      state.refusedWith = code;
      if (isWorthALogEntry(code, error)) {
        log.error({ ...where(state, operation), err: error }, "request failed inside");
      }
      return answer;
    },
    headers,
    answered: (state, status, operation) => {
      const operationId = operation?.operationId;
      const tookMilliseconds = clock.monotonicMilliseconds() - state.startedAtMilliseconds;
      const took = Math.round(tookMilliseconds * 1000) / 1000;
      const fields = { ...where(state, operation), status, code: state.refusedWith };
      const line = { ...fields, duration_ms: took, remote: state.clientAddress };
      if (status < 300 && quietPaths.has(state.path)) log.debug(line, "answered");
      else log.info(line, "answered");
      ports.onAnswered?.({
        operationId,
        isCheckout: state.path.startsWith(checkoutPath),
        status,
        code: state.refusedWith,
        milliseconds: tookMilliseconds,
      });
    },
    bodyBytesMax,
    depthMax,
    checkAnswers: ports.checkAnswers,
  };
}

/** Refusals are in the log by their code; a cause that only we may see has to be written down. */
function isWorthALogEntry(code: ErrorCode, error: unknown): boolean {
  return code === "internal_error" || (error instanceof Error && error.cause !== undefined);
}

interface Arrived {
  readonly raw: RawRequest;
  readonly operation: Operation;
  readonly access: OperationAccess;
}

/** In a fixed order, which operators read in "How a request is checked"; the size of the body was checked while it arrived. */
async function authenticate(
  { authentication }: EdgePorts,
  { raw, operation, access }: Arrived,
  state: RequestState,
): Promise<Caller> {
  await authentication.meet(state.clientAddress);
  const request = readSignedRequest(raw, operation, state.clientAddress);
  state.keyId = request.apiKey;
  const verified = await authentication.verify(request, access.policy);
  const { identity, earlier } = verified;
  state.merchantId = identity.merchantId;
  const { rate, refusal } = await authentication.admit(verified, access);
  state.rate = rate;
  if (refusal !== undefined) throw refusal;
  return { requestId: state.requestId, ...identity, earlier };
}

type EdgeHeaders = Readonly<Partial<Record<EdgeHeader, string>>> & Readonly<Record<string, string>>;

/**
 * The rate in the words of draft-ietf-httpapi-ratelimit-headers, and to caches between us and the
 * caller: what one key is told is for that key (RFC 9111 sections 4.1 and 5.2.2.7).
 */
function headers({ requestId, rate, method, merchantId }: RequestState): EdgeHeaders {
  if (merchantId === undefined) return { "X-Request-Id": requestId };
  const caching = {
    // Our choice: a read may be kept, and asked about with its tag; nothing else may, secrets are in it.
    "Cache-Control":
      method === "GET" || method === "HEAD" ? "private, no-cache" : "private, no-store",
    Vary: "X-Api-Key",
  };
  if (rate === undefined) return { "X-Request-Id": requestId, ...caching };
  const { policy, quota, windowSeconds, remaining, resetSeconds } = rate;
  return {
    "X-Request-Id": requestId,
    ...caching,
    "RateLimit-Policy": `"${policy}";q=${quota};w=${windowSeconds}`,
    RateLimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
  };
}

/** Never the query, the headers or the body: they may hold what must not be kept. */
function where(state: RequestState, operation: Operation | undefined): LogFields {
  return {
    request_id: state.requestId,
    operation: operation?.operationId,
    method: state.method,
    path: state.path,
    merchant_id: state.merchantId,
    key_id: state.keyId,
  };
}
