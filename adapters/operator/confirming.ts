// Asks the person at the terminal whether a command is meant: it shows what it would do, and a word is typed.

import { type AdminAnswer, failureOf } from "./answers.ts";
import { namedCommand, wrongWords } from "./command.ts";
import type { Confirmation } from "./confirmations.ts";
import type { Terminal } from "./terminal.ts";
import { readWords } from "./words.ts";

interface ConfirmingPorts {
  /** undefined: nobody is there */
  readonly terminal: Terminal | undefined;
  readonly perform: (words: readonly string[]) => Promise<AdminAnswer>;
}

/** Does it, or does nothing at all. */
export async function performConfirmed(
  words: readonly string[],
  { because, ...confirmation }: Confirmation,
  { terminal, perform }: ConfirmingPorts,
): Promise<AdminAnswer> {
  const isJson = words.includes("--json");
  const name = words.slice(0, 2).join(" ");
  const wrong = wrongWords(words);
  if (wrong !== undefined) return wrong;
  const word = wordOf(words, confirmation);
  if (terminal === undefined) {
    const message = `"${name}" ${because}, and there is no terminal to confirm it at. Nothing was changed.`;
    const fix = "Look at it with --dry-run, then say --yes.";
    return failureOf({ ending: "unconfirmed", message, fix }, isJson);
  }
  const plain = words.filter((one) => one !== "--json");
  const tried = await perform(withOption(plain, "--dry-run"));
  if (tried.exitCode !== 0) return isJson ? await perform(withOption(words, "--dry-run")) : tried;
  if (isBound(words) && tried.shownAs === undefined) return failureOf(olderServer, isJson);
  terminal.write(`${tried.output}\n`);
  const typed = await terminal.ask(`"${name}" ${because}. Type ${word} to do it: `);
  if (typed?.trim() === word) return await perform(meantWords(words, tried));
  return failureOf(
    { ending: "unconfirmed", message: "Not confirmed: nothing was changed." },
    isJson,
  );
}

/** What names the thing. */
function wordOf(words: readonly string[], { typed, otherwise }: Omit<Confirmation, "because">) {
  const named = namedCommand(words);
  const word = readWords(named.command, named.given).get(typed)?.[0]?.trim() ?? otherwise;
  if (word === undefined) throw new Error(`${typed} is left out, and nothing stands for it`);
  return word;
}

/** Without what it has shown, something else might be done after the word. */
const olderServer = {
  ending: "no",
  message:
    "The server that runs is older than this command line: it does not say what exactly it has shown. Nothing was changed.",
  fix: "Restart the server first, then run the command again.",
} as const;

/** It does what it has shown, or nothing. */
function isBound(words: readonly string[]): boolean {
  return Object.hasOwn(namedCommand(words).command.words, "as-shown");
}

/** What was shown, and nothing else. */
function meantWords(words: readonly string[], { shownAs }: AdminAnswer): readonly string[] {
  const bound = shownAs === undefined ? words : withOption(words, `--as-shown=${shownAs}`);
  return withOption(bound, "--yes");
}

/** Right behind the name, which has two words: what stands behind `--` is none. */
function withOption(words: readonly string[], option: string): readonly string[] {
  return words.toSpliced(2, 0, option);
}
