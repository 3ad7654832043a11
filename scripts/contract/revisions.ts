// Where the revisions of a contract are: in a file, in git, or among the released ones.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { readRevision, type Revision } from "../../generator/changes/revision.ts";

export class UsageError extends Error {}

const root = join(import.meta.dirname, "../..");
export const ownContract = join(root, "spec/openapi.yaml");
const releasedFolder = join(root, "spec/released");

/** npm starts scripts in the project's folder; INIT_CWD is where the person is. */
export function pathOf(name: string): string {
  return resolve(process.env["INIT_CWD"] ?? "", name);
}

/** The contract of the last release. */
export function lastReleased(): string {
  const names = readdirSync(releasedFolder).filter((name) => /^\d+\.\d+\.\d+\.yaml$/.test(name));
  const newest = names.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  if (newest === undefined) throw new UsageError("spec/released has no contract: name a BASE");
  return join(releasedFolder, newest);
}

/** A file, a released version, `REV:path` or a git revision, where `document` is looked for. */
export function openRevision(name: string, document: string): Revision {
  const file = pathOf(name);
  if (existsSync(file) && statSync(file).isFile()) return readRevision(file);
  const released = join(releasedFolder, `${name}.yaml`);
  if (/^\d+\.\d+\.\d+$/.test(name) && existsSync(released)) return readRevision(released);
  const [revision = "", path] = name.split(/:(.*)/s);
  if (revision === "" || revision.startsWith("-") || !isCommit(revision)) {
    throw new UsageError(`${name} is no file, no released version and no git revision`);
  }
  return readFromGit(revision, path ?? pathInRepository(document));
}

function isCommit(revision: string): boolean {
  return git(["rev-parse", "--quiet", "--verify", `${revision}^{commit}`]).status === 0;
}

/** Files beside the document are read from the same commit. */
function readFromGit(revision: string, path: string): Revision {
  const inside = (absolute: string): string => absolute.slice(1);
  return readRevision(`/${path}`, {
    read: (absolute) => {
      const { status, stdout, stderr } = git(["show", `${revision}:${inside(absolute)}`]);
      if (status !== 0) throw new Error(stderr.toString("utf8").trim().split("\n")[0]);
      return stdout;
    },
    shown: (absolute) => `${revision}:${inside(absolute)}`,
  });
}

function pathInRepository(document: string): string {
  const top = git(["rev-parse", "--show-toplevel"]).stdout.toString("utf8").trim();
  const path = relative(top, document);
  if (path.startsWith("..") || isAbsolute(path)) {
    throw new UsageError(`${document} is not in this repository: write REV:path/to/the/document`);
  }
  return path;
}

function git(args: readonly string[]) {
  const bytesMax = 256 * 1024 * 1024;
  const ran = spawnSync("git", args, { cwd: pathOf("."), maxBuffer: bytesMax });
  if (ran.error !== undefined) throw new UsageError(`git cannot be run: ${ran.error.message}`);
  return ran;
}
