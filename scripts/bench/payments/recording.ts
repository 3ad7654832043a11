// What one request asks of the database: recorded from the service itself, so that pgbench runs its
// very texts with its very values, and nobody has to keep a copy of them.

import type { OpenedDatabase } from "../../../adapters/database/session.ts";
import type { Statement } from "../../../service/ports/database.ts";

export interface RecordedStatement {
  readonly name: string;
  readonly text: string;
  /** whether its commit waits for the disk */
  readonly isDurable: boolean;
  /** in the place of $1, $2, ... */
  readonly parameters: readonly RecordedParameter[];
}

interface RecordedParameter {
  /** of the value; undefined: it stands in the statement and is always the same */
  readonly name: string | undefined;
  readonly value: unknown;
}

export interface Recorder {
  /** passes everything on, one by one: batch forms stay unused */
  readonly database: OpenedDatabase;
  /** what ran since the last time, in its order */
  readonly take: () => readonly RecordedStatement[];
}

export function recordStatements(database: OpenedDatabase): Recorder {
  let recorded: RecordedStatement[] = [];
  const run: OpenedDatabase["run"] = (statement, values) => {
    recorded.push(record(statement, values));
    return database.run(statement, values);
  };
  return {
    database: { ...database, run },
    take: () => {
      const taken = recorded;
      recorded = [];
      return taken;
    },
  };
}

class Named {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

function record<Values, Row>(statement: Statement<Values, Row>, values: Values): RecordedStatement {
  const given = statement.list(values);
  // It only picks members, so it says by which names if every member is its own name.
  const names = new Proxy({}, { get: (_, name) => new Named(String(name)) }) as Values;
  const picked = statement.list(names);
  return {
    name: statement.name,
    text: statement.text,
    isDurable: statement.isDurable !== false,
    parameters: given.map((value, index) => {
      const named = picked[index];
      return { name: named instanceof Named ? named.name : undefined, value };
    }),
  };
}
