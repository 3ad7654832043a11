// What the rules need of a database: named statements, each one round trip.

/** A statement whose text never changes; see service/store/statement.ts for how one is made. */
export interface Statement<Values, Row> {
  /** unique; a driver may keep the prepared statement under it */
  readonly name: string;
  /** PostgreSQL, parameters as $1, $2, ... */
  readonly text: string;
  /** the parameters in their order, from the named values */
  readonly list: (values: Values) => readonly unknown[];
  /** only for the compiler */
  readonly row?: Row;
}

export interface Database {
  /** One round trip, and atomic by itself. Throws `UniqueViolation`, or `service_unavailable`. */
  readonly run: <Values, Row>(
    statement: Statement<Values, Row>,
    values: Values,
  ) => Promise<readonly Row[]>;
  /**
   * Several statements that count together or not at all. The work may be run again after a
   * serialization failure or a deadlock, so it must have no effect outside the database.
   */
  readonly transaction: <Result>(
    work: (database: Database) => Promise<Result>,
  ) => Promise<Result>;
}

/** Another row has the same key. */
export class UniqueViolation extends Error {
  /** the name of the constraint or index */
  readonly constraint: string;
  constructor(constraint: string, cause?: unknown) {
    super(`unique constraint ${constraint}`, { cause });
    this.name = "UniqueViolation";
    this.constraint = constraint;
  }
}
