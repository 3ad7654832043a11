// A relation of values: what one value of an answer has to be because of another one, of the request, or of
// an answer before. A schema says nothing of it.

import { isObject, type Json, type JsonObject, textOf } from "../../../generator/suite/json.ts";
import type { Answer } from "../../../generator/suite/answer-judge.ts";
import { codeOf } from "../../../generator/suite/answer-judge.ts";
import type { Operation } from "../contract-document.ts";
import { type Asked, askedBody } from "./asked.ts";

/** One thing that an answer says, and what is wrong with it. */
export interface Claim {
  /** "header ETag", "body /status" */
  readonly place: string;
  /** the end of a sentence that begins with the place; undefined: it is as it has to be */
  readonly problem: string | undefined;
}

export interface Relation {
  /** a promise: "a created payment is pending" */
  readonly name: string;
  /** none: it says nothing of this answer */
  readonly claims: (seen: Seen) => readonly Claim[];
}

/** An answer, and what was asked for where that is known. */
export class Seen {
  readonly operation: Operation;
  readonly answer: Answer;
  readonly asked: Asked | undefined;
  readonly #wish: JsonObject | undefined;

  constructor(operation: Operation, answer: Answer, asked: Asked | undefined) {
    this.operation = operation;
    this.answer = answer;
    this.asked = asked;
    this.#wish = asked && askedBody(asked);
  }

  get operationId(): string {
    return this.operation.operationId;
  }

  get isSuccess(): boolean {
    return this.answer.status < 300;
  }

  get isReplay(): boolean {
    return this.answer.headers.has("Idempotent-Replayed");
  }

  get code(): string | undefined {
    return codeOf(this.answer);
  }

  get body(): JsonObject {
    return isObject(this.answer.body) ? this.answer.body : {};
  }

  get details(): JsonObject {
    return objectOf(this.body["details"]);
  }

  header(name: string): string | undefined {
    return this.answer.headers.get(name) ?? undefined;
  }

  sent(name: string): string | undefined {
    return this.asked?.headers[name.toLowerCase()];
  }

  /** The body of the request, empty where it had none that can be read. */
  get wish(): JsonObject {
    return this.#wish ?? {};
  }

  get hasWish(): boolean {
    return this.#wish !== undefined;
  }

  /** What stands in the path of the request for the parameter of the operation, decoded. */
  get named(): string | undefined {
    const [path = ""] = this.asked?.target.split("?") ?? [];
    const pattern = this.operation.path.replace(/\{[^}]+\}/, "([^/]+)");
    const [, found] = new RegExp(`^${pattern}$`).exec(path) ?? [];
    return found === undefined ? undefined : decoded(found);
  }

  get query(): URLSearchParams {
    const [, query = ""] = this.asked?.target.split(/\?(.*)/s) ?? [];
    return new URLSearchParams(query);
  }

  /**
   * Between which two times of the server's clock it has answered, in milliseconds since 1970: what is signed is
   * the time of a clock that goes with it.
   */
  get time(): { readonly from: number; readonly to: number } | undefined {
    const { asked } = this;
    if (asked?.answeredBetween !== undefined) {
      const [from, to] = asked.answeredBetween;
      return { from, to };
    }
    const seconds = Number(this.sent("X-Timestamp"));
    if (asked === undefined || !Number.isSafeInteger(seconds)) return undefined;
    return { from: seconds * 1000, to: seconds * 1000 + 1000 + Math.ceil(asked.tookMilliseconds) };
  }
}

/** About a success, of one operation or of several. */
export function ofSuccess(
  operationIds: string | readonly string[],
  name: string,
  claims: Relation["claims"],
): Relation {
  const ids = new Set([operationIds].flat());
  return {
    name,
    claims: (seen) => (seen.isSuccess && ids.has(seen.operationId) ? claims(seen) : []),
  };
}

/** About a success, and the body that asked for it. */
export function ofWish(operationId: string, name: string, claims: Relation["claims"]): Relation {
  return ofSuccess(operationId, name, (seen) => (seen.hasWish ? claims(seen) : []));
}

/** About errors that have one of these codes. */
export function ofCodes(
  codes: string | readonly string[],
  name: string,
  claims: Relation["claims"],
): Relation {
  const all = new Set([codes].flat());
  return { name, claims: (seen) => (all.has(seen.code ?? "") ? claims(seen) : []) };
}

/** Both are values of JSON, compared member by member. */
export function same(place: string, is: Json | undefined, wanted: Json | undefined): Claim {
  const [one, other] = [is, wanted].map(inOrder);
  const problem = one === other ? undefined : `is ${one} in place of ${other}`;
  return { place, problem };
}

/** `problem` is what is wrong if it does not hold. */
export function holds(place: string, isRight: boolean, problem: string): Claim {
  return { place, problem: isRight ? undefined : problem };
}

/** Of an object, the members in the order of their names. */
function inOrder(value: Json | undefined): string {
  const sorted = (one: Json): Json => {
    if (Array.isArray(one)) return one.map(sorted);
    if (!isObject(one)) return one;
    const members = Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
  };
  return value === undefined ? "nothing" : JSON.stringify(sorted(value));
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/** The objects of a list. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** Milliseconds since 1970; undefined: it is no time. */
export function timeOf(value: Json | undefined): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** What stands twice in a list. */
export function twice(values: readonly string[]): readonly string[] {
  return values.filter((value, place) => values.indexOf(value) !== place);
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
