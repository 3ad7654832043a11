// The command `npm run generate`, on whatever hears what it says. Heavy modules are loaded only when there is
// work to do.

import { existsSync, readdirSync, statSync, watch } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { DocumentError, formatProblems } from "./problems.ts";
import {
  fittingBy,
  formattedBy,
  freshRun,
  hashesOf,
  hashOf,
  leftBy,
  lockOf,
  remember,
} from "./write/cache.ts";
import { keepEdits } from "./write/kept.ts";
import { alone, LockError } from "./write/lock.ts";
import { applyChanges, diffOf, displayPath, planChanges, removeLeftovers } from "./write/plan.ts";
import type { Change } from "./write/plan.ts";

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

const help = `Usage: npm run generate -- [options]
       npm run generate -- init FOLDER --spec FILE

Turns an OpenAPI 3.0 or 3.1 document into Hono routes, types, validation and handler stubs.
init makes a new project of it in an empty folder: a server, and a contract suite that tests it.

  --spec FILE       the contract, YAML or JSON           (spec/openapi.yaml)
  --out DIR         where generated files go             (generated)
  --handlers DIR    where handler stubs go               (handlers, with the default --out)
  --no-handlers     write no stubs
  --copy URI=PATH   a file, or for a URI that ends with "/" a folder, that stands for what lies
                    elsewhere; nothing is ever fetched. May be given several times
  --check           write nothing; print what is stale as a diff and exit 1
  --strict          warnings count as errors
  --watch           generate again whenever the contract changes
  --help            this text

Exit code 0: up to date or written. 1: the document is wrong (every problem is listed as
file:line:column), or something is stale with --check. 2: the command line is wrong.
`;

/** Where each line goes. */
export interface Terminal {
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
}

interface Options {
  readonly spec: string;
  readonly out: string;
  readonly handlers: string | undefined;
  /** address to path */
  readonly copies: ReadonlyMap<string, string>;
  readonly check: boolean;
  readonly strict: boolean;
  readonly watch: boolean;
}

function parseOptions(args: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...args],
    strict: true,
    options: {
      spec: { type: "string" },
      out: { type: "string" },
      handlers: { type: "string" },
      "no-handlers": { type: "boolean", default: false },
      copy: { type: "string", multiple: true, default: [] },
      check: { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      watch: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const inProject = (name: string): string => join(projectFolder, name);
  const own = values.out === undefined ? inProject("handlers") : undefined;
  const handlers = values.handlers === undefined ? own : resolve(values.handlers);
  return {
    spec: values.spec === undefined ? inProject("spec/openapi.yaml") : resolve(values.spec),
    out: values.out === undefined ? inProject("generated") : resolve(values.out),
    handlers: values["no-handlers"] ? undefined : handlers,
    copies: new Map(values.copy.map(readCopy)),
    check: values.check,
    strict: values.strict,
    watch: values.watch,
  };
}

function readCopy(text: string): readonly [uri: string, path: string] {
  const at = text.lastIndexOf("=");
  const uri = text.slice(0, Math.max(at, 0));
  if (!URL.canParse(uri) || at === text.length - 1) {
    throw new Error(`--copy ${text}: write an address, "=", and where its copy lies`);
  }
  return [uri, resolve(text.slice(at + 1))];
}

interface Ended {
  readonly code: number;
  /** for watching */
  readonly read: readonly string[];
}

/** One run; of two at once for one folder the second begins when the first has ended. */
function generate(options: Options, terminal: Terminal): Promise<Ended> {
  return alone(lockOf(options.out), () => {
    if (!options.check) {
      removeLeftovers(
        options.handlers === undefined ? [options.out] : [options.out, options.handlers],
      );
    }
    return generateAlone(options, terminal);
  });
}

async function generateAlone(options: Options, terminal: Terminal): Promise<Ended> {
  const { say, complain } = terminal;
  const { spec, out, handlers, copies } = options;
  const key = JSON.stringify([spec, out, handlers, ...copies]);
  const fresh = options.check ? undefined : freshRun(key);
  if (fresh !== undefined) {
    for (const warning of fresh.warnings) complain(warning);
    say(`${displayPath(options.out)} is up to date`);
    return { code: options.strict && fresh.warnings.length > 0 ? 1 : 0, read: fresh.read };
  }
  const { emitFiles, readContract, sourceName } = await import("./generate.ts");
  const { scaffold } = await import("./emit/scaffold.ts");
  const { formatFiles } = await import("./write/format.ts");
  const handlersBefore = hashesOf(modulesIn(options.handlers));
  const reading = readContract(spec, {
    known: options.check ? undefined : fittingBy(key),
    copies,
  });
  const warnings = formatProblems(reading.warnings);
  for (const warning of warnings) complain(warning);
  if (options.strict && warnings.length > 0) return { code: 1, read: reading.files };

  const inOut = (path: string): string => join(options.out, path);
  const formattedBefore = formattedBy(key);
  const emitted = await formatFiles(
    await emitFiles(reading, sourceName(options.spec, options.out)),
    options.out,
    // the check computes everything afresh
    options.check ? undefined : (path, draft) => formattedBefore(inOut(path), draft),
  );
  const files = new Map(emitted.map((file) => [inOut(file.path), file.text]));
  const stubs =
    options.handlers === undefined
      ? { files: new Map<string, string>(), stubs: [], modules: [], orphans: [] }
      : scaffold(reading.model, { handlers: options.handlers, out: options.out });
  const changes = planChanges(new Map([...files, ...stubs.files]), options.out);
  if (options.check) return { code: sayStale(changes, options, terminal), read: reading.files };
  const kept = keepEdits(changes, leftBy(key), options.out);
  applyChanges(changes);
  for (const { path, before, after } of changes) {
    const verb = after === undefined ? "removed" : before === undefined ? "wrote" : "rewrote";
    say(`${verb} ${displayPath(path)}`);
  }
  for (const { path, copy } of kept) {
    complain(
      `${displayPath(path)} was not as the last run here has left it: what stood there is now ` +
        `${displayPath(copy)}; if it was written by hand, change the contract instead`,
    );
  }
  for (const stub of stubs.stubs) say(`added a stub for ${stub}`);
  for (const { operationId, path, line } of stubs.orphans) {
    say(`${operationId} has left the contract: remove its handler, ${displayPath(path)}:${line}`);
  }
  if (changes.length === 0) say(`${displayPath(options.out)} is up to date`);
  const run = {
    read: reading.files,
    written: [...files.keys()],
    handlers: [...new Set([...stubs.modules, ...stubs.files.keys()])],
    warnings,
    fitting: reading.fitting,
    drafts: Object.fromEntries(emitted.map((file) => [inOut(file.path), file.draft])),
  };
  const written = Array.from(
    [...files, ...stubs.files],
    ([path, text]) => [path, hashOf(text)] as const,
  );
  remember(key, run, new Map([...handlersBefore, ...reading.hashes, ...written]));
  return { code: 0, read: reading.files };
}

/** What `--check` finds, as a diff; @returns the exit code */
function sayStale(
  changes: readonly Change[],
  { out }: Options,
  { say, complain }: Terminal,
): number {
  if (changes.length === 0) {
    say(`${displayPath(out)} is up to date`);
    return 0;
  }
  say(diffOf(changes));
  const files = changes.length === 1 ? "1 file is" : `${changes.length} files are`;
  complain(`${files} stale: run "npm run generate"`);
  return 1;
}

function modulesIn(folder: string | undefined): readonly string[] {
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder).map((name) => join(folder, name));
}

