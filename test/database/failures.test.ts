// What the driver and the server throw, in the words of the rules. What is about the server may be tried again
// later; what is about the statement is our mistake, and no client is told to come again.

import { expect, test } from "vitest";
import {
  isAboutConnection,
  isConflict,
  notAvailable,
  translateFailure,
} from "../../adapters/database/failures.ts";
import { CheckViolation, UniqueViolation } from "../../service/ports/database.ts";

const withCode = (code: string, more: object = {}): Error =>
  Object.assign(new Error("no"), { code, ...more });
const unavailable = {
  name: "ServiceError",
  code: "service_unavailable",
  message: "The service is not available right now.",
};

const serverCodes =
  "08000 08006 28P01 3D000 53100 53300 57P01 57P03 55000 57014 55P03 25006 58000 58030 " +
  "40001 40P01 ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ENOENT ENOTFOUND EAI_AGAIN " +
  "ETIMEDOUT EHOSTUNREACH ENETUNREACH";
const statementCodes =
  "22001 23502 42601 42P01 0A000 1080 3D0001 55001 57015 55P04 25001 XX000 13D000 155000 " +
  "157014 155P03 125006 550001 570141 55P031 250061 EACCES ERR_INVALID_ARG_TYPE";

test.each(serverCodes.split(" "))("%s: the database is not there right now", (code) => {
  const error = withCode(code);
  const told = translateFailure(error);
  expect(told).toMatchObject(unavailable);
  expect(told).toMatchObject({ retryAfterSeconds: 1, cause: error });
});

test.each([
  ["a server that ends the connection, whatever for", { code: "XX000", severity: "FATAL" }],
  ["one that ends all of them", { code: "XX001", severity: "PANIC" }],
  ["a pooler that has lost a prepared statement", { code: "26000", severity: "ERROR" }],
  ["one that has another of that name", { code: "42P05", severity: "ERROR" }],
  [
    "a statement that was prepared before a column came",
    { code: "0A000", severity: "FEHLER", routine: "RevalidateCachedQuery" },
  ],
])("%s is for another time", (_what, fields) => {
  const error = Object.assign(new Error(), fields);
  expect(translateFailure(error)).toMatchObject({ ...unavailable, cause: error });
});

test.each(statementCodes.split(" "))("%s: we are wrong", (code) => {
  const error = withCode(code);
  expect(translateFailure(error)).toBe(error);
});

test.each([
  "timeout exceeded when trying to connect",
  "Connection terminated unexpectedly",
  "Query read timeout",
  "timeout expired",
  "Client has encountered a connection error and is not queryable",
  "The server does not support SSL connections",
])("the driver's own words %j are about the server", (message) => {
  expect(translateFailure(new Error(message))).toMatchObject(unavailable);
  const quoted = new Error(`somebody says: ${message}`);
  expect(translateFailure(quoted)).toBe(quoted);
  // With a code, the code decides.
  const coded = Object.assign(new Error(message), { code: "42601" });
  expect(translateFailure(coded)).toBe(coded);
});

test("of several attempts to connect, one that found no server is enough", () => {
  const found = new AggregateError([withCode("EACCES"), withCode("ECONNREFUSED")]);
  expect(translateFailure(found)).toMatchObject(unavailable);
  const others = new AggregateError([withCode("EACCES"), new Error("Query read timeout"), "text"]);
  expect(translateFailure(others)).toBe(others);
});

test("what a constraint refuses has its name", () => {
  const unique = translateFailure(withCode("23505", { constraint: "keys_pkey" }));
  expect(unique).toBeInstanceOf(UniqueViolation);
  expect(unique).toMatchObject({ constraint: "keys_pkey" });
  const check = translateFailure(withCode("23514", { constraint: "keys_check" }));
  expect(check).toBeInstanceOf(CheckViolation);
  expect(check).toMatchObject({ constraint: "keys_check" });
  expect(translateFailure(withCode("23505"))).toMatchObject({ constraint: "" });
  expect(translateFailure(withCode("23514"))).toMatchObject({ constraint: "" });
});

test("two that were in each other's way may be run again, and nothing else may", () => {
  const codes = ["40001", "40P01", "40002", "23505", "ECONNRESET"];
  expect(codes.filter((code) => isConflict(withCode(code)))).toEqual(["40001", "40P01"]);
  const thrown = { code: "40001" };
  expect([isConflict(thrown), isConflict(undefined), isConflict(new Error("40001"))]).toEqual([
    false,
    false,
    false,
  ]);
  const noError = { code: "23505" };
  expect([translateFailure(thrown), translateFailure(noError)]).toEqual([thrown, noError]);
});

test.each([
  [{ code: "0A000", severity: "ERROR" }, true],
  [{ code: "26000", severity: "ERROR" }, true],
  [{ code: "42P05", severity: "ERROR" }, true],
  [{ code: "53200", severity: "FATAL" }, true],
  [{ code: "XX000", severity: "PANIC" }, true],
  // Another language: nobody knows, and a new connection is never wrong.
  [{ code: "53200", severity: "FATALE" }, true],
  [{ code: "23505", severity: "ERROR" }, false],
  [{ code: "53100", severity: "ERROR" }, false],
  [{}, false],
])("%j costs the connection: %s", (more, isLost) => {
  const error = Object.assign(new Error("no"), more);
  expect(isAboutConnection(error)).toBe(isLost);
  expect(isAboutConnection(notAvailable(error))).toBe(isLost);
});
