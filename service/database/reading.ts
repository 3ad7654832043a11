// Reads that come together are one statement: each is answered as by itself.

import { sql } from "kysely";
import type { Statement } from "../ports/database.ts";
import { together } from "./row-source.ts";
import type { ColumnTypes } from "./row-source.ts";
import { statement } from "./statement.ts";
import type { Composed } from "./statement.ts";

interface Names {
  readonly one: string;
  /** of its batch form */
  readonly many: string;
}

/**
 * A select with a batch form, from one text. `compose` is asked twice: with the values, and with the columns
 * of many of them.
 */
export function reading<Values extends object>(
  names: Names,
  columns: ColumnTypes<Values>,
): <Row>(compose: (values: Values) => Composed<Row>) => Statement<Values, Row> {
  return <Row>(compose: (values: Values) => Composed<Row>) =>
    statement<Values>(names.one)(
      compose,
      together<Values>(
        names.many,
        columns,
      )((rows) => {
        const refs = Object.keys(columns).map((name) => [name, sql.ref(`asked.${name}`)]);
        // They only travel through the builder, like the values themselves.
        const one = compose(Object.fromEntries(refs) as Values);
        // What has an offset is looked up for each, whatever the planner thinks of their number; so the rows of a
        // set also stay in their order.
        return sql<Row & { readonly set: number }>`
          select asked.set, answer.* from (${rows}) asked
          cross join lateral (select * from (${one}) one offset 0) answer`;
      }),
    );
}
