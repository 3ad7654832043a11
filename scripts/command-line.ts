// What is typed behind a maintainer's program: read strictly, before anything is done.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { parseArgs, ParseArgsConfig } from "node:util";
import { readArguments } from "../generator/command/arguments.ts";
import { UsageError } from "../generator/command/terminal.ts";

type Words<Config extends ParseArgsConfig> = ReturnType<typeof parseArgs<Config>>;

/**
 * What the program is to do. It ends here for `--help`, with the usage (exit code 0), and for words that it does not
 * know or that `read` refuses by an `UsageError`, with what is wrong and the usage (exit code 2).
 */
export function readCommandLine<const Config extends ParseArgsConfig, Read>(
  usage: string,
  config: Config,
  read: (words: Words<Config>) => Read,
): Read {
  if (process.argv.slice(2).includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return read(readArguments(config));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    return process.exit(2);
  }
}

/** Options with a word each, and the word that counts where one is left out. */
export function worded<const Words extends Readonly<Record<string, string>>>(words: Words) {
  const options = Object.entries(words).map(([name, word]) => [
    name,
    { type: "string", default: word },
  ]);
  // They have the names of the words.
  return Object.fromEntries(options) as {
    readonly [Name in keyof Words]: { readonly type: "string"; readonly default: string };
  };
}

/** Options that are there or not. */
export function flags<const Name extends string>(...names: readonly Name[]) {
  const options = names.map((name) => [name, { type: "boolean", default: false }]);
  // They have these names.
  return Object.fromEntries(options) as {
    readonly [One in Name]: { readonly type: "boolean"; readonly default: boolean };
  };
}

/** For a program that takes no words. */
export function takeNoWords(usage: string): void {
  readCommandLine(usage, {}, () => undefined);
}

/** A file or folder that is named from where the person is: npm starts programs in the project's own folder. */
export function pathOf(name: string): string {
  return resolve(process.env["INIT_CWD"] ?? "", name);
}

/** Of files that have to be there. Throws `UsageError`. */
export function filesOf(names: readonly string[]): readonly string[] {
  const paths = names.map(pathOf);
  const missing = paths.find(
    (path) => statSync(path, { throwIfNoEntry: false })?.isFile() !== true,
  );
  if (missing !== undefined) throw new UsageError(`${missing} is not there, or is no file`);
  return paths;
}

/** A number of things, of which there is one at least. Throws `UsageError`. */
export function positive(name: string, text: string, max: number): number {
  return between(1, max, { name, text });
}

/** A number of things, or none of them. Throws `UsageError`. */
export function wholeOf(name: string, text: string): number {
  return between(0, Number.MAX_SAFE_INTEGER, { name, text });
}

/** Throws `UsageError`. */
export function seedOf(text: string, max = 2 ** 32 - 1): number {
  return between(0, max, { name: "seed", text });
}

interface Typed {
  readonly name: string;
  readonly text: string;
}

function between(min: number, max: number, { name, text }: Typed): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`);
}
