// What every subcommand says, and how it ends when something is wrong.

import type { Screen } from "./screen.ts";

/** Where each line goes. */
export interface Terminal {
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
  /** where complaints go, as people see it; nobody looks at it if there is none */
  readonly screen?: Screen;
}

/** The command line is wrong: what of it, and what to write instead. */
export class UsageError extends Error {}
