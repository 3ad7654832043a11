// Trying a command: it does all that it would do, in a transaction that is taken back.

import type { Database } from "../../service/ports/database.ts";

/** Takes the transaction back, with what was done in it as its answer. */
class TakenBack extends Error {
  readonly answer: unknown;

  constructor(answer: unknown) {
    super("a dry run is taken back");
    this.answer = answer;
  }
}

export type Rehearse<Operator> = <Answer>(
  work: (operator: Operator) => Promise<Answer>,
) => Promise<Answer>;

/**
 * The same rules and the same statements as in earnest, so that what is refused here is refused there.
 * @param build all that works on the database that it is given
 */
export function rehearsing<Operator>(
  database: Pick<Database, "transaction">,
  build: (inside: Database) => Operator,
): Rehearse<Operator> {
  return async <Answer>(work: (operator: Operator) => Promise<Answer>): Promise<Answer> => {
    try {
      return await database.transaction(async (inside) => {
        throw new TakenBack(await work(build(inside)));
      });
    } catch (error) {
      // Of the same call: nobody else throws it.
      if (error instanceof TakenBack) return error.answer as Answer;
      throw error;
    }
  };
}
