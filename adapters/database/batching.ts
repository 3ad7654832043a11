// Calls that come together are one: one statement, and of writes one commit and one wait for the disk.
// A call that comes alone does not wait for others; while a batch is on its way, the next one fills
// up. So batches are as big as the load, without any timer.

import type { BatchForm, Database, Statement } from "../../service/ports/database.ts";
import { ServiceError } from "../../service/errors.ts";
import { encodeColumns } from "./columns.ts";
import { isConflict } from "./failures.ts";
import { joining } from "./joining.ts";
import { refuseTooOld } from "./line.ts";
import type { InLine } from "./line.ts";

/** Of one statement. A second one on its way keeps the server busy while we build the next. */
const underWayMax = 2;
const setsMax = 64;

export interface BatchingOptions {
  readonly monotonicMilliseconds?: () => number;
  /** hears of each batch: of how many calls it is made */
  readonly onBatch?: ((sets: number) => void) | undefined;
  /** asked when a call comes; what it gives hears of how many calls the batch is made that this one goes with */
  readonly follow?: (() => ((sets: number) => void) | undefined) | undefined;
}

/** Uses the batch form of those statements that have one, and joins the transactions that may be joined. */
export function withBatching<Of extends Database>(
  database: Of,
  { monotonicMilliseconds = () => performance.now(), ...observer }: BatchingOptions = {},
): Of {
  // Under the name, which is unique: the values and rows of one statement are of one type.
  const queues = new Map<string, Queue<unknown, unknown>>();
  const run: Database["run"] = (statement, values) => {
    if (statement.batch === undefined) return database.run(statement, values);
    const known = queues.get(statement.name) as QueueOf<typeof statement> | undefined;
    const forms = { one: statement, many: statement.batch };
    const queue = known ?? new Queue(database, forms, { monotonicMilliseconds, ...observer });
    if (known === undefined) queues.set(statement.name, queue as Queue<unknown, unknown>);
    return queue.add(values);
  };
  return { ...database, run, transaction: joining(database, monotonicMilliseconds) };
}

type QueueOf<Of> = Of extends Statement<infer Values, infer Row> ? Queue<Values, Row> : never;

interface Waiting<Values, Row> extends InLine {
  readonly values: Values;
  readonly onTaken: ((sets: number) => void) | undefined;
  readonly resolve: (rows: readonly Row[]) => void;
}

interface Forms<Values, Row> {
  readonly one: Statement<Values, Row>;
  readonly many: BatchForm<Row>;
}

class Queue<Values, Row> {
  readonly #database: Database;
  readonly #one: Statement<Values, Row>;
  readonly #many: BatchForm<Row>;
  readonly #nowMilliseconds: () => number;
  readonly #onBatch: BatchingOptions["onBatch"];
  readonly #follow: BatchingOptions["follow"];
  #waiting: Waiting<Values, Row>[] = [];
  #underWay = 0;
  #isStarting = false;

  constructor(
    database: Database,
    forms: Forms<Values, Row>,
    options: BatchingOptions & Required<Pick<BatchingOptions, "monotonicMilliseconds">>,
  ) {
    this.#database = database;
    this.#one = forms.one;
    this.#many = forms.many;
    this.#nowMilliseconds = options.monotonicMilliseconds;
    this.#onBatch = options.onBatch;
    this.#follow = options.follow;
  }

  add(values: Values): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      const sinceMilliseconds = this.#nowMilliseconds();
      const onTaken = this.#follow?.();
      this.#waiting.push({ values, sinceMilliseconds, onTaken, resolve, reject });
      if (this.#isStarting || this.#underWay >= underWayMax) return;
      this.#isStarting = true;
      // All requests that came with one look at the sockets are worked on before this.
      setImmediate(() => {
        this.#isStarting = false;
        this.#start();
      });
    });
  }

  #start(): void {
    refuseTooOld(this.#waiting, this.#nowMilliseconds());
    while (this.#underWay < underWayMax && this.#waiting.length > 0) {
      const sets = this.#waiting.splice(0, setsMax);
      this.#underWay++;
      this.#onBatch?.(sets.length);
      for (const { onTaken } of sets) onTaken?.(sets.length);
      void this.#write(sets).finally(() => {
        this.#underWay--;
        this.#start();
      });
    }
  }

  async #write(sets: readonly Waiting<Values, Row>[]): Promise<void> {
    if (sets.length > 1) {
      try {
        const columns = encodeColumns(
          this.#many.columns,
          // named values
          sets.map(({ values }) => values as Readonly<Record<string, unknown>>),
        );
        const rows = await this.#database.run(this.#many, columns);
        const answers = sets.map((): Row[] => []);
        // Without `set` it is the row of the single statement.
        for (const { set, ...row } of rows) answers[set]?.push(row as unknown as Row);
        for (const [index, { resolve }] of sets.entries()) resolve(answers[index] ?? []);
        return;
      } catch (error) {
        if (!isAboutOne(error)) {
          for (const { reject } of sets) reject(error);
          return;
        }
        // Nothing was written. Each by itself, so that one bad set spoils no other.
      }
    }
    await Promise.all(
      sets.map(({ values, resolve, reject }) =>
        this.#database.run(this.#one, values).then(resolve, reject),
      ),
    );
  }
}

/**
 * After a broken connection nobody knows whether it was written: to write again may do it twice. Who has lost
 * against another transaction, however often it was tried, has written nothing: one alone is in fewer ways.
 */
function isAboutOne(error: unknown): boolean {
  return !(error instanceof ServiceError) || isConflict(error.cause);
}
