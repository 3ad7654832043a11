// The generator as a package: npm run pack:generator [-- FOLDER]
// JavaScript from its sources, declarations of what a configuration imports, and as they are the files that are
// copied into projects. The tarball goes to FOLDER, or to this project's own.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "../generator/command/terminal.ts";
import { pathOf, readCommandLine } from "./command-line.ts";

const root = join(import.meta.dirname, "..");
const generator = join(root, "generator");
const usage = `npm run pack:generator [-- FOLDER]

The generator as a package, for npm install: a tarball in FOLDER, or in this project's own.`;

const target = readCommandLine(usage, { allowPositionals: true }, ({ positionals }) => {
  if (positionals.length > 1) throw new UsageError("name one folder");
  const [folder] = positionals;
  return folder === undefined ? root : pathOf(folder);
});

const stage = mkdtempSync(join(tmpdir(), "pack-generator-"));
try {
  compile();
  for (const folder of ["runtime", "suite", "client/runtime"]) copySources(folder);
  for (const name of ["package.json", "README.md"])
    cpSync(join(generator, name), join(stage, name));
  cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
  mkdirSync(target, { recursive: true });
  const words = ["pack", "--pack-destination", target, "--loglevel=error"];
  const name = execFileSync("npm", words, { cwd: stage, encoding: "utf8" }).trim();
  console.log(join(target, name));
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** Only what the program loads, and what a configuration imports, is there afterwards. */
function compile(): void {
  const declarations = join(stage, "declarations");
  const words = ["-p", join(generator, "tsconfig.build.json"), "--outDir", stage];
  const compiler = join(root, "node_modules/typescript-7/bin/tsc");
  execFileSync(process.execPath, [compiler, ...words, "--declarationDir", declarations], {
    stdio: "inherit",
  });
  for (const name of ["configuration/define.d.ts", "diagnostics/codes.d.ts"]) {
    const text = readFileSync(join(declarations, name), "utf8");
    // declarations keep the names of the sources
    writeFileSync(join(stage, name), text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"'));
  }
  rmSync(declarations, { recursive: true });
}

function copySources(folder: string): void {
  const files = readdirSync(join(generator, folder)).filter((name) => name.endsWith(".ts"));
  for (const file of files) cpSync(join(generator, folder, file), join(stage, folder, file));
}
