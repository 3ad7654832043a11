// What the contract promises of each answer of an operation.

import type { RouteConfig } from "@hono/zod-openapi";
import { checkOf, essenceOf, type Checked } from "./bodies.ts";

export interface AnswerPlan {
  /** by lower-case type without parameters; undefined when the contract cannot be looked into */
  readonly media: ReadonlyMap<string, Checked> | undefined;
  /** lower-case names of required headers */
  readonly headers: readonly string[];
}

export function buildAnswerPlans(route: RouteConfig): ReadonlyMap<string, AnswerPlan> {
  const plans = new Map<string, AnswerPlan>();
  for (const [status, response] of Object.entries(route.responses)) {
    if ("$ref" in response) {
      plans.set(status, { media: undefined, headers: [] });
      continue;
    }
    const media = new Map<string, Checked>();
    for (const [contentType, entry] of Object.entries(response.content ?? {})) {
      const schema: unknown = Reflect.get(entry ?? {}, "schema");
      media.set(essenceOf(contentType), checkOf(schema));
    }
    plans.set(status, { media, headers: requiredHeaders(response.headers) });
  }
  return plans;
}

/** From a zod object or an OpenAPI headers object, whichever the route has. */
function requiredHeaders(headers: unknown): readonly string[] {
  const check = checkOf(headers);
  const names =
    check === undefined
      ? Object.entries(headers ?? {}).flatMap(([name, header]) =>
          Reflect.get(Object(header) as object, "required") === true ? [name] : [],
        )
      : // an object without any member lacks exactly the required ones
        check.problems({}).flatMap(({ path }) => (path.length === 1 ? [String(path[0])] : []));
  return names.map((name) => name.toLowerCase());
}
