import { expect, test } from "vitest";
import { wakingDatabase } from "../../adapters/assembly/waking-database.ts";
import { openDatabase } from "../support/engines.ts";
import { Outbox } from "./outbox.ts";

test("the dispatcher is woken by statements that queue deliveries, and by no others", async () => {
  let calls = 0;
  const database = wakingDatabase(await openDatabase("PostgreSQL"), () => (calls += 1));
  const outbox = new Outbox({ database });
  await outbox.addEndpoint();
  await outbox.deliveries();
  expect(calls).toBe(0);
  await outbox.record();
  await outbox.record();
  expect(calls).toBe(2);
});
