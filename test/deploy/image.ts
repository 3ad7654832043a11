// What the image holds, made in a folder without building one: the paths that the Containerfile copies, and the packages
// that "npm ci --omit=dev --omit=optional" leaves.

import {
  chmodSync,
  copyFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../programs/child.ts";
import { copiedIntoImage } from "./files.ts";

interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

/** By their place, such as "node_modules/pg". */
function packagesOfImage(): readonly string[] {
  // npm's own file in its version 3.
  const { packages } = JSON.parse(readFileSync(join(projectRoot, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  return Object.entries(packages)
    .filter(([place, one]) => place !== "" && !one.dev && !one.optional && !one.devOptional)
    .map(([place]) => place);
}

/** For any user to read. */
export function fillImageFolder(folder: string): void {
  chmodSync(folder, 0o755);
  for (const path of copiedIntoImage()) link(join(projectRoot, path), join(folder, path));
  for (const place of packagesOfImage()) link(join(projectRoot, place), join(folder, place));
}

/** As a copy, in a tenth of the time where one disk has both. A package in a package has an entry of its own. */
function link(from: string, to: string): void {
  if (statSync(from).isDirectory()) {
    mkdirSync(to, { recursive: true });
    const names = readdirSync(from).filter((name) => name !== "node_modules");
    for (const name of names) link(join(from, name), join(to, name));
    return;
  }
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
