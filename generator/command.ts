// The command `npm run generate`, on whatever hears what it says: which subcommand is asked for. Each is loaded
// when it is named, and heavy modules only when there is work to do.

import { type Terminal, UsageError } from "./command/terminal.ts";

export type { Terminal } from "./command/terminal.ts";

/** Reads the words behind its name. */
type Subcommand = (args: readonly string[], terminal: Terminal) => Promise<number>;

const subcommands: ReadonlyMap<string, () => Promise<Subcommand>> = new Map([
  ["init", async () => (await import("./command/init.ts")).init],
]);

const generate = async (): Promise<Subcommand> => (await import("./command/generate.ts")).generate;

/**
 * Throws what is a defect of ours.
 * @returns the exit code: 0 fine, 1 the document is wrong or something is stale, 2 the command line is wrong;
 * with --watch it never ends
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = "", ...rest] = args;
  const named = subcommands.get(name);
  try {
    const run = await (named ?? generate)();
    return await run(named === undefined ? args : rest, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    terminal.complain(error.message);
    terminal.complain('Run "npm run generate -- --help" for the options.');
    return 2;
  }
}
