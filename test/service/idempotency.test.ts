import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import { fingerprintOf } from "../../service/idempotency.ts";
import type { Database } from "../../service/ports/database.ts";
import { runRetention } from "../../service/retention.ts";
import { engines, openDatabase } from "../support/engines.ts";
import {
  abandon,
  answer,
  claimOf,
  effect,
  gate,
  losingAnswers,
  marks,
  never,
  open,
  refusedWith,
  secret,
  unavailable,
  work,
} from "../support/idempotent-work.ts";
import {
  addMerchant,
  buildServiceParts,
  hourMilliseconds,
  query,
} from "../support/service-parts.ts";

async function start(database: Database) {
  await addMerchant(database, "mer_1");
  return buildServiceParts(database);
}

describe.each(engines)("an idempotency key on %s", (engine) => {
  it("runs once, and answers the same for ever after", async () => {
    const database = await openDatabase(engine);
    const { idempotency } = await start(database);
    const first = await idempotency.run(claimOf(), open, work(database));
    expect(first).toEqual({ answer, isReplayed: false });
    const second = await idempotency.run(claimOf(), open, never);
    expect(second).toEqual({ answer, isReplayed: true });
    expect(await marks(database)).toEqual(["done"]);
  });

  it("is refused for another body, path, operation or environment (threat 10)", async () => {
    const database = await openDatabase(engine);
    const { idempotency } = await start(database);
    await idempotency.run(claimOf(), open, work(database));
    const operationId = "makeThing";
    const same = { operationId, environment: "test", path: {}, body: { amount: "1" } } as const;
    const fingerprints = [
      { ...same, body: { amount: "2" } },
      { ...same, path: { id: "other" } },
      { ...same, operationId: "dropThing" },
      { ...same, environment: "live" } as const,
    ].map(fingerprintOf);
    for (const fingerprint of fingerprints) {
      const attempt = idempotency.run({ ...claimOf(), fingerprint }, open, never);
      await expect(attempt).rejects.toEqual(refusedWith("idempotency_key_reused"));
    }
  });

  it("belongs to its merchant", async () => {
    const database = await openDatabase(engine);
    const { idempotency } = await start(database);
    await addMerchant(database, "mer_2");
    await idempotency.run(claimOf(), open, work(database, "one"));
    const other = claimOf({ amount: "2" }, "key-1", "mer_2");
    const second = await idempotency.run(other, open, work(database, "two"));
    expect(second.isReplayed).toBe(false);
    expect(await marks(database)).toEqual(["one", "two"]);
  });

  it("is busy while the first request runs, and says when to come again", async () => {
    const database = await openDatabase(engine);
    const { idempotency } = await start(database);
    const { promise, resolve } = gate();
    const started = gate();
    const first = idempotency.run(claimOf(), open, async (fence) => {
      started.resolve();
      await promise;
      return work(database)(fence);
    });
    await started.promise;
    const second = idempotency.run(claimOf(), open, never);
    await expect(second).rejects.toMatchObject({
      code: "idempotency_in_progress",
      retryAfterSeconds: 1,
    });
    resolve();
    expect((await first).isReplayed).toBe(false);
  });

  it("is free again after work that failed, also for another request", async () => {
    const database = await openDatabase(engine);
    const { idempotency } = await start(database);
    const failures = [new ServiceError("not_found", "no"), new Error("a fault of ours")];
    for (const failure of failures) {
      const attempt = idempotency.run(claimOf(), open, () => Promise.reject(failure));
      await expect(attempt).rejects.toBe(failure);
    }
    const next = await idempotency.run(claimOf({ amount: "9" }), open, work(database));
    expect(next.isReplayed).toBe(false);
  });

  it("is taken over after 60 s, and the run that slept writes nothing (threat 12)", async () => {
    const database = await openDatabase(engine);
    const { idempotency, clock } = await start(database);
    const { promise, resolve } = gate();
    const started = gate();
    const first = idempotency.run(claimOf(), open, async (fence) => {
      started.resolve();
      await promise;
      return work(database, "first")(fence);
    });
    await started.promise;
    clock.advance(59_999);
    await expect(idempotency.run(claimOf(), open, never)).rejects.toEqual(
      refusedWith("idempotency_in_progress"),
    );
    clock.advance(30_001);
    const second = await idempotency.run(claimOf(), open, work(database, "second"));
    expect(second.isReplayed).toBe(false);
    resolve();
    await expect(first).rejects.toEqual(refusedWith("idempotency_in_progress"));
    expect(await marks(database)).toEqual(["second"]);
    expect((await idempotency.run(claimOf(), open, never)).isReplayed).toBe(true);
  });

  it("is not freed by a late run that fails after the takeover", async () => {
    const database = await openDatabase(engine);
    const { idempotency, clock } = await start(database);
    const [first, second] = [gate(), gate()];
    const [firstStarted, secondStarted] = [gate(), gate()];
    const late = idempotency.run(claimOf(), open, async () => {
      firstStarted.resolve();
      await first.promise;
      throw new Error("too late");
    });
    await firstStarted.promise;
    clock.advance(61_000);
    const taker = idempotency.run(claimOf(), open, async (fence) => {
      secondStarted.resolve();
      await second.promise;
      return work(database)(fence);
    });
    await secondStarted.promise;
    first.resolve();
    await expect(late).rejects.toThrow("too late");
    await expect(idempotency.run(claimOf(), open, never)).rejects.toEqual(
      refusedWith("idempotency_in_progress"),
    );
    second.resolve();
    expect((await taker).isReplayed).toBe(false);
  });

  it("keeps the request it was left with: another one does not take it over", async () => {
    const database = await openDatabase(engine);
    const { idempotency, clock } = await start(database);
    await abandon(idempotency);
    clock.advance(61_000);
    const other = idempotency.run(claimOf({ amount: "2" }), open, never);
    await expect(other).rejects.toEqual(refusedWith("idempotency_key_reused"));
  });

  it("finds its answer after a commit whose confirmation was lost", async () => {
    const database = await openDatabase(engine);
    await addMerchant(database, "mer_1");
    const { idempotency } = buildServiceParts(database);
    const first = await idempotency.run(claimOf(), open, work(losingAnswers(database)));
    expect(first).toEqual({ answer, isReplayed: false });
    expect((await idempotency.run(claimOf(), open, never)).isReplayed).toBe(true);
  });

  it("stays finished when the database is away after the commit", async () => {
    const database = await openDatabase(engine);
    await addMerchant(database, "mer_1");
    const flaky = goingAwayAfterTheEffect(database);
    const attempt = buildServiceParts(flaky).idempotency.run(claimOf(), open, work(flaky));
    await expect(attempt).rejects.toEqual(refusedWith("service_unavailable"));
    const again = await buildServiceParts(database).idempotency.run(claimOf(), open, never);
    expect(again).toEqual({ answer, isReplayed: true });
    expect(await marks(database)).toEqual(["done"]);
  });

  it("forgets a secret answer after 24 hours, and says so for 7 days", async () => {
    const database = await openDatabase(engine);
    const { idempotency, clock } = await start(database);
    const shown = { status: 200, body: '{"secret":"whsec_plain"}' };
    await idempotency.run(claimOf(), secret, work(database, "one", shown));
    const rows = await query(
      database,
      sql<{ row: string }>`select k::text || encode(body_sealed, 'escape') as row
        from idempotency_keys k`,
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("whsec_");
    clock.advance(24 * hourMilliseconds - 1);
    const replay = await idempotency.run(claimOf(), secret, never);
    expect(replay.answer.body).toBe(shown.body);
    clock.advance(1);
    const late = () => idempotency.run(claimOf(), secret, never);
    await expect(late()).rejects.toEqual(refusedWith("idempotency_key_expired"));
    expect(await runRetention(database, clock.now(), 10)).toMatchObject({ sealedAnswers: 1 });
    await expect(late()).rejects.toEqual(refusedWith("idempotency_key_expired"));
    clock.advance(6 * 24 * hourMilliseconds);
    const free = await idempotency.run(claimOf(), secret, work(database, "two", shown));
    expect(free.isReplayed).toBe(false);
  });

  it("keeps other answers for 7 days, swept or not", async () => {
    const database = await openDatabase(engine);
    const { idempotency, clock } = await start(database);
    await idempotency.run(claimOf(), open, work(database, "one"));
    clock.advance(7 * 24 * hourMilliseconds - 1);
    expect((await idempotency.run(claimOf(), open, never)).isReplayed).toBe(true);
    clock.advance(1);
    const other = claimOf({ amount: "another" });
    const free = await idempotency.run(other, open, work(database, "two"));
    expect(free.isReplayed).toBe(false);
  });

  it("is swept in batches, with nonces and abandoned runs", async () => {
    const database = await openDatabase(engine);
    const { idempotency, clock } = await start(database);
    for (let count = 0; count < 5; count++) {
      await idempotency.run(claimOf({}, `key-${count}`), open, work(database, `done-${count}`));
    }
    await abandon(idempotency, "abandoned");
    await query(
      database,
      sql`insert into nonces select 'mk', 'n' || n, '2026-01-01' from generate_series(1, 4) as n`,
    );
    const none = { nonces: 0, sealedAnswers: 0, idempotencyKeys: 0 };
    clock.advance(7 * 24 * hourMilliseconds - 1);
    expect(await runRetention(database, clock.now(), 3)).toEqual({ ...none, nonces: 3 });
    clock.advance(1);
    const next = await runRetention(database, clock.now(), 3);
    expect(next).toEqual({ ...none, nonces: 1, idempotencyKeys: 3 });
    const last = await runRetention(database, clock.now(), 3);
    expect(last).toEqual({ ...none, idempotencyKeys: 3 });
    expect(await runRetention(database, clock.now(), 3)).toEqual(none);
    expect(await marks(database)).toHaveLength(5);
  });
});

function goingAwayAfterTheEffect(database: Database): Database {
  let isAway = false;
  return {
    ...database,
    run: async (statement, values) => {
      if (isAway) throw unavailable();
      const rows = await database.run(statement, values);
      if (statement.name !== effect.name) return rows;
      isAway = true;
      throw unavailable();
    },
  };
}
