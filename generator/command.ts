// The command `npm run generate`, on whatever hears what it says: which subcommand is asked for. Each is loaded
// when it is named, and heavy modules only when there is work to do.

import { commandName } from "./command/name.ts";
import { type Terminal, UsageError } from "./command/terminal.ts";
import { ConfigurationError } from "./configuration/load.ts";

export type { Terminal } from "./command/terminal.ts";

/** Reads the words behind its name. */
type Subcommand = (args: readonly string[], terminal: Terminal) => Promise<number>;

const subcommands: ReadonlyMap<string, () => Promise<Subcommand>> = new Map([
  ["diff", async () => (await import("./command/diff.ts")).diff],
  ["init", async () => (await import("./command/init.ts")).init],
  ["mock", async () => (await import("./command/mock.ts")).mock],
]);

const generate = async (): Promise<Subcommand> => (await import("./command/generate.ts")).generate;

/**
 * Throws what is a defect of ours.
 * @returns the exit code: 0 fine, 1 the document is wrong, something is stale or breaks, 2 the command line or
 * the configuration is wrong; with --watch it never ends
 */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = "", ...rest] = args;
  const named = subcommands.get(name);
  try {
    const run = await (named ?? generate)();
    return await run(named === undefined ? args : rest, terminal);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ConfigurationError)) throw error;
    terminal.complain(error.message);
    if (error instanceof UsageError) {
      terminal.complain(`Run "${commandName} --help" for the options.`);
    }
    return 2;
  }
}
