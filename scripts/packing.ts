// A package of a part of this project, as a tarball for npm install.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../generator/command/terminal.ts";
import { pathOf, readCommandLine } from "./command-line.ts";

export const root = join(import.meta.dirname, "..");

interface Package {
  /** of the command, and of the part */
  readonly name: "client" | "generator";
  /** where its package.json and README.md are */
  readonly from: string;
  /** puts the code into the folder that is packed */
  readonly fill: (stage: string) => void;
}

/** The program `npm run pack:NAME [-- FOLDER]`: prints where the tarball is. */
export function pack({ name, from, fill }: Package): void {
  const target = readTarget(name);
  const stage = mkdtempSync(join(tmpdir(), `pack-${name}-`));
  try {
    fill(stage);
    for (const file of ["package.json", "README.md"]) cpSync(join(from, file), join(stage, file));
    cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
    mkdirSync(target, { recursive: true });
    const words = ["pack", "--pack-destination", target, "--loglevel=error"];
    const tarball = execFileSync("npm", words, { cwd: stage, encoding: "utf8" }).trim();
    console.log(join(target, tarball));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function readTarget(name: string): string {
  const usage = `npm run pack:${name} [-- FOLDER]

The ${name} as a package, for npm install: a tarball in FOLDER, or in this project's own.`;
  return readCommandLine(usage, { allowPositionals: true }, ({ positionals }) => {
    if (positionals.length > 1) throw new UsageError("name one folder");
    const [folder] = positionals;
    return folder === undefined ? root : pathOf(folder);
  });
}

/** The project's own compiler, for the project `from/tsconfig.build.json`. */
export function compile(from: string, ...words: readonly string[]): void {
  const compiler = join(root, "node_modules/typescript-7/bin/tsc");
  const all = [compiler, "-p", join(from, "tsconfig.build.json"), ...words];
  execFileSync(process.execPath, all, { stdio: "inherit" });
}

/** Declarations keep the names of the sources; here they name what is there. */
export function readDeclarations(path: string): string {
  return readFileSync(path, "utf8").replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"');
}
