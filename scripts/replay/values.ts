// What every answer says and a schema cannot tell: whether it is now, whether it is new, and whether it
// is about the caller who asked.

import { type Answer, codeOf } from "../../generator/suite/answer-judge.ts";
import { isObject, listAt, objectAt, textOf } from "../../generator/suite/json.ts";
import type { Exchange } from "./caller.ts";
import type { Step } from "./step.ts";

/** Further off, and signatures are refused soon. */
export const clockSecondsMax = 60;

export interface Seen {
  readonly step: Step;
  readonly answer: Answer;
  readonly exchange: Exchange;
  /** by what they named before */
  readonly requestIds: Map<string, string>;
  readonly secret: string;
}

export function valueProblems(seen: Seen): readonly string[] {
  return [
    ...dateProblems(seen.exchange),
    ...requestIdProblems(seen),
    ...callerProblems(seen),
    ...errorProblems(seen),
    ...(seen.exchange.text.includes(seen.secret) ? ["body: holds the secret of the API key"] : []),
  ];
}

/** Undefined: it is near; else how far off it is, in words. */
export function offBy(milliseconds: number, nowMilliseconds: number): string | undefined {
  const seconds = Math.round((milliseconds - nowMilliseconds) / 1000);
  if (Math.abs(seconds) <= clockSecondsMax) return undefined;
  return `is ${Math.abs(seconds)} s ${seconds < 0 ? "behind" : "ahead of"} this machine's clock`;
}

function dateProblems({ headers, atMilliseconds }: Exchange): readonly string[] {
  const text = headers.get("Date");
  if (text === null) return ["header Date: is missing"];
  const time = Date.parse(text);
  if (Number.isNaN(time)) return [`header Date: is no date: ${text}`];
  const off = offBy(time, atMilliseconds);
  return off === undefined ? [] : [`header Date: ${off}`];
}

function requestIdProblems({ step, exchange, requestIds }: Seen): readonly string[] {
  const id = exchange.headers.get("X-Request-Id");
  if (id === null) return [];
  const earlier = requestIds.get(id);
  requestIds.set(id, earlier ?? step.name);
  return earlier === undefined
    ? []
    : [`header X-Request-Id: is that of another answer (${earlier}): ${id}`];
}

/** Every authenticated answer tells what is left of the rate, and that it is for this key alone. */
function callerProblems({ step, answer }: Seen): readonly string[] {
  const { operation } = step;
  const { headers, status } = answer;
  if (operation === undefined || status === 429 || status >= 500) return [];
  const names = ["Cache-Control", "Vary", "RateLimit-Policy", "RateLimit"];
  if (step.isKnown === false || status === 401) {
    return names
      .filter((name) => headers.has(name))
      .map((name) => `header ${name}: is there, before it is known who asks`);
  }
  return names
    .filter((name) => !headers.has(name))
    .map((name) => `header ${name}: is missing, and the caller is known`);
}

function errorProblems({ step, answer, exchange }: Seen): readonly string[] {
  const code = codeOf(answer);
  if (code === undefined || !isObject(answer.body)) return [];
  const details = objectAt(answer.body, "details");
  if (code === "timestamp_out_of_range") {
    const off = offBy(Number(details["server_time"]) * 1000, exchange.atMilliseconds);
    return off === undefined ? [] : [`body /details/server_time: ${off}`];
  }
  if (step.violation === undefined || answer.status !== 400) return [];
  const found = listAt(details, "violations")
    .filter(isObject)
    .map((one) => `${textOf(one["in"])} ${textOf(one["pointer"])} ${textOf(one["rule"])}`);
  if (found.includes(step.violation)) return [];
  return [`body /details/violations: ${step.violation} is not among them: ${found.join(", ")}`];
}
