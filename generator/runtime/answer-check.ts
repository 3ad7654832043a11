// Does an answer keep what the contract promises? Asked in tests and development.

import type { AnswerPlan, HeadersPlan } from "./answer-plans.ts";
import { constantBytes } from "./constant-body.ts";
import type { Checked } from "./checked.ts";
import { essenceOf, itemFormat, jsonType } from "./media-types.ts";
import { readHeaders } from "./parameters.ts";
import type { Plan, Received } from "./plan.ts";
import { AnswerError, type Violation, type WireAnswer } from "./runtime.ts";
import { encodeBody, headersOf, isCookie, json, type Encoded } from "./writing.ts";
import { violationsMax, problemsToViolations } from "./violations.ts";

export function checkAnswer({ plan, state }: Received, answer: WireAnswer): void {
  const { operationId } = plan.operation;
  const documented = answerPlan(plan, answer.status);
  if (documented === undefined) {
    throw new AnswerError(operationId, `status ${answer.status} is not in the contract`);
  }
  const encoded = encodeBody(answer);
  const list = headersOf(answer, encoded, plan.edge.headers(state, answer.status));
  const problem = headerProblem(documented.headers, list);
  if (problem !== undefined) {
    throw new AnswerError(operationId, `status ${answer.status} ${problem}`);
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

/** `list`: names and values in turn. */
function headerProblem(
  { required, named, check }: HeadersPlan,
  list: readonly string[],
): string | undefined {
  // names are as they come: without a prototype "__proto__" is one of them
  const texts = Object.create(null) as Record<string, string>;
  const cookies: string[] = [];
  for (let index = 0; index < list.length; index += 2) {
    const [name = "", text = ""] = list.slice(index, index + 2);
    texts[name.toLowerCase()] = text;
    if (isCookie(name)) cookies.push(text);
  }
  const lacking = required.filter((name) => !Object.hasOwn(texts, name));
  if (lacking.length > 0) return `lacks the header ${lacking.join(", ")}`;
  if (check === undefined) return undefined;
  const violations: Violation[] = [];
  const values = readHeaders(named, texts, violations);
  for (const name of Object.keys(values)) {
    if (isCookie(name) && Array.isArray(values[name])) values[name] = cookies;
  }
  const problems = violations.length > 0 ? [] : check.problems(values);
  violations.push(...problemsToViolations("header", problems));
  if (violations.length === 0) return undefined;
  return violations
    .map(({ pointer, message }) => `has the header ${pointer.slice(1)} that ${message}`)
    .join("; ");
}

/** What each item of an answer has to be; undefined: anything, or the contract only names a range. */
export function itemCheck(plan: Plan, { status, contentType = json }: WireAnswer): Checked {
  return answerPlan(plan, status)?.media?.get(essenceOf(contentType));
}

/** As the contract names a media type. */
function keyOf(media: ReadonlyMap<string, Checked>, essence: string): string | undefined {
  const range = `${essence.slice(0, essence.indexOf("/"))}/*`;
  return [essence, range, "*/*"].find((one) => media.has(one));
}

/** Undefined: bytes of the handler's own, or what comes piece by piece. */
function textOf({ body }: WireAnswer, encoded: Encoded): string | undefined {
  const constant = constantBytes(body);
  if (constant !== undefined && encoded === constant) return new TextDecoder().decode(constant);
  return typeof encoded === "string" ? encoded : undefined;
}

function bodyProblem(
  media: ReadonlyMap<string, Checked>,
  answer: WireAnswer,
  encoded: Encoded,
): string | undefined {
  if (answer.body === undefined) return media.size > 0 ? "the body is missing" : undefined;
  if (media.size === 0) return "the contract has no body here";
  const essence = essenceOf(answer.contentType ?? json);
  const key = keyOf(media, essence);
  if (key === undefined) return `the content type ${essence} is not in the contract`;
  const check = media.get(key);
  // items are looked at one by one, on their way out
  const text = textOf(answer, encoded);
  if (check === undefined || text === undefined || itemFormat(essence) !== undefined) {
    return undefined;
  }
  // as the client will see it: without undefined members, dates as text
  const value: unknown = jsonType.test(essence) ? JSON.parse(text) : text;
  const problems = check.problems(value).slice(0, violationsMax);
  if (problems.length === 0) return undefined;
  return problemsToViolations("body", problems)
    .map(({ pointer, message }) => `${pointer === "" ? "the body" : pointer} ${message}`)
    .join("; ");
}
