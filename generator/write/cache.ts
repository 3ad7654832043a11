// Remembers what a run read and wrote, so that the next one can see at once that nothing changed.
// The memory is only ever a shortcut: losing it costs time, and `--check` does not use it.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { cacheFolder, isPackaged, ownFolder } from "../own-folders.ts";
import type { Problem } from "../problems.ts";
import { isUnwritable } from "./failures.ts";

export interface Run {
  /** absolute paths that were read: the contract and every file it refers to */
  readonly read: readonly string[];
  /** absolute paths that were written or confirmed */
  readonly written: readonly string[];
  /** hand-written modules that were looked at for handlers */
  readonly handlers: readonly string[];
  /** what was said, to be said again */
  readonly warnings: readonly Problem[];
  /** the working directory, which files are named relative to */
  readonly folder: string;
  /** of what says how files are formatted, as `styleOf` has it */
  readonly style: string;
  /** by absolute path, what the files were before they were formatted */
  readonly drafts: Readonly<{ [path: string]: string }>;
  /** examples that fit their schemas, as `checkExamples` says it */
  readonly fitting: readonly string[];
}

interface Record {
  readonly run: Run;
  /** of what was read: where that has changed, nothing else is looked at */
  readonly input: string;
  readonly fingerprint: string;
  /** of the generator that has run */
  readonly generator: string;
  /** by absolute path, what the run has left in the generated folder */
  readonly left: Readonly<{ [path: string]: string }>;
}

/** What files held, by absolute path. */
export type Hashes = ReadonlyMap<string, string>;

/** What runs here is what stood in these files when the process began, also after hours of --watch. */
const generatorHash = hashOfFiles(generatorFiles());

/** The remembered run for these options, if everything it read and wrote is still the same. */
export function freshRun(key: string, style: string): Run | undefined {
  const record = recordOf(key);
  try {
    // anything that `remember` has not written fails the fingerprint
    if (record?.run.folder !== process.cwd() || record.run.style !== style) return undefined;
    const { run } = record;
    const read = hashesOf(run.read);
    if (record.input !== inputOf(run, read)) return undefined;
    const hashes = new Map([...read, ...hashesOf([...run.written, ...run.handlers])]);
    return record.fingerprint === fingerprint(run, hashes) ? run : undefined;
  } catch {
    return undefined; // an unreadable memory is no memory
  }
}

/** What the last run for these options has left in the generated folder; nothing where that is forgotten. */
export function leftBy(key: string): Hashes {
  return new Map(Object.entries(recordOf(key)?.left ?? {}));
}

/** Examples that the last run has found to fit. */
export function fittingBy(key: string): ReadonlySet<string> {
  return new Set(ownRecordOf(key)?.run.fitting);
}

/** What the last run has made of these drafts, as far as it stands where it was put. */
export function formattedBy(
  key: string,
  style: string,
): (path: string, draft: string) => string | undefined {
  const own = ownRecordOf(key);
  const record = own?.run.style === style ? own : undefined;
  return (path, draft) => {
    if (record?.run.drafts[path] !== draft || !existsSync(path)) return undefined;
    const text = readFileSync(path, "utf8");
    return hashOf(text) === record.left[path] ? text : undefined;
  };
}

/** The file that a run for this folder holds as long as it writes there. */
export function lockOf(folder: string): string {
  return join(cacheFolder, `${hashOf(folder).slice(0, 32)}.lock`);
}

/** Of a run of this very generator: what another one has found may be wrong by now. */
function ownRecordOf(key: string): Record | undefined {
  const record = recordOf(key);
  return record?.generator === generatorHash ? record : undefined;
}

/** Written by `remember`, or by somebody else. */
function recordOf(key: string): Record | undefined {
  const file = cacheFile(key);
  if (!existsSync(file)) return undefined;
  try {
    const record = JSON.parse(readFileSync(file, "utf8")) as Record;
    // an older generator has written less of it
    return typeof record.left === "object" ? record : undefined;
  } catch {
    return undefined;
  }
}

/**
 * `hashes`: what the run itself read and wrote of its files. What they hold by now does not count:
 * an edit that was saved during the run is not in its output, and must not look as if it were.
 */
export function remember(key: string, run: Run, hashes: Hashes): void {
  const file = cacheFile(key);
  const left = Object.fromEntries(run.written.map((path) => [path, hashes.get(path) ?? ""]));
  const record: Record = {
    run,
    input: inputOf(run, hashes),
    fingerprint: fingerprint(run, hashes),
    generator: generatorHash,
    left,
  };
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(record));
  } catch (error) {
    // it only costs the next run its time
    if (!isUnwritable(error)) throw error;
  }
}

export function hashOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

export function hashesOf(paths: readonly string[]): Hashes {
  return new Map(
    paths.map((path) => {
      const content = contentOf(path);
      return [path, content === undefined ? "absent" : hashOf(content)];
    }),
  );
}

/** Nothing where no file is; editors leave links that lead nowhere. */
function contentOf(path: string): Uint8Array | undefined {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? readFileSync(path) : undefined;
}

function cacheFile(key: string): string {
  return join(cacheFolder, `${hashOf(key).slice(0, 32)}.json`);
}

/** Of every input and output, and of the generator with the package-lock.json beside it. */
function fingerprint(run: Run, hashes: Hashes): string {
  return hashOf(JSON.stringify([generatorHash, run, heldBy(filesOf(run), hashes)]));
}

function inputOf({ read }: Run, hashes: Hashes): string {
  return hashOf(JSON.stringify(heldBy(read, hashes)));
}

/** A file that the run has not looked at never agrees with what is found later. */
function heldBy(paths: readonly string[], hashes: Hashes): readonly (readonly string[])[] {
  return paths.map((path) => [path, hashes.get(path) ?? "unknown"]);
}

function filesOf({ read, written, handlers }: Run): readonly string[] {
  return [...read, ...written, ...handlers];
}

function generatorFiles(): readonly string[] {
  const own = modulesBelow(ownFolder).toSorted();
  // a package is run in the project that it generates for
  const root = isPackaged ? process.cwd() : dirname(ownFolder);
  return [...own, join(root, "package-lock.json")];
}

/** Everybody who runs the generator waits for this. */
function modulesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry;
    // packages that could not lie beside ours would be inside it
    if (name === "node_modules") return [];
    if (entry.isDirectory()) return modulesBelow(`${folder}${sep}${name}`);
    return name.endsWith(".ts") || name.endsWith(".js") ? [`${folder}${sep}${name}`] : [];
  });
}

/** One word for all of them, with the Node that they run on. */
function hashOfFiles(paths: readonly string[]): string {
  const hash = createHash("sha256").update(process.version);
  for (const path of paths) {
    const content = contentOf(path);
    hash.update(`\n${path} ${content?.length ?? "absent"}\n`);
    if (content !== undefined) hash.update(content);
  }
  return hash.digest("hex");
}
