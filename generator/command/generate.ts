// The files of a contract: generate [options].

import { DocumentError } from "../problems.ts";
import { displayPath } from "../write/plan.ts";
import { help, type Options, parseOptions } from "./options.ts";
import { runOnce } from "./run.ts";
import { explain, type Terminal } from "./terminal.ts";
import { nextChange } from "./watch.ts";

export async function generate(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = parseOptions(args);
  if (options === "help") {
    terminal.say(help);
    return 0;
  }
  if (options.watch) return watchContract(options, terminal);
  try {
    return (await runOnce(options, terminal)).code;
  } catch (error) {
    return explain(error, terminal);
  }
}

async function watchContract(options: Options, terminal: Terminal): Promise<never> {
  const settleMilliseconds = 100; // editors write a file in several steps
  for (;;) {
    const startedAt = Date.now();
    let read: readonly string[] = [options.spec];
    try {
      read = (await runOnce(options, terminal)).read;
    } catch (error) {
      explain(error, terminal);
      if (error instanceof DocumentError) read = error.files;
    }
    terminal.say(`watching ${read.map(displayPath).join(", ")}`);
    await nextChange(read, startedAt);
    await new Promise((resume) => setTimeout(resume, settleMilliseconds));
  }
}
