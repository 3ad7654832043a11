import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Database } from "../../service/ports/database.ts";
import { buildEndpointCalls } from "../support/endpoint-calls.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import {
  abandon,
  answer,
  claimOf,
  gate,
  losingAnswers,
  marks,
  never,
  open,
  refusedWith,
  work,
} from "../support/idempotent-work.ts";
import {
  addMerchant,
  buildServiceParts,
  liveOwner,
  query,
  TestClock,
} from "../support/service-parts.ts";

describe("an idempotency key on two processes", () => {
  it("has one effect in 50 parallel runs (threat 9)", async () => {
    const [one, other] = await twoProcesses();
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => {
        const { database, idempotency } = index % 2 === 0 ? one : other;
        return idempotency.run(claimOf(), open, work(database, `by-${index}`));
      }),
    );
    expect(await marks(one.database)).toHaveLength(1);
    expectOneRun(results);
  });

  it("is taken over once by 50 that come at the same time", async () => {
    const [one, other, clock] = await twoProcesses();
    await abandon(one.idempotency);
    await expect(other.idempotency.run(claimOf(), open, never)).rejects.toBeInstanceOf(
      ServiceError,
    );
    clock.advance(60_000);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => {
        const { database, idempotency } = index % 2 === 0 ? one : other;
        return idempotency.run(claimOf(), open, work(database, `by-${index}`));
      }),
    );
    expect(await marks(one.database)).toHaveLength(1);
    expectOneRun(results);
  });

  it("waits for a statement that still runs before it calls the work undone", async () => {
    const [one, other] = await twoProcesses();
    const blocked = gate();
    const holding = gate();
    // Holds the row that the effect wants to write, so that the statement has to wait.
    const holder = other.database.transaction(async (inside) => {
      const mark = sql`insert into nonces values ('effect', 'done', '2100-01-01')`;
      await query(inside, mark);
      holding.resolve();
      await blocked.promise;
      throw new Error("given up");
    });
    await holding.promise;
    const deaf = losingAnswers(one.database, { isImpatient: true });
    const first = one.idempotency.run(claimOf(), open, work(deaf));
    await untilWaiting(other.database, 2);
    blocked.resolve();
    await expect(holder).rejects.toThrow("given up");
    expect(await first).toEqual({ answer, isReplayed: false });
    expect(await marks(one.database)).toEqual(["done"]);
  });
});

function expectOneRun(results: readonly PromiseSettledResult<{ isReplayed: boolean }>[]): void {
  const answered = results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(answered.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
  for (const one of results) {
    if (one.status === "rejected")
      expect(one.reason).toEqual(refusedWith("idempotency_in_progress"));
  }
}

describe("a run whose last statement waits for a lock while its lease is taken over", () => {
  it("finds out after the wait, and changes nothing (threat 12)", async () => {
    const [one, other, clock] = await twoProcesses();
    const [first, second] = [
      buildEndpointCalls(one.database, clock),
      buildEndpointCalls(other.database, clock),
    ];
    const { id } = await first.register({ url: "https://shop.example/hooks" });
    const [held, release] = [gate(), gate()];
    const holder = other.database.transaction(async (inside) => {
      await query(inside, sql`select from webhook_endpoints where id = ${id} for update`);
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const late = first.setStatus(id, false, { key: "off" });
    await untilWaiting(other.database, 1);
    clock.advance(61_000);
    const taker = second.setStatus(id, false, { key: "off" });
    await untilWaiting(other.database, 2);
    release.resolve();
    await holder;
    await expect(late).rejects.toEqual(refusedWith("idempotency_in_progress"));
    expect(await taker).toMatchObject({ active: false });
    const rows = await query(one.database, sql`select sequence::int from events`);
    expect(rows).toEqual([{ sequence: 1 }]);
    // Whoever was first to get the lock: what was written is what the taker decided.
    const { inactiveSince } = await one.endpoints.get(liveOwner("mer_1"), id);
    expect(inactiveSince).toEqual(clock.now());
  });
});

async function twoProcesses() {
  const { url, remove } = await makePostgresDatabase();
  const databases = await Promise.all([openPostgres({ url }), openPostgres({ url })]);
  onTestFinished(async () => {
    await Promise.all(databases.map(({ close }) => close()));
    await remove();
  });
  const clock = new TestClock();
  const [one, other] = databases;
  await addMerchant(one, "mer_1");
  return [buildServiceParts(one, clock), buildServiceParts(other, clock), clock] as const;
}

/** Asks the server, since only it knows who waits for a lock. */
async function untilWaiting(database: Database, count: number): Promise<void> {
  for (;;) {
    const [row] = await query(
      database,
      sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if ((row?.waiting ?? 0) >= count) return;
  }
}
