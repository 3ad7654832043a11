// What the rules need of a database: named statements, each one round trip.

/** What a read that may be stale lacks was committed after this time before it was asked for. */
export const staleMillisecondsMax = 1_000;

/** A statement whose text never changes; `statement` makes one. */
export interface Statement<Values, Row> {
  /** unique; a driver may keep the prepared statement under it */
  readonly name: string;
  /** PostgreSQL, parameters as $1, $2, ... */
  readonly text: string;
  /** the parameters in their order, from the named values */
  readonly list: (values: Values) => readonly unknown[];
  /**
   * false: `run` need not wait until the disk has it, so a crash of the database may lose it (and
   * nothing else). Only for rows whose loss is harmless, such as nonces. Ignored in a transaction.
   */
  readonly isDurable?: boolean;
  /**
   * true: a read whose answer may lack what was committed in the last second before `run` was called
   * (`staleMillisecondsMax`), by whoever calls as well. Ignored in a transaction.
   */
  readonly mayBeStale?: boolean;
  /**
   * The same for many sets of values at once. A database may use it for calls of `run` that come
   * together; their callers see no difference, except that they are faster.
   */
  readonly batch?: BatchForm<Row>;
  /** only for the compiler */
  readonly row?: Row;
}

/** Its values are columns: of each named value an array, with what each set has for it. */
export interface BatchForm<Row> extends Statement<
  Columns,
  Row & {
    /** the number of the set that this row answers, from 0 on */
    readonly set: number;
  }
> {
  /** what the items of each column are */
  readonly columns: Readonly<Record<string, ItemType>>;
}

/** Under the names of the values, arrays in PostgreSQL's binary form. */
export type Columns = Readonly<Record<string, Uint8Array>>;

/** A value of another type, such as `numeric` or an array, is text in PostgreSQL's form. */
export type ItemType = "bigint" | "boolean" | "bytea" | "integer" | "text" | "timestamptz";

export interface Database {
  /**
   * One round trip, and atomic by itself. Throws `UniqueViolation`, `CheckViolation`, or
   * `service_unavailable`.
   */
  readonly run: <Values, Row>(
    statement: Statement<Values, Row>,
    values: Values,
  ) => Promise<readonly Row[]>;
  /**
   * Several statements that count together or not at all. The work may be run again after a
   * serialization failure or a deadlock, so it must have no effect outside the database.
   * @param joint given: it may be one transaction with others that come together with it
   */
  readonly transaction: <Result>(
    work: (database: Database) => Promise<Result>,
    joint?: Joint,
  ) => Promise<Result>;
}

/**
 * Of a transaction that may be one with others: they are done one after the other, count together, and where one of
 * them fails each is done by itself. Their callers see no difference. Where nobody knows whether they count, each of
 * them hears so.
 */
export interface Joint {
  /** only those of one name are done together */
  readonly name: string;
  /** They are done in this order, by something that each of them locks: fewer wait for one another in a circle. */
  readonly order: string;
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

/** A row would break a rule of its table; the statement has written nothing. */
export class CheckViolation extends Error {
  /** the name of the constraint */
  readonly constraint: string;
  constructor(constraint: string, cause?: unknown) {
    super(`check constraint ${constraint}`, { cause });
    this.name = "CheckViolation";
    this.constraint = constraint;
  }
}
