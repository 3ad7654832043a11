// Statements are composed once, with the typed query builder, and prepared: a request only hands in
// the values. (A builder that composes for every request was measured at half the throughput.) Each is composed when it
// is first asked for: a start needs some of them, and a command of an operator a few.

import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CommonTableExpression,
  type CompiledQuery,
  type QueryCreator,
  type SelectQueryBuilder,
} from "kysely";
import type { BatchForm, Statement } from "../ports/database.ts";
import type { Tables } from "./tables.ts";

/** Stands for a value while the statement is composed. */
class Parameter {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }

  /** As text it would be lost for the list, and stand in every text like a word. */
  toString(): never {
    throw new Error(`${this.name} is no text: hand it to the query builder as it is`);
  }
}

/**
 * What is the same at every call stands in the text. A plan for all values (which the server keeps) can use a
 * partial index only if the text says what the index is limited to; with a parameter in that place the planner
 * either reads the whole table or plans anew at each call.
 */
class StatementCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    const isFixed = value === null || /^(?:string|number|bigint|boolean)$/.test(typeof value);
    if (isFixed) this.appendImmediateValue(value);
    else super.appendValue(value);
  }
}

/** Composes, and runs nothing. */
export const queries = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new StatementCompiler(),
  },
});

/**
 * A statement with CTEs that nobody reads from, such as the record of an event: the type of what can
 * be read from stays what the caller had.
 */
export function adding<Known, More>(
  creator: QueryCreator<Known>,
  add: (creator: QueryCreator<Known>) => QueryCreator<More>,
): QueryCreator<Known> {
  // It has all that it had, and more: the builder's types do not say so of a type that is a variable.
  return add(creator) as unknown as QueryCreator<Known>;
}

/** A query of the builder, or a whole text made with its `sql` tag. */
export interface Composed<Row> {
  readonly compile: (executor: typeof queries) => CompiledQuery<Row>;
}

/** Adds to a statement what is to be recorded of each row of the CTE `cause`. */
type Recording<Values> = <Known>(
  creator: QueryCreator<Known>,
  cause: string,
  p: Values,
) => QueryCreator<Known>;

/** Reads from the row of the effect; what of it is given is still to be said. */
type Effected<Name extends string, Row> = SelectQueryBuilder<Record<Name, Row>, Name, object>;

/**
 * A statement that is one effect and the record of it: the effect as a CTE of that name, which changes one row or none,
 * and what `record` adds for the row.
 *
 *     effectWith(recordingAudit, p)("changed", (q) => q.updateTable(...).returning("id")).select("id")
 */
export function effectWith<Values>(record: Recording<Values>, p: Values) {
  return <Name extends string, Row>(
    name: Name,
    effect: (creator: QueryCreator<Tables>) => Composed<Row>,
  ): Effected<Name, Row> => {
    // All that this project composes is of the builder, or of its `sql` tag: both can be a CTE.
    const made = queries.with(name, effect as CommonTableExpression<Tables, Name>);
    // Of a name that is a variable, the builder's types do not say what can be read from it.
    const recorded = record(made, name, p) as unknown as {
      selectFrom: (from: Name) => Effected<Name, Row>;
    };
    return recorded.selectFrom(name);
  };
}

/**
 * `compose` gets a stand-in for each value, under the value's name and with its type, and hands it
 * to the query builder like the value itself. It must not look at it.
 * The options are explained at `Statement`.
 */
export function statement<Values extends object>(
  name: string,
  options: Pick<Statement<Values, unknown>, "isDurable" | "mayBeStale"> = {},
): <Row>(
  compose: (values: Values) => Composed<Row>,
  batch?: BatchForm<Row>,
) => Statement<Values, Row> {
  return (compose, batch) => {
    let composed: ComposedStatement<Values> | undefined;
    const compiled = () => (composed ??= compile(compose));
    const more = batch === undefined ? options : { ...options, batch };
    return {
      ...more,
      name,
      get text() {
        return compiled().text;
      },
      list: (values) => compiled().pick.map((take) => take(values)),
    };
  };
}

interface ComposedStatement<Values> {
  readonly text: string;
  readonly pick: readonly ((values: Values) => unknown)[];
}

function compile<Values extends object>(
  compose: (values: Values) => Composed<unknown>,
): ComposedStatement<Values> {
  const known = new Map<string | symbol, Parameter>();
  const standIns = new Proxy(
    {},
    {
      get: (_, property) => {
        const parameter = known.get(property) ?? new Parameter(String(property));
        known.set(property, parameter);
        return parameter;
      },
    },
  );
  // The stand-ins only travel through the builder, from here to the list of parameters below.
  const { sql, parameters } = compose(standIns as Values).compile(queries);
  const pick = parameters.map((parameter): ((values: Values) => unknown) => {
    if (!(parameter instanceof Parameter)) return () => parameter;
    // Taken by the name under which `compose` asked for it.
    return (values) => values[parameter.name as keyof Values];
  });
  return { text: sql, pick };
}
