// What is printed of a command: its result, or what went wrong, as text or as JSON.

import { type Ending, type ExitCode, exitCodes } from "./exit-codes.ts";
import { type Result, resultJson, resultText } from "./results.ts";

export interface AdminAnswer {
  readonly exitCode: ExitCode;
  readonly output: string;
  readonly errors: string;
}

/** Standard output has the result and nothing else. */
export function answerOf(result: Result, isJson: boolean): AdminAnswer {
  const { isWell = true, aside = "" } = result;
  const exitCode = exitCodes[isWell ? "done" : "no"].code;
  if (isJson) return { exitCode, output: jsonText(resultJson(result)), errors: "" };
  return { exitCode, output: resultText(result), errors: aside };
}

/** Words for programs. */
const errorCodes = {
  no: "refused",
  usage: "usage",
  unreachable: "unreachable",
  unconfirmed: "not_confirmed",
  failed: "failed",
} as const satisfies Partial<Record<Ending, string>>;

export interface Failure {
  readonly ending: keyof typeof errorCodes;
  readonly message: string;
  /** what to do, where the message does not say it */
  readonly fix?: string;
  /** in place of `fix`, for people */
  readonly usage?: string;
}

export function failureOf({ ending, message, fix, usage }: Failure, isJson: boolean): AdminAnswer {
  const plain = message.trimEnd();
  const more = usage === undefined ? (fix ?? "") : `\n${usage.trimEnd()}`;
  const error = { code: errorCodes[ending], message: plain, ...(fix === undefined ? {} : { fix }) };
  const errors = isJson ? jsonText({ error }) : `${plain}\n${more === "" ? "" : `${more}\n`}`;
  return { exitCode: exitCodes[ending].code, output: "", errors };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
