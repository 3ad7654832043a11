// Puts operations on a Hono app, one handler each, and answers for everything that has no route.

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env, Next } from "hono";
import * as templates from "./templates.ts";
import { remember } from "./listener.ts";
import { buildPlan, type AnyEdge, type Plan } from "./plan.ts";
import {
  RequestError,
  type Edge,
  type Handler,
  type Operation,
  type RegisterOptions,
} from "./runtime.ts";
import { route } from "./routing.ts";
import { rawRequest, serve } from "./transport.ts";
import { encodeBody, headersOf, webResponse } from "./writing.ts";

/** Registers one Hono handler for each operation. Throws when an operation has no handler. */
// oxlint-disable-next-line max-params -- the four things an application hands in, and its options
export function register<E extends Env, State, Caller>(
  app: OpenAPIHono<E>,
  operations: readonly Operation[],
  handlers: Readonly<Record<string, Handler>>,
  edge: Edge<State, Caller>,
  options: RegisterOptions = {},
): void {
  // State and Caller only travel from one hook of this edge to another
  const hooks = edge as unknown as AnyEdge;
  const plans = buildPlans(operations, handlers, hooks);
  for (const plan of plans) compileChecks(plan);
  for (const { operation } of plans) app.openAPIRegistry.registerPath(operation.route);
  for (const [key, group] of Map.groupBy(plans, (plan) => `${honoMethod(plan)} ${plan.honoPath}`)) {
    const [method = "", path = ""] = key.split(" ");
    const handler = (c: Context, next: Next): Response | Promise<Response> | Promise<void> => {
      const raw = rawRequest(c);
      const routed = route(group, raw, c);
      return routed === undefined ? next() : serve(routed, raw, c);
    };
    remember(handler, group);
    app.on(method, path, handler);
  }
  const methods = methodsByPath(operations, options.otherRoutes ?? {});
  app.notFound(async (c) => {
    const raw = rawRequest(c);
    const state = hooks.begin(raw, undefined);
    try {
      await hooks.turnedAway?.(state);
    } catch (error) {
      return refuseUnrouted(hooks, state, error);
    }
    return refuseUnrouted(hooks, state, notFoundError(methods, raw.path));
  });
  // only what other routes and middleware of the application throw comes here
  app.onError((error, c) => refuseUnrouted(hooks, hooks.begin(rawRequest(c), undefined), error));
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
function compileChecks({ checks, body }: Plan): void {
  const bodies = Array.from(body?.media.values() ?? [], (media) => media.check);
  for (const check of [...Object.values(checks), ...bodies]) {
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

type MethodsByPath = readonly {
  readonly template: templates.Template;
  readonly methods: readonly string[];
}[];

function methodsByPath(
  operations: readonly Operation[],
  otherRoutes: Readonly<Record<string, readonly string[]>>,
): MethodsByPath {
  const paths = new Map<string, string[]>();
  const add = (path: string, method: string): void => {
    const methods = paths.get(path);
    if (methods === undefined) paths.set(path, [method.toUpperCase()]);
    else methods.push(method.toUpperCase());
  };
  for (const { route } of operations) add(route.path, route.method);
  for (const path of Object.keys(otherRoutes)) {
    for (const method of otherRoutes[path] ?? []) add(path, method);
  }
  return Array.from(paths, ([path, methods]) => ({
    template: templates.template(path),
    methods,
  }));
}

function methodsOf(table: MethodsByPath, path: string): readonly string[] {
  const found = new Set<string>();
  for (const { template, methods } of table) {
    if (!template.raw.test(path)) continue;
    for (const method of methods) found.add(method);
  }
  if (found.has("GET")) found.add("HEAD");
  return [...found].toSorted();
}

function notFoundError(table: MethodsByPath, path: string): RequestError {
  const allow = methodsOf(table, path);
  if (allow.length === 0)
    return new RequestError(404, "not_found", "there is nothing at this path");
  const message = `this path answers to ${allow.join(", ")} only`;
  return new RequestError(405, "method_not_allowed", message, { allow });
}

function refuseUnrouted(edge: AnyEdge, state: unknown, error: unknown): Response {
  const answer = edge.refuse(error, state, undefined);
  const body = encodeBody(answer);
  const headers = headersOf(answer, body, edge.headers(state, answer.status));
  const response = webResponse(answer.status, headers, body);
  edge.answered?.(state, answer.status, undefined);
  return response;
}
