// Our side of the generated routes: what happens first, who is calling, what a refusal looks like,
// what stands in every answer and in the log.

import type { Edge, Operation, RawRequest } from "../generated/runtime/runtime.ts";
import type { Caller, EdgeHeader } from "./caller.ts";
import { refusalOf } from "./errors.ts";
import type { ErrorCode } from "./errors.ts";

/** 64 kB, see "body_too_large" in the contract. */
const bodyBytesMax = 65_536;
/** Deeper JSON is an attack on whoever walks it; the deepest body of the contract has 6 levels. */
const depthMax = 32;
/** A path can be as long as all headers together; the log needs only its beginning. */
const loggedPathCharactersMax = 256;

/** Follows one request from its first byte to its line in the log. */
export interface RequestState {
  readonly requestId: string;
  readonly startedAtMilliseconds: number;
  readonly method: string;
  readonly path: string;
  readonly remoteAddress: string | undefined;
  /** code of the refusal, once there is one */
  refusedWith: string | undefined;
}

type LogFields = Readonly<Record<string, unknown>>;

export interface EdgePorts {
  readonly clock: {
    /** never goes back, unlike the time of day */
    readonly monotonicMilliseconds: () => number;
  };
  readonly ids: { readonly next: (prefix: "req") => string };
  readonly log: {
    readonly info: (fields: LogFields, message: string) => void;
    readonly error: (fields: LogFields, message: string) => void;
  };
  readonly checkAnswers: boolean;
}

export function buildEdge(ports: EdgePorts): Edge<RequestState, Caller> {
  const { clock, ids, log } = ports;
  return {
    begin: (raw) => begin(raw, ids.next("req"), clock.monotonicMilliseconds()),
    authenticate: (_raw, _operation, state) => ({ requestId: state.requestId }),
    refuse: (error, state, operation) => {
      const { code, answer } = refusalOf(error, state.requestId);
      state.refusedWith = code;
      if (isWorthALogEntry(code, error)) {
        log.error({ ...where(state, operation), err: error }, "request failed inside");
      }
      return answer;
    },
    headers: (state): Readonly<Record<EdgeHeader, string>> => ({
      "X-Request-Id": state.requestId,
    }),
    answered: (state, status, operation) => {
      const tookMilliseconds = clock.monotonicMilliseconds() - state.startedAtMilliseconds;
      const took = Math.round(tookMilliseconds * 1000) / 1000;
      const fields = { ...where(state, operation), status, code: state.refusedWith };
      log.info({ ...fields, duration_ms: took, remote: state.remoteAddress }, "answered");
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

/**
 * Our choice: a client's own X-Request-Id is ignored. It would let a stranger put chosen text, or
 * the id of another merchant's request, into our log and our answers; a client that wants to find
 * its request again keeps the id it was given.
 */
function begin(
  raw: Omit<RawRequest, "body">,
  requestId: string,
  startedAtMilliseconds: number,
): RequestState {
  return {
    requestId,
    startedAtMilliseconds,
    method: raw.method,
    path: raw.path.slice(0, loggedPathCharactersMax),
    remoteAddress: raw.remoteAddress,
    refusedWith: undefined,
  };
}

/** Never the query, the headers or the body: they may hold what must not be kept. */
function where(state: RequestState, operation: Operation | undefined): LogFields {
  return {
    request_id: state.requestId,
    operation: operation?.operationId,
    method: state.method,
    path: state.path,
  };
}
