// The generator as a package: npm run pack:generator [-- FOLDER]
// JavaScript from its sources, declarations of what a configuration imports, and as they are the files that are
// copied into projects. The tarball goes to FOLDER, or to this project's own.

import { cpSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile, pack, readDeclarations, root } from "./packing.ts";

const generator = join(root, "generator");

pack({ name: "generator", from: generator, fill });

/** Only what the program loads, and what a configuration imports, is there afterwards. */
function fill(stage: string): void {
  const declarations = join(stage, "declarations");
  compile(generator, "--outDir", stage, "--declarationDir", declarations);
  for (const name of ["configuration/define.d.ts", "diagnostics/codes.d.ts"]) {
    writeFileSync(join(stage, name), readDeclarations(join(declarations, name)));
  }
  rmSync(declarations, { recursive: true });
  for (const folder of ["runtime", "suite", "client/runtime"]) copySources(stage, folder);
}

function copySources(stage: string, folder: string): void {
  const files = readdirSync(join(generator, folder)).filter((name) => name.endsWith(".ts"));
  for (const file of files) cpSync(join(generator, folder, file), join(stage, folder, file));
}
