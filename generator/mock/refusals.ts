// What is refused, in the words of the contract where it has some: its body for the status, with what is wrong
// in every place that the body has for it.

import { RequestError, type Violation } from "../runtime/runtime.ts";
import { isObject, type Json } from "../suite/json.ts";
import { NotAcceptableError } from "./choosing.ts";
import { type Fault, PreferenceError } from "./preferences.ts";
import { fitting, type Member } from "./fitting.ts";
import { NoValueError } from "./answers.ts";

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly violations: readonly Violation[];
  /** what there is in place of what was asked for */
  readonly available?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** One of the faults that were asked for, as an answer. */
export class FaultError extends Error {
  readonly status: number;

  constructor(fault: Extract<Fault, "500" | "503">) {
    super("a fault that was asked for");
    this.name = "FaultError";
    this.status = Number(fault);
  }
}

export class NotThereError extends Error {
  constructor() {
    super("there is nothing of this name");
    this.name = "NotThereError";
  }
}

export class TakenError extends Error {
  constructor() {
    super("there is something of this name");
    this.name = "TakenError";
  }
}

/** Undefined: nobody has thought of it, so it is a defect. */
export function refusalOf(error: unknown): Refusal | undefined {
  const none = { violations: [], headers: {} };
  if (error instanceof RequestError) {
    const { status, problem, message, violations, allow } = error;
    const headers = allow.length === 0 ? {} : { Allow: allow.join(", ") };
    return { status, code: problem, message, violations, headers };
  }
  if (error instanceof PreferenceError) {
    const { message, available } = error;
    return { ...none, status: 400, code: "not_promised", message, available };
  }
  if (error instanceof NotAcceptableError) {
    const { message, available } = error;
    return { ...none, status: 406, code: "not_acceptable", message, available };
  }
  if (error instanceof NotThereError) {
    return { ...none, status: 404, code: "not_found", message: error.message };
  }
  if (error instanceof TakenError) {
    return { ...none, status: 409, code: "conflict", message: error.message };
  }
  if (error instanceof FaultError) {
    const { status, message } = error;
    const headers = status === 503 ? { "Retry-After": "1" } : {};
    return { ...none, status, code: "fault", message, headers };
  }
  if (error instanceof NoValueError) {
    return { ...none, status: 500, code: "no_value", message: error.message };
  }
  return undefined;
}

/** As a generated server says it that knows nothing of its contract's errors. */
export function plainBody({ code, message, violations, available }: Refusal): Json {
  const list = violations.map((one): Json => ({ ...one }));
  const plain = { code, message, violations: list };
  return available === undefined ? plain : { ...plain, available: [...available] };
}

/** The contract's own body, with what is known of the refusal. */
export function inContractsWords(
  body: Json,
  refusal: Refusal,
  isFitting: (body: Json) => boolean,
): Json {
  const plain = plainBody(refusal);
  if (isFitting(plain)) return plain;
  if (!isObject(body)) return fitting(body, [[[], [refusal.message]]], isFitting);
  const inside = Object.keys(body).filter((name) => isObject(body[name]));
  const places = [[], ...inside.map((name) => [name])];
  const members = places.flatMap((path) => membersOf(refusal, path));
  return fitting(body, members, isFitting);
}

/** Names that contracts have for it. */
function membersOf({ status, code, message, violations }: Refusal, path: readonly string[]) {
  const at = (name: string, ...values: readonly Json[]): Member => [[...path, name], values];
  const lists = violations.length === 0 ? [[]] : formsOf(violations);
  return [
    at("code", code, code.toUpperCase(), status, String(status)),
    at("status", status, String(status)),
    at("statusCode", status, String(status)),
    at("error", message, code),
    at("title", message),
    at("message", message),
    at("detail", message),
    at("description", message),
    ...["violations", "errors", "details", "issues", "detail"].map((name) => at(name, ...lists)),
  ];
}

/** Every violation in each of the forms that lists of problems have. */
function formsOf(violations: readonly Violation[]): readonly Json[] {
  const as = (form: (one: Violation) => Json): Json => violations.map(form);
  const field = ({ pointer }: Violation): string => pointer.slice(1);
  return [
    as((one) => ({ ...one })),
    as(({ in: location, pointer, message }) => ({ in: location, pointer, message })),
    as((one) => ({ field: field(one), message: one.message })),
    as((one) => ({ path: one.pointer, message: one.message })),
    as((one) => ({ field: field(one), code: one.rule, message: one.message })),
    as((one) => ({ code: one.rule, message: one.message })),
    as(({ in: location, pointer, message, rule }) => ({
      loc: [location, ...pointer.split("/").slice(1)],
      msg: message,
      type: rule,
    })),
    as(({ pointer, message }) => ({ pointer, detail: message })),
    as(({ message }) => ({ message })),
    as(({ in: location, pointer, message }) => `${location} ${pointer} ${message}`),
  ];
}
