// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Does an answer keep what the contract promises? Asked in tests and development.

import type { AnswerPlan } from "./answer-plans.ts";
import { essenceOf, jsonType, type Checked } from "./bodies.ts";
import type { Plan, Received } from "./plan.ts";
import { AnswerError, type WireAnswer } from "./runtime.ts";
import { encodeBody, headersOf, json, type Encoded } from "./writing.ts";
import { violationsMax, problemsToViolations } from "./violations.ts";

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
