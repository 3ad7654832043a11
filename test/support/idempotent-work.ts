// Work with an effect that one can count, for tests of what an Idempotency-Key does to it.

import { sql } from "kysely";
import { expect } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import { fingerprintOf, leaseLost } from "../../service/idempotency.ts";
import type { Claim, Fence, Idempotency, StoredAnswer } from "../../service/idempotency.ts";
import type { Database } from "../../service/ports/database.ts";
import { finishing } from "../../service/store/idempotency.ts";
import type { FinishingValues } from "../../service/store/idempotency.ts";
import { queries, statement } from "../../service/store/statement.ts";
import { query } from "./service-parts.ts";

/** An effect that happens from the fence: a row in a table that is good enough for a test. */
export const effect = statement<FinishingValues & { readonly mark: string }>("test_effect")((p) =>
  queries
    .with("fence", () => finishing(p))
    .with("effect", (q) =>
      q
        .insertInto("nonces")
        .columns(["key_id", "nonce", "expires_at"])
        .expression(
          sql<never>`select 'effect', ${p.mark}::text, '2100-01-01'::timestamptz from fence`,
        )
        .returning("nonce"),
    )
    .selectFrom("effect")
    .select("nonce"),
);

export const answer: StoredAnswer = {
  status: 201,
  headers: { Location: "/v1/things/1" },
  body: '{"id":"thing_1","z":1.0,"a":"\\u00e9"}',
};
export const open = { isSecret: false };
export const secret = { isSecret: true };

export function claimOf(
  body: unknown = { amount: "1" },
  key = "key-1",
  merchantId = "mer_1",
): Claim {
  const operationId = "makeThing";
  return {
    merchantId,
    key,
    operationId,
    fingerprint: fingerprintOf({ operationId, environment: "test", path: {}, body }),
  };
}

export function work(database: Database, mark = "done", given = answer) {
  return async (fence: Fence): Promise<StoredAnswer> => {
    const rows = await database.run(effect, { ...fence.finish(given), mark });
    if (rows.length === 0) throw leaseLost();
    return given;
  };
}

export async function marks(database: Database): Promise<readonly string[]> {
  const rows = await query(
    database,
    sql<{ nonce: string }>`select nonce from nonces where key_id = 'effect' order by nonce`,
  );
  return rows.map(({ nonce }) => nonce);
}

export function never(): Promise<StoredAnswer> {
  throw new Error("must not run");
}

/** A promise, and how to settle it from outside. */
export function gate() {
  return Promise.withResolvers<void>();
}

export const refusedWith = (code: string) => expect.objectContaining({ code }) as unknown;

/** Like a process that was killed between claim and finish. */
export async function abandon(idempotency: Idempotency, key = "key-1"): Promise<void> {
  const claimed = gate();
  void idempotency.run(claimOf({ amount: "1" }, key), open, () => {
    claimed.resolve();
    return new Promise(() => undefined);
  });
  await claimed.promise;
}

export const unavailable = () => new ServiceError("service_unavailable", "the connection broke");

/** The statement is done, or still under way, and nobody hears of it. */
export function losingAnswers(database: Database, options = { isImpatient: false }): Database {
  return {
    ...database,
    run: async (statement, values) => {
      const running = database.run(statement, values);
      if (options.isImpatient) running.catch(() => undefined);
      else await running;
      throw unavailable();
    },
  };
}
