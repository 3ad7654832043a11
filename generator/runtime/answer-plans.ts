// What the contract promises of each answer of an operation.

import { essenceOf } from "./media-types.ts";
import { checkOf, type Checked } from "./checked.ts";
import { namedPlan, type NamedPlan } from "./parameters.ts";
import type { AnswerHeader, Operation, ParameterPlan } from "./runtime.ts";

export interface AnswerPlan {
  /** by lower-case type without parameters; undefined when the contract cannot be looked into */
  readonly media: ReadonlyMap<string, Checked> | undefined;
  readonly headers: HeadersPlan;
}

export interface HeadersPlan {
  /** lower-case names */
  readonly required: readonly string[];
  /** how their texts are read */
  readonly named: NamedPlan;
  /** of what was read; undefined when the contract cannot be looked into */
  readonly check: Checked;
}

export function buildAnswerPlans({
  route,
  answerHeaders = {},
}: Operation): ReadonlyMap<string, AnswerPlan> {
  const plans = new Map<string, AnswerPlan>();
  for (const [status, response] of Object.entries(route.responses)) {
    if ("$ref" in response) {
      plans.set(status, { media: undefined, headers: headersPlan(undefined, {}) });
      continue;
    }
    const media = new Map<string, Checked>();
    for (const [contentType, entry] of Object.entries(response.content ?? {})) {
      const schema: unknown = Reflect.get(entry ?? {}, "schema");
      media.set(essenceOf(contentType), checkOf(schema));
    }
    const headers = headersPlan(response.headers, answerHeaders[status] ?? {});
    plans.set(status, { media, headers });
  }
  return plans;
}

/** From a zod object or an OpenAPI headers object, whichever the route has. */
export function headersPlan(
  headers: unknown,
  readings: Readonly<Record<string, AnswerHeader>>,
): HeadersPlan {
  const check = checkOf(headers);
  if (check === undefined) {
    const required = Object.entries(headers ?? {}).flatMap(([name, header]) =>
      Reflect.get(Object(header) as object, "required") === true ? [name.toLowerCase()] : [],
    );
    return { required, named: namedPlan([]), check };
  }
  const shape: unknown = Reflect.get(headers as object, "shape");
  const named = namedPlan(
    Object.keys(Object(shape) as object).map((name) => headerPlan(name, readings)),
  );
  // an object without any member lacks exactly the required ones
  const lacking = check.problems({}).flatMap(({ path }) => (path.length === 1 ? path : []));
  return { required: lacking.map((name) => String(name).toLowerCase()), named, check };
}

function headerPlan(name: string, readings: Readonly<Record<string, AnswerHeader>>): ParameterPlan {
  const { kind, explode } = Object.hasOwn(readings, name) ? (readings[name] ?? text) : text;
  return { in: "header", name, style: "simple", explode, kind };
}

const text: AnswerHeader = { kind: { scalar: ["string"] }, explode: false };
