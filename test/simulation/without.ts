// A database on which some statements do nothing: a service that does not do one of its things.

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
