// Everything that the contract promises of an answer, checked against the written document.

import { expect } from "vitest";
import { serviceErrorCodes } from "../../service/errors.ts";
import {
  below,
  isObject,
  type Json,
  type JsonObject,
  listAt,
  members,
  type Operation,
  type Place,
  responseFor,
} from "./contract-document.ts";
import { type Judge, judgeAnswerAt } from "./contract-schemas.ts";

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

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json | undefined;
}

const judges = new Map<string, Judge>();

function judge(pointer: string): Judge {
  const known = judges.get(pointer) ?? judgeAnswerAt(pointer);
  judges.set(pointer, known);
  return known;
}

/** Reads an answer and checks all of it; `operation` is undefined where no operation was met. */
export async function readAnswer(
  response: Response,
  operation: Operation | undefined,
): Promise<Answer> {
  const text = await response.text();
  const { status, headers } = response;
  const body = text === "" ? undefined : (JSON.parse(text) as Json);
  const answer: Answer = { status, headers, body };
  checkAnswer(answer, operation);
  return answer;
}

/** Statuses of the transport and of unfinished work; no operation documents them. */
const undocumented = new Set([404, 405, 408, 431, 501]);

export function checkAnswer(answer: Answer, operation: Operation | undefined): void {
  const { status, headers, body } = answer;
  const documented = operation === undefined ? undefined : responseFor(operation, status);
  if (documented === undefined) {
    const known = operation === undefined ? status >= 400 : undocumented.has(status);
    expect({ status, known, body }).toEqual({ status, known: true, body });
    expect(headers.get("content-type")).toBe("application/json");
    expect(judge("/components/schemas/ApiError")(body ?? null)).toEqual([]);
    expect(checkHeader(headers, "X-Request-Id", requestIdPlace)).toEqual([]);
  } else {
    checkDocumented(answer, documented);
  }
  if (status >= 400) checkError(answer, documented);
}

const requestIdPlace: Place = {
  node: { required: true },
  pointer: "/components/headers/XRequestId",
};

function checkDocumented({ status, headers, body }: Answer, response: Place): void {
  const problems = Array.from(members(response, "headers")).flatMap(([name, place]) =>
    checkHeader(headers, name, place),
  );
  expect(problems).toEqual([]);
  const content = members(response, "content");
  const contentType = headers.get("content-type");
  if (content.size === 0) {
    expect({ status, body, contentType }).toEqual({ status, body: undefined, contentType: null });
    return;
  }
  const media = content.get(contentType ?? "");
  expect({ contentType, known: [...content.keys()], found: media !== undefined }).toMatchObject({
    found: true,
  });
  if (media === undefined) return;
  expect({ body, findings: judge(below(media, "schema").pointer)(body ?? null) }).toEqual({
    body,
    findings: [],
  });
}

/** Header values are text; the schema may want a number. */
function checkHeader(headers: Headers, name: string, { node, pointer }: Place): readonly string[] {
  const text = headers.get(name);
  if (text === null) return node["required"] === true ? [`${name} is missing`] : [];
  const schema = `${pointer}/schema`;
  const isNumber = /^-?\d+$/.test(text);
  const fits = judge(schema)(text).length === 0;
  return fits || (isNumber && judge(schema)(Number(text)).length === 0) ? [] : [`${name}: ${text}`];
}

function checkError({ status, headers, body }: Answer, documented: Place | undefined): void {
  const { code, message, details } = errorOf(body);
  expect(message).not.toBe("");
  expect(details.request_id).toBe(headers.get("x-request-id"));
  if (documented === undefined) return;
  const codes = listAt(documented.node, "x-error-codes");
  expect({ status, code, known: codes.includes(code) }).toEqual({ status, code, known: true });
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
