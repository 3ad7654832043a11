// A real database, and the names of the statements that went to it.

import type { OpenedDatabase } from "../../adapters/database/session.ts";
import type { Database } from "../../service/ports/database.ts";

export function countingDatabase(opened: OpenedDatabase) {
  const names: string[] = [];
  const run: Database["run"] = (statement, values) => {
    names.push(statement.name);
    return opened.run(statement, values);
  };
  return { names, database: { ...opened, run } };
}
