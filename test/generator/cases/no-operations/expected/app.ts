// Written by "npm run generate" from openapi.yaml; do not edit.

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Env } from "hono";
import type { Handlers } from "./handlers.ts";
import * as registration from "./runtime/register.ts";
import type * as runtime from "./runtime/runtime.ts";

/** Every operation, in the order of the contract. */
export const operations: readonly runtime.Operation[] = [];

/** Puts every operation on the app; a missing handler is refused here and by the compiler. */
export function register<E extends Env, State, Caller, Edge extends string>(
  app: OpenAPIHono<E>,
  handlers: Handlers<Caller, Edge>,
  edge: runtime.Edge<State, Caller>,
  options?: runtime.RegisterOptions,
): void {
  // the compiler has checked each handler against its operation; the runtime calls them by name
  const byName = handlers as unknown as Readonly<Record<string, runtime.Handler>>;
  registration.register(app, operations, byName, edge, options);
}