/** Problems of the document are the user's to read; anything else is a defect of ours. */
function explain(error: unknown, { complain }: Terminal): number {
  if (error instanceof LockError) {
    complain(error.message);
    return 1;
  }
  if (!(error instanceof DocumentError)) throw error;
  complain(error.message);
  const errors = error.problems.filter((problem) => problem.severity === "error").length;
  complain(`\n${errors} ${errors === 1 ? "error" : "errors"}; nothing was written`);
  return 1;
}

async function watchContract(options: Options, terminal: Terminal): Promise<never> {
  const settleMilliseconds = 100; // editors write a file in several steps
  for (;;) {
    const startedAt = Date.now();
    let read: readonly string[] = [options.spec];
    try {
      read = (await generate(options, terminal)).read;
    } catch (error) {
      explain(error, terminal);
      if (error instanceof DocumentError) read = error.files;
    }
    terminal.say(`watching ${read.map(displayPath).join(", ")}`);
    await nextChange(read, startedAt);
    await new Promise((resume) => setTimeout(resume, settleMilliseconds));
  }
}

/**
 * Watches folders, because many editors replace a file instead of writing into it. What was saved
 * after `since`, while the last run was still reading and writing, counts as a change too.
 */
function nextChange(files: readonly string[], since: number): Promise<void> {
  return new Promise((resume) => {
    const folders = [...new Set(files.map((file) => dirname(file)))].filter(existsSync);
    const stop = (): void => {
      for (const watcher of watchers) watcher.close();
      resume();
    };
    const watchers = folders.map((folder) =>
      watch(folder, (_event, name) => {
        if (name === null || files.includes(join(folder, name))) stop();
      }),
    );
    const savedAt = files.filter(existsSync).map((file) => statSync(file).mtimeMs);
    if (savedAt.some((time) => time >= since && time <= Date.now())) stop();
  });
}

/** A new project; what is wrong with the command line is told as everywhere. */
async function init(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    strict: true,
    allowPositionals: true,
    options: { spec: { type: "string" } },
  });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new Error("init makes one FOLDER: name it");
  const { spec } = values;
  if (spec === undefined) throw new Error("init needs --spec FILE, the contract");
  const { FolderError, initProject } = await import("./project/init.ts");
  try {
    for (const one of formatProblems(await initProject(folder, spec))) terminal.complain(one);
  } catch (error) {
    if (error instanceof FolderError) throw error;
    return explain(error, terminal);
  }
  terminal.say(`made ${displayPath(resolve(folder))}`);
  terminal.say(`next: cd ${displayPath(resolve(folder))} && npm install && npm test`);
  return 0;
}

/** @returns the exit code; with --watch it never ends */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  let options: Options | "help";
  try {
    if (args[0] === "init") return await init(args.slice(1), terminal);
    options = parseOptions(args);
  } catch (error) {
    terminal.complain(error instanceof Error ? error.message : String(error));
    terminal.complain('Run "npm run generate -- --help" for the options.');
    return 2;
  }
  if (options === "help") {
    terminal.say(help);
    return 0;
  }
  if (options.watch) return watchContract(options, terminal);
  try {
    return (await generate(options, terminal)).code;
  } catch (error) {
    return explain(error, terminal);
  }
}
