// Requests that come together are admitted by one statement, and none of them can tell.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { withBatching } from "../../adapters/database/batching.ts";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { Database } from "../../service/ports/database.ts";
import { admitRequest } from "../../service/merchants/nonces.sql.ts";
import { countingDatabase } from "../support/counting-database.ts";
import { engines, makePostgresDatabase, openDatabase } from "../support/engines.ts";
import { answer, open, requestOf, work } from "../support/idempotent-work.ts";
import { buildServiceParts, query } from "../support/service-parts.ts";
import { buildHarness, outcomeOf, startMilliseconds } from "./authentication-harness.ts";

/** The harness, and what really goes to the database. */
async function start(engine: (typeof engines)[number]) {
  const opened = await openDatabase(engine);
  const { names, database } = countingDatabase(opened);
  const harness = buildHarness(withBatching(database));
  const numberOf = (name: string) => names.filter((one) => one === name).length;
  return { ...harness, database: opened, numberOf };
}

const valuesOf = (keyId: string, nonce: string) => ({
  keyId,
  nonce,
  now: new Date(startMilliseconds),
  nonceExpiresAt: new Date(startMilliseconds + 900_000),
  mayUseNonce: true,
  idempotencyKey: null,
});

describe.each(engines)("on %s", (engine) => {
  test("one nonce, 100 requests at once on one process: one gets in (threat 2)", async () => {
    const { key, newProcess, request, numberOf } = await start(engine);
    const [issued, authentication] = [await key(), newProcess()];
    const nonce = "n-8f14e45fceea167a5a36dedd4bea2543";
    // Afterwards the process knows the key, so that the others come together.
    await authentication.verify(request(issued), "read");
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () =>
        outcomeOf(authentication.verify(request(issued, { nonce }), "read")),
      ),
    );
    expect(outcomes.filter((one) => one === issued.key.merchantId)).toHaveLength(1);
    expect(outcomes.filter((one) => one === "nonce_reused")).toHaveLength(99);
    expect(numberOf("admit_requests")).toBeGreaterThan(0);
    expect(numberOf("admit_requests") + numberOf("admit_request")).toBeLessThan(10);
  });

  test("of those with one nonce the first in the batch takes it", async () => {
    const { key, database } = await start(engine);
    const [{ key: one }, { key: two }] = [await key(), await key()];
    const batched = withBatching(database);
    const wanted = [valuesOf(one.id, "n"), valuesOf(two.id, "n"), valuesOf(one.id, "n")];
    const rows = await Promise.all(
      [...wanted, ...wanted].map((values) => batched.run(admitRequest, values)),
    );
    const isNew = rows.map(([row]) => row?.is_nonce_new);
    expect(isNew).toEqual([true, true, false, false, false, false]);
  });

  test("one that is refused disturbs no other, and leaves its nonce", async () => {
    const { key, merchant, merchants, apiKeys, clock, newProcess, request, database, numberOf } =
      await start(engine);
    const [good, foreign] = [await key(), await key({ cidrs: ["198.51.100.0/24"] })];
    const expired = await key({ expiresAt: new Date(clock.nowMilliseconds() + 1000) });
    const revoked = await key();
    const suspended = await key({ merchantId: (await merchant()).id });
    const everybody = [good, foreign, expired, revoked, suspended, good];
    const authentication = newProcess();
    for (const issued of everybody) await authentication.verify(request(issued), "read");
    await merchants.setStatus(suspended.key.merchantId, "suspended");
    await apiKeys.revoke(revoked.key.id);
    clock.advance(2000);
    const before = await query(database)`select from nonces`;
    const requests = everybody.map((issued) => request(issued, { nonce: "n-one-for-all-0001" }));
    const batches = numberOf("admit_requests");
    const outcomes = await Promise.all(
      requests.map((one) => outcomeOf(authentication.verify(one, "read"))),
    );
    expect(outcomes).toEqual([
      good.key.merchantId,
      "ip_not_allowed",
      "authentication_failed",
      "authentication_failed",
      "merchant_suspended",
      "nonce_reused",
    ]);
    expect(numberOf("admit_requests")).toBe(batches + 1);
    expect(await query(database)`select from nonces`).toHaveLength(before.length + 1);
  });

  test("an unknown key has no row, also among others", async () => {
    const { key, database } = await start(engine);
    const { key: known } = await key();
    const batched = withBatching(database);
    const rows = await Promise.all(
      ["mk_test_unknown", known.id].map((id) => batched.run(admitRequest, valuesOf(id, "n"))),
    );
    expect(rows.map(({ length }) => length)).toEqual([0, 1]);
  });

  test("a nonce past its time counts as absent, to the millisecond of its own request", async () => {
    const { key, database } = await start(engine);
    const { key: known } = await key();
    const batched = withBatching(database);
    const nonces = ["past", "not-yet", "new"];
    for (const nonce of nonces.slice(0, 2)) {
      await database.run(admitRequest, valuesOf(known.id, nonce));
    }
    const later = (nonce: string, milliseconds: number) => ({
      ...valuesOf(known.id, nonce),
      now: new Date(startMilliseconds + milliseconds),
      nonceExpiresAt: new Date(startMilliseconds + milliseconds + 900_000),
    });
    const rows = await Promise.all(
      [later("past", 900_000), later("not-yet", 899_999), later("new", 1)].map((values) =>
        batched.run(admitRequest, values),
      ),
    );
    expect(rows.map(([row]) => row?.is_nonce_new)).toEqual([true, false, true]);
    const found = await query(database)<{
      at: Date;
    }>`select expires_at as at from nonces where nonce = 'past'`;
    expect(found).toEqual([{ at: new Date(startMilliseconds + 1_800_000) }]);
  });

  test("what was answered under the key comes along, alone or together", async () => {
    const { key, database, newProcess, request } = await start(engine);
    const [one, other] = [await key(), await key()];
    const { idempotency } = buildServiceParts(database);
    for (const name of ["done", "old"]) {
      await idempotency.run(
        requestOf({}, name, one.key.merchantId),
        open,
        work(database, name, answer),
      );
    }
    const past = sql`update idempotency_keys set expires_at = ${new Date(startMilliseconds)}
      where key = 'old'`;
    await query(database, past);
    const authentication = newProcess();
    const asked: readonly [typeof one, string | undefined][] = [
      [one, "done"],
      [one, undefined],
      [one, "old"],
      [other, "done"],
      [one, "done"],
    ];
    const ask = async ([issued, effectiveIdempotencyKey]: (typeof asked)[number]) => {
      const { earlier } = await authentication.verify(
        request(issued, { effectiveIdempotencyKey }),
        "read",
      );
      return earlier;
    };
    const kept = {
      fingerprint: new Uint8Array(requestOf({}).fingerprint),
      status: answer.status,
      headers: answer.headers,
      body: answer.body,
      body_sealed: null,
      body_expires_at: null,
    };
    const expected = [kept, undefined, undefined, undefined, kept];
    const alone: unknown[] = [];
    for (const each of asked) alone.push(await ask(each));
    expect(alone).toEqual(expected);
    expect(await Promise.all(asked.map(ask))).toEqual(expected);
  });
});

test("two processes that take the same nonces in opposite orders do not wait for each other", async () => {
  const { url, remove } = await makePostgresDatabase();
  const databases = await Promise.all([openPostgres({ url }), openPostgres({ url })]);
  try {
    const [one, other] = databases.map((database) => withBatching(database));
    if (one === undefined || other === undefined) throw new Error("there are two");
    const { key } = await buildHarness(one).key();
    const nonces = Array.from({ length: 64 }, (_, index) => `n-${index}`);
    for (let round = 0; round < 10; round++) {
      const admit = (database: Database, names: readonly string[]) =>
        names.map((name) => database.run(admitRequest, valuesOf(key.id, `${round}-${name}`)));
      const rows = await Promise.all([...admit(one, nonces), ...admit(other, nonces.toReversed())]);
      expect(rows.filter(([row]) => row?.is_nonce_new === true)).toHaveLength(64);
    }
  } finally {
    await Promise.all(databases.map(({ close }) => close()));
    await remove();
  }
});
