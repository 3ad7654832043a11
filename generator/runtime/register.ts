// Puts operations on a Hono app, one handler each, and answers for everything that has no route.

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env, Hono, Next } from "hono";
import * as templates from "./templates.ts";
import { remember } from "./listener.ts";
import { isNamed } from "./methods.ts";
import { buildPlan, type AnyEdge, type Plan } from "./plan.ts";
import type { Edge, Handler, Operation, RegisterOptions } from "./runtime.ts";
import { route } from "./routing.ts";
import { rawRequest, serve } from "./transport.ts";
import { methodsByPath, methodsOf, refuseUnrouted, turnAway } from "./unrouted.ts";

/**
 * Registers one Hono handler for each operation, and what is answered where there is none. Throws when an
 * operation has no handler.
 */
// oxlint-disable-next-line max-params -- the four things an application hands in, and its options
export function register<E extends Env, State, Caller>(
  app: Hono<E>,
  operations: readonly Operation[],
  handlers: Readonly<Record<string, Handler>>,
  edge: Edge<State, Caller>,
  options: RegisterOptions = {},
): void {
  // State and Caller only travel from one hook of this edge to another
  const hooks = edge as unknown as AnyEdge;
  const plans = buildPlans(operations, handlers, hooks);
  for (const plan of plans) compileChecks(plan);
  if (isDocumented(app)) {
    for (const { operation } of plans) {
      const { route } = operation;
      // the documents of that registry have no place for other methods
      if (isNamed(route)) app.openAPIRegistry.registerPath(route);
    }
  }
  for (const [key, group] of Map.groupBy(plans, (plan) => `${honoMethod(plan)} ${plan.honoPath}`)) {
    const [method = "", path = ""] = key.split(" ");
    const handler = (c: Context, next: Next): Response | Promise<Response> | Promise<void> => {
      const raw = rawRequest(c);
      const routed = route(group, raw, c);
      return routed === undefined ? next() : serve(routed, raw, c);
    };
    if (edge.needsContext !== true) remember(handler, group);
    app.on(method, path, handler);
  }
  const methods = methodsByPath(operations, options.otherRoutes ?? {});
  app.notFound((c) => {
    const raw = rawRequest(c);
    return turnAway(hooks, { raw, c }, methodsOf(methods, raw.path));
  });
  // only what other routes and middleware of the application throw comes here
  app.onError((error, c) => {
    const state = hooks.begin(rawRequest(c), undefined, c);
    return refuseUnrouted(hooks, { state, c }, error);
  });
}

/** The registry is for documentation tools; an application of plain Hono has none. */
function isDocumented<E extends Env>(app: Hono<E>): app is OpenAPIHono<E> {
  return "openAPIRegistry" in app;
}

function buildPlans(
  operations: readonly Operation[],
  handlers: Readonly<Record<string, Handler>>,
  edge: AnyEdge,
): readonly Plan[] {
  const missing: string[] = [];
  const plans: Plan[] = [];
  for (const operation of operations) {
    const { operationId } = operation;
    const handler = Object.hasOwn(handlers, operationId) ? handlers[operationId] : undefined;
    if (typeof handler === "function") plans.push(buildPlan(operation, handler, edge));
    else missing.push(operationId);
  }
  if (missing.length > 0) throw new Error(`operations without a handler: ${missing.join(", ")}`);
  return [...Map.groupBy(plans, honoMethod).values()].flatMap((plans) => {
    const paths = templates.honoPaths(plans.map((plan) => plan.template));
    return plans
      .map((plan, index) => ({ ...plan, honoPath: paths[index] ?? "" }))
      .toSorted(
        (one, other) =>
          templates.compareTemplates(one.template, other.template) ||
          Number(other.method === "HEAD") - Number(one.method === "HEAD"),
      );
  });
}

/** The first value makes a schema compile: here it is ours, not the first client's. */
function compileChecks({ checks, querystring, body }: Plan): void {
  const bodies = Array.from(body?.media.values() ?? [], (media) => media.check);
  for (const check of [...Object.values(checks), querystring?.check, ...bodies]) {
    try {
      check?.valid(undefined);
    } catch {
      // a schema that fails on this value may still do for real ones, and else fails the request
    }
  }
}

/** Hono looks for HEAD among the GET routes. */
function honoMethod({ method }: Plan): string {
  return method === "HEAD" ? "GET" : method;
}
