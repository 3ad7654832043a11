// The configuration file of a project: found, read, and held against its fields.

import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { displayPath } from "../write/plan.ts";
import type { Configuration } from "./define.ts";
import { fieldProblems, isConfiguration } from "./fields.ts";

const endings = [".ts", ".mts", ".js", ".mjs", ".json"];

/** It cannot be read, or says what is wrong; every problem is in the message. */
export class ConfigurationError extends Error {}

/** The one of a folder; undefined: there is none. Throws `ConfigurationError` where there are several. */
export function findConfiguration(folder: string): string | undefined {
  const found = endings
    .map((ending) => join(folder, `generator.config${ending}`))
    .filter((file) => existsSync(file));
  if (found.length < 2) return found[0];
  const names = found.map((file) => basename(file)).join(" and ");
  throw new ConfigurationError(
    `there are ${names}: keep one of them, or name it with --config FILE`,
  );
}

/** @param file absolute path. Throws `ConfigurationError` */
export async function loadConfiguration(file: string): Promise<Configuration> {
  const shown = displayPath(file);
  if (!existsSync(file)) {
    throw new ConfigurationError(`${shown}: there is no such file; name the configuration`);
  }
  const value = await valueOf(file);
  if (isConfiguration(value)) return value;
  const problems = fieldProblems(value).map((problem) => `${shown}: ${problem}`);
  throw new ConfigurationError(problems.join("\n"));
}

async function valueOf(file: string): Promise<unknown> {
  try {
    if (extname(file) === ".json") return JSON.parse(readFileSync(file, "utf8")) as unknown;
    // Node keeps what it has loaded; an edit has another time
    const url = `${pathToFileURL(file).href}?at=${statSync(file).mtimeMs}`;
    const loaded: unknown = await import(url);
    return Reflect.get(Object(loaded) as object, "default");
  } catch (error) {
    throw new ConfigurationError(`${displayPath(file)} cannot be loaded: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Whatever the file throws is its author's to read. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code: unknown = Reflect.get(Object(error) as object, "code");
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") {
    return `Node ${process.versions.node} does not run TypeScript; write it as generator.config.mjs, or run Node 22.18 or later`;
  }
  if (code !== "ERR_MODULE_NOT_FOUND") return message;
  return `${message}; install what it imports, or export the object alone: defineConfig only adds types`;
}
