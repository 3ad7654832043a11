// What went wrong in the database, said in the words of the rules: another row has the same key,
// the database is not there right now, or (everything else) we are wrong.

import { ServiceError } from "../../service/errors.ts";
import { CheckViolation, UniqueViolation } from "../../service/ports/database.ts";
import { UnfitConnection } from "./unfit-connection.ts";

/** Also the errors of sockets and of the driver itself, which have no SQLSTATE. */
interface Failure extends Error {
  readonly code?: string;
  readonly constraint?: string;
  /** in the server's language; of the driver's own errors there is none */
  readonly severity?: string;
  /** where in the server's source; in no language */
  readonly routine?: string;
}

/** Two transactions were in each other's way and this one was undone: it may be run again. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === "40001" || code === "40P01";
}

/**
 * What `run` or a transaction threw, before anything was to count: the server is there, and it is about this work,
 * or one that is in its way.
 */
export function isAboutWork(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== "service_unavailable") return true;
  const { cause } = error;
  const timeOuts = ["57014", "55P03"];
  return cause === undefined || isConflict(cause) || timeOuts.includes(codeOf(cause) ?? "");
}

/**
 * What `run` or a transaction threw is about the server or the way to it: another connection, or another server,
 * may do.
 */
export function isAboutServer(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!(cause instanceof Error)) return false;
  if (cause instanceof AggregateError) return cause.errors.some(hasSocketCode);
  const { code } = cause as Failure;
  if (code === undefined) return driverMessages.test(cause.message);
  return socketCodes.has(code) || lostStates.some((state) => state.test(code));
}

/**
 * What `run` or a transaction threw is about the connection: the server ended it (or says in another language what it
 * did), or what it has prepared can never be used again, since a column was added (0A000), or a pooler has lost it
 * (26000) or has another one of that name (42P05).
 */
export function isAboutConnection(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!(cause instanceof Error)) return false;
  const { code, severity = "ERROR" }: Failure = cause;
  return ["0A000", "26000", "42P05"].includes(code ?? "") || severity !== "ERROR";
}

/** The database does not do it right now, and nothing says that it never will. */
export function notAvailable(cause?: Error): ServiceError {
  const message = "The service is not available right now.";
  const reason = cause === undefined ? {} : { cause };
  return new ServiceError("service_unavailable", message, { retryAfterSeconds: 1, ...reason });
}

/** What `run` throws for what the driver threw. */
export function translateFailure(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const failure: Failure = error;
  if (failure.code === "23505") return new UniqueViolation(failure.constraint ?? "", error);
  if (failure.code === "23514") return new CheckViolation(failure.constraint ?? "", error);
  if (isUnavailable(failure) || isConflict(failure) || error instanceof UnfitConnection) {
    return notAvailable(error);
  }
  return error;
}

/** SQLSTATEs of a server that is going, coming, or no longer the one that is written to. */
const lostStates = [
  /^08/, // connection
  /^57P/, // shutting down, starting up
  /^25006$/, // read only: we talk to a server that is no longer the primary
];

/** Those that are about the server, not about the statement. */
const unavailableStates = [
  ...lostStates,
  /^28/, // authorization: somebody is changing the password
  /^3D000$/, // no such database: it is being restored
  /^53/, // out of connections, memory, disk
  /^55000$/, // takes no connections: somebody is at work on the database
  /^57014$/, // cancelled: statement time-out
  /^55P03$/, // lock time-out
  /^58/, // input or output of the server itself
];

const socketCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ENOENT", // no socket file
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** The driver gives these errors no code. */
const driverMessages =
  /^(timeout exceeded when trying to connect|Connection terminated|Query read timeout|timeout expired|Client has encountered a connection error|The server does not support SSL)/;

function isUnavailable(failure: Failure): boolean {
  const { code, severity = "ERROR", routine } = failure;
  if (failure instanceof AggregateError) return failure.errors.some(hasSocketCode);
  // It has ended the connection, whatever for (such as XX000, "could not write init file", of a full disk).
  if (severity === "FATAL" || severity === "PANIC") return true;
  // Nothing was done, and another connection can do it.
  if (code === "26000" || code === "42P05") return true;
  if (code === "0A000" && routine === "RevalidateCachedQuery") return true;
  if (code === undefined) return driverMessages.test(failure.message);
  return socketCodes.has(code) || unavailableStates.some((state) => state.test(code));
}

function hasSocketCode(error: unknown): boolean {
  return socketCodes.has(codeOf(error) ?? "");
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as Failure).code : undefined;
}
