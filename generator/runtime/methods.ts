// Methods of requests: as a route writes them, and as they are sent.

import type { RouteConfig } from "@hono/zod-openapi";

type RouteMethod = RouteConfig["method"];

/** A route writes these in lower case. */
const named: Readonly<Record<RouteMethod, true>> = {
  get: true,
  put: true,
  post: true,
  delete: true,
  options: true,
  head: true,
  patch: true,
  trace: true,
  query: true,
};

/** A method that a route has no name for; `createRoute` takes any text, and its type lists those with a name. */
export function other(method: string): RouteMethod {
  return method as RouteMethod;
}

export function isNamed({ method }: Pick<RouteConfig, "method">): boolean {
  return Object.hasOwn(named, method);
}

/** As on the request line; methods are case-sensitive (RFC 9110, section 9.1). */
export function methodOf(route: Pick<RouteConfig, "method">): string {
  return isNamed(route) ? route.method.toUpperCase() : route.method;
}
