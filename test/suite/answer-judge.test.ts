// The judge on a contract of its own: an answer as it is promised, and each way to break the promise.

import { expect, test } from "vitest";
import {
  answerOf,
  buildAnswerJudge,
  cellOf,
  textOfFinding,
} from "../../generator/suite/answer-judge.ts";
import { Contract } from "../../generator/suite/contract.ts";
import type { JsonObject } from "../../generator/suite/json.ts";
import { buildJudges } from "../../generator/suite/schemas.ts";

const errorOf = (code: string, details: JsonObject): JsonObject => ({
  type: "object",
  required: ["code", "details"],
  properties: {
    code: { type: "string", enum: [code] },
    details: {
      type: "object",
      required: ["request_id", ...Object.keys(details)],
      properties: { request_id: { type: "string" }, ...details },
    },
  },
});

const idHeader: JsonObject = {
  required: true,
  schema: { type: "string", pattern: "^req_[0-9]+$" },
};
const retryHeader: JsonObject = {
  "x-required-with": ["busy"],
  schema: { type: "integer", minimum: 1 },
};
/** comes where `X-Request-Id` does */
const lonelyHeader: JsonObject = {
  "x-comes-with": ["X-Request-Id"],
  schema: { type: "string" },
};
const withBody = (schema: string): JsonObject => ({
  "application/json": { schema: { $ref: `#/components/schemas/${schema}` } },
});
const errors = (...codes: readonly string[]): JsonObject => ({
  "x-error-codes": [...codes],
  headers: { "X-Request-Id": idHeader, "Retry-After": retryHeader },
  content: withBody("Error"),
});

const document: JsonObject = {
  openapi: "3.1.0",
  paths: {
    "/things/{id}": {
      get: {
        operationId: "readThing",
        responses: {
          200: { headers: { "X-Request-Id": idHeader }, content: withBody("Thing") },
          103: { content: withBody("Thing") },
          304: { headers: { "X-Request-Id": idHeader } },
          410: { headers: { "X-Request-Id": { schema: {} }, Vary: lonelyHeader } },
          409: errors("busy", "gone"),
          default: errors("broken"),
        },
        "x-default-statuses": [500],
        "x-default-responses": { 500: errors("broken") },
      },
    },
  },
  "x-server-responses": { 404: errors("gone") },
  components: {
    schemas: {
      Thing: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string" },
          state: { type: "string", "x-known-values": ["on", "off"] },
        },
      },
      Error: {
        oneOf: [
          errorOf("busy", { since: { type: "integer" } }),
          errorOf("gone", {}),
          errorOf("broken", {}),
        ],
      },
    },
  },
};

const contract = new Contract(document);
const [operation] = contract.operations;
const judge = buildAnswerJudge(contract, buildJudges(document));

type Headers = Readonly<Record<string, string>>;
const usual: Headers = { "X-Request-Id": "req_1", "Content-Type": "application/json" };
const bodyOf = (code: string, more: JsonObject = {}) => ({
  code,
  details: { request_id: "req_1", ...more },
});

function found(status: number, body: unknown, headers: Headers = usual): readonly string[] {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return judge(answerOf({ status, headers: new Headers(headers) }, text), operation).map(
    textOfFinding,
  );
}

test("finds nothing in what is promised", () => {
  expect(found(200, { id: "a", state: "on" })).toEqual([]);
  expect(found(304, "", { "X-Request-Id": "req_1" })).toEqual([]);
  // What HTTP lets have no content has none, whatever the document says.
  expect(found(103, "", {})).toEqual([]);
  expect(found(409, bodyOf("busy", { since: 1 }), { ...usual, "Retry-After": "3" })).toEqual([]);
  expect(found(409, bodyOf("gone"))).toEqual([]);
  expect(found(500, bodyOf("broken"))).toEqual([]);
  expect(found(410, "", {})).toEqual([]);
  expect(found(410, "", { "X-Request-Id": "req_1", Vary: "x" })).toEqual([]);
});

