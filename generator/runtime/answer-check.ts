// Does an answer keep what the contract promises? Asked in tests and development.

import type { RouteConfig } from "@hono/zod-openapi";
import { checkOf, essenceOf, jsonType, type Checked } from "./bodies.ts";
import type { Plan, Received } from "./plan.ts";
import { AnswerError, type WireAnswer } from "./runtime.ts";
import { encodeBody, headersOf, json, type Encoded } from "./writing.ts";
import { violationsMax, problemsToViolations } from "./violations.ts";

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

export function checkAnswer({ plan, state }: Received, answer: WireAnswer): void {
  const { operationId } = plan.operation;
  const documented = answerPlan(plan, answer.status);
  if (documented === undefined) {
    throw new AnswerError(operationId, `status ${answer.status} is not in the contract`);
  }
  const encoded = encodeBody(answer);
  const list = headersOf(answer, encoded, plan.edge.headers(state, answer.status));
  const names = list.filter((_, index) => index % 2 === 0);
  const present = new Set(names.map((name) => name.toLowerCase()));
  for (const name of documented.headers) {
    if (present.has(name)) continue;
    throw new AnswerError(operationId, `status ${answer.status} lacks the header ${name}`);
  }
  if (documented.media !== undefined) {
    const problem = bodyProblem(documented.media, answer, encoded);
    if (problem !== undefined) {
      throw new AnswerError(operationId, `status ${answer.status}: ${problem}`);
    }
  }
}

function answerPlan({ answers, operation }: Plan, status: number): AnswerPlan | undefined {
  const found = answers.get(String(status)) ?? answers.get(`${Math.trunc(status / 100)}XX`);
  if (found !== undefined) return found;
  // a contract may say which statuses its `default` stands for
  const named: unknown = Reflect.get(operation.route, "x-default-statuses");
  if (Array.isArray(named) && !named.map(String).includes(String(status))) return undefined;
  return answers.get("default");
}

function bodyProblem(
  media: ReadonlyMap<string, Checked>,
  answer: WireAnswer,
  encoded: Encoded,
): string | undefined {
  if (answer.body === undefined) return media.size > 0 ? "the body is missing" : undefined;
  if (media.size === 0) return "the contract has no body here";
  const essence = essenceOf(answer.contentType ?? json);
  const range = `${essence.slice(0, essence.indexOf("/"))}/*`;
  const key = [essence, range, "*/*"].find((one) => media.has(one));
  if (key === undefined) return `the content type ${essence} is not in the contract`;
  const check = media.get(key);
  if (check === undefined || typeof encoded !== "string") return undefined;
  // as the client will see it: without undefined members, dates as text
  const value: unknown = jsonType.test(essence) ? JSON.parse(encoded) : encoded;
  const problems = check.problems(value).slice(0, violationsMax);
  if (problems.length === 0) return undefined;
  return problemsToViolations("body", problems)
    .map(({ pointer, message }) => `${pointer === "" ? "the body" : pointer} ${message}`)
    .join("; ");
}
