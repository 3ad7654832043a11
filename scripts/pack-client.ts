// The client as a package: npm run pack:client [-- FOLDER]
// JavaScript and declarations of what its entry reaches. The tarball goes to FOLDER, or to this project's own.

import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Node, Project, type SourceFile } from "ts-morph";
import { firstSentence } from "../generator/emit/literals.ts";
import { compile, pack, readDeclarations, root } from "./packing.ts";

const client = join(root, "scripts", "client");

pack({ name: "client", from: client, fill });

/** Programs without comments, and declarations with a sentence on each name. */
function fill(stage: string): void {
  const declarations = join(stage, "declarations");
  compile(client, "--outDir", stage, "--removeComments", "--declaration", "false");
  compile(client, "--outDir", declarations, "--emitDeclarationOnly");
  const project = new Project({ useInMemoryFileSystem: true });
  for (const name of globSync("**/*.d.ts", { cwd: declarations })) {
    const text = readDeclarations(join(declarations, name));
    const file = project.createSourceFile(name, text.replaceAll(/^\/\/.*\n+/gm, ""));
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
