// A contract suite for any server with an OpenAPI document: what it tries, what it thinks of the answers, and
// the matrix of operation, status and code that comes of it.

import {
  type Answer,
  type AnswerJudge,
  answerOf,
  buildAnswerJudge,
  cellOf,
  textOfFinding,
} from "./answer-judge.ts";
import {
  buildMatrix,
  type Cell,
  type DocumentedOperation,
  type Matrix,
  type Met,
} from "./cells.ts";
import { Contract, type Operation } from "./contract.ts";
import { Dice } from "./dice.ts";
import { Drawing } from "./drawing.ts";
import { isObject, type Json, type JsonObject, listAt, textOf } from "./json.ts";
import type { ParameterValues, PlainRequest } from "./requests.ts";
import { buildJudges } from "./schemas.ts";
import { readText } from "./streams.ts";
import { triesOf } from "./tries.ts";
import type { Expectation, Tries, Try, Wrong } from "./try.ts";
import { upgrade } from "./upgrade.ts";

/** One thing that a refusal says is wrong. */
export interface SaidWrong {
  readonly in: string;
  /** JSON Pointer: into the body, or `/name` of a parameter */
  readonly pointer: string;
}

export interface SuiteOptions {
  /** OpenAPI 3.0 or 3.1, in one piece */
  readonly document: JsonObject;
  /** sends what the suite makes, with what says who asks */
  readonly send: (request: PlainRequest, operation: Operation | undefined) => Promise<Response>;
  /** 1 when left out */
  readonly seed?: number;
  /** requests of each operation that are drawn at random: 10 when left out */
  readonly draws?: number;
  /** values of things that are there, such as the id of a user: "path user_id" */
  readonly known?: Readonly<Record<string, Json>>;
  /** names of headers, in lower case, that the server adds and the document does not know */
  readonly otherHeaders?: readonly string[];
  /** how a refused request is answered: 400 when left out */
  readonly refusedStatuses?: readonly number[];
  /** reads what a refusal says is wrong; undefined: it does not say */
  readonly saidWrong?: (body: Json | undefined) => readonly SaidWrong[] | undefined;
  /** a parameter of the query that the document does not know is refused: yes when left out */
  readonly refusesUnknownParameters?: boolean;
  /** answers of these statuses are judged only where the document has them */
  readonly undocumented?: readonly number[];
  /** false: what refuses a request may look otherwise than the document says */
  readonly judgesRefusals?: boolean;
}

export interface Outcome {
  readonly try: Try;
  readonly met: Cell;
  /** undefined: it is as it must be */
  readonly problem: string | undefined;
  /** nobody has written the operation yet */
  readonly isStub: boolean;
}

/** Refusals of any server: nobody writes them down for each operation. */
const usuallyUndocumented = [400, 404, 405, 406, 413, 415, 422, 431, 501];

export class ContractSuite {
  readonly contract: Contract;
  readonly #options: SuiteOptions;
  readonly #drawing: Drawing;
  readonly #judge: AnswerJudge;
  readonly #met: Met[] = [];

