// A database that is gone in the moment when a write should be answered: everybody who writes hears that it was not
// available, once although it was done, and once because it was not.

import { ServiceError } from "../../service/errors.ts";
import type { Database, Statement } from "../../service/ports/database.ts";
import { tablesWritten } from "../tidy/table-rules.ts";

type Kind = "done" | "not done";

/** By how often a statement was about to count: at the first ones little is there yet, at the last one much. */
export const oftenCut: ReadonlyMap<number, Kind> = new Map([
  [1, "done"],
  [2, "not done"],
  [5, "done"],
  [9, "not done"],
  [30, "done"],
]);

export class Cuts {
  readonly #kinds: ReadonlyMap<number, Kind>;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #met = new Map<string, number>();
  readonly #cut = new Map<string, Set<Kind>>();
  #exposed = 0;
  #spared = 0;

  /**
   * @param kinds what becomes of the first commit of a statement, of the second, ...; of the others nothing bad
   * @param only the names of those that count; undefined: all
   */
  constructor(kinds: ReadonlyMap<number, Kind> = new Map(), only?: readonly string[]) {
    this.#kinds = kinds;
    this.#only = only === undefined ? undefined : new Set(only);
  }

  /** Whose writes were cut off, and what had become of them. */
  get cut(): ReadonlyMap<string, ReadonlySet<Kind>> {
    return this.#cut;
  }

  /** Only what is done in here: whoever does it asks again. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#exposed += 1;
    try {
      return await work();
    } finally {
      this.#exposed -= 1;
    }
  }

  /** Nothing bad happens in here, whoever asks. */
  async never<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#spared += 1;
    try {
      return await work();
    } finally {
      this.#spared -= 1;
    }
  }

  of(database: Database): Database {
    return {
      run: async (statement, values) => {
        const names = isWriting(statement) ? [statement.name] : [];
        const kind = this.#kindOf(names);
        if (kind === "not done") this.#cutOff(names);
        const rows = await database.run(statement, values);
        this.#note(names, kind);
        if (kind === "done") throw away();
        return rows;
      },
      transaction: async (work, joint) => {
        let written: string[] = [];
        let kind: Kind | undefined;
        // An attempt that loses against another transaction is no commit.
        const result = await database.transaction(async (real) => {
          written = [];
          const done = await work(noting(real, written));
          kind = this.#kindOf(written);
          if (kind === "not done") this.#cutOff(written);
          return done;
        }, joint);
        this.#note(written, kind);
        if (kind === "done") throw away();
        return result;
      },
    };
  }

  get #isExposed(): boolean {
    return this.#exposed > 0 && this.#spared === 0;
  }

  /** What becomes of a commit of all these. */
  #kindOf(names: readonly string[]): Kind | undefined {
    if (!this.#isExposed) return undefined;
    for (const name of names) {
      if (this.#only?.has(name) === false) continue;
      const kind = this.#kinds.get((this.#met.get(name) ?? 0) + 1);
      if (kind !== undefined) return kind;
    }
    return undefined;
  }

  #cutOff(names: readonly string[]): never {
    this.#note(names, "not done");
    throw away();
  }

  #note(names: readonly string[], kind: Kind | undefined): void {
    if (!this.#isExposed) return;
    for (const name of new Set(names)) {
      this.#met.set(name, (this.#met.get(name) ?? 0) + 1);
      if (kind !== undefined) this.#cut.set(name, (this.#cut.get(name) ?? new Set()).add(kind));
    }
  }
}

function isWriting({ text }: Pick<Statement<never, unknown>, "text">): boolean {
  return tablesWritten(text).length > 0;
}

function noting(real: Database, written: string[]): Database {
  const inside: Database = {
    run: (statement, values) => {
      if (isWriting(statement)) written.push(statement.name);
      return real.run(statement, values);
    },
    transaction: (work) => work(inside),
  };
  return inside;
}

function away(): ServiceError {
  return new ServiceError("service_unavailable", "The database is away.");
}
