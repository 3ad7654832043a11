// status --watch: the same screen again and again, until somebody has seen enough.

import { setTimeout as wait } from "node:timers/promises";
import type { AdminAnswer } from "./answers.ts";
import { UsageError } from "./words.ts";

const secondsStandard = 5;
const secondsMax = 3600;

export interface Watch {
  /** without what is about watching */
  readonly words: readonly string[];
  readonly seconds: number;
}

/** Undefined: nothing is watched. Throws `UsageError`. */
export function watchOf(words: readonly string[]): Watch | undefined {
  const at = words.findIndex((word) => word === "--watch" || word.startsWith("--watch="));
  if (words[0] !== "status" || at === -1) return undefined;
  const [flag = "", ...behind] = words.slice(at);
  const [next = ""] = behind;
  const isApart = flag === "--watch" && /^\d/.test(next);
  const text = isApart ? next : flag.slice("--watch=".length);
  const seconds = text === "" && flag === "--watch" ? secondsStandard : Number(text);
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > secondsMax) {
    throw new UsageError(`--watch is a number of seconds from 1 to ${secondsMax}.`);
  }
  const rest = isApart ? behind.slice(1) : behind;
  return { words: [...words.slice(0, at), ...rest], seconds };
}

export interface WatchPorts {
  readonly perform: (words: readonly string[]) => Promise<AdminAnswer>;
  readonly write: (text: string) => void;
  readonly now: () => Date;
  /** that of a terminal is cleared before each round */
  readonly isScreen: boolean;
  readonly signal: AbortSignal;
}

/** Cursor home, clear what is below; what has scrolled away stays. */
const clear = "\u001B[H\u001B[2J";

/**
 * A round that goes wrong is shown as any other, and the next one comes: whoever calls has looked at the words.
 * @returns how the last one ended
 */
export async function watch(
  { words, seconds }: Watch,
  { perform, write, now, isScreen, signal }: WatchPorts,
): Promise<Pick<AdminAnswer, "exitCode">> {
  const isJson = words.includes("--json");
  for (;;) {
    const { exitCode, output, errors } = await perform(words);
    const heading = `${now().toISOString()}, every ${seconds} s, Ctrl-C ends it\n\n`;
    write(
      isJson ? oneLine(output + errors) : `${isScreen ? clear : ""}${heading}${output}${errors}\n`,
    );
    if (await isEnded(seconds, signal)) return { exitCode };
  }
}

async function isEnded(seconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await wait(seconds * 1000, undefined, { signal });
    return false;
  } catch (error) {
    if (signal.aborted) return true;
    throw error;
  }
}

/** Of a round: an object a line, also where it went wrong. */
function oneLine(json: string): string {
  return `${JSON.stringify(JSON.parse(json))}\n`;
}
