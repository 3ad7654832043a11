// What is printed of a command: its result, or what went wrong, as text or as JSON.

import { type Result, resultJson, resultText } from "./results.ts";

export interface AdminAnswer {
  readonly exitCode: 0 | 1 | 2;
  readonly output: string;
  readonly errors: string;
}

/** Standard output has the result and nothing else. */
export function answerOf(result: Result, isJson: boolean): AdminAnswer {
  const { isWell = true, aside = "" } = result;
  const exitCode = isWell ? 0 : 1;
  if (isJson) return { exitCode, output: jsonText(resultJson(result)), errors: "" };
  return { exitCode, output: resultText(result), errors: aside };
}

export interface Failure {
  readonly code: "refused" | "usage";
  readonly message: string;
  /** how it is said, for people */
  readonly usage?: string;
}

export function failureOf({ code, message, usage }: Failure, isJson: boolean): AdminAnswer {
  const exitCode = code === "usage" ? 2 : 1;
  const text = usage === undefined ? `${message}\n` : `${message}\n\n${usage}`;
  const errors = isJson ? jsonText({ error: { code, message } }) : text;
  return { exitCode, output: "", errors };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
