// The client as a package: npm run pack:client [-- FOLDER]
// JavaScript and declarations of what its entry reaches. The tarball goes to FOLDER, or to this project's own.

import { execFileSync } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Node, Project, type SourceFile } from "ts-morph";
import { firstSentence } from "../generator/emit/literals.ts";
import { UsageError } from "../generator/command/terminal.ts";
import { pathOf, readCommandLine } from "./command-line.ts";

const root = join(import.meta.dirname, "..");
const client = join(root, "scripts", "client");
const usage = `npm run pack:client [-- FOLDER]

The client as a package, for npm install: a tarball in FOLDER, or in this project's own.`;

const target = readCommandLine(usage, { allowPositionals: true }, ({ positionals }) => {
  if (positionals.length > 1) throw new UsageError("name one folder");
  const [folder] = positionals;
  return folder === undefined ? root : pathOf(folder);
});

const stage = mkdtempSync(join(tmpdir(), "pack-client-"));
try {
  compile();
  for (const name of ["package.json", "README.md"]) cpSync(join(client, name), join(stage, name));
  cpSync(join(root, "LICENSE"), join(stage, "LICENSE"));
  mkdirSync(target, { recursive: true });
  const words = ["pack", "--pack-destination", target, "--loglevel=error"];
  const name = execFileSync("npm", words, { cwd: stage, encoding: "utf8" }).trim();
  console.log(join(target, name));
} finally {
  rmSync(stage, { recursive: true, force: true });
}

/** Programs without comments, and declarations with a sentence on each name. */
function compile(): void {
  const declarations = join(stage, "declarations");
  const words = ["-p", join(client, "tsconfig.build.json"), "--outDir"];
  const compiler = join(root, "node_modules/typescript-7/bin/tsc");
  const run = (...more: readonly string[]): void =>
    void execFileSync(process.execPath, [compiler, ...words, ...more], { stdio: "inherit" });
  run(stage, "--removeComments", "--declaration", "false");
  run(declarations, "--emitDeclarationOnly");
  const project = new Project({ useInMemoryFileSystem: true });
  for (const name of globSync("**/*.d.ts", { cwd: declarations })) {
    const text = readFileSync(join(declarations, name), "utf8");
    // declarations keep the names of the sources
    const renamed = text.replaceAll(/(from "\.[^"]*)\.ts"/g, '$1.js"');
    const file = project.createSourceFile(name, renamed.replaceAll(/^\/\/.*\n+/gm, ""));
    if (name === "generated/types.d.ts") withoutPaths(file);
    shorten(file);
  }
  for (const file of reachedFrom(project, ["merchant-payments", "x402-facilitator"])) {
    const path = join(stage, file.getFilePath());
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, file.getFullText());
  }
  rmSync(declarations, { recursive: true });
  // what declares types alone has nothing to run
  for (const name of globSync("**/*.js", { cwd: stage })) {
    if (readFileSync(join(stage, name), "utf8").trim() === "export {};") rmSync(join(stage, name));
  }
}

/** Others declare what is nobody's to call. */
function reachedFrom(project: Project, entries: readonly string[]): ReadonlySet<SourceFile> {
  const reached = new Set(
    entries.map((name) => project.getSourceFileOrThrow(`scripts/client/${name}.d.ts`)),
  );
  for (const file of reached) {
    const declarations = [...file.getImportDeclarations(), ...file.getExportDeclarations()];
    for (const one of declarations) {
      const name = one.getModuleSpecifierValue();
      if (name?.startsWith(".") !== true) continue;
      const path = join(dirname(file.getFilePath()), name.replace(/\.js$/, ".d.ts"));
      reached.add(project.getSourceFileOrThrow(path));
    }
  }
  return reached;
}

/** Calls are made of components alone. */
function withoutPaths(file: SourceFile): void {
  for (const name of ["paths", "webhooks", "components", "$defs", "operations"]) {
    file.getInterface(name)?.remove();
    file.getTypeAlias(name)?.remove();
  }
}

/** The first sentence of each comment. */
function shorten(file: SourceFile): void {
  file.forEachDescendant((node) => {
    if (!Node.isJSDocable(node)) return;
    for (const comment of node.getJsDocs()) {
      const said = comment.getTags().find((tag) => tag.getTagName() === "description");
      const text = firstSentence(said?.getCommentText() ?? comment.getDescription());
      if (text === undefined) comment.remove();
      else comment.replaceWithText(`/** ${text} */`);
    }
  });
}
