// Generated code in this process, without a file: what would be written is compiled and run as it is.

import { compileFunction } from "node:vm";
import * as zodOpenapi from "@hono/zod-openapi";
import { ts } from "ts-morph";
import * as zod from "zod";
import { emitRoutes, type Reading } from "../generate.ts";
import type { Edge, Handler, Operation, RegisterOptions } from "../runtime/runtime.ts";

/** What `app.ts` exports. */
export interface Application {
  readonly operations: readonly Operation[];
  readonly register: <State, Caller>(
    ...all: readonly [
      app: zodOpenapi.OpenAPIHono,
      handlers: Readonly<Record<string, Handler>>,
      edge: Edge<State, Caller>,
      options?: RegisterOptions,
    ]
  ) => void;
}

type Exports = Record<string, unknown>;
type Run = (exports: Exports, require: (name: string) => unknown) => void;

const compilerOptions: ts.CompilerOptions = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ESNext,
};

/** All that generated files import, beside each other and the runtime. */
const packages: readonly (readonly [name: string, exports: unknown])[] = [
  ["@hono/zod-openapi", zodOpenapi],
  ["zod", zod],
];

/**
 * Modules that nobody but this application refers to: a contract that is loaded anew leaves nothing behind.
 * They share the runtime of this process, so that its errors are ours.
 */
export async function loadApplication(reading: Reading): Promise<Application> {
  const compiled = new Map<string, Run>();
  const known = new Map<string, unknown>(packages);
  for (const { path, text } of emitRoutes(reading, "the contract")) {
    for (const name of runtimeFilesOf(text)) {
      if (!known.has(name)) known.set(name, await import(runtimeUrl(name)));
    }
    const { outputText } = ts.transpileModule(text, { compilerOptions, fileName: path });
    const run = compileFunction(outputText, ["exports", "require"], {
      filename: `contract:${path}`,
    });
    compiled.set(path, run as Run); // a function of the two names above
  }
  const load = (path: string): unknown => {
    if (known.has(path)) return known.get(path);
    const run = compiled.get(path);
    if (run === undefined) throw new Error(`no file ${path} was made`);
    const exports: Exports = {};
    known.set(path, exports);
    run(exports, (name) => load(pathFrom(path, name)));
    return exports;
  };
  // what a generated module exports is known by its name only
  return load("app.ts") as Application;
}

/** In a package the runtime of this process has been compiled as this file has. */
function runtimeUrl(name: string): string {
  const own = import.meta.url.endsWith(".js") ? name.replace(/\.ts$/, ".js") : name;
  return new URL(`../${own}`, import.meta.url).href;
}

/** "runtime/keywords.ts" */
function runtimeFilesOf(text: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(text, true, false);
  return importedFiles.flatMap(({ fileName }) => /runtime\/[a-z-]+\.ts$/.exec(fileName) ?? []);
}

/** Below the folder of generated files; packages as they are. */
function pathFrom(importer: string, name: string): string {
  return name.startsWith(".") ? new URL(name, `contract:/${importer}`).pathname.slice(1) : name;
}
