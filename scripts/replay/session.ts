// Plays steps against the server, judges every answer, and gathers what was met for the matrix.

import {
  answerOf,
  type Answer,
  type AnswerJudge,
  cellOf,
  codeOf,
  textOfFinding,
} from "../../generator/suite/answer-judge.ts";
import { type Cell, type Met, nameOf } from "../../generator/suite/cells.ts";
import { isObject, objectAt, textOf } from "../../generator/suite/json.ts";
import { repeatCommands } from "../../test/support/contract-repeat.ts";
import type { PlainRequest } from "../../test/support/contract-requests.ts";
import { RelationJudge } from "../../test/support/relations/judge.ts";
import { type Caller, type Exchange, NoAnswer } from "./caller.ts";
import type { Pace } from "./pace.ts";
import { type Expected, type Step, textOfExpected } from "./step.ts";
import { UsageError } from "./usage-error.ts";
import { valueProblems } from "./values.ts";

/** The row of what is answered outside of the operations. */
export const serverRow = "(the server)";

/** What a later step of a chain needs did not come; what is wrong has been noted. */
export class ChainStopped extends Error {}

export interface SessionParts {
  readonly caller: Caller;
  readonly pace: Pace;
  readonly judge: AnswerJudge;
  readonly secret: string;
  readonly url: string;
  readonly redact: (text: string) => string;
}

/** So many requests in a row without an answer: the server is gone. */
const unansweredMax = 10;
const refusedMax = 20;

export class Session {
  readonly met: Met[] = [];
  /** scopes that the key lacks, by operation */
  readonly lacking = new Map<string, string>();
  /** cells that some step is there for */
  readonly meant = new Set<string>();
  /** why the steps for a cell could not be played */
  readonly unplayed = new Map<string, string>();
  /** what people have to know of what was made */
  readonly notes: string[] = [];
  /** the steps that ended their chain */
  readonly stopped: string[] = [];
  readonly #parts: SessionParts;
  readonly #requestIds = new Map<string, string>();
  readonly #relations = new RelationJudge();
  /** operations that have let the key in */
  readonly #admitted = new Set<string>();
  #unanswered = 0;
  requests = 0;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Undefined: there is none, or it is not one that the step expects; that is noted. */
  async play(step: Step): Promise<Answer | undefined> {
    const [first, ...others] = step.expected;
    if (others.length === 0) this.meant.add(nameOf({ operation: rowOf(step), ...first }));
    try {
      const exchange = await this.#send(step);
      return this.#judge(step, exchange);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      this.#noteMissing(step, error);
      return undefined;
    }
  }

  /** In a chain: without the answer there is no use in going on. */
  async need(step: Step): Promise<Answer> {
    const answer = await this.play(step);
    if (answer !== undefined) return answer;
    this.stopped.push(step.name);
    throw new ChainStopped(step.name);
  }

  /** Says of cells why they are not tried. */
  leaveOut(reason: string, cells: readonly Cell[]): void {
    for (const cell of cells) this.unplayed.set(nameOf(cell), reason);
  }

  async #send(step: Step): Promise<Exchange> {
    const { caller, pace } = this.#parts;
    const bucket = textOf(step.operation?.node["x-rate-limit-policy"]);
    for (let refused = 0; ; refused += 1) {
      await pace.turn(bucket);
      this.requests += 1;
      const exchange = await caller.send(step.request, step.operation !== undefined);
      this.#unanswered = 0;
      pace.learn(bucket, exchange.headers);
      if (exchange.status !== 429 || refused >= refusedMax) return exchange;
      // It is an answer of the contract, and is judged like the others.
      this.#judge({ ...step, expected: [{ status: 429, code: "rate_limited" }] }, exchange);
      await pace.refused(exchange.headers);
    }
  }

  #judge(step: Step, exchange: Exchange): Answer | undefined {
    const { secret } = this.#parts;
    const answer = answerOf(exchange, exchange.text);
    const requestIds = this.#requestIds;
    const isExpected = step.expected.some((one) => fits(one, answer));
    const isUnscoped = !isExpected && this.#isUnscoped(step, answer);
    const problems = [
      ...(isExpected || isUnscoped ? [] : [unexpected(step, answer)]),
      ...this.#promised(step, answer, exchange),
      ...valueProblems({ step, answer, exchange, requestIds, secret }),
      ...(isExpected ? (step.check?.(answer) ?? []) : []),
    ];
    this.#note({ ...cellOf(answer, step.operation), step, problems });
    if (isExpected && step.isKnown !== false && answer.status !== 401) this.#admit(step, answer);
    return isExpected ? answer : undefined;
  }

  /** What is not promised, or else which values do not go together. */
  #promised({ operation }: Step, answer: Answer, { asked }: Exchange): readonly string[] {
    const found = this.#parts.judge(answer, operation);
    if (found.length > 0 || operation === undefined) return found.map(textOfFinding);
    return this.#relations
      .judge(answer, operation, asked)
      .flatMap(({ place, problem }) =>
        problem === undefined ? [] : [textOfFinding({ place, problem })],
      );
  }

  /** The key has not got the scope: no fault of the server, and nothing more to learn here. */
  #isUnscoped({ operation, isKnown }: Step, answer: Answer): boolean {
    if (operation === undefined || isKnown === false || codeOf(answer) !== "insufficient_scope")
      return false;
    if (this.#admitted.has(operation.operationId)) return false;
    const details = isObject(answer.body) ? objectAt(answer.body, "details") : {};
    const scope = textOf(details["required_scope"] ?? details["excluded_scope"]);
    this.lacking.set(operation.operationId, scope);
    return true;
  }

  #admit({ operation, name, request }: Step, answer: Answer): void {
    if (operation === undefined || answer.status === 429) return;
    const { operationId } = operation;
    this.#admitted.add(operationId);
    if (!this.lacking.delete(operationId)) return;
    this.met.push({
      ...cellOf(answer, operation),
      by: name,
      problem: "status: the key was told before that it lacks the scope of this operation",
      repeat: this.#again(request),
    });
  }

  #noteMissing(step: Step, error: NoAnswer): void {
    const { expected, name } = step;
    this.#unanswered += 1;
    const [{ status, code }] = expected;
    this.#note({
      operation: rowOf(step),
      status,
      code,
      step,
      problems: [`no answer: ${error.message}`],
    });
    if (this.#unanswered < unansweredMax) return;
    throw new UsageError(
      `the server does not answer any more (${error.message}): ${unansweredMax} requests in a row, the ` +
        `last one was "${name}"`,
    );
  }

  #note({ step, problems, ...cell }: Cell & { step: Step; problems: readonly string[] }): void {
    const isGood = problems.length === 0;
    this.met.push({
      ...cell,
      operation: rowOf(step),
      by: step.name,
      problem: isGood ? undefined : this.#parts.redact(problems.join("\n")),
      repeat: isGood ? undefined : this.#again(step.request),
    });
  }

  #again(request: PlainRequest): string {
    return this.#parts.redact(repeatCommands(request, this.#parts.url));
  }
}

function rowOf({ operation }: Pick<Step, "operation">): string {
  return operation?.operationId ?? serverRow;
}

function fits({ status, code }: Expected, answer: Answer): boolean {
  return answer.status === status && codeOf(answer) === code;
}

function unexpected({ expected }: Step, answer: Answer): string {
  const code = codeOf(answer);
  const got = textOfExpected({ status: answer.status, ...(code === undefined ? {} : { code }) });
  return `status: is ${got} in place of ${expected.map(textOfExpected).join(" or ")}`;
}
