// An event is counted when it is committed, and then once.

import { expect, test } from "vitest";
import { listener, tellingCommitted } from "../../adapters/metrics/committed.ts";
import { eventOf } from "../../adapters/metrics/events.ts";
import { queries, statement } from "../../service/database/statement.ts";
import type { Database } from "../../service/ports/database.ts";

const recording = statement<{ readonly eventType: string }>("record_in_a_test")(() =>
  queries.selectFrom("merchants").select("id"),
);

/** Answers every statement with these rows. */
function answering(rows: readonly object[]): Database {
  const database: Database = {
    // Of whatever statement: the rows of this test.
    run: () => Promise.resolve(rows as never),
    transaction: async (work) => {
      await work(database).catch(() => undefined);
      return work(database);
    },
  };
  return database;
}

async function counted(rows: readonly object[], use: (database: Database) => Promise<unknown>) {
  const types: string[] = [];
  await use(
    tellingCommitted(answering(rows), [listener(eventOf, (type) => types.push(type))]),
  ).catch(() => undefined);
  return types;
}

const record = (database: Database) => database.run(recording, { eventType: "payment.paid" });

test("none where nothing was written", async () => {
  expect(await counted([{ id: "pay_1" }], record)).toEqual(["payment.paid"]);
  expect(await counted([], record)).toEqual([]);
  expect(await counted([{ is_current: true, is_finished: false }], record)).toEqual([]);
  expect(await counted([{ endpoint_id: "whe_1", disabled_id: null }], record)).toEqual([]);
  expect(await counted([{ is_current: true, is_finished: true }], record)).toEqual([
    "payment.paid",
  ]);
});

test("of a transaction that is run again once, and of one that is undone not at all", async () => {
  const rows = [{ id: "pay_1" }];
  expect(await counted(rows, (database) => database.transaction(record))).toEqual(["payment.paid"]);
  const undone = (database: Database) =>
    database.transaction(async (inside) => {
      await record(inside);
      throw new Error("undone");
    });
  expect(await counted(rows, undone)).toEqual([]);
});
