// Everything that the contract promises of an answer, checked against the written document.

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { serviceErrorCodes } from "../../service/errors.ts";
import {
  type Answer,
  type AnswerFinding,
  answerOf,
  buildAnswerJudge,
  cellOf,
  textOfFinding,
} from "../../generator/suite/answer-judge.ts";
import { nameOf } from "../../generator/suite/cells.ts";
import { noteMet } from "../../generator/suite/noted.ts";
import {
  contract,
  isObject,
  type Json,
  type JsonObject,
  type Operation,
} from "./contract-document.ts";
import { repeatCommands } from "./contract-repeat.ts";
import { sentFor } from "./contract-requests.ts";
import { judges } from "./contract-schemas.ts";
import { type Asked, askedOf } from "./relations/asked.ts";
import { RelationJudge } from "./relations/judge.ts";
import { noteRelations } from "./relations/noted.ts";

export type { Answer } from "../../generator/suite/answer-judge.ts";

type Found = Pick<AnswerFinding, "place" | "problem">;

export interface Violation {
  readonly in: string;
  readonly pointer: string;
  readonly rule: string;
  readonly message: string;
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details: { readonly request_id: string; readonly violations?: readonly Violation[] };
}

/** Finds what the written document does not promise. */
export const judgeAnswer = buildAnswerJudge(contract, judges);

/** Finds which values do not go together; its memory is that of the process. */
const relationJudge = new RelationJudge({ isStandard: true });

/**
 * Reads an answer and checks all of it, and notes it for the matrix at the end of the run; `operation` is
 * undefined where no operation was met.
 */
export async function readAnswer(
  response: Response,
  operation: Operation | undefined,
): Promise<Answer> {
  const answer = answerOf(response, await response.text());
  const sent = sentFor(response);
  const asked = sent && askedOf(sent);
  if (answersFolder !== undefined && operation !== undefined)
    keep(answer, { operation, asked }, answersFolder);
  const problem = problemOf(answer, operation, asked);
  if (operation !== undefined) {
    const repeat = problem === undefined ? undefined : sent && repeatCommands(sent.request);
    noteMet({ ...cellOf(answer, operation), problem, repeat });
  }
  if (problem !== undefined) throw new Error(problem);
  return answer;
}

/** Where `npm run mutate -- --answers` wants to have all of them. */
const answersFolder = process.env["KEEP_ANSWERS"];

function keep(
  { status, headers, body }: Answer,
  { operation, asked }: { operation: Operation; asked: Asked | undefined },
  folder: string,
): void {
  const shown = { status, headers: Object.fromEntries(headers), body };
  const kept = { operation: operation.operationId, ...shown, asked };
  appendFileSync(join(folder, `${process.pid}.ndjson`), `${JSON.stringify(kept)}\n`);
}

/** Without an operation, the answer has to be one that the server gives outside of them. */
export function checkAnswer(answer: Answer, operation: Operation | undefined): void {
  const problem = problemOf(answer, operation, undefined);
  if (problem !== undefined) throw new Error(problem);
}

function problemOf(
  answer: Answer,
  operation: Operation | undefined,
  asked: Asked | undefined,
): string | undefined {
  const found = judgeAnswer(answer, operation);
  // What has another form has no values that could be compared.
  const findings = found.length === 0 ? relationFindings(answer, operation, asked) : found;
  if (findings.length === 0) return undefined;
  const name = nameOf(cellOf(answer, operation)).trim();
  return [
    `${name} is not what the contract promises:`,
    ...findings.map((finding) => `  ${textOfFinding(finding)}`),
    `the body: ${JSON.stringify(answer.body)}`,
  ].join("\n");
}

function relationFindings(
  answer: Answer,
  operation: Operation | undefined,
  asked: Asked | undefined,
): readonly Found[] {
  if (operation === undefined) return [];
  const related = relationJudge.judge(answer, operation, asked);
  noteRelations(related.map(({ relation }) => relation));
  return related.flatMap(({ relation, place, problem }) =>
    problem === undefined ? [] : [{ place, problem: `${problem} (${relation})` }],
  );
}

/** The body of an error, which Ajv has looked at before. */
export function errorOf(body: Json | undefined): ErrorBody {
  if (!isObject(body)) throw new Error("an error must have a body");
  return body as unknown as ErrorBody;
}

/** The body of an answer, or of a request, which is an object. */
export function bodyOf(body: Json | undefined): JsonObject {
  if (!isObject(body)) throw new Error("there is no body");
  return body;
}

/** `in pointer rule` of each violation: what does not depend on wording. */
const codes: ReadonlySet<string> = new Set(serviceErrorCodes);

/** Without those of the rules behind the contract, which are named by the codes of refusals. */
export function ofContract(violations: readonly Violation[] = []): readonly Violation[] {
  return violations.filter(({ rule }) => !codes.has(rule));
}

/** What breaks the contract itself. */
export function briefly({ body }: Answer): readonly string[] {
  const { violations } = errorOf(body).details;
  return ofContract(violations).map((one) => `${one.in} ${one.pointer} ${one.rule}`);
}
