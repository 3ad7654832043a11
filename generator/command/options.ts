// What `generate` is told to do.

import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readArguments } from "./arguments.ts";
import { UsageError } from "./terminal.ts";

const projectFolder = fileURLToPath(new URL("../..", import.meta.url));

export const help = `Usage: npm run generate -- [options]
       npm run generate -- init FOLDER --spec FILE

Turns an OpenAPI 3.0 or 3.1 document into Hono routes, types, validation and handler stubs.
init makes a new project of it in an empty folder: a server, and a contract suite that tests it.

  --spec FILE       the contract, YAML or JSON           (spec/openapi.yaml)
  --out DIR         where generated files go             (generated)
  --handlers DIR    where handler stubs go               (handlers, with the default --out)
  --no-handlers     write no stubs
  --copy URI=PATH   a file, or for a URI that ends with "/" a folder, that stands for what lies
                    elsewhere; nothing is ever fetched. May be given several times
  --check           write nothing; print what is stale as a diff and exit 1
  --strict          warnings count as errors
  --watch           generate again whenever the contract changes
  --help            this text

Exit code 0: up to date or written. 1: the document is wrong (every problem is listed as
file:line:column), or something is stale with --check. 2: the command line is wrong.
`;

export interface Options {
  readonly spec: string;
  readonly out: string;
  readonly handlers: string | undefined;
  /** address to path */
  readonly copies: ReadonlyMap<string, string>;
  readonly check: boolean;
  readonly strict: boolean;
  readonly watch: boolean;
}

export function parseOptions(args: readonly string[]): Options | "help" {
  const { values } = readArguments({
    args: [...args],
    strict: true,
    options: {
      spec: { type: "string" },
      out: { type: "string" },
      handlers: { type: "string" },
      "no-handlers": { type: "boolean", default: false },
      copy: { type: "string", multiple: true, default: [] },
      check: { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
      watch: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const inProject = (name: string): string => join(projectFolder, name);
  const own = values.out === undefined ? inProject("handlers") : undefined;
  const handlers = values.handlers === undefined ? own : resolve(values.handlers);
  return {
    spec: values.spec === undefined ? inProject("spec/openapi.yaml") : resolve(values.spec),
    out: values.out === undefined ? inProject("generated") : resolve(values.out),
    handlers: values["no-handlers"] ? undefined : handlers,
    copies: new Map(values.copy.map(readCopy)),
    check: values.check,
    strict: values.strict,
    watch: values.watch,
  };
}

function readCopy(text: string): readonly [uri: string, path: string] {
  const at = text.lastIndexOf("=");
  const uri = text.slice(0, Math.max(at, 0));
  if (!URL.canParse(uri) || at === text.length - 1) {
    throw new UsageError(`--copy ${text}: write an address, "=", and where its copy lies`);
  }
  return [uri, resolve(text.slice(at + 1))];
}
