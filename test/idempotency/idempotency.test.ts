import { describe, expect, it } from "vitest";
import { ServiceError } from "../../service/errors.ts";
import { forgetSealedSecrets, freeIdempotencyKeys } from "../../service/idempotency/forget.ts";
import { Idempotency, fingerprintOf, keyTaken } from "../../service/idempotency/idempotency.ts";
import type { Fence } from "../../service/idempotency/idempotency.ts";
import { readKey } from "../../service/idempotency/idempotency.sql.ts";
import { forgetNonces } from "../../service/merchants/nonces.ts";
import { CheckViolation, UniqueViolation } from "../../service/ports/database.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import {
  again,
  answer,
  effect,
  gate,
  losingAnswers,
  marks,
  never,
  open,
  refusedWith,
  requestOf,
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
import { openParts } from "../support/opened-parts.ts";

async function start(database: Database) {
  await addMerchant(database, "mer_1");
  return buildServiceParts(database);
}

describe.each(engines)("an idempotency key on %s", (engine) => {
  it("that was used before is told of, whatever becomes of its answer, and no other", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    const replayed: string[] = [];
    const onReplayed = (operationId: string): void => void replayed.push(operationId);
    const idempotency = new Idempotency({ ...parts, onReplayed });
    const request = requestOf();
    await idempotency.run(request, open, work(database));
    expect(replayed).toEqual([]);
    await idempotency.run(request, open, work(database));
    expect(replayed).toEqual([request.operationId]);
    const isKnown = (fence: Fence | undefined) => Promise.resolve(fence === undefined);
    const { merchantId, environment, key } = request;
    const now = parts.clock.now();
    const [row] = await database.run(readKey, { merchantId, environment, key, now });
    expect(await idempotency.runAgain(request, row, isKnown)).toBe(true);
    expect(await idempotency.runAgain(requestOf({}, "another"), undefined, isKnown)).toBe(false);
    expect(replayed).toEqual([request.operationId, request.operationId]);
  });

  it("runs once, and answers the same for ever after", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    const first = await parts.idempotency.run(requestOf(), open, work(database));
    expect(first).toEqual({ answer, isReplayed: false });
    expect(await again(parts)).toEqual({ answer, isReplayed: true });
    expect(await marks(database)).toEqual(["done"]);
  });

  it("is refused for another body, path, operation or environment (threat 10)", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    await parts.idempotency.run(requestOf(), open, work(database));
    const operationId = "makeThing";
    const same = { operationId, environment: "test", path: {}, body: { amount: "1" } } as const;
    const fingerprints = [
      { ...same, body: { amount: "2" } },
      { ...same, path: { id: "other" } },
      { ...same, operationId: "dropThing" },
      { ...same, environment: "live" } as const,
    ].map(fingerprintOf);
    for (const fingerprint of fingerprints) {
      const other = { ...requestOf(), fingerprint };
      const refused = refusedWith("idempotency_key_reused");
      await expect(again(parts, other)).rejects.toEqual(refused);
      // Also where it was admitted before the first one was done.
      const late = parts.idempotency.run(other, open, work(database, "late"));
      await expect(late).rejects.toEqual(refused);
    }
  });

  it("belongs to an environment: what a test key used is in no live key's way (threat 85)", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    const [ofTest, ofLive] = [requestOf(), { ...requestOf(), environment: "live" } as const];
    let inner: Promise<unknown> = Promise.resolve();
    await parts.idempotency.run(ofTest, secret, (fence) => {
      // At the same time as well.
      inner = parts.idempotency.run(ofLive, secret, work(database, "live"));
      return work(database, "test")(fence);
    });
    expect(await inner).toEqual({ answer, isReplayed: false });
    expect(await marks(database)).toEqual(["live", "test"]);
    for (const request of [ofTest, ofLive]) {
      expect(await again(parts, request)).toEqual({ answer, isReplayed: true });
    }
  });

  it("belongs to its merchant", async () => {
    const database = await openDatabase(engine);
    const { idempotency } = await start(database);
    await addMerchant(database, "mer_2");
    await idempotency.run(requestOf(), open, work(database, "one"));
    const other = requestOf({ amount: "2" }, "key-1", "mer_2");
    const second = await idempotency.run(other, open, work(database, "two"));
    expect(second.isReplayed).toBe(false);
    expect(await marks(database)).toEqual(["one", "two"]);
    // The same request of both: what the one has stored is no answer to what the other one runs into.
    await idempotency.run(requestOf({}, "key-2"), open, work(database, "three"));
    const same = requestOf({}, "key-2", "mer_2");
    const refusal = new ServiceError("insufficient_balance", "of the other one");
    const refused = idempotency.run(same, open, () => Promise.reject(refusal));
    await expect(refused).rejects.toBe(refusal);
    const taken = idempotency.run(same, open, () => Promise.reject(keyTaken()));
    await expect(taken).rejects.toEqual(refusedWith("idempotency_in_progress"));
  });

  it("is busy while the first request runs, and says when to come again", async () => {
    const database = await openDatabase(engine);
    const { idempotency } = await start(database);
    const { promise, resolve } = gate();
    const started = gate();
    const first = idempotency.run(requestOf(), open, async (fence) => {
      started.resolve();
      await promise;
      return work(database)(fence);
    });
    await started.promise;
    const second = idempotency.run(requestOf(), open, never);
    await expect(second).rejects.toMatchObject({
      code: "idempotency_in_progress",
      retryAfterSeconds: 1,
    });
    const other = idempotency.run(requestOf({ amount: "2" }), open, never);
    await expect(other).rejects.toEqual(refusedWith("idempotency_key_reused"));
    resolve();
    expect((await first).isReplayed).toBe(false);
  });

  it("is free again after work that failed, also for another request", async () => {
    const database = await openDatabase(engine);
    const { idempotency } = await start(database);
    const failures = [new ServiceError("not_found", "no"), new Error("a fault of ours")];
    for (const failure of failures) {
      const attempt = idempotency.run(requestOf(), open, () => Promise.reject(failure));
      await expect(attempt).rejects.toBe(failure);
    }
    const next = await idempotency.run(requestOf({ amount: "9" }), open, work(database));
    expect(next.isReplayed).toBe(false);
  });

  it("is finished by another process while a run sleeps, which then writes nothing (threat 12)", async () => {
    const database = await openDatabase(engine);
    const { idempotency, clock } = await start(database);
    const other = buildServiceParts(database, clock);
    const [asleep, awake] = [gate(), gate()];
    const first = idempotency.run(requestOf(), open, async (fence) => {
      asleep.resolve();
      await awake.promise;
      return work(database, "first", { status: 200, body: '"first"' })(fence);
    });
    await asleep.promise;
    clock.advance(90_000);
    // Also what a process that died leaves behind: nothing, so the key is free at once.
    const second = await other.idempotency.run(requestOf(), open, work(database, "second"));
    expect(second).toEqual({ answer, isReplayed: false });
    awake.resolve();
    expect(await first).toEqual({ answer, isReplayed: true });
    expect(await marks(database)).toEqual(["second"]);
  });

  it("answers what another process did, not what its own work ran into", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    await parts.idempotency.run(requestOf(), open, work(database));
    const refusals = [
      new ServiceError("endpoint_already_exists", "because of the other one"),
      new UniqueViolation("of the other one"),
      new CheckViolation("of what the other one spent"),
      unavailable(),
    ];
    for (const refusal of refusals) {
      const attempt = () => Promise.reject(refusal);
      const late = await parts.idempotency.run(requestOf(), open, attempt);
      expect(late).toEqual({ answer, isReplayed: true });
      const other = parts.idempotency.run(requestOf({ amount: "2" }), open, attempt);
      await expect(other).rejects.toEqual(refusedWith("idempotency_key_reused"));
      const free = parts.idempotency.run(requestOf({}, "key-2"), open, attempt);
      await expect(free).rejects.toBe(refusal);
    }
    const fault = new Error("a fault of ours");
    const broken = parts.idempotency.run(requestOf(), open, () => Promise.reject(fault));
    await expect(broken).rejects.toBe(fault);
  });

  it("is worked on again, though not for ever, if it was taken and is free after all", async () => {
    const database = await openDatabase(engine);
    const { idempotency } = await start(database);
    let runs = 0;
    const twice = idempotency.run(requestOf(), open, (fence) => {
      runs++;
      return runs < 2 ? Promise.reject(keyTaken()) : work(database)(fence);
    });
    expect(await twice).toEqual({ answer, isReplayed: false });
    runs = 0;
    const never = idempotency.run(requestOf({}, "key-2"), open, () => {
      runs++;
      return Promise.reject(keyTaken());
    });
    await expect(never).rejects.toEqual(refusedWith("idempotency_in_progress"));
    expect(runs).toBe(3);
  });

  it("finds its answer after a commit whose confirmation was lost", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    const first = await parts.idempotency.run(requestOf(), open, work(losingAnswers(database)));
    expect(first).toEqual({ answer, isReplayed: true });
    expect(await again(parts)).toEqual({ answer, isReplayed: true });
    expect(await marks(database)).toEqual(["done"]);
  });

  it("stays finished when the database is away after the commit", async () => {
    const database = await openDatabase(engine);
    await addMerchant(database, "mer_1");
    const flaky = goingAwayAfterTheEffect(database);
    const attempt = buildServiceParts(flaky).idempotency.run(requestOf(), open, work(flaky));
    await expect(attempt).rejects.toEqual(refusedWith("service_unavailable"));
    expect(await again(buildServiceParts(database))).toEqual({ answer, isReplayed: true });
    expect(await marks(database)).toEqual(["done"]);
  });

  it("forgets a secret answer after 24 hours, and says so for 7 days", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    const { idempotency, clock } = parts;
    const shown = { status: 200, body: '{"secret":"whsec_plain"}' };
    await idempotency.run(requestOf(), secret, work(database, "one", shown));
    const rows = await query(database)<{
      row: string;
    }>`select k::text || encode(body_sealed, 'escape') as row
      from idempotency_keys k`;
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain("whsec_");
    clock.advance(24 * hourMilliseconds - 1);
    expect((await again(parts)).answer.body).toBe(shown.body);
    clock.advance(1);
    const late = () => again(parts);
    await expect(late()).rejects.toEqual(refusedWith("idempotency_key_expired"));
    clock.advance(5);
    const forgetting = forgetSealedSecrets({ database, clock });
    expect(await forgetting.run()).toEqual({ done: 1, isMore: false, lagMilliseconds: 5 });
    expect(await forgetting.run()).toEqual({ done: 0, isMore: false, lagMilliseconds: 0 });
    await expect(late()).rejects.toEqual(refusedWith("idempotency_key_expired"));
    clock.advance(6 * 24 * hourMilliseconds);
    const free = await idempotency.run(requestOf(), secret, work(database, "two", shown));
    expect(free.isReplayed).toBe(false);
  });

  it("forgets secret answers in batches, and none before its day", async () => {
    const database = await openDatabase(engine);
    const { idempotency, clock } = await start(database);
    for (let count = 0; count < 4; count++) {
      await idempotency.run(requestOf({}, `key-${count}`), secret, work(database, `done-${count}`));
    }
    const forgetting = forgetSealedSecrets({ database, clock, rowsMax: 3 });
    clock.advance(24 * hourMilliseconds - 1);
    expect(await forgetting.run()).toEqual({ done: 0, isMore: false, lagMilliseconds: 0 });
    clock.advance(1);
    expect(await forgetting.run()).toMatchObject({ done: 3, isMore: true });
    expect(await forgetting.run()).toMatchObject({ done: 1, isMore: false });
  });

  it("keeps other answers for 7 days, swept or not", async () => {
    const { database, parts } = await openParts(engine, "mer_1");
    const { idempotency, clock } = parts;
    await idempotency.run(requestOf(), open, work(database, "one"));
    clock.advance(7 * 24 * hourMilliseconds - 1);
    expect((await again(parts)).isReplayed).toBe(true);
    clock.advance(1);
    const other = requestOf({ amount: "another" });
    const free = await idempotency.run(other, open, work(database, "two"));
    expect(free.isReplayed).toBe(false);
    // Nothing of the first one is left.
    expect((await again(parts, other)).isReplayed).toBe(true);
    expect(await marks(database)).toEqual(["one", "two"]);
  });

  it("is swept in batches, and so are nonces", async () => {
    const database = await openDatabase(engine);
    const { idempotency, clock } = await start(database);
    for (let count = 0; count < 6; count++) {
      await idempotency.run(requestOf({}, `key-${count}`), open, work(database, `done-${count}`));
    }
    await query(
      database,
    )`insert into nonces select 'mk', 'n' || n, '2026-01-01' from generate_series(1, 4) as n`;
    const ports = { database, clock, rowsMax: 3 };
    const [nonces, keys] = [forgetNonces(ports), freeIdempotencyKeys(ports)];
    const dayMilliseconds = 24 * hourMilliseconds;
    clock.advance(7 * dayMilliseconds - 1);
    const late = { lagMilliseconds: 7 * dayMilliseconds - 1 };
    expect(await nonces.run()).toEqual({ done: 3, isMore: true, ...late });
    expect(await nonces.run()).toEqual({ done: 1, isMore: false, ...late });
    expect(await keys.run()).toEqual({ done: 0, isMore: false, lagMilliseconds: 0 });
    clock.advance(1);
    for (const isMore of [true, true, false]) {
      expect(await keys.run()).toMatchObject({ done: isMore ? 3 : 0, isMore });
    }
    expect(await marks(database)).toHaveLength(6);
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
