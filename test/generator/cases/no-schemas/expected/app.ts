// Written by "npm run generate" from openapi.yaml; do not edit.

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env, Hono } from "hono";
import type { Handlers } from "./handlers.ts";
import * as default_Operations from "./operations/default.ts";
import * as application from "./runtime/application.ts";
import * as edges from "./runtime/edge.ts";
import * as registration from "./runtime/register.ts";
import type * as runtime from "./runtime/runtime.ts";

/** Every operation, in the order of the contract. */
export const operations: readonly runtime.Operation[] = [
  default_Operations.ping,
  default_Operations.pong,
];

/** Puts every operation on the app; a missing handler is refused here and by the compiler. */
export function register<E extends Env, State, Caller, Edge extends string>(
  app: Hono<E>,
  handlers: Handlers<Caller, Edge>,
  edge: runtime.Edge<State, Caller>,
  options?: runtime.RegisterOptions,
): void {
  registration.register(app, operations, byName(handlers), edge, options);
}

/**
 * Every operation as an app of its own: serve it, ask it with `app.request`, or put it into another one with
 * `app.route("/api", createApp(handlers))`. Without an edge handlers get Hono's context as their second argument.
 */
export function createApp<E extends Env, Edge extends string>(
  handlers: Handlers<Context<E>, Edge>,
): OpenAPIHono<E>;
export function createApp<E extends Env, State, Caller, Edge extends string>(
  handlers: Handlers<Caller, Edge>,
  edge: runtime.Edge<State, Caller>,
): OpenAPIHono<E>;
export function createApp<E extends Env, State, Caller, Edge extends string>(
  handlers: Handlers<Caller, Edge>,
  edge?: runtime.Edge<State, Caller>,
): OpenAPIHono<E> {
  const all = byName(handlers);
  return edge === undefined
    ? application.createApp(operations, all, edges.defaultEdge())
    : application.createApp(operations, all, edge);
}

/** The compiler has checked each handler against its operation; the runtime calls them by name. */
function byName<Caller, Edge extends string>(
  handlers: Handlers<Caller, Edge>,
): Readonly<Record<string, runtime.Handler>> {
  return handlers as unknown as Readonly<Record<string, runtime.Handler>>;
}
