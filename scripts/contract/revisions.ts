// Where the revisions of a contract are: in a file, in git, or among the released ones.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readRevision, type Revision } from "../../generator/changes/revision.ts";
import { openRevision, readName } from "../../generator/command/revisions.ts";
import { pathOf } from "../command-line.ts";
import { UsageError } from "../../generator/command/terminal.ts";

const root = join(import.meta.dirname, "../..");
export const ownContract = join(root, "spec/openapi.yaml");
const releasedFolder = join(root, "spec/released");

/** The contract of the last release. */
export function lastReleased(): string {
  const names = readdirSync(releasedFolder).filter((name) => /^\d+\.\d+\.\d+\.yaml$/.test(name));
  const newest = names.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
  if (newest === undefined) throw new UsageError("spec/released has no contract: name a BASE");
  return join(releasedFolder, newest);
}

/** A file, a released version, `REV:path` or a git revision, where `document` is looked for. */
export function openNamed(name: string, document: string): Revision {
  const folder = pathOf(".");
  const named = readName(name, folder);
  const released = join(releasedFolder, `${name}.yaml`);
  if (named.kind === "git" && /^\d+\.\d+\.\d+$/.test(name) && existsSync(released)) {
    return readRevision(released);
  }
  const revision = openRevision(named, { folder, document });
  if (revision !== undefined) return revision;
  throw new UsageError(`${name} is no file, no released version and no git revision`);
}
