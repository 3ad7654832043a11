// What comes back: every documented answer is a case of one union, and what is none is thrown.

import type { SuccessStatus } from "../../runtime/statuses.ts";

/** One case for each status. */
export type Answer<Status extends number = number, Body = unknown> = Status extends number
  ? { readonly status: Status; readonly body: Body; readonly headers: Headers }
  : never;

/** Those whose status says that it was done. */
export type SuccessOf<One extends Answer> = Extract<One, { readonly status: SuccessStatus }>;

export type FailureOf<One extends Answer> = Exclude<One, { readonly status: SuccessStatus }>;

/** The cases of an error whose `code` is one of these. */
export type WithCode<Body, Codes extends string> = Body extends { readonly code: infer Code }
  ? [Code & Codes] extends [never]
    ? never
    : Body & { readonly code: Code & Codes }
  : Body;

/** A member of an intersection or a union whose names have to be there. */
export type WithRequired<Type, Names extends PropertyKey> = Type extends object
  ? Type & { [Name in Names & keyof Type]-?: Type[Name] }
  : Type;

/** One for each status and each form of a body, so that a status or a code tells what the body is. */
export type ErrorOf<One extends Answer> =
  FailureOf<One> extends infer Failure
    ? Failure extends { readonly status: infer Status extends number; readonly body: infer Body }
      ? Body extends unknown
        ? ResponseError<Answer<Status, Body>>
        : never
      : never
    : never;

type CodeOf<Body> = Body extends { readonly code: infer Code } ? Code : undefined;

/** What a call throws once it has been sent. */
class CallError extends Error {
  readonly operationId: string;
  /** with which it was sent, given or drawn: asking again with the same one has no second effect */
  idempotencyKey: string | undefined;

  constructor(operationId: string, message: string, options?: ErrorOptions) {
    super(`${operationId}: ${message}`, options);
    this.operationId = operationId;
  }
}

/** Lets whoever catches it ask again. */
export function withKey<Thrown>(error: Thrown, idempotencyKey: string | undefined): Thrown {
  if (error instanceof CallError) error.idempotencyKey = idempotencyKey;
  return error;
}

/** There was no answer: it may have been done all the same. `cause` is what was thrown by `fetch`. */
export class NoResponseError extends CallError {
  override readonly name = "NoResponseError";

  constructor(operationId: string, cause: unknown) {
    const said = cause instanceof Error ? cause.message : String(cause);
    super(operationId, `no answer came (${said}); it may have been done all the same`, { cause });
  }
}

/** An answer of the contract that says that it was not done. */
export class ResponseError<One extends Answer = Answer> extends CallError {
  override readonly name = "ResponseError";
  readonly status: One["status"];
  readonly body: One["body"];
  readonly headers: Headers;
  /** the member `code` of the body, where it has one */
  readonly code: CodeOf<One["body"]>;

  constructor(operationId: string, { status, body, headers }: One) {
    const { code, message, title } = Object(body) as Readonly<Record<string, unknown>>;
    const said = [code, message ?? title].filter((text) => typeof text === "string");
    super(operationId, [String(status), ...said].join(" "));
    this.status = status;
    this.body = body;
    this.headers = headers;
    // The types say of it what the contract says of the body.
    this.code = code as CodeOf<One["body"]>;
  }
}

/** No answer of the contract: a status that it does not name, or a body that is not what it says. */
export class UnexpectedResponseError extends CallError {
  override readonly name = "UnexpectedResponseError";
  readonly status: number;
  readonly headers: Headers;
  /** as it came */
  readonly text: string;

  constructor(
    operationId: string,
    { status, headers, text, why }: Unexpected,
    options?: ErrorOptions,
  ) {
    super(operationId, `${status}, ${why}`, options);
    this.status = status;
    this.headers = headers;
    this.text = text;
  }
}

interface Unexpected {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly why: string;
}
