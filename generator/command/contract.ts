// The contract that a command is about, as `generate` finds it: by the command line, or by the configuration.

import type { Job } from "./jobs.ts";
import { readOptions } from "./options.ts";
import { UsageError } from "./terminal.ts";

/** What the command line says of it. */
interface Named {
  readonly config?: string | undefined;
  readonly spec?: string | undefined;
  readonly contract?: string | undefined;
  readonly copy: readonly string[];
  readonly allow?: readonly string[];
}

/** Throws `UsageError` and `ConfigurationError`. */
export async function contractsOf(named: Named): Promise<readonly Job[]> {
  const { config, spec, contract, copy, allow = [] } = named;
  const words = Object.entries({
    "--config": config === undefined ? [] : [config],
    "--spec": spec === undefined ? [] : [spec],
    "--contract": contract === undefined ? [] : [contract],
    "--copy": copy,
    "--allow": allow,
  });
  const options = await readOptions(
    words.flatMap(([flag, values]) => values.map((value) => `${flag}=${value}`)),
  );
  if (options === "help") throw new Error("help was asked for by a value");
  return options.jobs;
}

export function onlyOne([job, ...more]: readonly Job[]): Job {
  if (job !== undefined && more.length === 0) return job;
  throw new UsageError("the configuration has several contracts: name one with --contract NAME");
}
