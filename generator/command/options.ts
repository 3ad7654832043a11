// What `generate` is told to do, by its command line and by the configuration of the project.

import { dirname, resolve } from "node:path";
import type { ParseArgsConfig } from "node:util";
import type { Configuration, ImportEndings } from "../configuration/define.ts";
import { basePathAdvice, isBasePath, isHeaderName } from "../configuration/fields.ts";
import { findConfiguration, loadConfiguration } from "../configuration/load.ts";
import { allowProblem, namesIn } from "../diagnostics/allow.ts";
import { readArguments } from "./arguments.ts";
import { type Format, formats } from "./formats.ts";
import { configuredJobs, type Job, type Line, ownJob } from "./jobs.ts";
import { UsageError } from "./terminal.ts";

export interface Flags {
  readonly format: Format;
  readonly check: boolean;
  readonly strict: boolean;
  readonly watch: boolean;
}

export interface Options extends Flags {
  readonly jobs: readonly Job[];
  /** the file that says more than the command line; to be watched too */
  readonly configuration: string | undefined;
}

const commandOptions = {
  config: { type: "string" },
  contract: { type: "string" },
  spec: { type: "string" },
  out: { type: "string" },
  handlers: { type: "string" },
  "no-handlers": { type: "boolean", default: false },
  copy: { type: "string", multiple: true, default: [] },
  "base-path": { type: "string" },
  client: { type: "boolean", default: false },
  "client-header": { type: "string", multiple: true, default: [] },
  "import-endings": { type: "string" },
  allow: { type: "string", multiple: true, default: [] },
  format: { type: "string", default: "text" },
  check: { type: "boolean", default: false },
  strict: { type: "boolean", default: false },
  watch: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} satisfies ParseArgsConfig["options"];

/** Throws `UsageError` and `ConfigurationError`. */
export async function readOptions(args: readonly string[]): Promise<Options | "help"> {
  const line = parseLine(args);
  if (line.help) return "help";
  const { format, check, strict, watch } = line;
  const { file, configuration } = await configurationOf(line);
  const jobs =
    configuration === undefined || (line.spec !== undefined && line.contract === undefined)
      ? [ownJob(line, configuration)]
      : configuredJobs(line, configuration, dirname(file));
  return { jobs, configuration: configuration && file, format, check, strict, watch };
}

function parseLine(args: readonly string[]): Line {
  const { values } = readArguments({ args: [...args], strict: true, options: commandOptions });
  if (values.handlers !== undefined && values["no-handlers"]) {
    throw new UsageError("--handlers and --no-handlers: give one of them");
  }
  return {
    ...values,
    copies: values.copy.map(readCopy),
    allow: readAllowed(values.allow),
    format: readFormat(values.format),
    basePath: readBasePath(values["base-path"]),
    addedHeaders: values["client-header"].map(readHeader),
    importEndings: readEndings(values["import-endings"]),
    withoutHandlers: values["no-handlers"],
  };
}

function readCopy(text: string): readonly [uri: string, path: string] {
  const at = text.lastIndexOf("=");
  const uri = text.slice(0, Math.max(at, 0));
  if (!URL.canParse(uri) || at === text.length - 1) {
    throw new UsageError(`--copy ${text}: write an address, "=", and where its copy lies`);
  }
  return [uri, resolve(text.slice(at + 1))];
}

function readAllowed(texts: readonly string[]): readonly string[] {
  const names = namesIn(texts);
  const problems = names.flatMap((name) => allowProblem(name) ?? []);
  if (problems.length > 0)
    throw new UsageError(problems.map((one) => `--allow: ${one}`).join("\n"));
  return names;
}

function readHeader(text: string): string {
  if (isHeaderName(text)) return text;
  throw new UsageError(`--client-header ${text}: write the name of a header`);
}

function readFormat(text: string): Format {
  const found = formats.find((one) => one === text);
  if (found !== undefined) return found;
  throw new UsageError(`--format ${text}: write ${formats.join(", ")}`);
}

function readBasePath(text: string | undefined): string | undefined {
  if (text === undefined || isBasePath(text)) return text;
  throw new UsageError(`--base-path ${text}: ${basePathAdvice}`);
}

function readEndings(text: string | undefined): ImportEndings | undefined {
  if (text === undefined || text === "ts" || text === "js" || text === "none") return text;
  throw new UsageError(`--import-endings ${text}: write ts, js or none`);
}

/** `file` is read by nobody where there is no configuration. */
async function configurationOf({
  config,
  contract,
}: Line): Promise<{ readonly file: string; readonly configuration: Configuration | undefined }> {
  const folder = process.cwd();
  const file = config === undefined ? findConfiguration(folder) : resolve(config);
  if (file !== undefined) return { file, configuration: await loadConfiguration(file) };
  if (contract !== undefined) {
    throw new UsageError(
      `--contract ${contract}: there is no configuration here that names contracts; write generator.config.ts, or say --spec FILE`,
    );
  }
  return { file: folder, configuration: undefined };
}