test.each<readonly [string, number, unknown, Headers, string]>([
  ["a status that nobody promised", 204, "", {}, "status: 204 is not in the document"],
  [
    "a header that is missing",
    200,
    { id: "a" },
    { "Content-Type": "application/json" },
    "header X-Request-Id: is missing",
  ],
  [
    "a header of another form",
    200,
    { id: "a" },
    { ...usual, "X-Request-Id": "7" },
    'header X-Request-Id: has another form than the document says: "7"',
  ],
  [
    "a header of no contract",
    200,
    { id: "a" },
    { ...usual, "X-Powered-By": "x" },
    "header x-powered-by: is not in the document",
  ],
  [
    "a header that a code does not have",
    409,
    bodyOf("gone"),
    { ...usual, "Retry-After": "3" },
    "header Retry-After: has no place here",
  ],
  [
    "a header that a code has",
    409,
    bodyOf("busy", { since: 1 }),
    usual,
    "header Retry-After: is missing",
  ],
  [
    "a number below its bound in a header",
    409,
    bodyOf("busy", { since: 1 }),
    { ...usual, "Retry-After": "0" },
    'header Retry-After: has another form than the document says: "0"',
  ],
  [
    "another media type",
    200,
    { id: "a" },
    { ...usual, "Content-Type": "text/html" },
    "header Content-Type: is text/html in place of application/json",
  ],
  [
    "no media type",
    200,
    "",
    { "X-Request-Id": "req_1" },
    "header Content-Type: is missing in place of application/json",
  ],
  [
    "a header that comes with another one",
    410,
    "",
    { "X-Request-Id": "req_1" },
    "header Vary: is missing, and X-Request-Id is there",
  ],
  ["a member that is missing", 200, {}, usual, "body /id: breaks required"],
  [
    "a member too much",
    200,
    { id: "a", more: 1 },
    usual,
    "body /more: breaks unevaluatedProperties",
  ],
  ["another type", 200, { id: 7 }, usual, "body /id: breaks type"],
  ["an unknown value", 200, { id: "a", state: "so" }, usual, "body /state: breaks enum"],
  [
    "of alternatives, the one that is meant",
    409,
    bodyOf("busy"),
    { ...usual, "Retry-After": "3" },
    "body /details/since: breaks required",
  ],
  [
    "a code of another status",
    409,
    bodyOf("broken"),
    usual,
    "body /code: broken is none of this status: busy, gone",
  ],
  [
    "another id in the body",
    409,
    { code: "gone", details: { request_id: "req_2" } },
    usual,
    "body /details/request_id: is not X-Request-Id (req_1)",
  ],
  [
    "a body in vain",
    304,
    { id: "a" },
    { "X-Request-Id": "req_1" },
    "body: is there, and the document has none",
  ],
])("finds %s, and nothing else", (...[_name, status, body, headers, problem]) => {
  expect(found(status, body, headers)).toEqual([problem]);
});

test("finds a body that is cut", () => {
  expect(found(200, '{"id":')).toEqual([expect.stringMatching(/^body: is no JSON: /)]);
});

test("what breaks off is no answer, whatever its type", () => {
  const read = { text: '{"id":"a","state":"on"}', isWhole: false, broken: "terminated" };
  for (const type of ["application/json", "application/octet-stream"]) {
    const headers = new Headers({ ...usual, "Content-Type": type });
    const found = judge(answerOf({ status: 200, headers }, read), operation);
    expect(found.map(textOfFinding)).toContain("body: breaks off: terminated");
  }
});

test("says of each finding where it belongs", () => {
  const answer = answerOf(
    { status: 409, headers: new Headers(usual) },
    JSON.stringify(bodyOf("odd")),
  );
  const [one] = judge(answer, operation);
  expect(one).toMatchObject({ operation: "readThing", status: 409, code: "odd" });
  expect(cellOf(answer, undefined)).toEqual({ operation: "", status: 409, code: "odd" });
});

test("outside of operations only what the server answers is promised", () => {
  const headers = new Headers(usual);
  const gone = answerOf({ status: 404, headers }, JSON.stringify(bodyOf("gone")));
  expect(judge(gone, undefined)).toEqual([]);
  expect(judge(gone, operation).map(textOfFinding)).toEqual(["status: 404 is not in the document"]);
});

test("headers of what stands in front of the server may be let through", () => {
  const lenient = buildAnswerJudge(contract, buildJudges(document), { otherHeaders: ["via"] });
  const headers = new Headers({ ...usual, Via: "1.1 proxy" });
  const answer = answerOf({ status: 200, headers }, '{"id":"a"}');
  expect(lenient(answer, operation)).toEqual([]);
  expect(judge(answer, operation)).toHaveLength(1);
});
