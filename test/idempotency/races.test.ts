import assert from "node:assert";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import { forgetSealedSecrets, freeIdempotencyKeys } from "../../service/idempotency/forget.ts";
import { forgetNonces } from "../../service/merchants/nonces.ts";
import type { Database } from "../../service/ports/database.ts";
import { buildEndpointCalls } from "../support/endpoint-calls.ts";
import { makePostgresDatabase } from "../support/engines.ts";
import {
  answer,
  gate,
  losingAnswers,
  marks,
  open,
  refusedWith,
  requestOf,
  work,
} from "../support/idempotent-work.ts";
import {
  addMerchant,
  buildServiceParts,
  query,
  TestClock,
  type ServiceParts,
} from "../support/service-parts.ts";

describe("an idempotency key on two processes", () => {
  it("has one effect in 50 parallel runs (threat 9)", async () => {
    const [one, other] = await twoProcesses();
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => {
        const { database, idempotency } = index % 2 === 0 ? one : other;
        return idempotency.run(requestOf(), open, work(database, `by-${index}`));
      }),
    );
    expect(await marks(one.database)).toHaveLength(1);
    expectOneRun(results);
  });

  it("whose time is past has one new effect in 50 parallel runs, swept or not", async () => {
    const [one, other, clock] = await twoProcesses();
    await one.idempotency.run(requestOf(), open, work(one.database, "old"));
    clock.advance(8 * 24 * 3_600_000);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) => {
        const { database, idempotency } = index % 2 === 0 ? one : other;
        return idempotency.run(requestOf(), open, work(database, `by-${index}`));
      }),
    );
    const found = await marks(one.database);
    expect(found).toHaveLength(2);
    expect(found).toContain("old");
    expectOneRun(results);
  });

  it("is one effect and one answer where both ran before either wrote", async () => {
    const [one, other] = await twoProcesses();
    const both = gate();
    let started = 0;
    const together = ({ database, idempotency }: ServiceParts, mark: string) =>
      idempotency.run(requestOf(), open, async (fence) => {
        started++;
        if (started === 2) both.resolve();
        await both.promise;
        return work(database, mark, { status: 200, body: JSON.stringify(mark) })(fence);
      });
    const results = await Promise.all([together(one, "one"), together(other, "other")]);
    const [mark] = await marks(one.database);
    expect(results.map((result) => result.answer.body)).toEqual(Array(2).fill(`"${mark}"`));
    expect(results.filter(({ isReplayed }) => isReplayed)).toHaveLength(1);
    expect(await marks(one.database)).toHaveLength(1);
  });

  it("gets one answer where both register one URL in the same moment", async () => {
    const [one, other, clock] = await twoProcesses();
    const processes = [one, other].map(({ database }) => buildEndpointCalls(database, clock));
    for (let count = 0; count < 10; count++) {
      const wanted = { url: `https://shop.example/${count}` };
      const answers = await Promise.all(
        processes.map((calls) => calls.register(wanted, { key: `register-${count}` })),
      );
      expect(answers[0]).toEqual(answers[1]);
    }
    const rows = await query(one.database)`select from webhook_endpoints`;
    expect(rows).toHaveLength(10);
  });

  it("has one effect where a statement that nobody waits for any more is still running", async () => {
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
    const first = one.idempotency.run(requestOf(), open, work(deaf));
    // Nobody knows, and nothing can be seen yet.
    await expect(first).rejects.toEqual(refusedWith("service_unavailable"));
    await untilWaiting(other.database, 1);
    const second = one.idempotency.run(requestOf(), open, work(one.database, "second"));
    await untilWaiting(other.database, 2);
    blocked.resolve();
    await expect(holder).rejects.toThrow("given up");
    expect(await second).toEqual({ answer, isReplayed: true });
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

describe("a run whose last statement waits for a lock while another process has the same key", () => {
  it("finds out after the wait, and changes nothing (threat 12)", async () => {
    const [one, other, clock] = await twoProcesses();
    const [first, second] = [
      buildEndpointCalls(one.database, clock),
      buildEndpointCalls(other.database, clock),
    ];
    const { id } = await first.register({ url: "https://shop.example/hooks" });
    const [held, release] = [gate(), gate()];
    const holder = other.database.transaction(async (inside) => {
      await query(inside)`select from webhook_endpoints where id = ${id} for update`;
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const late = first.setStatus(id, false, { key: "off" });
    await untilWaiting(other.database, 1);
    clock.advance(90_000);
    const taker = second.setStatus(id, false, { key: "off" });
    await untilWaiting(other.database, 2);
    release.resolve();
    await holder;
    // Whoever was first to get the lock: one has written, and it is the answer of both.
    expect(await late).toEqual(await taker);
    expect(await taker).toMatchObject({ active: false });
    const rows = await query(one.database)`select sequence::int from events`;
    expect(rows).toEqual([{ sequence: 1 }]);
  });

  it("is forgotten by one of them without a wait for what the other has in hand", async () => {
    const [one, other, clock] = await twoProcesses();
    const { database } = one;
    for (const key of ["one", "two"]) {
      const kept = { ...open, isSecret: true };
      await one.idempotency.run(requestOf({}, key), kept, work(database, `done-${key}`));
    }
    await query(
      database,
    )`insert into nonces values ('mk', 'one', '2026-01-01'), ('mk', 'two', '2026-01-01')`;
    clock.advance(8 * 24 * 3_600_000);
    const jobs = [forgetSealedSecrets, forgetNonces, freeIdempotencyKeys].map((build) =>
      build({ database, clock }),
    );
    const done: number[] = [];
    await other.database.transaction(async (inside) => {
      await query(inside)`select from idempotency_keys where key = 'one' for update`;
      await query(inside)`select from nonces where key_id = 'mk' and nonce = 'one' for update`;
      for (const job of jobs) done.push((await job.run()).done);
    });
    for (const job of jobs) done.push((await job.run()).done);
    // The key of the first went with the rest of it.
    expect(done).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it("shows the one new secret, whoever made it", async () => {
    const [one, other, clock] = await twoProcesses();
    const [first, second] = [one, other].map(({ database }) => buildEndpointCalls(database, clock));
    assert(first !== undefined && second !== undefined);
    const { id, secret } = await first.register({ url: "https://shop.example/hooks" });
    const [held, release] = [gate(), gate()];
    const holder = other.database.transaction(async (inside) => {
      await query(inside)`select from webhook_endpoints where id = ${id} for update`;
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const answers = [first, second].map((calls) => calls.rotate(id, { key: "rotate" }));
    await untilWaiting(other.database, 2);
    release.resolve();
    await holder;
    const [shown, alsoShown] = await Promise.all(answers);
    expect(shown).toEqual(alsoShown);
    expect(shown?.secret).not.toBe(secret);
    const rows = await query(one.database)`select sequence::int from events`;
    expect(rows).toEqual([{ sequence: 1 }]);
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
    const [row] = await query(database)<{
      waiting: number;
    }>`select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if ((row?.waiting ?? 0) >= count) return;
  }
}
