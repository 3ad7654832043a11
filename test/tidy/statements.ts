// Every statement of the service, as the files that hold them export it.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Statement } from "../../service/ports/database.ts";
import { projectRoot, readSourceFiles } from "./source-files.ts";

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

export interface FoundStatement extends NamedText {
  /** from the root of the project */
  readonly path: string;
  /** its name in the code; the batch form of a statement has none */
  readonly exported: string | undefined;
  /** the parameters in their order, from the named values */
  readonly list: Statement<object, object>["list"];
  readonly mayBeStale: boolean;
}

export async function readStatements(): Promise<readonly FoundStatement[]> {
  const found: FoundStatement[] = [];
  for (const path of readSourceFiles("service/**/*.ts").keys()) {
    // A module is an object of what it exports.
    const module = (await import(pathToFileURL(join(projectRoot, path)).href)) as object;
    for (const [exported, value] of Object.entries(module)) {
      for (const { name, text, list, mayBeStale = false } of statementsIn(value)) {
        const isItself = isStatement(value) && value.name === name;
        const named = { exported: isItself ? exported : undefined };
        found.push({ path, name, text, list, mayBeStale, ...named });
      }
    }
  }
  return found;
}

/** Also those in lists, and what batches them. */
function statementsIn(value: unknown): readonly Statement<object, object>[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(statementsIn);
  return isStatement(value) ? [value, ...inside] : inside;
}

function isStatement(value: unknown): value is Statement<object, object> {
  if (typeof value !== "object" || value === null) return false;
  return "name" in value && "list" in value && "text" in value && typeof value.text === "string";
}
