// The operations as a Hono app of their own: to serve as it is, or to put into another one with `app.route`.

import { OpenAPIHono } from "@hono/zod-openapi";
import type { Env } from "hono";
import { routePath } from "hono/route";
import type { AnyEdge } from "./plan.ts";
import { register } from "./register.ts";
import { below } from "./routing.ts";
import type { Edge, Handler, Operation } from "./runtime.ts";
import { rawRequest } from "./transport.ts";
import { methodsByPath, methodsOf, turnAway } from "./unrouted.ts";

/**
 * Another application that takes this one in has its own answer for paths that are not there. Wrong methods are
 * answered here, since it knows no methods.
 */
export function createApp<E extends Env, State, Caller>(
  operations: readonly Operation[],
  handlers: Readonly<Record<string, Handler>>,
  edge: Edge<State, Caller>,
): OpenAPIHono<E> {
  const app = new OpenAPIHono<E>();
  register(app, operations, handlers, edge);
  const methods = methodsByPath(operations, {});
  app.all("*", async (c, next) => {
    const raw = rawRequest(c);
    const depth = routePath(c).split("/").length - 2; // it ends with "/*"
    const allow = methodsOf(methods, below(raw.path, depth) || "/");
    // State and Caller only travel from one hook of this edge to another
    if (allow.length > 0) return turnAway(edge as unknown as AnyEdge, { raw, c }, allow);
    return next();
  });
  return app;
}
