// Transactions that come together are one, and nobody can tell.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { withBatching } from "../../adapters/database/batching.ts";
import { ServiceError } from "../../service/errors.ts";
import type { Database, Joint } from "../../service/ports/database.ts";
import { UniqueViolation } from "../../service/ports/database.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { engines, openDatabase } from "../support/engines.ts";

interface Values {
  readonly id: string;
}

const addMerchant = statement<Values>("joining.add")(
  (p) => sql<{ id: string }>`
    insert into merchants (id, name, created_at) values (${p.id}, 'name', now()) returning id`,
);
const listIds = statement<object>("joining.list_ids")(() =>
  queries.selectFrom("merchants").select("id").orderBy("id"),
);

/** Counts what really begins, and how much was done in each that counts. */
function counting(database: Database) {
  const begun: number[] = [];
  const transaction: Database["transaction"] = async (work) => {
    const place = begun.push(0) - 1;
    return database.transaction((inside) => {
      begun[place] = 0;
      const run: Database["run"] = (one, values) => {
        begun[place] = (begun[place] ?? 0) + 1;
        return inside.run(one, values);
      };
      return work({ run, transaction: inside.transaction });
    });
  };
  return { begun, database: withBatching({ ...database, transaction }) };
}

const ofOrder = (order: string): Joint => ({ name: "test", order });

function adding(database: Database, id: string, joint: Joint | undefined = ofOrder(id)) {
  return database.transaction(async (inside) => {
    await inside.run(addMerchant, { id });
    return `${id} added`;
  }, joint);
}

