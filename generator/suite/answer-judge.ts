// Everything that a contract promises of an answer. What is wrong comes as a list; who asked decides what
// becomes of it.

import type { Cell } from "./cells.ts";
import {
  type Contract,
  hasNoContent,
  isJson,
  mediaFor,
  type Operation,
  type Place,
} from "./contract.ts";
import { isObject, type Json, listAt, objectAt, textOf } from "./json.ts";
import { schemaPointerOf } from "./requests.ts";
import type { Finding, Judge, Judges } from "./schemas.ts";
import {
  itemPlace,
  meantBy,
  readingsOf,
  rowFormat,
  rowOf,
  type ReadText,
  type Row,
} from "./streams.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** undefined: there is none */
  readonly body: Json | undefined;
  /** why the body is no JSON */
  readonly unreadable?: string | undefined;
  /** why it has ended in the middle */
  readonly broken?: string | undefined;
  /** of a row of items, what came of them */
  readonly row?: Row | undefined;
}

/** One thing that an answer has, lacks or says, and should not. */
export interface AnswerFinding extends Cell {
  /** "status", "header ETag", "body /items/0/id" */
  readonly place: string;
  /** what is wrong there, as the end of a sentence that begins with the place */
  readonly problem: string;
}

/** Without an operation, the answer has to be one that the server gives outside of them. */
export type AnswerJudge = (
  answer: Answer,
  operation: Operation | undefined,
) => readonly AnswerFinding[];

/** @param read a text that is whole, or what was read of it */
export function answerOf(
  response: Pick<Response, "status" | "headers">,
  read: string | ReadText,
): Answer {
  const { status, headers } = response;
  const { text, isWhole, broken }: ReadText =
    typeof read === "string" ? { text: read, isWhole: true } : read;
  const format = rowFormat(headers.get("content-type") ?? "");
  if (format !== undefined) {
    const row = rowOf(format, typeof read === "string" ? { text, isWhole } : read);
    return { status, headers, body: undefined, row };
  }
  if (broken !== undefined) return { status, headers, body: undefined, broken };
  if (text === "" && isWhole) return { status, headers, body: undefined };
  try {
    return { status, headers, body: JSON.parse(text) as Json };
  } catch (error) {
    const unreadable = error instanceof Error ? error.message : String(error);
    return { status, headers, body: undefined, unreadable };
  }
}

/** Of an error. */
export function codeOf({ status, body }: Answer): string | undefined {
  return status < 400 || !isObject(body) ? undefined : textOf(body["code"]);
}

/** Where an answer belongs in the matrix. */
export function cellOf(answer: Answer, operation: Operation | undefined): Cell {
  const { status } = answer;
  return { operation: operation?.operationId ?? "", status, code: codeOf(answer) };
}

export function textOfFinding({
  place,
  problem,
}: Pick<AnswerFinding, "place" | "problem">): string {
  return `${place}: ${problem}`;
}

type Found = Pick<AnswerFinding, "place" | "problem">;

/** What every answer of HTTP has, or may have; everything else has to be in the document. */
const transportHeaders = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

export interface JudgeWish {
  /** what stands in front of the server may add headers of its own: names in lower case */
  readonly otherHeaders?: readonly string[];
  /** `application/json; charset=utf-8` is taken for `application/json` */
  readonly mayHaveParameters?: boolean;
}

export function buildAnswerJudge(
  contract: Contract,
  judges: Judges,
  { otherHeaders = [], mayHaveParameters = false }: JudgeWish = {},
): AnswerJudge {
  const known = new Set([...transportHeaders, ...otherHeaders]);
  const judging = new Judging(contract, judges, { known, mayHaveParameters });
  return (answer, operation) => {
    const cell = cellOf(answer, operation);
    return judging.problemsOf(answer, operation).map((found) => ({ ...cell, ...found }));
  };
}

