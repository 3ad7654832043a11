// One payment that cannot be worked out must not stop what happens to all others: the blocks of its
// chain are written down without it, and what follows for it is tried again by itself, later and
// later, until somebody has looked. Nothing is lost by that: everything about a payment is worked out
// from what is stored, whenever that is.

import { isUnavailable } from "../errors.ts";
import { doPage } from "../jobs/batch.ts";
import type { Job } from "../jobs/jobs.ts";
import type { PaymentProgress } from "./progress.ts";
import type { StoragePorts } from "../ports/recording.ts";
import type { Database } from "../ports/database.ts";
import { endTrouble, listDueTroubles, listTroubles, noteTroubles } from "./troubles.sql.ts";

/** In one run. */
const triedMax = 50;
const shownMax = 200;
/** After the first failure; doubled with each further one. */
const waitMilliseconds = 30_000;
const waitMillisecondsMax = 3_600_000;
const everyMilliseconds = 5_000;

/** For people. */
type PaymentAlarm = "payment_stuck";

export interface TroublePorts extends StoragePorts {
  readonly progress: Pick<PaymentProgress, "refresh">;
  readonly alarm: (what: PaymentAlarm, facts: Readonly<Record<string, unknown>>) => void;
}

export interface PaymentTrouble {
  readonly paymentId: string;
  readonly error: string;
  readonly since: Date;
  readonly tries: number;
  readonly nextTryAt: Date;
}

export class PaymentTroubles {
  readonly #ports: TroublePorts;

  constructor(ports: TroublePorts) {
    this.#ports = ports;
  }

  /** In the transaction that could not be finished with them: one of them has failed. */
  readonly postpone = async (
    database: Database,
    paymentIds: readonly string[],
    error: unknown,
  ): Promise<void> => {
    const now = this.#ports.clock.now();
    const values = { error: textOf(error), tries: 0, now, nextTryAt: now };
    await database.run(noteTroubles, { ids: paymentIds, ...values });
  };

  /** This one has failed by itself. */
  async note(paymentId: string, error: unknown, triesBefore = 0): Promise<void> {
    const { database, alarm } = this.#ports;
    const now = this.#ports.clock.now();
    const wait = Math.min(waitMilliseconds * 2 ** Math.min(triesBefore, 20), waitMillisecondsMax);
    const nextTryAt = new Date(now.getTime() + wait);
    const values = { error: textOf(error), tries: 1, now, nextTryAt };
    await database.run(noteTroubles, { ids: [paymentId], ...values });
    alarm("payment_stuck", { payment_id: paymentId, tries: triesBefore + 1, err: error });
  }

  /** Any number of processes may run it. */
  job(): Job {
    const { database } = this.#ports;
    return {
      name: "retry-payments",
      everyMilliseconds,
      run: async () => {
        const now = this.#ports.clock.now();
        const rows = await database.run(listDueTroubles, { now, rowsMax: triedMax });
        return doPage({ rows, rowsMax: triedMax, now, since: (row) => row.since }, (row) =>
          this.#retry(row.payment_id, row.tries),
        );
      },
    };
  }

  /** Those in trouble for longest. */
  async list(): Promise<readonly PaymentTrouble[]> {
    const rows = await this.#ports.database.run(listTroubles, { rowsMax: shownMax });
    return rows.map((row) => ({
      paymentId: row.payment_id,
      error: row.error,
      since: row.since,
      tries: row.tries,
      nextTryAt: row.next_try_at,
    }));
  }

  async #retry(paymentId: string, tries: number): Promise<boolean> {
    const { database, progress } = this.#ports;
    try {
      return await database.transaction(async (inside) => {
        const ended = await inside.run(endTrouble, { id: paymentId });
        if (ended.length === 0) return false;
        await progress.refresh(inside, [paymentId]);
        return true;
      });
    } catch (error) {
      if (isUnavailable(error)) throw error;
      await this.note(paymentId, error, tries);
      return false;
    }
  }
}

function textOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  // A null byte is no text for the database.
  return text.replaceAll("\0", "");
}
