// A real database that can be told to fail or to wait. Statements that only find out who is calling
// go through where a test is about what comes after them.

import type { OpenedDatabase } from "../../adapters/database/session.ts";
import type { Database, Statement } from "../../service/ports/database.ts";
import { findKeySecret } from "../../service/merchants/api-keys.sql.ts";
import { readKey } from "../../service/idempotency/idempotency.sql.ts";
import { admitRequest } from "../../service/merchants/nonces.sql.ts";

/** What a statement meets: an error of ours, or a database that is not there. */
type Trouble = Error | "away";

export interface Fault {
  /** of every statement */
  readonly everything?: Trouble;
  /** of those that read or write what the request is about */
  readonly effect?: Trouble;
}

export interface EffectHold {
  /** once a statement waits */
  readonly reached: Promise<void>;
  readonly release: () => void;
}

/** By name: the statements are generic, and each in its own way. */
const beforeTheEffect: ReadonlySet<string> = new Set([
  findKeySecret.name,
  admitRequest.name,
  readKey.name,
]);

export class FaultyDatabase implements OpenedDatabase {
  readonly #real: OpenedDatabase;
  readonly #away: Database;
  #fault: Fault = {};
  #waitHere: ((name: string) => Promise<void>) | undefined;

  constructor(real: OpenedDatabase, away: Database) {
    this.#real = real;
    this.#away = away;
  }

  readonly run = async <Values, Row>(
    statement: Statement<Values, Row>,
    values: Values,
  ): Promise<readonly Row[]> => {
    const isEffect = !beforeTheEffect.has(statement.name);
    const trouble = this.#fault.everything ?? (isEffect ? this.#fault.effect : undefined);
    if (trouble instanceof Error) throw trouble;
    if (trouble === "away") return this.#away.run(statement, values);
    if (isEffect) await this.#waitHere?.(statement.name);
    return this.#real.run(statement, values);
  };

  readonly transaction: Database["transaction"] = async (work) => {
    const trouble = this.#fault.everything ?? this.#fault.effect;
    if (trouble instanceof Error) throw trouble;
    if (trouble === "away") return this.#away.transaction(work);
    await this.#waitHere?.("transaction");
    return this.#real.transaction((inside) =>
      work({
        run: async (statement, values) => {
          await this.#waitHere?.(statement.name);
          return inside.run(statement, values);
        },
        transaction: inside.transaction,
      }),
    );
  };

  readonly connections = () => this.#real.connections?.() ?? [];

  readonly close = (): Promise<void> => this.#real.close();

  async withFault<Result>(fault: Fault, work: () => Promise<Result>): Promise<Result> {
    this.#fault = fault;
    try {
      return await work();
    } finally {
      this.#fault = {};
    }
  }

  /** Every effect after so many waits until it is let go; what was let go once waits no more. */
  holdEffects(letThrough = 0): EffectHold {
    const reached = Promise.withResolvers<undefined>();
    const released = Promise.withResolvers<undefined>();
    let passed = 0;
    this.#waitHere = async () => {
      passed += 1;
      if (passed <= letThrough) return;
      reached.resolve(undefined);
      await released.promise;
    };
    return {
      reached: reached.promise,
      release: () => {
        this.#waitHere = undefined;
        released.resolve(undefined);
      },
    };
  }
}
