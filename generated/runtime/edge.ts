// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// An edge that does for an application which has no other: Hono's context as the caller, refusals as JSON.

import type { Context, Env } from "hono";
import { HTTPException } from "hono/http-exception";
import {
  NotImplementedError,
  RequestError,
  type Edge,
  type Operation,
  type RawRequest,
  type WireAnswer,
} from "./runtime.ts";

/** What an application may say in place of a default; each is left out where the default will do. */
export interface EdgeOptions<E extends Env> {
  /**
   * What a thrown error is answered with; undefined: as by default. `operation` is undefined where the request
   * belongs to none.
   */
  readonly refuse?: (
    error: unknown,
    c: Context<E>,
    operation: Operation | undefined,
  ) => WireAnswer | undefined;
  /** is told of every error that is answered with 500 and says nothing to the client; the console */
  readonly log?: (error: unknown) => void;
  /** bytes; 1,000,000 */
  readonly bodyBytesMax?: number;
  /** nesting of JSON bodies; 64 */
  readonly depthMax?: number;
  /** hold what handlers answer against the contract, too; everywhere but with NODE_ENV=production */
  readonly checkAnswers?: boolean;
}

export interface CallerOptions<E extends Env, Caller> extends EdgeOptions<E> {
  /**
   * Finds out who asks, before anything is checked. What it returns is the second argument of every handler;
   * throw Hono's `HTTPException` to refuse.
   */
  readonly authenticate: (
    c: Context<E>,
    operation: Operation,
    raw: RawRequest,
  ) => Caller | Promise<Caller>;
}

/**
 * Handlers get Hono's context as their second argument, or what `authenticate` returns. A refused request is answered
 * with `{ code, message, violations }`, an `HTTPException` with what it says, anything else with 500.
 */
export function defaultEdge<E extends Env = Env>(
  options?: EdgeOptions<E>,
): Edge<Context<E>, Context<E>>;
export function defaultEdge<Caller, E extends Env = Env>(
  options: CallerOptions<E, Caller>,
): Edge<Context<E>, Caller>;
export function defaultEdge<Caller, E extends Env>(
  options: EdgeOptions<E> & Partial<CallerOptions<E, Caller>> = {},
): Edge<Context<E>, Caller> {
  const { authenticate, refuse, log = logged } = options;
  return {
    needsContext: true,
    // the cast: what the routes of an application hand on is its own context
    begin: (_raw, _operation, c) => c as Context<E>,
    authenticate: (raw, operation, c) =>
      // the cast: who says nothing of callers has the context for one
      authenticate === undefined ? (c as Caller) : authenticate(c, operation, raw),
    refuse: (error, c, operation) => refuse?.(error, c, operation) ?? refusal(error, log),
    headers: () => ({}),
    bodyBytesMax: options.bodyBytesMax ?? 1_000_000,
    depthMax: options.depthMax ?? 64,
    checkAnswers: options.checkAnswers ?? !isProduction(),
    // few contracts name all that can be thrown, and whoever throws it wants it to be the answer
    checkRefusals: false,
  };
}

function refusal(error: unknown, log: (error: unknown) => void): WireAnswer {
  if (error instanceof RequestError) {
    const { status, problem, message, violations, allow } = error;
    const headers = allow.length === 0 ? {} : { Allow: allow.join(", ") };
    return { status, headers, body: { code: problem, message, violations } };
  }
  if (error instanceof NotImplementedError) {
    return { status: 501, body: { code: "not_implemented", message: error.message } };
  }
  if (error instanceof HTTPException) return exceptionAnswer(error);
  log(error);
  return { status: 500, body: { code: "internal_error", message: "Something went wrong." } };
}

const codes: Readonly<Record<number, string>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  429: "too_many_requests",
};

function exceptionAnswer(exception: HTTPException): WireAnswer {
  const { status, message, res } = exception;
  if (res === undefined) return { status, body: { code: codes[status] ?? "refused", message } };
  const headers = Object.fromEntries(res.headers);
  const contentType = res.headers.get("content-type");
  return {
    status: res.status,
    headers,
    ...(res.body === null ? {} : { body: res.body }),
    ...(contentType === null ? {} : { contentType }),
  };
}

function logged(error: unknown): void {
  // oxlint-disable-next-line no-console -- an application that says nothing of a log has this one
  console.error(error);
}

/** Workers have no `process`, and their bundlers write the value here. Deno may have forbidden to look: it is not said. */
function isProduction(): boolean {
  try {
    return typeof process !== "undefined" && process.env["NODE_ENV"] === "production";
  } catch {
    return false;
  }
}
