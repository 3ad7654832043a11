// Asks the person at the terminal whether a command is meant: it shows what it would do, and a word is typed.

import { type AdminAnswer, failureOf } from "./answers.ts";
import { namedCommand } from "./command.ts";
import type { Confirmation } from "./confirmations.ts";
import type { Terminal } from "./terminal.ts";
import { readWords, UsageError } from "./words.ts";

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
  const word = wordOf(words, confirmation);
  // It says what is wrong with these words, and can change nothing.
  if (word === undefined) return await perform([...words, "--dry-run"]);
  if (terminal === undefined) {
    const message = `"${name}" ${because}, and there is no terminal to confirm it at. Nothing was changed.`;
    const fix = "Look at it with --dry-run, then say --yes.";
    return failureOf({ ending: "unconfirmed", message, fix }, isJson);
  }
  const plain = words.filter((one) => one !== "--json");
  const tried = await perform([...plain, "--dry-run"]);
  if (tried.exitCode !== 0) return isJson ? await perform([...words, "--dry-run"]) : tried;
  terminal.write(`${tried.output}\n`);
  const typed = await terminal.ask(`"${name}" ${because}. Type ${word} to do it: `);
  if (typed?.trim() === word) return await perform([...words, "--yes"]);
  return failureOf(
    { ending: "unconfirmed", message: "Not confirmed: nothing was changed." },
    isJson,
  );
}

/** What names the thing. Undefined: the words are wrong. */
function wordOf(
  words: readonly string[],
  { typed, otherwise }: Omit<Confirmation, "because">,
): string | undefined {
  try {
    const named = namedCommand(words);
    return readWords(named.command, named.given).get(typed)?.[0]?.trim() ?? otherwise;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