  constructor(options: SuiteOptions) {
    const document = upgrade(options.document);
    this.contract = new Contract(document);
    this.#options = options;
    const judges = buildJudges(document);
    this.#drawing = new Drawing(this.contract, judges);
    this.#judge = buildAnswerJudge(this.contract, judges, {
      otherHeaders: options.otherHeaders ?? [],
      mayHaveParameters: true,
    });
  }

  get operations(): readonly Operation[] {
    return this.contract.operations;
  }

  /** The same for the same seed, whatever was asked for before. */
  triesOf(operation: Operation): Tries {
    const { seed = 1, draws = 10, known = {}, refusesUnknownParameters = true } = this.#options;
    const number = this.operations.indexOf(operation);
    const values: ParameterValues = new Map(Object.entries(known));
    const dice = new Dice(seed * 10_007 + number);
    const drawing = this.#drawing;
    const wish = { drawing, dice, draws, known: values, refusesUnknownParameters };
    const found = triesOf(operation, wish);
    if (hasSuccess(operation)) return found;
    return {
      ...found,
      untried: [...found.untried, "its success, which the document does not have"],
    };
  }

  /** Sends it, looks at the answer, and notes what was met. */
  async run(operation: Operation, one: Try): Promise<Outcome> {
    const response = await this.#options.send(one.request, operation);
    const answer = answerOf(response, await readText(response));
    const met = cellOf(answer, operation);
    const isStub = answer.status === 501 && one.expected.kind === "taken";
    const problem = isStub ? undefined : this.problemOf(operation, one, answer);
    if (this.contract.responseFor(operation, answer.status) !== undefined) {
      this.#met.push({ ...met, by: one.name, problem });
    }
    return { try: one, met, problem, isStub };
  }

  /** What was met so far; what nobody met is left for tests of the application. */
  matrix(): Matrix {
    const whyUntried = (): string =>
      "no request by itself leads there: a test of the application does";
    const documented = this.operations.map((one) => this.#documented(one));
    return buildMatrix(documented, this.#met, { whyUntried });
  }

  #documented(operation: Operation): DocumentedOperation {
    const { operationId, method, path, responses, defaultStatuses } = operation;
    const named = [...responses.keys()].filter((status) => /^\d{3}$/.test(status)).map(Number);
    const cells = [...named, ...defaultStatuses].flatMap((status): readonly Cell[] => {
      const response = this.contract.responseFor(operation, status);
      const codes = response === undefined ? [] : listAt(response.node, "x-error-codes");
      if (codes.length === 0) return [{ operation: operationId, status, code: undefined }];
      return codes.map((code) => ({ operation: operationId, status, code: textOf(code) }));
    });
    return { operation: operationId, title: `${method} ${path}`, cells };
  }

  problemOf(operation: Operation, { expected }: Try, answer: Answer): string | undefined {
    const unexpected = this.#unexpected(expected, answer);
    if (unexpected !== undefined) return unexpected;
    const { undocumented = usuallyUndocumented, judgesRefusals = true } = this.#options;
    const isRefusal = expected.kind !== "taken";
    const isKnown = this.contract.responseFor(operation, answer.status) !== undefined;
    if (isRefusal && !judgesRefusals) return undefined;
    if (!isKnown && !isRefusal && answer.status < 300 && !hasSuccess(operation)) return undefined;
    if (!isKnown && undocumented.includes(answer.status)) {
      return expected.kind === "taken" ? `${answer.status} is not in the document` : undefined;
    }
    const found = this.#judge(answer, operation);
    return found.length === 0 ? undefined : found.map(textOfFinding).join("; ");
  }

  #unexpected(expected: Expectation, { status, body }: Answer): string | undefined {
    const { refusedStatuses = [400], saidWrong } = this.#options;
    if (expected.kind === "taken") {
      const isRefused = refusedStatuses.includes(status) || [405, 413, 415].includes(status);
      if (isRefused) return `${status} for a request that the document allows: ${shown(body)}`;
      return status >= 500 ? `${status}: the server fails` : undefined;
    }
    if (expected.kind === "status") {
      const wanted = expected.statuses.join(" or ");
      return expected.statuses.includes(status) ? undefined : `${status} in place of ${wanted}`;
    }
    const { wrong } = expected;
    const name = `${wrong.in} ${wrong.pointer} ${wrong.rule}`;
    if (!refusedStatuses.includes(status)) return `${status} though it breaks ${name}`;
    const said = saidWrong?.(body);
    if (said === undefined || said.some((one) => isAbout(one, wrong))) return undefined;
    return `the refusal does not name ${name}: ${shown(body)}`;
  }
}

/** Some documents only have what goes wrong. */
export function hasSuccess({ responses }: Operation): boolean {
  return [...responses.keys()].some((status) => /^(?:[123]|default)/.test(status));
}

/** What is wrong inside may be said of what is around it, where more than one rule is broken. */
function isAbout({ in: part, pointer }: SaidWrong, wrong: Wrong): boolean {
  if (part !== wrong.in) return false;
  const [one, other] = [pointer.toLowerCase(), wrong.pointer.toLowerCase()];
  if (one === other) return true;
  return !wrong.isAlone && (one.startsWith(other) || other.startsWith(one));
}

function shown(body: Json | undefined): string {
  return JSON.stringify(body ?? null).slice(0, 300);
}

/** `violations` of `{ in, pointer }`, as the generated edge says them. */
export function readViolations(body: Json | undefined): readonly SaidWrong[] | undefined {
  const list = isObject(body) ? body["violations"] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list
    .filter(isObject)
    .map((one) => ({ in: textOf(one["in"]), pointer: textOf(one["pointer"]) }));
}