/** Headers that come together, or not at all. */
function loneProblem(headers: Headers, name: string, { node }: Place): string | undefined {
  const others = listAt(node, "x-comes-with").map((one) => textOf(one));
  const present = headers.has(name) ? undefined : others.find((one) => headers.has(one));
  return present === undefined ? undefined : `is missing, and ${present} is there`;
}

class Judging {
  readonly #contract: Contract;
  readonly #judges: Judges;
  readonly #known: ReadonlySet<string>;
  readonly #mayHaveParameters: boolean;
  readonly #compiled = new Map<string, Judge>();
  /** where no response lists its codes, any will do */
  readonly #listsCodes: boolean;

  constructor(
    contract: Contract,
    judges: Judges,
    {
      known,
      mayHaveParameters,
    }: { readonly known: ReadonlySet<string>; readonly mayHaveParameters: boolean },
  ) {
    this.#contract = contract;
    this.#judges = judges;
    this.#known = known;
    this.#mayHaveParameters = mayHaveParameters;
    this.#listsCodes = contract.operations.some(({ responses }) =>
      [...responses.values()].some(({ node }) => node["x-error-codes"] !== undefined),
    );
  }

  problemsOf(answer: Answer, operation: Operation | undefined): readonly Found[] {
    const documented = this.#contract.responseFor(operation, answer.status);
    if (documented === undefined) {
      return [{ place: "status", problem: `${answer.status} is not in the document` }];
    }
    return [
      ...this.#headerProblems(answer, documented),
      ...this.#bodyProblems(answer, documented),
      ...(this.#listsCodes ? codeProblems(answer, documented) : []),
      ...idProblems(answer),
    ];
  }

  #judge(pointer: string): Judge {
    const known = this.#compiled.get(pointer) ?? this.#judges.judgeAnswerAt(pointer);
    this.#compiled.set(pointer, known);
    return known;
  }

  #headerProblems(answer: Answer, response: Place): readonly Found[] {
    const { headers } = answer;
    const documented = this.#contract.members(response, "headers");
    const problems = Array.from(documented).flatMap(([name, place]) => {
      const problem =
        this.#headerProblem(headers.get(name), place, codeOf(answer)) ??
        loneProblem(headers, name, place);
      return problem === undefined ? [] : [{ place: `header ${name}`, problem }];
    });
    const names = new Set(Array.from(documented.keys(), (name) => name.toLowerCase()));
    const unknown = Array.from(headers.keys())
      .filter((name) => !names.has(name) && !this.#known.has(name))
      .map((name) => ({ place: `header ${name}`, problem: "is not in the document" }));
    return [...problems, ...unknown];
  }

  /** Header values are text; the schema may want a number. */
  #headerProblem(
    text: string | null,
    { node, pointer }: Place,
    code: string | undefined,
  ): string | undefined {
    const codes = node["x-required-with"];
    const isTied = Array.isArray(codes);
    const isRequired = isTied ? codes.includes(code ?? "") : node["required"] === true;
    if (text === null) return isRequired ? "is missing" : undefined;
    if (isTied && !isRequired) return "has no place here";
    const schema = schemaPointerOf({ node, pointer });
    if (schema === undefined) return undefined;
    const judge = this.#judge(schema);
    const fits = headerReadings(text).some((value) => judge(value).length === 0);
    return fits ? undefined : `has another form than the document says: ${JSON.stringify(text)}`;
  }

  #bodyProblems(answer: Answer, response: Place): readonly Found[] {
    const { headers, body, unreadable, row, broken } = answer;
    if (broken !== undefined) return [{ place: "body", problem: `breaks off: ${broken}` }];
    const content = this.#contract.members(response, "content");
    const contentType = headers.get("content-type");
    const isEmpty = body === undefined && unreadable === undefined && row === undefined;
    if (content.size > 0 && isEmpty && hasNoContent(answer.status)) return [];
    if (content.size === 0) {
      return [
        ...(isEmpty ? [] : [{ place: "body", problem: "is there, and the document has none" }]),
        ...(contentType === null
          ? []
          : [{ place: "header Content-Type", problem: `is ${contentType}, and there is no body` }]),
      ];
    }
    const named = contentType ?? "";
    const media = this.#mayHaveParameters ? mediaFor(content, named) : content.get(named);
    if (media === undefined) {
      const known = [...content.keys()].join(" or ");
      const problem = `is ${contentType ?? "missing"} in place of ${known}`;
      return [{ place: "header Content-Type", problem }];
    }
    if (row !== undefined) return this.#rowProblems(row, media);
    if (!isJson(contentType ?? "")) return isEmpty ? [{ place: "body", problem: "is empty" }] : [];
    if (unreadable !== undefined) return [{ place: "body", problem: `is no JSON: ${unreadable}` }];
    if (media.node["schema"] === undefined) return [];
    const { pointer } = this.#contract.below(media, "schema");
    return this.#nearestFindings(pointer, body ?? null).map((finding) => ({
      place: finding.pointer === "" ? "body" : `body ${finding.pointer}`,
      problem: `breaks ${finding.rule}`,
    }));
  }

  #rowProblems(row: Row, media: Place): readonly Found[] {
    if (row.unreadable !== undefined) return [{ place: "body", problem: row.unreadable }];
    const place = itemPlace(this.#contract, media);
    if (place === undefined) return [];
    return row.items.flatMap((item, index) => {
      const readings = readingsOf(row, item, place);
      const each = readings.map((reading) => this.#nearestFindings(place.pointer, reading));
      const nearest = each.toSorted((one, other) => one.length - other.length)[0] ?? [];
      return nearest.map(({ pointer, rule }) => ({
        place: `body /${index}${pointer}`,
        problem: `breaks ${rule}`,
      }));
    });
  }

  /** Of alternatives, each has its findings: those of the one that fits best say what is wrong. */
  #nearestFindings(pointer: string, body: Json): readonly Finding[] {
    const findings = this.#judge(pointer)(body);
    if (findings.length === 0) return findings;
    const meant = meantBy(this.#contract, pointer);
    const { node } = this.#contract.placeAt(meant);
    const each = listAt(node, "oneOf").map((_, index) =>
      this.#judge(`${meant}/oneOf/${index}`)(body),
    );
    const [nearest] = each.toSorted((one, other) => one.length - other.length);
    return nearest === undefined || nearest.length === 0 ? findings : nearest;
  }
}

