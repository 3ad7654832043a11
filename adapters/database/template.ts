// The files of a new embedded database with all its tables, as one file: a copy takes a tenth of the time of making
// them. It is kept under the hash of PGlite's version, the migrations and a number of ours, so another version never
// finds it, and begins with the hash of its content. What was stored is read like any other database afterwards:
// `migrate` compares every migration that it has with those of this version.

import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { type Migration, readMigrations } from "./migration-files.ts";

export interface TemplatePlace {
  readonly folder: string;
  /** hears what is wrong with a template that is there, and is not used */
  readonly onUnusable: (reason: string) => void;
}

/** As for contracts of the local chain, beside what else is made once and may be removed at any time. */
export const templateFolder = join(
  import.meta.dirname,
  "../../node_modules/.cache/merchant-database",
);

/** To be raised when a new database is made in another way, or a template written in another. */
const templateFormat = 1;
const extension = ".template";
const hashBytes = 32;
/** Nobody writes at one for longer. */
const draftMillisecondsMax = 3_600_000;
const lengthBytes = 4;

/** Relative to the database's folder, with slashes; a folder has no size. */
type Entry = readonly [path: string, size?: number];

/** Where that of this version is, or will be. */
export function templatePath(
  folder: string,
  migrations: readonly Migration[] = readMigrations(),
): string {
  return join(folder, `${keyOf(migrations)}${extension}`);
}

/** @returns false: there is none that is whole, and the folder is as it was */
export function unpackTemplate(
  path: string,
  folder: string,
  onUnusable: TemplatePlace["onUnusable"],
): boolean {
  const content = readTemplate(path, onUnusable);
  if (content === undefined) return false;
  const filesAt = lengthBytes + content.readUInt32BE();
  // Our own: the hash in front of it was that of what follows.
  const entries = JSON.parse(content.toString("utf8", lengthBytes, filesAt)) as readonly Entry[];
  let at = filesAt;
  for (const [name, size] of entries) {
    const place = join(folder, name);
    if (size === undefined) mkdirSync(place, { mode: 0o700 });
    else writeFileSync(place, content.subarray(at, (at += size)), { mode: 0o600 });
  }
  return true;
}

function readTemplate(path: string, onUnusable: TemplatePlace["onUnusable"]): Buffer | undefined {
  let stored: Buffer;
  try {
    stored = readFileSync(path);
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (!isAbsent) onUnusable(`${path} cannot be read: ${String(error)}`);
    return undefined;
  }
  const content = stored.subarray(hashBytes);
  if (hashOf(content).equals(stored.subarray(0, hashBytes))) return content;
  onUnusable(`${path} is not as it was written`);
  return undefined;
}

/** Of a database that was closed. Several processes may do so at once: each moves a whole file to its place. */
export function keepTemplate(path: string, folder: string): void {
  const place = dirname(path);
  const draft = join(place, `.${basename(path)}.${randomUUID()}`);
  try {
    mkdirSync(place, { recursive: true });
    writeFileSync(draft, pack(folder), { mode: 0o600 });
    const olderOnes = readdirSync(place).filter(
      (name) => name.endsWith(extension) || isLeftBehind(join(place, name)),
    );
    for (const name of olderOnes) rmSync(join(place, name), { force: true });
    renameSync(draft, path);
  } catch {
    // Without it the next new database only takes longer: the folder may be read-only, or the disk full.
    if (existsSync(draft)) rmSync(draft);
  }
}

/** The draft of a process that was killed. */
function isLeftBehind(path: string): boolean {
  const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
  return Date.now() - writtenAt > draftMillisecondsMax;
}

function keyOf(migrations: readonly Migration[]): string {
  const program = fileURLToPath(import.meta.resolve("@electric-sql/pglite"));
  // Each package has one, with its version.
  const { version } = JSON.parse(
    readFileSync(join(dirname(program), "..", "package.json"), "utf8"),
  ) as { readonly version: string };
  const parts = [templateFormat, version, migrations.map(({ name, sql }) => [name, sql])];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function pack(folder: string): Buffer {
  const entries: Entry[] = [];
  const files: Buffer[] = [];
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  // A folder before what is in it.
  const paths = found.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  for (const path of paths) {
    const name = relative(folder, path).replaceAll(sep, "/");
    if (statSync(path).isDirectory()) entries.push([name]);
    else {
      const file = readFileSync(path);
      files.push(file);
      entries.push([name, file.length]);
    }
  }
  const list = Buffer.from(JSON.stringify(entries));
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(list.length);
  const content = Buffer.concat([length, list, ...files]);
  return Buffer.concat([hashOf(content), content]);
}

function hashOf(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}
