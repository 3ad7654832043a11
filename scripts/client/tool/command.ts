// What a command is, and what all of them have in common: options, keys, the client.

import { readFileSync } from "node:fs";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./failures.ts";
import type { Output } from "./output.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

export interface Command {
  /** @param program how this command is typed */
  readonly help: (program: string) => string;
  /** beside `--json` and `--help`, which all have */
  readonly options: Options;
  readonly run: (given: Given, output: Output) => Promise<void> | void;
}

export interface Given {
  readonly words: readonly string[];
  /** undefined: not given */
  readonly text: (name: string) => string | undefined;
  readonly isSet: (name: string) => boolean;
}

/** Of commands that call the service. */
export const serviceOptions = {
  url: { type: "string" },
  key: { type: "string" },
  secret: { type: "string" },
} as const satisfies Options;

/** Where there is an option for a secret. */
export const secretsHelp = `Give secrets by the environment: every user of the machine can read a command line in the list of processes, and
the shell writes it into its history.`;

export const serviceHelp = `  --url URL             where the service is (PAY_URL, or else http://127.0.0.1:8080)
  --key K --secret S    in place of MERCHANT_API_KEY and MERCHANT_API_SECRET
  --json                one JSON object a line, and nothing else on standard output
  --help

${secretsHelp}`;

/** @throws {UsageError} an option that there is not, or one without its value */
export function readArguments(options: Options, words: readonly string[]): Given {
  try {
    const common: Options = {
      json: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    };
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { ...options, ...common },
    });
    return {
      words: positionals,
      text: (name) => textOf(values[name]),
      isSet: (name) => values[name] === true,
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export interface Keys {
  readonly key: string;
  readonly secret: string;
}

/** @throws {UsageError} there are none */
export function keysOf(given: Given): Keys {
  const key = given.text("key") ?? process.env["MERCHANT_API_KEY"];
  const secret = given.text("secret") ?? process.env["MERCHANT_API_SECRET"];
  if (!key || !secret) {
    throw new UsageError(
      "the key is missing: set MERCHANT_API_KEY and MERCHANT_API_SECRET, or give --key and --secret",
    );
  }
  return { key, secret };
}

/** Of the service, without a slash at its end. @throws {UsageError} it is none */
export function serviceUrl(given: Given): string {
  const url = given.text("url") ?? (process.env["PAY_URL"] || "http://127.0.0.1:8080");
  return webUrl("--url", url).replace(/\/+$/, "");
}

/** @throws {UsageError} it is none that can be fetched; what may be a password is not repeated */
export function webUrl(option: string, text: string): string {
  const [authority = ""] = text.replace(/^\w+:\/\//, "").split(/[/?#]/);
  if (authority.includes("@")) {
    throw new UsageError(`${option} has a user or password (@): write it without`);
  }
  if (!URL.canParse(text) || !/^https?:\/\/[^/]/.test(text)) {
    throw new UsageError(
      `${option} is ${text}: write a URL such as http://127.0.0.1:3000/webhooks`,
    );
  }
  return text;
}

/** @throws {UsageError} there is no such file */
export function readInput(what: string, path: string): Buffer {
  try {
    return readFileSync(path === "-" ? 0 : path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the ${what} cannot be read: ${reason}`);
  }
}
