// Writes that come together are one statement, and nobody can tell.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { withBatching } from "../../adapters/database/batching.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Database } from "../../service/ports/database.ts";
import { UniqueViolation } from "../../service/ports/database.ts";
import { together } from "../../service/database/row-source.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { engines, openDatabase } from "../support/engines.ts";

interface Values {
  readonly id: string;
  readonly now: Date;
  readonly words: readonly string[];
  readonly bytes: Uint8Array;
  readonly big: bigint;
}

interface Row {
  readonly id: string;
  readonly created_at: Date;
  readonly words: readonly string[];
  readonly bytes: Uint8Array;
  readonly big: bigint;
}

const addMerchant = statement<Values>("test.add")(
  (p) => sql<Row>`
    with added as (
      insert into merchants (id, name, created_at) values (${p.id}, 'name', ${p.now})
      returning id, created_at)
    select *, ${p.words}::text[] as words, ${p.bytes}::bytea as bytes, ${p.big}::bigint as big
    from added`,
  together<Values>("test.add_many", {
    id: "text",
    now: "timestamptz",
    words: "text[]",
    bytes: "bytea",
    big: "bigint",
  })(
    (rows) => sql<Row & { readonly set: number }>`
      with sets as materialized (${rows}),
      added as (
        insert into merchants (id, name, created_at) select id, 'name', now from sets
        returning id, created_at)
      select "set", added.*, words, bytes, big from added join sets using (id)`,
  ),
);
const listIds = statement<object>("test.list_ids")(() =>
  queries.selectFrom("merchants").select("id").orderBy("id"),
);

const values = (index: number): Values => ({
  id: `mer_${index}`,
  now: new Date(1_700_000_000_123 + index),
  words: ["a,b", 'q"uote', "ü☃", ""],
  // Both kinds that come along.
  bytes: index % 2 === 0 ? new Uint8Array([0, 255, index]) : Buffer.from([0, 255, index]),
  big: 2n ** 62n + BigInt(index),
});
const row = (index: number): Row => {
  const { now, bytes, ...rest } = values(index);
  return { ...rest, bytes: new Uint8Array(bytes), created_at: now };
};

/** Counts what really goes to the database. */
function counting(database: Database) {
  const names: string[] = [];
  const run: Database["run"] = (statement, given) => {
    names.push(statement.name);
    return database.run(statement, given);
  };
  return { names, database: withBatching({ ...database, run }) };
}

test("refuses what has waited too long behind a database that hangs, and writes nothing of it", async () => {
  const stuck: (() => void)[] = [];
  const written: string[] = [];
  const hanging: Database = {
    run: (statement) => {
      written.push(statement.name);
      return new Promise((resolve) => stuck.push(() => resolve([])));
    },
    transaction: () => Promise.reject(new Error("not here")),
  };
  let now = 0;
  const database = withBatching(hanging, { monotonicMilliseconds: () => now });
  const outcomes: string[] = [];
  const add = (index: number) => {
    const ended = database.run(addMerchant, values(index)).then(
      () => outcomes.push(`${index} written`),
      (error: unknown) => outcomes.push(`${index} ${(error as ServiceError).code}`),
    );
    // What came together is on its way, or waits.
    return { ended, begun: new Promise(setImmediate) };
  };
  const first = [add(0)];
  await first[0]?.begun;
  first.push(add(1));
  await first[1]?.begun;
  const late = [add(2), add(3)];
  now = 15_000;
  const last = add(4);
  now = 15_001;
  expect(written).toEqual(["test.add", "test.add"]);
  stuck.shift()?.();
  await Promise.all(late.map(({ ended }) => ended));
  expect(outcomes).toEqual(["0 written", "2 service_unavailable", "3 service_unavailable"]);
  expect(written).toEqual(["test.add", "test.add", "test.add"]);
  for (const end of stuck) end();
  await Promise.all([...first, last].map(({ ended }) => ended));
  expect(outcomes.slice(3)).toEqual(["1 written", "4 written"]);
});

describe.each(engines)("on %s", (engine) => {
  test("writes calls that come together as one, and gives each its own rows", async () => {
    const { names, database } = counting(await openDatabase(engine));
    const indexes = Array.from({ length: 40 }, (_, index) => index);
    const rows = await Promise.all(
      indexes.map((index) => database.run(addMerchant, values(index))),
    );
    expect(rows).toStrictEqual(indexes.map((index) => [row(index)]));
    expect(names).toStrictEqual(["test.add_many"]);
  });

  test("writes a call that comes alone by itself", async () => {
    const { names, database } = counting(await openDatabase(engine));
    await expect(database.run(addMerchant, values(1))).resolves.toStrictEqual([row(1)]);
    expect(names).toStrictEqual(["test.add"]);
  });

  test("writes nothing again when nobody knows whether it was written", async () => {
    const opened = await openDatabase(engine);
    const deaf: Database = {
      ...opened,
      run: async (statement, given) => {
        await opened.run(statement, given);
        throw new ServiceError("service_unavailable", "the connection broke");
      },
    };
    const { names, database } = counting(deaf);
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((index) => database.run(addMerchant, values(index))),
    );
    expect(outcomes).toMatchObject(
      Array.from({ length: 3 }, () => ({
        status: "rejected",
        reason: { code: "service_unavailable" },
      })),
    );
    expect(names).toStrictEqual(["test.add_many"]);
  });

  test("writes each by itself when together they have lost against others, which undid all of it", async () => {
    const inside = await openDatabase(engine);
    const names: string[] = [];
    const database = withBatching({
      ...inside,
      run: (given, of) => {
        names.push(given.name);
        if (given.name !== "test.add_many") return inside.run(given, of);
        const cause = Object.assign(new Error("deadlock detected"), { code: "40P01" });
        return Promise.reject(new ServiceError("service_unavailable", "Not now.", { cause }));
      },
    });
    const rows = await Promise.all(
      [0, 1, 2].map((index) => database.run(addMerchant, values(index))),
    );
    expect(rows).toEqual([[row(0)], [row(1)], [row(2)]]);
    expect(names).toEqual(["test.add_many", "test.add", "test.add", "test.add"]);
  });

  test("fails the one that is wrong and no other", async () => {
    const { database } = counting(await openDatabase(engine));
    await database.run(addMerchant, values(3));
    const outcomes = await Promise.allSettled(
      [1, 2, 3, 4].map((index) => database.run(addMerchant, values(index))),
    );
    expect(outcomes.map(({ status }) => status)).toStrictEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(outcomes[2]).toMatchObject({ reason: expect.any(UniqueViolation) as unknown });
    const ids = await database.run(listIds, {});
    expect(ids.map(({ id }) => id)).toStrictEqual(["mer_1", "mer_2", "mer_3", "mer_4"]);
  });
});
