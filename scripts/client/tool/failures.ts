// What a command says when it cannot do what it was asked to, and with which code it ends.

import {
  NoResponseError,
  ResponseError,
  UnexpectedResponseError,
} from "../../../generated/client/runtime/answers.ts";
import { inline } from "./printable.ts";

/** Something went wrong: the command ends with 1. Its message says what, where, and what to do. */
export class ToolFailure extends Error {}

/** It was called wrongly: the command ends with 2. */
export class UsageError extends Error {}

const ofKeys =
  "Key and secret must belong to each other and to this service: MERCHANT_API_KEY, MERCHANT_API_SECRET, --url.";
/** What to do about the errors that a developer meets first, by their code. */
const advice: Readonly<Record<string, string>> = {
  authentication_failed: ofKeys,
  invalid_header: ofKeys,
  ip_not_allowed: "The key is bound to other addresses: take a key without a list of addresses.",
  endpoint_limit_reached:
    "Borrow one that exists: --endpoint whe_... with its secret in WEBHOOK_SECRET. Where nobody has that any more,\nPOST /v1/webhook-endpoints/whe_.../rotate-secret makes another one.",
};

/** In sentences; undefined: nobody has foreseen it, and its stack is of use. */
export function saidOf(error: unknown): string | undefined {
  if (error instanceof ToolFailure || error instanceof UsageError) return error.message;
  if (error instanceof NoResponseError) return unanswered(error);
  // Of whatever operation: `instanceof` says nothing of the answer.
  if (error instanceof ResponseError) return refused(error as ResponseError);
  if (error instanceof UnexpectedResponseError) {
    return `${inline(error.message)}\nIs this the address of the service, without /v1? Say another one by --url or PAY_URL.`;
  }
  return undefined;
}

function unanswered(error: NoResponseError): string {
  return `${error.operationId}: no answer came (${reasonOf(error.cause)}).
Does the service run there? Say where it is by --url or PAY_URL.`;
}

function refused(error: ResponseError): string {
  const lines = [inline(error.message)];
  const { details } = Object(error.body) as { readonly details?: unknown };
  const { required_scope: scope, violations } = Object(details) as {
    readonly required_scope?: unknown;
    readonly violations?: readonly { readonly pointer: string; readonly message: string }[];
  };
  for (const { pointer, message } of violations ?? []) {
    lines.push(inline(`  ${pointer} ${message}`));
  }
  if (typeof scope === "string") lines.push(`The key needs the scope ${scope}.`);
  const known = typeof error.code === "string" ? advice[error.code] : undefined;
  if (known !== undefined) lines.push(known);
  const requestId = error.headers.get("X-Request-Id");
  if (requestId !== null) lines.push(inline(`X-Request-Id: ${requestId}`));
  return lines.join("\n");
}

/** fetch hides why it failed in its cause, and of several addresses in a list of causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  return error.message;
}
