import { describe, expect, test } from "vitest";
import { RequestError } from "../../generated/runtime/runtime.ts";
import type { Violation } from "../../generated/runtime/runtime.ts";
import { refusalOf, statusByCode } from "../../handlers/errors.ts";
import { ServiceError, serviceErrorCodes } from "../../service/errors.ts";

const violation = (part: Violation["in"], pointer: string, rule: string): Violation => ({
  in: part,
  pointer,
  rule,
  message: "quotes the value abc",
});

const absent = violation("header", "/X-Nonce", "required");
const offForm = violation("header", "/X-Timestamp", "pattern");
const unknown = violation("query", "/x", "unknown");
const limit = violation("query", "/limit", "maximum");
const cursor = violation("query", "/cursor", "minLength");
const body = violation("body", "/quotes", "required");

describe("the one code for several violations names what to repair first", () => {
  test.each([
    ["missing_header", [body, cursor, limit, unknown, offForm, absent]],
    ["invalid_header", [body, cursor, limit, unknown, offForm]],
    ["unknown_parameter", [body, cursor, limit, unknown]],
    ["invalid_limit", [body, cursor, limit]],
    ["invalid_cursor", [body, cursor]],
    ["invalid_request", [body]],
    ["invalid_request", [violation("body", "/limit", "maximum")]],
    ["invalid_request", [violation("query", "/status", "enum")]],
    ["invalid_request", [violation("path", "/id", "maxLength")]],
  ])("%s", (code, violations) => {
    const error = new RequestError(400, "invalid_request", "text", { violations });
    const { answer } = refusalOf(error, "req_1");
    expect(answer).toMatchObject({
      status: 400,
      body: { code, details: { request_id: "req_1", violations: { length: violations.length } } },
    });
  });
});

test.each([
  ["header", "/X-Signature"],
  ["header", "/X-Api-Key"],
  ["header", "/X-Nonce"],
  ["body", "/payment_payload/signature"],
  ["body", "/payment_payload/authorization/nonce"],
] as const)("a violation of %s %s never quotes the value", (part, pointer) => {
  const violations = [violation(part, pointer, "pattern"), violation("body", "/memo", "maxLength")];
  const error = new RequestError(400, "invalid_request", "text", { violations });
  const { answer } = refusalOf(error, "req_1");
  expect(answer.body).toMatchObject({
    details: {
      violations: [{ message: "does not have the required form" }, { message: /abc/ }].map(
        ({ message }) => ({
          message: typeof message === "string" ? message : "quotes the value abc",
        }),
      ),
    },
  });
});

test("what is missing is said, also where a value would not be", () => {
  const missing = violation("header", "/X-Signature", "required");
  const error = new RequestError(400, "invalid_request", "text", { violations: [missing] });
  expect(refusalOf(error, "req_1").answer.body).toMatchObject({
    code: "missing_header",
    message: "Required header missing: X-Signature; 1 problem, see details.violations.",
    details: { violations: [missing] },
  });
});

test("of what is wrong with headers only the missing ones are named", () => {
  const violations = [body, offForm, absent, violation("header", "/X-Api-Key", "required")];
  const error = new RequestError(400, "invalid_request", "text", { violations });
  expect(refusalOf(error, "req_1").answer.body).toMatchObject({
    message: "Required header missing: X-Nonce, X-Api-Key; 4 problems, see details.violations.",
  });
});

test("a pointer is told as the name it stands for", () => {
  const violations = [violation("header", "/a~1b~0c", "required")];
  const error = new RequestError(400, "invalid_request", "text", { violations });
  const { answer } = refusalOf(error, "req_1");
  expect(answer.body).toMatchObject({ message: expect.stringContaining("a/b~c;") as string });
});

test.each([
  ["service_unavailable", undefined, "1"],
  ["chain_unavailable", undefined, "1"],
  ["chain_unavailable", 7, "7"],
  ["rate_limited", 2.1, "3"],
  ["rate_limited", undefined, undefined],
  ["not_found", undefined, undefined],
] as const)("%s that is over in %s seconds is told as %s", (code, seconds, told) => {
  const more = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  const { answer } = refusalOf(new ServiceError(code, "Inside.", more), "req_1");
  expect(answer.headers?.["Retry-After"]).toBe(told);
  const isInside = code.endsWith("_unavailable");
  expect(JSON.stringify(answer.body).includes("Inside.")).toBe(!isInside);
});

test("who is not known hears how to say it", () => {
  const { answer } = refusalOf(new ServiceError("authentication_failed", "No."), "req_1");
  expect(answer.headers).toEqual({
    Link: '</docs/errors#authentication_failed>; rel="help"',
    "WWW-Authenticate": 'HMAC-SHA256 headers="X-Api-Key X-Timestamp X-Nonce X-Signature"',
  });
});

test.each(serviceErrorCodes)("%s is answered with its own status and code", (code) => {
  const { answer } = refusalOf(new ServiceError(code, "Public."), "req_1");
  expect(answer).toMatchObject({ status: statusByCode[code], body: { code } });
});

test("the request id cannot be overwritten by details", () => {
  const error = new ServiceError("not_found", "No.", { details: { request_id: "other" } });
  expect(refusalOf(error, "req_1").answer.body).toMatchObject({ details: { request_id: "req_1" } });
});

test("405 says which methods there are", () => {
  const error = new RequestError(405, "method_not_allowed", "no", { allow: ["GET", "POST"] });
  expect(refusalOf(error, "req_1").answer.headers).toEqual({
    Link: '</docs/errors#method_not_allowed>; rel="help"',
    Allow: "GET, POST",
  });
});
