// What is counted of events is what was written of them, whatever was undone, done again or cut off: played, with
// everything that goes wrong going wrong, and compared with the table.

import { expect, test } from "vitest";
import { countingEvents } from "../../adapters/metrics/events.ts";
import { openDatabase } from "../support/engines.ts";
import { simulate } from "../simulation/simulation.ts";
import { queries, statement } from "../../service/database/statement.ts";

const countTypes = statement<object>("count_types_of_a_test")(() =>
  queries
    .selectFrom("events")
    .select((row) => ["type", row.fn.countAll<bigint>().as("count")])
    .groupBy("type"),
);

test("of a life, every event is counted once", async () => {
  const database = await openDatabase("PostgreSQL");
  const counts = new Map<string, number>();
  const count = (type: string): void => void counts.set(type, (counts.get(type) ?? 0) + 1);
  await simulate({ ...database, ...countingEvents(database, count) }, { seed: 7, steps: 600 });
  const rows = await database.run(countTypes, {});
  const written = rows.map((row) => [row.type, Number(row.count)] as const);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(written));
  // What never happens proves nothing.
  expect(counts.size).toBeGreaterThan(20);
});
