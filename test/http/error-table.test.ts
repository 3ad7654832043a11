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
  expect(refusalOf(error, "req_1").answer.headers).toEqual({ Allow: "GET, POST" });
});
