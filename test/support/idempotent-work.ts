// Work with an effect that one can count, for tests of what an Idempotency-Key does to it.

import { sql } from "kysely";
import { expect } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import { fingerprintOf, keyTaken } from "../../service/idempotency/idempotency.ts";
import type {
  Fence,
  IdempotentResult,
  KeyedRequest,
  RunOptions,
  StoredAnswer,
} from "../../service/idempotency/idempotency.ts";
import type { Database } from "../../service/ports/database.ts";
import { finishing, readKey } from "../../service/idempotency/idempotency.sql.ts";
import type { FinishingValues } from "../../service/idempotency/idempotency.sql.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { query } from "./service-parts.ts";
import type { ServiceParts } from "./service-parts.ts";

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
/** As admission sees a key that was not used before. */
export const open: RunOptions = { isSecret: false, earlier: undefined };
export const secret: RunOptions = { isSecret: true, earlier: undefined };

export function requestOf(
  body: unknown = { amount: "1" },
  key = "key-1",
  merchantId = "mer_1",
): KeyedRequest {
  const operationId = "makeThing";
  return {
    merchantId,
    environment: "test",
    key,
    operationId,
    fingerprint: fingerprintOf({ operationId, environment: "test", path: {}, body }),
  };
}

export function work(database: Database, mark = "done", given = answer) {
  return async (fence: Fence): Promise<StoredAnswer> => {
    const rows = await database.run(effect, { ...fence.finish(given), mark });
    if (rows.length === 0) throw keyTaken();
    return given;
  };
}

/** A request that comes once what was done before can be seen; it must not run. */
export async function again(
  { database, clock, idempotency }: ServiceParts,
  request: KeyedRequest = requestOf(),
): Promise<IdempotentResult> {
  const { merchantId, environment, key } = request;
  const named = { merchantId, environment, key };
  const [earlier] = await database.run(readKey, { ...named, now: clock.now() });
  return idempotency.run(request, { isSecret: false, earlier }, never);
}

export async function marks(database: Database): Promise<readonly string[]> {
  const rows = await query(database)<{
    nonce: string;
  }>`select nonce from nonces where key_id = 'effect' order by nonce`;
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
