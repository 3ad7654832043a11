// Words of a command line, read strictly.

import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./terminal.ts";

/** As `parseArgs` of Node, but what is wrong with the line is a `UsageError`. */
export function readArguments<T extends ParseArgsConfig>(
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's own errors of this function have these codes
    if (!(error instanceof Error && "code" in error)) throw error;
    throw new UsageError(error.message, { cause: error });
  }
}
