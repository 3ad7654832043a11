// One process, from its start to its death. A dead one does nothing any more: no statement, no
// release of a lease, no note of a failure. What it had in memory is built anew by its successor.

import { ServiceError } from "../../service/errors.ts";
import type { Database } from "../../service/ports/database.ts";
import type { Draws } from "./attempts.ts";
import type { Gate } from "./gate.ts";

/** Goes through all code of the process as an error. */
export class Killed extends Error {
  constructor(where: string) {
    super(`killed ${where}`);
    this.name = "Killed";
  }
}

/** What is going to happen to a process. */
export type Fate =
  /** it dies when it reaches the step with this name */
  | { readonly kind: "dies_at"; readonly step: string }
  /** it dies around its statement of this number from now on */
  | { readonly kind: "dies"; readonly when: "before" | "after"; readonly statements: number }
  /** the database is away for this statement, or was away when it should have answered */
  | { readonly kind: "cut_off"; readonly when: "before" | "after"; readonly statements: number };

export class Life {
  readonly #onDeath: (where: string) => void;
  #fate: Fate | undefined;
  #left = 0;
  #isDead = false;

  constructor(onDeath: (where: string) => void) {
    this.#onDeath = onDeath;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Undefined: nothing bad. */
  destine(fate: Fate | undefined): void {
    this.#fate = fate;
    this.#left = fate !== undefined && "statements" in fate ? fate.statements : 0;
  }

  /** A step that the rules name. */
  reach(step: string): void {
    this.assertAlive();
    if (this.#fate?.kind === "dies_at" && this.#fate.step === step) this.#die(`at ${step}`);
  }

  /** Around each statement. */
  meet(when: "before" | "after", name: string): void {
    this.assertAlive();
    const fate = this.#fate;
    if (fate === undefined || !("statements" in fate) || fate.when !== when) return;
    this.#left -= 1;
    if (this.#left > 0) return;
    this.#fate = undefined;
    if (fate.kind === "dies") this.#die(`${when} ${name}`);
    throw new ServiceError("service_unavailable", "The database is away.");
  }

  /** Called before each attempt at the same work: what lies ahead is what lay ahead of the first one. */
  repeating(): () => void {
    let before: readonly [Fate | undefined, number] | undefined;
    return () => {
      if (before === undefined) before = [this.#fate, this.#left];
      else [this.#fate, this.#left] = before;
    };
  }

  assertAlive(): void {
    if (this.#isDead) throw new Killed("before");
  }

  #die(where: string): never {
    this.#isDead = true;
    this.#fate = undefined;
    this.#onDeath(where);
    throw new Killed(where);
  }
}

type Kinds = readonly Pick<Draws<unknown>, "open" | "begin" | "close">[];

/** The database as one process reaches it; `draws`: what must not differ from attempt to attempt. */
export function databaseOf(
  life: Life,
  database: Database,
  { gate, draws }: { readonly gate: Gate; readonly draws: Kinds },
): Database {
  const around = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    life.meet("before", name);
    const result = await work();
    life.meet("after", name);
    return result;
  };
  return {
    run: (statement, values) =>
      gate.pass(() => around(statement.name, () => database.run(statement, values))),
    transaction: (work) =>
      gate.pass(() =>
        around("a transaction", () => {
          const attempt = (real: Database) => work(insideOf(life, real));
          // With others at the same time nothing is ever the same.
          if (gate.isWild) return database.transaction(attempt);
          return repeatable(life, draws, (begin) =>
            database.transaction((real) => {
              begin();
              return attempt(real);
            }),
          );
        }),
      ),
  };
}

/** Each attempt calls `begin` first: it meets and draws what the first one has met and drawn. */
async function repeatable<Result>(
  life: Life,
  draws: Kinds,
  work: (begin: () => void) => Promise<Result>,
): Promise<Result> {
  const repeat = life.repeating();
  for (const kind of draws) kind.open();
  try {
    return await work(() => {
      repeat();
      for (const kind of draws) kind.begin();
    });
  } finally {
    for (const kind of draws) kind.close();
  }
}

/** Who dies in there leaves nothing behind. */
function insideOf(life: Life, real: Database): Database {
  const inside: Database = {
    run: async (statement, values) => {
      life.meet("before", `${statement.name} in a transaction`);
      const rows = await real.run(statement, values);
      life.assertAlive();
      return rows;
    },
    transaction: (work) => work(inside),
  };
  return inside;
}
