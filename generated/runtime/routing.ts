// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Which operation a request is for, among those that Hono's router lets through as one route.

import type { Context } from "hono";
import { routePath } from "hono/route";
import type { Plan } from "./plan.ts";
import type { RawRequest } from "./runtime.ts";

export interface Routed {
  readonly plan: Plan;
  /** what the template found in the path; null when it is written in another way */
  readonly match: RegExpExecArray | null;
}

/** For paths without parameters that are written exactly as in the contract. */
const plainMatch = /^/.exec("");

/**
 * The operation of a path as on the request line: the first of the plans, which are sorted by how
 * exactly they name a path. HEAD is for an operation of its own or for the GET of the same path.
 */
export function choose(plans: readonly Plan[], method: string, path: string): Routed | undefined {
  for (const plan of plans) {
    // Hono writes the names of methods in upper case, and they are case-sensitive
    if (plan.method !== method && (method !== "HEAD" || plan.method !== "GET")) continue;
    const { template } = plan;
    if (path === template.path && template.names.length === 0) return { plan, match: plainMatch };
    const match = template.raw.exec(path);
    // of another spelling: it is no value of a template that is less exact
    if (match !== null || (path.includes("%") && template.anySpelling.test(path))) {
      return { plan, match };
    }
  }
  return undefined;
}

/**
 * The operation that Hono has called for. Hono decodes and normalises a path before it looks for the
 * route. The contract has one spelling for each path, the one on the request line, which is also the
 * one that gets signed: so another one (dot segments, needless escapes) finds its operation without a
 * match, to be refused.
 */
export function route(
  plans: readonly Plan[],
  raw: Pick<RawRequest, "method" | "path">,
  c: Context,
): Routed | undefined {
  const found = chooseBelow(plans, raw, c);
  if (found !== undefined) return found;
  const { method } = raw;
  const path = new URL(c.req.url).pathname;
  const normalised = path === raw.path ? undefined : chooseBelow(plans, { method, path }, c);
  return normalised && { plan: normalised.plan, match: null };
}

/** The application may be mounted below a path of another one, which may have parameters. */
function chooseBelow(
  plans: readonly Plan[],
  { method, path }: Pick<RawRequest, "method" | "path">,
  c: Context,
): Routed | undefined {
  const found = choose(plans, method, path);
  if (found !== undefined) return found;
  const honoPath = plans[0]?.honoPath ?? "/";
  const mounted = routePath(c).split("/");
  const depth = mounted.length - honoPath.split("/").length;
  if (depth > 0) return choose(plans, method, below(path, depth));
  // Hono takes the "/" of an application below "/base" for "/base"
  const isRoot =
    honoPath === "/" && mounted.at(-1) !== "" && mounted.length === path.split("/").length;
  return isRoot ? choose(plans, method, "/") : undefined;
}

/** Without its first segments: those below which an application is mounted. */
export function below(path: string, depth: number): string {
  return ["", ...path.split("/").slice(depth + 1)].join("/");
}
