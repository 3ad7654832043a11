// Requests that belong to no operation: which methods their path has, and what they are answered with.

import type { Context } from "hono";
import { methodOf } from "./methods.ts";
import type { AnyEdge } from "./plan.ts";
import { RequestError, type Operation, type RawRequest } from "./runtime.ts";
import * as templates from "./templates.ts";
import { encodeBody, headersOf, webResponse } from "./writing.ts";

export type MethodsByPath = readonly {
  readonly template: templates.Template;
  readonly methods: readonly string[];
}[];

export function methodsByPath(
  operations: readonly Operation[],
  otherRoutes: Readonly<Record<string, readonly string[]>>,
): MethodsByPath {
  const paths = new Map<string, string[]>();
  const add = (path: string, method: string): void => {
    const methods = paths.get(path);
    if (methods === undefined) paths.set(path, [method]);
    else methods.push(method);
  };
  for (const { route } of operations) add(route.path, methodOf(route));
  for (const path of Object.keys(otherRoutes)) {
    for (const method of otherRoutes[path] ?? []) add(path, method.toUpperCase());
  }
  return Array.from(paths, ([path, methods]) => ({
    template: templates.template(path),
    methods,
  }));
}

export function methodsOf(table: MethodsByPath, path: string): readonly string[] {
  const found = new Set<string>();
  for (const { template, methods } of table) {
    if (!template.raw.test(path)) continue;
    for (const method of methods) found.add(method);
  }
  if (found.has("GET")) found.add("HEAD");
  return [...found].toSorted();
}

/** Answers what belongs to no operation: `allow` are the methods that its path has. */
export async function turnAway(
  edge: AnyEdge,
  { raw, c }: { readonly raw: RawRequest; readonly c: Context },
  allow: readonly string[],
): Promise<Response> {
  const state = edge.begin(raw, undefined, c);
  try {
    await edge.turnedAway?.(state);
  } catch (error) {
    return refuseUnrouted(edge, { state, c }, error);
  }
  return refuseUnrouted(edge, { state, c }, notFoundError(allow));
}

function notFoundError(allow: readonly string[]): RequestError {
  if (allow.length === 0)
    return new RequestError(404, "not_found", "there is nothing at this path");
  const message = `this path answers to ${allow.join(", ")} only`;
  return new RequestError(405, "method_not_allowed", message, { allow });
}

export function refuseUnrouted(
  edge: AnyEdge,
  { state, c }: { readonly state: unknown; readonly c: Context },
  error: unknown,
): Response {
  const answer = edge.refuse(error, state, undefined);
  const { status } = answer;
  const body = encodeBody(answer);
  const headers = headersOf(answer, body, edge.headers(state, status));
  const response = webResponse(c, { status, headers, body });
  edge.answered?.(state, status, undefined);
  return response;
}
