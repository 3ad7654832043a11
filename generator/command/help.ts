// What --help prints.

import { commandName } from "./name.ts";

export const help = `Usage: ${commandName} [options]
       ${commandName} init FOLDER --spec FILE
       ${commandName} mock [--spec FILE] [options]
       ${commandName} diff OLD [NEW] [options]

Turns an OpenAPI 3 or Swagger 2.0 document into Hono routes, types, validation and handler stubs.
init makes a new project of it in an empty folder: a server, and a contract suite that tests it.
mock serves it from its examples and schemas, and writes nothing (mock --help).
diff says which differences between two revisions break clients or servers (diff --help).

What to generate stands in generator.config.ts (or .mts, .js, .mjs, .json) of the working directory,
for one contract or several. Options stand in place of what it says; without it they say it all.

  --config FILE     another configuration
  --contract NAME   only this one of its contracts

  --spec FILE       the contract, YAML or JSON           (spec/openapi.yaml)
  --out DIR         where generated files go             (generated)
  --handlers DIR    where handler stubs go               (handlers, with the default --out)
  --no-handlers     write no stubs
  --allow CODE      a problem that is no reason to stop, by its code (OAG301): an error becomes a
                    warning that says what then happens, a warning is not said. Several times,
                    or with commas
  --copy URI=PATH   a file, or for a URI that ends with "/" a folder, that stands for what lies
                    elsewhere; nothing is ever fetched. May be given several times
  --base-path first|NAME|/PATH
                    mount the operations below the path of the first of the contract's servers, of
                    the one with this name, description or URL, or below this path
  --client          write a client, too, in client/ of the folder for generated files
  --client-header NAME
                    a header that the client's own fetch adds: it is no argument. Several times
  --import-endings ts|js|none
                    how generated files import each other: "./app.ts", "./app.js", "./app"    (ts)

  --format text|json|github
                    how problems are said: to people, to programs, as GitHub's annotations    (text)

  --check           write nothing; print what is stale as a diff and exit 1
  --strict          warnings count as errors
  --watch           generate again whenever the contract changes
  --help            this text

Exit code 0: up to date or written. 1: the document is wrong (every problem is listed as
file:line:column), or something is stale with --check. 2: the command line or the configuration is
wrong.
`;
