// One run for one contract: what is read, what is compared, what is written and said.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Reading } from "../generate.ts";
import type { Problem } from "../problems.ts";
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
  staleIn,
} from "../write/plan.ts";
import { styleOf } from "../write/style.ts";
import type { Scaffold } from "../emit/scaffold.ts";
import type { Job } from "./jobs.ts";
import type { Flags } from "./options.ts";
import type { Teller } from "./news.ts";

export interface Ended {
  readonly code: number;
  /** for watching */
  readonly read: readonly string[];
}

/** One contract, and how it is run. */
export type Task = Job & Pick<Flags, "check" | "strict">;

/** One run; of two at once for one folder the second begins when the first has ended. */
export function runOnce(options: Task, teller: Teller): Promise<Ended> {
  return alone(lockOf(options.out), () => {
    if (!options.check) {
      removeLeftovers(
        options.handlers === undefined ? [options.out] : [options.out, options.handlers],
      );
    }
    return generateAlone(options, teller);
  });
}

async function generateAlone(options: Task, { tell, progress }: Teller): Promise<Ended> {
  const { spec, out, handlers, copies, allow, basePath, client, importEndings } = options;
  const said = [spec, out, handlers, importEndings, basePath, client, [...allow], ...copies];
  const key = JSON.stringify(said);
  const style = styleOf(out);
  const fresh = options.check ? undefined : freshRun(key, style);
  // a run with other options may have left more
  if (fresh !== undefined && staleIn(out, new Set(fresh.written)).length === 0) {
    if (isStopped(fresh.warnings, options, tell)) return { code: 1, read: fresh.read };
    tell({ kind: "fresh", folder: displayPath(out) });
    return { code: 0, read: fresh.read };
  }
  const { emitFiles, readContract, sourceName } = await import("../generate.ts");
  const { withEndings } = await import("../emit/import-endings.ts");
  const { formatFiles } = await import("../write/format.ts");
  const handlersBefore = hashesOf(modulesIn(options.handlers));
  const reading = readContract(spec, {
    known: options.check ? undefined : fittingBy(key),
    copies,
    allow,
    progress,
    basePath,
  });
  const { warnings } = reading;
  if (isStopped(warnings, options, tell)) return { code: 1, read: reading.files };

  progress("writing code");
  const inOut = (path: string): string => join(options.out, path);
  const formattedBefore = formattedBy(key, style);
  const emitted = await formatFiles(
    await withEndings(emitFiles(reading, sourceName(spec, out), client), importEndings),
    options.out,
    // the check computes everything afresh
    (path, draft) => {
      progress(`formatting ${path}`);
      return options.check ? undefined : formattedBefore(inOut(path), draft);
    },
  );
  const files = new Map(emitted.map((file) => [inOut(file.path), file.text]));
  const stubs = await stubsFor(reading, options);
  const changes = planChanges(new Map([...files, ...stubs.files]), options.out);
  if (options.check) return { code: await tellStale(changes, options, tell), read: reading.files };
  const kept = keepEdits(changes, leftBy(key), options.out);
  applyChanges(changes);
  tellWritten(changes, tell);
  for (const { path, copy } of kept) {
    tell({ kind: "edited", file: displayPath(path), copy: displayPath(copy) });
  }
  tellNext(stubs, tell);
  if (changes.length === 0) tell({ kind: "fresh", folder: displayPath(out) });
  const run = {
    read: reading.files,
    written: [...files.keys()],
    handlers: [...new Set([...stubs.modules, ...stubs.files.keys()])],
    warnings,
    folder: process.cwd(),
    style,
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

async function stubsFor(
  { model }: Reading,
  { handlers, out, importEndings }: Task,
): Promise<Scaffold> {
  if (handlers === undefined) return { files: new Map(), stubs: [], modules: [], orphans: [] };
  const { scaffold } = await import("../emit/scaffold.ts");
  return scaffold(model, { handlers, out, importEndings });
}

type Tell = Teller["tell"];

/** Says the warnings; @returns whether they count as errors, of which none was allowed by name */
function isStopped(problems: readonly Problem[], { strict, name }: Task, tell: Tell): boolean {
  const stops = strict && problems.some(({ allowed }) => allowed === undefined);
  if (stops) tell({ kind: "refused", problems, contract: name, isStrict: true });
  else if (problems.length > 0) tell({ kind: "warnings", problems });
  return stops;
}

function tellWritten(changes: readonly Change[], tell: Tell): void {
  for (const { path, before, after } of changes) {
    const change = after === undefined ? "removed" : before === undefined ? "wrote" : "rewrote";
    tell({ kind: "file", file: displayPath(path), change });
  }
}

/** For each operation that is new, or has left: what is left to do by hand. */
function tellNext({ stubs, orphans }: Pick<Scaffold, "stubs" | "orphans">, tell: Tell): void {
  for (const { operationId, path, line, unnamedIn } of stubs) {
    const nameIn = unnamedIn === undefined ? undefined : displayPath(unnamedIn);
    tell({ kind: "stub", operationId, file: displayPath(path), line, nameIn });
  }
  for (const { operationId, path, line, named } of orphans) {
    const place = named === undefined ? undefined : `${displayPath(named.path)}:${named.line}`;
    tell({ kind: "orphan", operationId, file: displayPath(path), line, named: place });
  }
}

/** What `--check` finds, as a diff; @returns the exit code */
async function tellStale(changes: readonly Change[], { out }: Task, tell: Tell): Promise<number> {
  if (changes.length === 0) {
    tell({ kind: "fresh", folder: displayPath(out) });
    return 0;
  }
  const files = changes.map(({ path }) => displayPath(path));
  tell({ kind: "stale", files, diff: await diffOf(changes) });
  return 1;
}

function modulesIn(folder: string | undefined): readonly string[] {
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder).map((name) => join(folder, name));
}