describe.each(engines)("on %s", (engine) => {
  test("are done together, in their order, and each has its own result", async () => {
    const { begun, database } = counting(await openDatabase(engine));
    const done: string[] = [];
    const ids = ["mer_3", "mer_1", "mer_2"];
    const results = await Promise.all(
      ids.map((id) =>
        database.transaction(async (inside) => {
          const before = await inside.run(listIds, {});
          await inside.run(addMerchant, { id });
          done.push(id);
          return before.map((row) => row.id);
        }, ofOrder(id)),
      ),
    );
    expect(done).toEqual(["mer_1", "mer_2", "mer_3"]);
    // One sees what those before it have done.
    expect(results).toEqual([["mer_1", "mer_2"], [], ["mer_1"]]);
    expect(begun).toEqual([6]);
  });

  test("one that comes alone begins at once; those that come meanwhile go together, sixteen at most", async () => {
    const { begun, database } = counting(await openDatabase(engine));
    const first = Promise.withResolvers<undefined>();
    const held = database.transaction(async (inside) => {
      await inside.run(addMerchant, { id: "mer_first" });
      first.resolve(undefined);
    }, ofOrder("first"));
    await first.promise;
    const ids = Array.from({ length: 20 }, (_, index) => `mer_${index + 10}`);
    const all = await Promise.all([held, ...ids.map((id) => adding(database, id))]);
    expect(all.slice(1)).toEqual(ids.map((id) => `${id} added`));
    expect(begun).toEqual([1, 16, 4]);
  });

  test("one that fails fails alone, and nothing of it stays", async () => {
    const { begun, database } = counting(await openDatabase(engine));
    const outcomes = await Promise.allSettled([
      adding(database, "mer_1"),
      adding(database, "mer_2"),
      database.transaction(async (inside) => {
        await inside.run(addMerchant, { id: "mer_gone" });
        throw new ServiceError("payment_not_payable", "no");
      }, ofOrder("mer_gone")),
      adding(database, "mer_2", ofOrder("mer_2")),
    ]);
    const [one, two, gone, again] = outcomes;
    expect(one).toEqual({ status: "fulfilled", value: "mer_1 added" });
    expect([two.status, again.status].toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = [two, again].find((outcome) => outcome.status === "rejected");
    expect(refused).toMatchObject({ reason: expect.any(UniqueViolation) as unknown });
    expect(gone).toMatchObject({ status: "rejected", reason: { code: "payment_not_payable" } });
    expect(await database.run(listIds, {})).toEqual([{ id: "mer_1" }, { id: "mer_2" }]);
    // Together first, then each by itself.
    expect(begun).toHaveLength(5);
  });

  test("one that the database has no time for, or that says so itself, fails alone", async () => {
    const { begun, database } = counting(await openDatabase(engine));
    const causes = [undefined, Object.assign(new Error("time-out"), { code: "57014" })];
    for (const [round, cause] of causes.entries()) {
      const ids = [`mer_${round}_1`, `mer_${round}_3`];
      const away = new ServiceError("service_unavailable", "not now", { cause });
      const [one, two, three] = await Promise.allSettled([
        adding(database, ids[0] ?? ""),
        database.transaction(() => Promise.reject(away), ofOrder(`mer_${round}_2`)),
        adding(database, ids[1] ?? ""),
      ]);
      expect([one.status, two.status, three.status]).toEqual([
        "fulfilled",
        "rejected",
        "fulfilled",
      ]);
    }
    expect(await database.run(listIds, {})).toHaveLength(4);
    expect(begun).toHaveLength(8);
  });

  test("are not asked of a server that has gone, one by one", async () => {
    const { begun, database } = counting(await openDatabase(engine));
    const cause = Object.assign(new Error("gone"), { code: "ECONNRESET" });
    const gone = new ServiceError("service_unavailable", "not now", { cause });
    const outcomes = await Promise.allSettled([
      adding(database, "mer_1"),
      database.transaction(() => Promise.reject(gone), ofOrder("mer_2")),
      adding(database, "mer_3"),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(begun).toHaveLength(1);
    expect(await database.run(listIds, {})).toEqual([]);
  });

  test("are not done again when nobody knows whether they count", async () => {
    const opened = await openDatabase(engine);
    const deaf: Database = {
      ...opened,
      transaction: async (work) => {
        await opened.transaction(work);
        throw new ServiceError("service_unavailable", "the connection broke");
      },
    };
    const { begun, database } = counting(deaf);
    const outcomes = await Promise.allSettled(
      ["mer_1", "mer_2", "mer_3"].map((id) => adding(database, id)),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(begun).toEqual([3]);
    expect(await opened.run(listIds, {})).toHaveLength(3);
  });

  test("those of another name, and those without one, go by themselves", async () => {
    const { begun, database } = counting(await openDatabase(engine));
    await Promise.all([
      adding(database, "mer_1"),
      adding(database, "mer_2", { name: "other", order: "mer_2" }),
      database.transaction((inside) => inside.run(addMerchant, { id: "mer_3" })),
    ]);
    expect(begun).toEqual([1, 1, 1]);
  });
});

test("refuses what has waited too long behind one that hangs, with nothing of it begun", async () => {
  const begun: (() => void)[] = [];
  const hanging: Database = {
    run: () => Promise.reject(new Error("not here")),
    transaction: async (work) => {
      await new Promise<void>((resolve) => begun.push(resolve));
      return work(hanging);
    },
  };
  let now = 0;
  const database = withBatching(hanging, { monotonicMilliseconds: () => now });
  const outcomes: string[] = [];
  const add = (name: string) =>
    database
      .transaction(() => Promise.resolve(outcomes.push(`${name} done`)), ofOrder(name))
      .catch((error: unknown) => outcomes.push(`${name} ${(error as ServiceError).code}`));
  const first = add("first");
  await new Promise(setImmediate);
  const late = add("late");
  now = 15_001;
  const last = add("last");
  begun[0]?.();
  await Promise.all([first, late]);
  expect(outcomes).toEqual(["first done", "late service_unavailable"]);
  await new Promise(setImmediate);
  begun[1]?.();
  await last;
  expect(outcomes).toEqual(["first done", "late service_unavailable", "last done"]);
});
