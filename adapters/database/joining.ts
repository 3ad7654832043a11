// Transactions that come together are one: one beginning, one commit, one wait for the disk, and none of
// them is undone by another one that read the same pages. One that comes alone does not wait for others; while
// one is on its way, the next fills up.

import type { Database, Joint } from "../../service/ports/database.ts";
import { isAboutWork, isConflict } from "./failures.ts";
import { refuseTooOld } from "./line.ts";
import type { InLine } from "./line.ts";

/** What is locked by all of them stays so until the last is done. */
const worksMax = 16;

type Work = (inside: Database) => Promise<unknown>;

interface Waiting extends InLine {
  readonly order: string;
  readonly work: Work;
  readonly resolve: (result: unknown) => void;
}

/** `Database.transaction`, of a database that knows nothing of joint ones. */
export function joining(
  database: Database,
  monotonicMilliseconds: () => number,
): Database["transaction"] {
  const queues = new Map<string, JointQueue>();
  return <Result>(work: (inside: Database) => Promise<Result>, joint?: Joint): Promise<Result> => {
    if (joint === undefined) return database.transaction(work);
    const { name, order } = joint;
    const queue = queues.get(name) ?? new JointQueue(database, monotonicMilliseconds);
    queues.set(name, queue);
    // Each gets the result of its own work.
    return queue.add(order, work) as Promise<Result>;
  };
}

class JointQueue {
  readonly #database: Database;
  readonly #nowMilliseconds: () => number;
  #waiting: Waiting[] = [];
  #isUnderWay = false;

  constructor(database: Database, nowMilliseconds: () => number) {
    this.#database = database;
    this.#nowMilliseconds = nowMilliseconds;
  }

  add(order: string, work: Work): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const sinceMilliseconds = this.#nowMilliseconds();
      this.#waiting.push({ order, work, sinceMilliseconds, resolve, reject });
      if (this.#isUnderWay) return;
      this.#isUnderWay = true;
      // All that came with one look at the sockets come along.
      setImmediate(() => void this.#go());
    });
  }

  async #go(): Promise<void> {
    for (;;) {
      refuseTooOld(this.#waiting, this.#nowMilliseconds());
      const together = this.#waiting.splice(0, worksMax);
      if (together.length === 0) break;
      await this.#do(together);
    }
    this.#isUnderWay = false;
  }

  /** Does not throw. */
  async #do(together: readonly Waiting[]): Promise<void> {
    const alone = ({ work, resolve, reject }: Waiting) =>
      this.#database.transaction(work).then(resolve, reject);
    const [first] = together;
    if (together.length === 1 && first !== undefined) return alone(first);
    const inOrder = together.toSorted(
      (a, b) => Number(a.order > b.order) - Number(a.order < b.order),
    );
    const stage = { isBegun: false, isDone: false };
    try {
      const results = await this.#database.transaction(async (inside) => {
        stage.isBegun = true;
        stage.isDone = false;
        const all: unknown[] = [];
        for (const { work } of inOrder) all.push(await work(inside));
        stage.isDone = true;
        return all;
      });
      for (const [index, { resolve }] of inOrder.entries()) resolve(results[index]);
    } catch (error) {
      // Of a commit that broke off nobody knows whether it counts: to do it again may do it twice.
      const isUndone = stage.isDone ? isConflictOf(error) : stage.isBegun && isAboutWork(error);
      if (!isUndone) {
        for (const { reject } of together) reject(error);
        return;
      }
      // Nothing counts. Each by itself, so that one that fails spoils no other; and nobody waits for all of them.
      for (const one of together) void alone(one);
    }
  }
}

function isConflictOf(error: unknown): boolean {
  return error instanceof Error && isConflict(error.cause);
}
