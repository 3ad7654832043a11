// The contracts that a run is for: of the command line, or of the configuration with what the line says instead.

import { resolve } from "node:path";
import type { ClientWish } from "../client/writing.ts";
import type {
  Configuration,
  ContractConfiguration,
  ImportEndings,
} from "../configuration/define.ts";
import { folderProblems } from "../configuration/folders.ts";
import { allowedCodes } from "../diagnostics/allow.ts";
import type { Code } from "../diagnostics/codes.ts";
import { ConfigurationError } from "../configuration/load.ts";
import type { Format } from "./formats.ts";
import { UsageError } from "./terminal.ts";

/** The command line as it was typed, paths resolved where that needs no configuration. */
export interface Line {
  readonly config?: string | undefined;
  readonly contract?: string | undefined;
  readonly spec?: string | undefined;
  readonly out?: string | undefined;
  readonly handlers?: string | undefined;
  readonly withoutHandlers: boolean;
  readonly copies: readonly (readonly [uri: string, path: string])[];
  readonly allow: readonly string[];
  readonly basePath: string | undefined;
  readonly client: boolean;
  readonly addedHeaders: readonly string[];
  readonly importEndings: ImportEndings | undefined;
  readonly format: Format;
  readonly check: boolean;
  readonly strict: boolean;
  readonly watch: boolean;
  readonly help: boolean;
}

/** What is generated for one contract; paths are absolute. */
export interface Job {
  /** in the configuration; undefined: the command line says it all */
  readonly name: string | undefined;
  readonly spec: string;
  readonly out: string;
  readonly handlers: string | undefined;
  /** address to path */
  readonly copies: ReadonlyMap<string, string>;
  readonly allow: ReadonlySet<Code>;
  readonly basePath: string | undefined;
  /** undefined: none is generated */
  readonly client: ClientWish | undefined;
  readonly importEndings: ImportEndings;
}

/** A contract that the command line names; of a configuration counts what holds for all of its contracts. */
export function ownJob(line: Line, configuration: Configuration | undefined): Job {
  const byDefault = line.out === undefined ? "handlers" : undefined;
  return {
    name: undefined,
    spec: resolve(line.spec ?? "spec/openapi.yaml"),
    out: resolve(line.out ?? "generated"),
    handlers: handlersOf(line, byDefault && resolve(byDefault)),
    copies: new Map(line.copies),
    allow: allowedCodes([...line.allow, ...(configuration?.allow ?? [])]),
    basePath: line.basePath,
    client: clientOf(line, undefined),
    importEndings: line.importEndings ?? configuration?.importEndings ?? "ts",
  };
}

/**
 * Paths of the configuration are relative to `folder`. Throws `UsageError`, and `ConfigurationError` where two
 * contracts would write over each other.
 */
export function configuredJobs(
  line: Line,
  configuration: Configuration,
  folder: string,
): readonly Job[] {
  const at = (path: string): string => resolve(folder, path);
  const all = Object.entries(configuration.contracts).map(([name, contract]): Job => {
    const { spec, out, handlers, copies = {} } = contract;
    return {
      name,
      spec: at(spec),
      out: at(out),
      handlers: handlers === undefined ? undefined : at(handlers),
      copies: new Map(Object.entries(copies).map(([uri, path]) => [uri, at(path)])),
      allow: allowedCodes([
        ...(configuration.allow ?? []),
        ...(contract.allow ?? []),
        ...line.allow,
      ]),
      basePath: contract.basePath,
      client: wished(contract.client),
      importEndings: contract.importEndings ?? configuration.importEndings ?? "ts",
    };
  });
  const problems = folderProblems(all.map((job) => ({ ...job, name: job.name ?? "" })));
  if (problems.length > 0) throw new ConfigurationError(problems.join("\n"));
  return chosen(line, all).map((job) => withLine(job, line));
}

function chosen(line: Line, all: readonly Job[]): readonly Job[] {
  const names = all.map(({ name }) => name).join(", ");
  if (line.contract !== undefined) {
    const one = all.filter(({ name }) => name === line.contract);
    if (one.length > 0) return one;
    throw new UsageError(`--contract ${line.contract}: the configuration has ${names}`);
  }
  const ofOne = line.out === undefined ? line.handlers && "--handlers" : "--out";
  if (all.length > 1 && ofOne !== undefined) {
    throw new UsageError(`${ofOne} is for one contract: say --contract with one of ${names}`);
  }
  return all;
}

function withLine(job: Job, line: Line): Job {
  return {
    name: job.name,
    spec: line.spec === undefined ? job.spec : resolve(line.spec),
    out: line.out === undefined ? job.out : resolve(line.out),
    // stubs name the generated folder: those of one place are not written for another
    handlers: handlersOf(line, line.out === undefined ? job.handlers : undefined),
    copies: new Map([...job.copies, ...line.copies]),
    allow: job.allow,
    basePath: line.basePath ?? job.basePath,
    client: clientOf(line, job.client),
    importEndings: line.importEndings ?? job.importEndings,
  };
}

/** As a configuration says it. */
export function wished(client: ContractConfiguration["client"] = false): ClientWish | undefined {
  if (typeof client === "boolean") return client ? { addedHeaders: [] } : undefined;
  return { addedHeaders: client.addedHeaders ?? [] };
}

function clientOf({ client, addedHeaders }: Line, otherwise: ClientWish | undefined) {
  if (!client && addedHeaders.length === 0) return otherwise;
  return { addedHeaders: [...(otherwise?.addedHeaders ?? []), ...addedHeaders] };
}

function handlersOf(line: Line, otherwise: string | undefined): string | undefined {
  if (line.withoutHandlers) return undefined;
  return line.handlers === undefined ? otherwise : resolve(line.handlers);
}