/** What a text of a header may stand for; lists and objects in the style simple. */
function headerReadings(text: string): readonly Json[] {
  const plain = (one: string): Json => {
    if (/^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(one)) return Number(one);
    return one === "true" || one === "false" ? one === "true" : one;
  };
  const texts = text.split(",").map((one) => one.trim());
  const pairs = texts.map((one) => one.split("=", 2));
  const inTurn = Array.from({ length: texts.length >> 1 }, (_, at) => {
    return [texts[2 * at] ?? "", plain(texts[2 * at + 1] ?? "")] as const;
  });
  return [
    text,
    plain(text),
    texts,
    texts.map(plain),
    Object.fromEntries(inTurn),
    Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, plain(value)])),
    ...jsonIn(text),
  ];
}

/** `content: application/json` */
function jsonIn(text: string): readonly Json[] {
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
}

/** `x-error-codes` lists the codes of a status. */
function codeProblems(answer: Answer, { node }: Place): readonly Found[] {
  const code = codeOf(answer);
  const codes = listAt(node, "x-error-codes").map(textOf);
  if (code === undefined || codes.includes(code)) return [];
  return [{ place: "body /code", problem: `${code} is none of this status: ${codes.join(", ")}` }];
}

/** It stands in the header and in the body of an error. */
function idProblems(answer: Answer): readonly Found[] {
  if (codeOf(answer) === undefined || !isObject(answer.body)) return [];
  const id = objectAt(answer.body, "details")["request_id"];
  const given = answer.headers.get("x-request-id");
  if (id === undefined || id === given) return [];
  const problem = `is not X-Request-Id (${given ?? "none"})`;
  return [{ place: "body /details/request_id", problem }];
}
