// Stubs for operations nobody has written yet. A stub is added at the end of its module (or in a new one), or
// to the object that a function of the module builds; nothing that stands there is changed, moved or removed.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { Project } from "ts-morph";
import type { Group, Model, Operation } from "../model/model.ts";
import { identifier } from "../model/names.ts";
import type { ImportEndings } from "../configuration/define.ts";
import { withMembers } from "./built-handlers.ts";
import { importName } from "./import-endings.ts";
import { assembledNames, interfaceMembers, type Place, writtenNames } from "./written-handlers.ts";
import { propertyKey } from "./literals.ts";

export interface Scaffold {
  /** absolute path to the whole new text of each module that changes */
  readonly files: ReadonlyMap<string, string>;
  /** operations that get a stub, for the report */
  readonly stubs: readonly Stub[];
  /** modules that were looked at */
  readonly modules: readonly string[];
  /** handlers of operations that the contract has no more */
  readonly orphans: readonly Orphan[];
}

export interface Stub extends Place {
  readonly operationId: string;
  /** absolute path of the module that has to name it too; undefined: nothing is left to do there */
  readonly unnamedIn: string | undefined;
}

export interface Orphan extends Place {
  readonly operationId: string;
  /** where else it is named */
  readonly named: Place | undefined;
}

export interface ScaffoldOptions {
  /** absolute path of the folder of hand-written modules */
  readonly handlers: string;
  /** absolute path of the generated folder */
  readonly out: string;
  /** of what is added; what stands there stays as it is */
  readonly importEndings?: ImportEndings;
}

/** The one place where the handlers come together; made once, then written by hand. */
const assembly = "handlers.ts";

export function scaffold(
  model: Model,
  { handlers, out, importEndings = "ts" }: ScaffoldOptions,
): Scaffold {
  const modules = existsSync(handlers)
    ? readdirSync(handlers)
        .filter((name) => name.endsWith(".ts"))
        .toSorted()
        .map((name) => join(handlers, name))
    : [];
  const assemblyPath = join(handlers, assembly);
  const written = writtenNames(modules, assemblyPath);
  const assembled = assembledNames(modules.includes(assemblyPath) ? assemblyPath : undefined);
  const way = relative(handlers, out).split(sep).join("/");
  const generated = way.startsWith(".") ? way : `./${way}`;
  const imported = {
    assembly: importName(`./${assembly}`, importEndings),
    handlers: importName(`${generated}/handlers.ts`, importEndings),
    runtime: importName(`${generated}/runtime/runtime.ts`, importEndings),
  };
  const files = new Map<string, string>();
  const stubs: Stub[] = [];
  for (const group of model.groups) {
    const missing = group.operations.filter(
      ({ identifier: name, operationId }) => !written.has(name) && !written.has(operationId),
    );
    if (missing.length === 0) continue;
    const path = join(handlers, `${group.file}.ts`);
    const existing = modules.includes(path) ? readFileSync(path, "utf8") : undefined;
    const text = moduleText({ group, missing, existing, imported });
    files.set(path, text);
    for (const { operationId } of missing) {
      const isNamed = assembled.isOpen || assembled.names.has(operationId);
      const unnamedIn = isNamed ? undefined : assemblyPath;
      stubs.push({ operationId, path, line: lineOfStub(text, operationId), unnamedIn });
    }
  }
  if (!modules.includes(assemblyPath)) {
    files.set(assemblyPath, assemblyText(model, { imported, importEndings }));
  }
  const known = new Set(model.operations.map(({ operationId }) => operationId));
  const gone = interfaceMembers(join(out, "handlers.ts")).filter((name) => !known.has(name));
  const orphans = gone.flatMap((operationId) => {
    const place = written.get(operationId) ?? written.get(identifier(operationId));
    const named = assembled.names.get(operationId);
    return place === undefined ? [] : [{ operationId, ...place, named }];
  });
  return { files, stubs, modules, orphans };
}

/** Where it throws, which is what is to be replaced. */
function lineOfStub(text: string, operationId: string): number {
  const at = text.lastIndexOf(`new NotImplementedError(${JSON.stringify(operationId)})`);
  return text.slice(0, at).split("\n").length;
}

/** Modules of ours as a handler's module imports them. */
interface Imported {
  readonly assembly: string;
  readonly handlers: string;
  readonly runtime: string;
}

interface ModuleParts {
  readonly group: Group;
  readonly missing: readonly Operation[];
  readonly existing: string | undefined;
  readonly imported: Imported;
}

function moduleText({ group, missing, existing, imported }: ModuleParts): string {
  const needed = new Map([
    ["NotImplementedError", `import { NotImplementedError } from "${imported.runtime}";`],
    ["AllHandlers", `import type { AllHandlers } from "${imported.assembly}";`],
  ]);
  if (existing !== undefined) {
    const names = new Set(group.operations.map(({ operationId }) => operationId));
    const built = withMembers(existing, names, missing);
    const thrown = [...needed].slice(0, 1);
    if (built !== undefined) return withImports(built, new Map(thrown));
  }
  const stubs = missing.map(stubText).join("\n");
  if (existing === undefined) {
    const header = `// The handlers of the operations tagged "${group.tag.replace(/[\r\n\u2028\u2029]/g, " ")}".`;
    return `${header}\n\n${[...needed.values()].join("\n")}\n\n${stubs}`;
  }
  return withImports(existing, needed) + `\n${stubs}`;
}

/** New import lines after the last import; everything else stays as it is, to the byte. */
function withImports(text: string, needed: ReadonlyMap<string, string>): string {
  const whole = text.endsWith("\n") ? text : `${text}\n`;
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const imports = project.createSourceFile("module.ts", whole).getImportDeclarations();
  const known = new Set(
    imports.flatMap((one) => one.getNamedImports().map((each) => each.getNameNode().getText())),
  );
  const lines = [...needed].flatMap(([name, line]) => (known.has(name) ? [] : [line]));
  const last = imports.at(-1);
  if (lines.length === 0) return whole;
  const addition = `${lines.join("\n")}\n`;
  if (last === undefined) return `${addition}\n${whole}`;
  const end = whole.indexOf("\n", last.getEnd()) + 1;
  return whole.slice(0, end) + addition + whole.slice(end);
}

function stubText(operation: Operation): string {
  const id = JSON.stringify(operation.operationId);
  const title = `${operation.method} ${operation.path}`.replaceAll("*/", "*\\/");
  return `/** ${title} */
export const ${operation.identifier}: AllHandlers[${id}] = () => {
  throw new NotImplementedError(${id});
};
`;
}

function assemblyText(
  model: Model,
  { imported, importEndings }: { imported: Imported; importEndings: ImportEndings },
): string {
  const imports = model.groups.map((group) => {
    const name = importName(`./${group.file}.ts`, importEndings);
    return `import * as ${group.identifier} from "${name}";`;
  });
  const entries = model.groups.flatMap((group) =>
    group.operations.map((operation) => {
      const value = `${group.identifier}.${operation.identifier}`;
      return `  ${propertyKey(operation.operationId)}: ${value},`;
    }),
  );
  return `// Every operation and the function that answers it. A new operation of the contract is missing
// here until you add it, and the compiler says so.

import type { Context } from "hono";
import type { Handlers } from "${imported.handlers}";
${imports.join("\n")}

/** What every handler gets besides the request: Hono's context, unless your edge authenticates. */
export type Caller = Context;

export type AllHandlers = Handlers<Caller>;

export const handlers: AllHandlers = {
${entries.join("\n")}
};
`;
}
