// One run for one contract: what is read, what is compared, what is written and said.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { formatProblems } from "../problems.ts";
import {
  fittingBy,
  formattedBy,
  freshRun,
  hashesOf,
  hashOf,
  leftBy,
  lockOf,
  remember,
} from "../write/cache.ts";
import { keepEdits } from "../write/kept.ts";
import { alone } from "../write/lock.ts";
import {
  applyChanges,
  type Change,
  diffOf,
  displayPath,
  planChanges,
  removeLeftovers,
} from "../write/plan.ts";
import type { Scaffold } from "../emit/scaffold.ts";
import { plainCommand } from "./name.ts";
import type { Job } from "./jobs.ts";
import type { Flags } from "./options.ts";
import type { Terminal } from "./terminal.ts";

export interface Ended {
  readonly code: number;
  /** for watching */
  readonly read: readonly string[];
}

/** One contract, and how it is run. */
export type Task = Job & Pick<Flags, "check" | "strict" | "allow">;

/** One run; of two at once for one folder the second begins when the first has ended. */
export function runOnce(options: Task, terminal: Terminal): Promise<Ended> {
  return alone(lockOf(options.out), () => {
    if (!options.check) {
      removeLeftovers(
        options.handlers === undefined ? [options.out] : [options.out, options.handlers],
      );
    }
    return generateAlone(options, terminal);
  });
}

async function generateAlone(options: Task, terminal: Terminal): Promise<Ended> {
  const { say, complain } = terminal;
  const { spec, out, handlers, copies, importEndings, allow } = options;
  const key = JSON.stringify([spec, out, handlers, importEndings, [...allow], ...copies]);
  const fresh = options.check ? undefined : freshRun(key);
  if (fresh !== undefined) {
    for (const warning of fresh.warnings) complain(warning);
    say(`${displayPath(options.out)} is up to date`);
    return { code: options.strict && fresh.warnings.length > 0 ? 1 : 0, read: fresh.read };
  }
  const { emitFiles, readContract, sourceName } = await import("../generate.ts");
  const { scaffold } = await import("../emit/scaffold.ts");
  const { withEndings } = await import("../emit/import-endings.ts");
  const { formatFiles } = await import("../write/format.ts");
  const handlersBefore = hashesOf(modulesIn(options.handlers));
  const reading = readContract(spec, {
    known: options.check ? undefined : fittingBy(key),
    copies,
    allow,
  });
  const warnings = formatProblems(reading.warnings);
  for (const warning of warnings) complain(warning);
  if (options.strict && warnings.length > 0) return { code: 1, read: reading.files };

  const inOut = (path: string): string => join(options.out, path);
  const formattedBefore = formattedBy(key);
  const emitted = await formatFiles(
    withEndings(await emitFiles(reading, sourceName(spec, out)), importEndings),
    options.out,
    // the check computes everything afresh
    options.check ? undefined : (path, draft) => formattedBefore(inOut(path), draft),
  );
  const files = new Map(emitted.map((file) => [inOut(file.path), file.text]));
  const stubs =
    handlers === undefined
      ? { files: new Map<string, string>(), stubs: [], modules: [], orphans: [] }
      : scaffold(reading.model, { handlers, out, importEndings });
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
  sayNext(stubs, terminal);
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

/** One line for each operation that is new, or has left: what is left to do by hand. */
function sayNext({ stubs, orphans }: Pick<Scaffold, "stubs" | "orphans">, { say }: Terminal): void {
  for (const { operationId, path, line, unnamedIn } of stubs) {
    const next = unnamedIn === undefined ? "" : `, and name it in ${displayPath(unnamedIn)}`;
    say(`added a stub for ${operationId}: write it, ${displayPath(path)}:${line}${next}`);
  }
  for (const { operationId, path, line, named } of orphans) {
    const also = named === undefined ? "" : ` and ${displayPath(named.path)}:${named.line}`;
    const places = `${displayPath(path)}:${line}${also}`;
    say(`${operationId} has left the contract: remove its handler, ${places}`);
  }
}

/** What `--check` finds, as a diff; @returns the exit code */
function sayStale(changes: readonly Change[], { out }: Task, { say, complain }: Terminal): number {
  if (changes.length === 0) {
    say(`${displayPath(out)} is up to date`);
    return 0;
  }
  say(diffOf(changes));
  const files = changes.length === 1 ? "1 file is" : `${changes.length} files are`;
  complain(`${files} stale: run "${plainCommand}"`);
  return 1;
}

function modulesIn(folder: string | undefined): readonly string[] {
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder).map((name) => join(folder, name));
}
