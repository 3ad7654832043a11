// The files of one contract or several: generate [options].

import { ConfigurationError } from "../configuration/load.ts";
import { DocumentError } from "../problems.ts";
import { displayPath } from "../write/plan.ts";
import { help } from "./help.ts";
import { type Options, readOptions } from "./options.ts";
import { type Ended, runOnce } from "./run.ts";
import type { Teller } from "./news.ts";
import { newsOf, tellerOf } from "./teller.ts";
import { type Terminal, UsageError } from "./terminal.ts";

export async function generate(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = await readOptions(args);
  if (options === "help") {
    terminal.say(help);
    return 0;
  }
  const teller = tellerOf(options.format, terminal);
  if (options.watch) return watchContracts(options, args, { terminal, teller });
  return (await runAll(options, teller)).code;
}

/** A contract that is wrong holds none of the others back. */
async function runAll(options: Options, teller: Teller): Promise<Ended> {
  const { jobs, check, strict } = options;
  let code = 0;
  const read = new Set<string>();
  for (const job of jobs) {
    let files: readonly string[] = [job.spec];
    try {
      const ended = await runOnce({ ...job, check, strict }, teller);
      code = Math.max(code, ended.code);
      files = ended.read;
    } catch (error) {
      teller.tell(newsOf(error, jobs.length > 1 ? job.name : undefined));
      code = 1;
      if (error instanceof DocumentError) files = error.files;
    }
    for (const file of files) read.add(file);
  }
  teller.end(code);
  return { code, read: [...read] };
}

/** What the configuration says is read again each time; a broken one is said, and what it said before holds. */
async function watchContracts(
  first: Options,
  args: readonly string[],
  { terminal, teller }: { readonly terminal: Terminal; readonly teller: Teller },
): Promise<never> {
  const settleMilliseconds = 100; // editors write a file in several steps
  const { nextChange } = await import("./watch.ts");
  let options = first;
  for (;;) {
    const startedAt = Date.now();
    const { read } = await runAll(options, teller);
    const { configuration } = options;
    const watched = configuration === undefined ? read : [...read, configuration];
    teller.tell({ kind: "watching", files: watched.map(displayPath) });
    await nextChange(watched, startedAt);
    await new Promise((resume) => setTimeout(resume, settleMilliseconds));
    options = await readAgain(args, { before: options, terminal });
  }
}

async function readAgain(
  args: readonly string[],
  { before, terminal }: { readonly before: Options; readonly terminal: Terminal },
): Promise<Options> {
  try {
    const options = await readOptions(args);
    return options === "help" ? before : options;
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof UsageError)) throw error;
    terminal.complain(error.message);
    return before;
  }
}
