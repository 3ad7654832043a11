// Stubs for operations nobody has written yet. A stub is added at the end of its module (or in a new one), or
// to the object that a function of the module builds; nothing that stands there is changed, moved or removed.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { Project } from "ts-morph";
import type { Group, Model, Operation } from "../model/model.ts";
import { identifier } from "../model/names.ts";
import { withMembers } from "./built-handlers.ts";
import { interfaceMembers, type Place, writtenNames } from "./written-handlers.ts";
import { propertyKey } from "./literals.ts";

export interface Scaffold {
  /** absolute path to the whole new text of each module that changes */
  readonly files: ReadonlyMap<string, string>;
  /** operations that get a stub, for the report */
  readonly stubs: readonly string[];
  /** modules that were looked at */
  readonly modules: readonly string[];
  /** handlers of operations that the contract has no more */
  readonly orphans: readonly Orphan[];
}

export interface Orphan extends Place {
  readonly operationId: string;
}

export interface ScaffoldOptions {
  /** absolute path of the folder of hand-written modules */
  readonly handlers: string;
  /** absolute path of the generated folder */
  readonly out: string;
}

/** The one place where the handlers come together; made once, then written by hand. */
const assembly = "handlers.ts";

export function scaffold(model: Model, { handlers, out }: ScaffoldOptions): Scaffold {
  const modules = existsSync(handlers)
    ? readdirSync(handlers)
        .filter((name) => name.endsWith(".ts"))
        .toSorted()
        .map((name) => join(handlers, name))
    : [];
  const written = writtenNames(modules, join(handlers, assembly));
  const way = relative(handlers, out).split(sep).join("/");
  const generated = way.startsWith(".") ? way : `./${way}`;
  const files = new Map<string, string>();
  const stubs: string[] = [];
  for (const group of model.groups) {
    const missing = group.operations.filter(
      ({ identifier: name, operationId }) => !written.has(name) && !written.has(operationId),
    );
    if (missing.length === 0) continue;
    stubs.push(...missing.map((operation) => operation.operationId));
    const path = join(handlers, `${group.file}.ts`);
    const existing = modules.includes(path) ? readFileSync(path, "utf8") : undefined;
    files.set(path, moduleText({ group, missing, existing, generated }));
  }
  const path = join(handlers, assembly);
  if (!modules.includes(path)) files.set(path, assemblyText(model, generated));
  const known = new Set(model.operations.map(({ operationId }) => operationId));
  const gone = interfaceMembers(join(out, "handlers.ts")).filter((name) => !known.has(name));
  const orphans = gone.flatMap((operationId) => {
    const place = written.get(operationId) ?? written.get(identifier(operationId));
    return place === undefined ? [] : [{ operationId, ...place }];
  });
  return { files, stubs, modules, orphans };
}

interface ModuleParts {
  readonly group: Group;
  readonly missing: readonly Operation[];
  readonly existing: string | undefined;
  /** the generated folder as the module imports it */
  readonly generated: string;
}

function moduleText({ group, missing, existing, generated }: ModuleParts): string {
  const needed = new Map([
    [
      "NotImplementedError",
      `import { NotImplementedError } from "${generated}/runtime/runtime.ts";`,
    ],
    ["AllHandlers", `import type { AllHandlers } from "./${assembly}";`],
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
  const title = `${operation.method.toUpperCase()} ${operation.path}`.replaceAll("*/", "*\\/");
  return `/** ${title} */
export const ${operation.identifier}: AllHandlers[${id}] = () => {
  throw new NotImplementedError(${id});
};
`;
}

function assemblyText(model: Model, generated: string): string {
  const imports = model.groups.map(
    (group) => `import * as ${group.identifier} from "./${group.file}.ts";`,
  );
  const entries = model.groups.flatMap((group) =>
    group.operations.map((operation) => {
      const value = `${group.identifier}.${operation.identifier}`;
      return `  ${propertyKey(operation.operationId)}: ${value},`;
    }),
  );
  return `// Every operation and the function that answers it. A new operation of the contract is missing
// here until you add it, and the compiler says so.

import type { Handlers } from "${generated}/handlers.ts";
${imports.join("\n")}

/** What authentication hands to every handler; give it the type of your application. */
export type Caller = unknown;

export type AllHandlers = Handlers<Caller>;

export const handlers: AllHandlers = {
${entries.join("\n")}
};
`;
}
