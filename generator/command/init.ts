// A new project: generate init FOLDER --spec FILE.

import { resolve } from "node:path";
import { displayPath } from "../write/plan.ts";
import { readArguments } from "./arguments.ts";
import { newsOf, tellerOf } from "./teller.ts";
import { type Terminal, UsageError } from "./terminal.ts";

export async function init(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments({
    args: [...args],
    strict: true,
    allowPositionals: true,
    options: { spec: { type: "string" } },
  });
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0)
    throw new UsageError("init makes one FOLDER: name it");
  const { spec } = values;
  if (spec === undefined) throw new UsageError("init needs --spec FILE, the contract");
  const { tell } = tellerOf("text", terminal);
  const { FolderError, initProject } = await import("../project/init.ts");
  try {
    tell({ kind: "warnings", problems: await initProject(folder, spec) });
  } catch (error) {
    if (error instanceof FolderError) throw new UsageError(error.message, { cause: error });
    tell(newsOf(error));
    return 1;
  }
  terminal.say(`made ${displayPath(resolve(folder))}`);
  terminal.say(`next: cd ${displayPath(resolve(folder))} && npm install && npm test`);
  return 0;
}
