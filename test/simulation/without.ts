// A database on which some statements do nothing, or say something else: a service that does not do, or
// does not know, one of its things.

import type { Database, Statement } from "../../service/ports/database.ts";

/** As if nobody ran these statements; whoever does hears that a row has changed. */
export function without(names: readonly string[], real: Database): Database {
  return {
    run: async <Values, Row>(statement: Statement<Values, Row>, values: Values) =>
      // Of such a row nothing is read.
      names.includes(statement.name) ? [{} as Row] : await real.run(statement, values),
    transaction: (work) => real.transaction((inside) => work(without(names, inside))),
  };
}

/** As if the rows of `name` said something else. */
export function withRows(name: string, change: object, real: Database): Database {
  return {
    run: async (statement, values) => {
      const rows = await real.run(statement, values);
      return statement.name === name ? rows.map((row) => ({ ...row, ...change })) : rows;
    },
    transaction: (work) => real.transaction((inside) => work(withRows(name, change, inside))),
  };
}
