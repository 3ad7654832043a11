// What is printed of a command: its result, or what went wrong, as text or as JSON.

import { type Ending, type ExitCode, exitCodes } from "./exit-codes.ts";
import { type Part, type Result, resultJson, resultText } from "./results.ts";

export interface AdminAnswer {
  readonly exitCode: ExitCode;
  readonly output: string;
  readonly errors: string;
  /** what it has shown, for whoever does it next: see `Result` */
  readonly shownAs?: string;
}

/** Standard output has the result and nothing else. */
export function answerOf(result: Result, isJson: boolean): AdminAnswer {
  const { isWell = true, aside = "", shownAs } = result;
  const exitCode = exitCodes[isWell ? "done" : "no"].code;
  const bound = shownAs === undefined ? {} : { shownAs };
  if (isJson) return { exitCode, output: jsonText(resultJson(result)), errors: "", ...bound };
  return { exitCode, output: resultText(result), errors: aside, ...bound };
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
  /** what is there, where that is why */
  readonly now?: Part;
}

export function failureOf(
  { ending, message, fix, usage, now }: Failure,
  isJson: boolean,
): AdminAnswer {
  const plain = message.trimEnd();
  const more = usage === undefined ? (fix ?? "") : `\n${usage.trimEnd()}`;
  const error = {
    code: errorCodes[ending],
    message: plain,
    ...(fix === undefined ? {} : { fix }),
    ...(now === undefined ? {} : { now: resultJson({ parts: [now] }) }),
  };
  const text = `${plain}\n${now?.text ?? ""}${more === "" ? "" : `${more}\n`}`;
  const errors = isJson ? jsonText({ error }) : text;
  return { exitCode: exitCodes[ending].code, output: "", errors };
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
