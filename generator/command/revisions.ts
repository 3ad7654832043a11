// Revisions of a contract by what people call them: a file, or what git keeps.

import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, posix, relative, resolve, sep } from "node:path";
import { readRevision, type Revision } from "../changes/revision.ts";
import { type Copies, disk } from "../read/library.ts";
import { UsageError } from "./terminal.ts";

export type RevisionName =
  | { readonly kind: "file"; readonly file: string }
  /** `path`: from the top of the repository, or with "./" from the folder; undefined: of the same document */
  | { readonly kind: "git"; readonly revision: string; readonly path: string | undefined };

/** A file of this name comes before a revision, and so does what a pipe or the shell hands over as one. */
export function readName(name: string, folder: string): RevisionName {
  const file = resolve(folder, name);
  if (existsSync(file) && !statSync(file).isDirectory()) return { kind: "file", file };
  if (isHandedOver(file)) {
    const instead = "write it to a file, or pipe it in and name /dev/stdin";
    throw new UsageError(`${name} is not open here, as npm hands over no other files: ${instead}`);
  }
  // what stands in braces belongs to the revision: HEAD^{/fix: words}
  const [, revision = name, path] = /^((?:[^:{]|\{[^}]*\})*):(.*)$/s.exec(name) ?? [];
  return { kind: "git", revision, path };
}

/** What bash makes of `<(git show ...)`. */
function isHandedOver(file: string): boolean {
  return /^\/dev\/fd\/\d+$/.test(file);
}

interface Opening {
  /** where names are relative to, and where git looks for its repository */
  readonly folder: string;
  /** absolute path: what a revision without a path is a revision of */
  readonly document: string | undefined;
  readonly copies?: Copies;
}

/** Undefined: git knows no such revision. Throws `DocumentError` where there is no document in it. */
export function openRevision(name: RevisionName, opening: Opening): Revision | undefined {
  const { folder, document, copies } = opening;
  if (name.kind === "file") return readRevision(name.file, undefined, copies);
  const { revision, path } = name;
  const beside = path === undefined && document !== undefined ? dirname(document) : folder;
  const where = existsSync(beside) ? beside : folder;
  const commit = commitOf(revision, where);
  if (commit === undefined) return undefined;
  const inside = path === undefined ? documentIn(where, document) : pathIn(where, path);
  return readFromGit({ revision, commit, folder: where, path: inside }, copies);
}

/** A branch may move while files are read. */
function commitOf(revision: string, folder: string): string | undefined {
  if (revision === "" || revision.startsWith("-")) return undefined;
  const named = ["rev-parse", "--quiet", "--verify", `${revision}^{commit}`];
  const { status, stdout } = git(named, folder);
  return status === 0 ? stdout.toString("utf8").trim() : undefined;
}

function documentIn(folder: string, document: string | undefined): string {
  if (document === undefined) throw new UsageError("name a document: REV:path/to/the/document");
  const beside = dirname(document);
  const way = existsSync(beside) ? basename(document) : relative(folder, document);
  const path = posix.join(prefixOf(folder), way.split(sep).join("/"));
  if (!path.startsWith("../")) return path;
  throw new UsageError(`${document} is not in this repository: write REV:path/to/the/document`);
}

function pathIn(folder: string, path: string): string {
  return /^\.\.?\//.test(path) ? posix.join(prefixOf(folder), path) : posix.normalize(path);
}

/** The way from the top of the repository to a folder, whatever links lead to it. */
function prefixOf(folder: string): string {
  return git(["rev-parse", "--show-prefix"], folder).stdout.toString("utf8").trim();
}

interface InGit {
  readonly revision: string;
  readonly commit: string;
  readonly folder: string;
  readonly path: string;
}

/** Files beside the document are read from the same commit. */
function readFromGit({ revision, commit, folder, path }: InGit, copies?: Copies): Revision {
  const top = git(["rev-parse", "--show-toplevel"], folder).stdout.toString("utf8").trim();
  const inside = (absolute: string): string => relative(top, absolute).split(sep).join("/");
  const shelf = {
    read: (absolute: string): Uint8Array => {
      return readBlob(`${commit}:${inside(absolute)}`, folder);
    },
    shown: (absolute: string): string => `${revision}:${inside(absolute)}`,
    // copies lie on this machine, wherever the document is read from
    copies: disk,
  };
  return readRevision(join(top, path), shelf, copies);
}

/** Of a link the file that it leads to, as on the disk. */
function readBlob(name: string, folder: string): Uint8Array {
  if (name.includes("\n"))
    throw new Error("git is asked by lines, and the name of the file has several");
  const { stdout } = git(["cat-file", "--batch", "--follow-symlinks"], folder, `${name}\n`);
  const end = stdout.indexOf("\n");
  const answer = stdout.subarray(0, end).toString("utf8");
  const [, size] = /^[0-9a-f]+ blob (\d+)$/.exec(answer) ?? [];
  if (size !== undefined) return stdout.subarray(end + 1, end + 1 + Number(size));
  if (/ missing$|^(?:dangling|notdir) \d+$/.test(answer)) {
    throw Object.assign(new Error(answer), { code: "ENOENT" });
  }
  const [, kind = answer] = /^(?:[0-9a-f]+ )?(tree|commit|symlink|loop) \d+$/.exec(answer) ?? [];
  throw new Error(`it is no file in git: ${kind}`);
}

function git(args: readonly string[], folder: string, input = "") {
  const bytesMax = 256 * 1024 * 1024;
  const env = { ...process.env, LC_ALL: "C" };
  const ran = spawnSync("git", args, { cwd: folder, maxBuffer: bytesMax, env, input });
  if (ran.error !== undefined) throw new UsageError(`git cannot be run: ${ran.error.message}`);
  return ran;
}
