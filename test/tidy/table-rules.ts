// Everybody may read any table; only a room writes its own. Whoever wants a row in another room's
// table calls a function of that room (`recordingEvent`, `recordingAudit`, `recordingPostings`,
// `queueing`): so what counts is where the words stand, not which statement they end up in.

import type { SourceFiles } from "./source-files.ts";

const writing =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|(?<!for\s(?:no\skey\s)?)update(?!\s+(?:of|set|skip|nowait)\b))\s+"?([a-z]\w+)|\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*(?:"(\w+)"|\w)/g;
const comments = /\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** A table that a variable names. */
export const namedElsewhere = "(named elsewhere)";

/** By a text of SQL, or by code. */
export function tablesWritten(text: string): readonly string[] {
  const found = text.replaceAll(comments, "").matchAll(writing);
  return Array.from(found, ([, inText, inBuilder]) => inText ?? inBuilder ?? namedElsewhere);
}

/** The rooms of service/ whose files write each table. */
export function writersOf(files: SourceFiles): ReadonlyMap<string, ReadonlySet<string>> {
  const writers = new Map<string, Set<string>>();
  for (const [path, text] of files) {
    const [, room = ""] = path.split("/");
    for (const table of tablesWritten(text)) {
      writers.set(table, (writers.get(table) ?? new Set()).add(room));
    }
  }
  return writers;
}
