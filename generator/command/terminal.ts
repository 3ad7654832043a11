// What every subcommand says, and how it ends when something is wrong.

import { DocumentError } from "../problems.ts";
import { LockError } from "../write/lock.ts";

/** Where each line goes. */
export interface Terminal {
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

/** The command line is wrong: what of it, and what to write instead. */
export class UsageError extends Error {}

/**
 * Problems of the document are the user's to read; anything else is a defect of ours.
 * @param contract its name, where there are others
 * @returns the exit code
 */
export function explain(error: unknown, { complain }: Terminal, contract?: string): number {
  if (error instanceof LockError) {
    complain(error.message);
    return 1;
  }
  if (!(error instanceof DocumentError)) throw error;
  complain(error.message);
  const errors = error.problems.filter((problem) => problem.severity === "error").length;
  const which = contract === undefined ? "" : ` for ${contract}`;
  complain(`\n${errors} ${errors === 1 ? "error" : "errors"}; nothing was written${which}`);
  return 1;
}
