// The life of one thing, step by step: made, read, changed, ended, and asked for again.

import { isDeepStrictEqual } from "node:util";
import type { Answer } from "../../../generator/suite/answer-judge.ts";
import { isObject, type Json, type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { operationBy } from "../../../test/support/contract-resources.ts";
import type { Change, PlainRequest } from "../../../test/support/contract-requests.ts";
import { newName, plainOf, withHeaders } from "../requests.ts";
import type { Session } from "../session.ts";
import type { Expected, Step } from "../step.ts";

export interface Asked {
  readonly what: string;
  readonly change?: Change;
  /** "200", "409 order_already_exists": any of these */
  readonly expected: readonly [string, ...string[]];
  readonly check?: (body: JsonObject, answer: Answer) => readonly string[];
}

export interface Heard {
  readonly body: JsonObject;
  readonly request: PlainRequest;
  readonly status: number;
}

export class Life {
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** What the rest depends on: throws `ChainStopped` where another answer comes. */
  async must(operationId: string, asked: Asked): Promise<Heard> {
    const step = stepOf(operationId, asked);
    const answer = await this.session.need(step);
    return { body: bodyIn(answer), request: step.request, status: answer.status };
  }

  /** The same, and then the request again. */
  async mustTwice(operationId: string, asked: Asked): Promise<Heard> {
    const heard = await this.must(operationId, asked);
    await this.replay(operationId, heard);
    return heard;
  }

  /** Undefined: another answer came, which is noted. */
  async may(operationId: string, asked: Asked): Promise<Heard | undefined> {
    const step = stepOf(operationId, asked);
    const answer = await this.session.play(step);
    return answer && { body: bodyIn(answer), request: step.request, status: answer.status };
  }

  /** The same request with the same Idempotency-Key: the stored answer, and nothing happens. */
  async replay(operationId: string, { body, request, status }: Heard): Promise<void> {
    await this.session.play({
      name: `${operationId}: the same request again`,
      operation: operationBy(operationId),
      request,
      expected: [{ status }],
      check: (answer) => [
        ...differences(bodyIn(answer), body),
        ...(answer.headers.get("Idempotent-Replayed") === "true"
          ? []
          : ["header Idempotent-Replayed: is missing, and the answer is a stored one"]),
      ],
    });
  }
}

function stepOf(operationId: string, { what, change = {}, expected, check }: Asked): Step {
  const operation = operationBy(operationId);
  const needsKey = operation.parameters.some(({ name }) => name === "Idempotency-Key");
  const plain = plainOf(operation, change);
  const hasKey = Object.hasOwn(plain.headers ?? {}, "Idempotency-Key");
  const [first, ...others] = expected.map(expectedOf);
  if (first === undefined) throw new Error("a step expects something");
  return {
    name: `${operationId}: ${what}`,
    operation,
    request: needsKey && !hasKey ? withHeaders(plain, { "Idempotency-Key": newName() }) : plain,
    expected: [first, ...others],
    check: (answer) => [
      ...(answer.headers.has("Idempotent-Replayed")
        ? ["header Idempotent-Replayed: is there, and the request is a new one"]
        : []),
      ...(check?.(bodyIn(answer), answer) ?? []),
    ],
  };
}

function expectedOf(text: string): Expected {
  const [status, code] = text.split(" ");
  return { status: Number(status), ...(code === undefined ? {} : { code }) };
}

function bodyIn({ body }: Answer): JsonObject {
  return isObject(body) ? body : {};
}

/** Members that are other than they have to be; the answer may have more. */
export function differences(
  body: JsonObject,
  expected: Readonly<Record<string, Json | undefined>>,
): readonly string[] {
  return Object.entries(expected).flatMap(([name, value]) =>
    isDeepStrictEqual(body[name], value)
      ? []
      : [`body /${name}: is ${textOf(body[name])} in place of ${textOf(value)}`],
  );
}
