// Payments are locked in one order by everybody, so that no two wait for each other.

import { expect, test } from "vitest";
import type { Database } from "../../service/ports/database.ts";
import { openDatabase } from "../support/engines.ts";
import { openWorld } from "./progress-world.ts";

test("whoever names payments, in whatever order: each is locked once, and by its id", async () => {
  const { database, progress } = await openWorld(await openDatabase("PostgreSQL"));
  // More than are locked at a time.
  const ids = Array.from({ length: 150 }, (_, at) => `pay_${String(at).padStart(3, "0")}`);
  const locked: unknown[] = [];
  const listening = (inside: Database): Database => ({
    run: (statement, values) => {
      if (statement.name === "lock_payments") locked.push(...statement.list(values).flat());
      return inside.run(statement, values);
    },
    transaction: inside.transaction,
  });
  const named = [...ids.toReversed(), ...ids];
  await database.transaction((inside) => progress.refresh(listening(inside), named));
  expect(locked).toEqual(ids);
});
