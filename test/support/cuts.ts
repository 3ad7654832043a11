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
  readonly #met = new Map<string, number>();
  readonly #cut = new Map<string, Set<Kind>>();
  #exposed = 0;

  /** @param kinds what becomes of the first commit of a statement, of the second, ...; of the others nothing bad */
  constructor(kinds: ReadonlyMap<number, Kind> = new Map()) {
    this.#kinds = kinds;
  }

  /** Whose writes were cut off, and what had become of them. */
  get cut(): ReadonlyMap<string, ReadonlySet<Kind>> {
    return this.#cut;
  }

  /** Only what is done in here: whoever does it asks again. */
  during<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#counted(1, work);
  }

  /** Nothing bad happens in here, whoever asks. */
  never<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#counted(Number.NEGATIVE_INFINITY, work);
  }

  of(database: Database): Database {
    return {
      run: async (statement, values) => {
        const kind = this.#meet(isWriting(statement) ? [statement.name] : []);
        if (kind === "not done") throw away();
        const rows = await database.run(statement, values);
        if (kind === "done") throw away();
        return rows;
      },
      transaction: async (work) => {
        let kind: Kind | undefined;
        const result = await database.transaction(async (real) => {
          const written: string[] = [];
          const done = await work(noting(real, written));
          kind = this.#meet(written);
          if (kind === "not done") throw away();
          return done;
        });
        if (kind === "done") throw away();
        return result;
      },
    };
  }

  async #counted<Result>(exposures: number, work: () => Promise<Result>): Promise<Result> {
    const before = this.#exposed;
    this.#exposed += exposures;
    try {
      return await work();
    } finally {
      this.#exposed = Number.isFinite(exposures) ? this.#exposed - exposures : before;
    }
  }

  /** What becomes of a commit of all these. */
  #meet(names: readonly string[]): Kind | undefined {
    if (this.#exposed <= 0) return undefined;
    let kind: Kind | undefined;
    for (const name of new Set(names)) {
      const times = (this.#met.get(name) ?? 0) + 1;
      this.#met.set(name, times);
      kind ??= this.#kinds.get(times);
    }
    if (kind === undefined) return undefined;
    for (const name of names) this.#cut.set(name, (this.#cut.get(name) ?? new Set()).add(kind));
    return kind;
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
