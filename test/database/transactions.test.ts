// Statements count together or not at all, and a lost race is run again without anybody noticing.

import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../adapters/database/postgres.ts";
import type { Database } from "../../service/ports/database.ts";
import { CheckViolation, UniqueViolation } from "../../service/ports/database.ts";
import { queries, statement } from "../../service/database/statement.ts";
import { engines, makePostgresDatabase, openDatabase } from "../support/engines.ts";

const addMerchant = statement<{ id: string; name: string; now: Date }>("test.add_merchant")((p) =>
  queries
    .insertInto("merchants")
    .values({ id: p.id, name: p.name, created_at: p.now })
    .returning("id"),
);
const listMerchants = statement<object>("test.list_merchants")(() =>
  queries.selectFrom("merchants").select(["id", "name"]).orderBy("id"),
);
const rename = statement<{ id: string; name: string }>("test.rename")((p) =>
  queries.updateTable("merchants").set({ name: p.name }).where("id", "=", p.id),
);
const merchant = (id: string, name = "0") => ({ id, name, now: new Date(0) });

describe.each(engines)("on %s", (engine) => {
  test("names the constraint of a second row with the same key", async () => {
    const database = await openDatabase(engine);
    await database.run(addMerchant, merchant("mer_1"));
    const second = database.run(addMerchant, merchant("mer_1"));
    await expect(second).rejects.toThrow(UniqueViolation);
    await expect(second).rejects.toMatchObject({ constraint: "merchants_pkey" });
    expect(await database.run(listMerchants, {})).toHaveLength(1);
  });

  test("names the constraint of a row that breaks a rule of its table", async () => {
    const database = await openDatabase(engine);
    const wrong = database.run(addMerchant, merchant("payment_1"));
    await expect(wrong).rejects.toThrow(CheckViolation);
    await expect(wrong).rejects.toMatchObject({ constraint: "merchants_id_check" });
    expect(await database.run(listMerchants, {})).toEqual([]);
  });

  test("undoes all of it when the work fails", async () => {
    const database = await openDatabase(engine);
    const work = database.transaction(async (inside) => {
      await inside.run(addMerchant, merchant("mer_1"));
      expect(await inside.run(listMerchants, {})).toHaveLength(1);
      throw new Error("second thoughts");
    });
    await expect(work).rejects.toThrow("second thoughts");
    expect(await database.run(listMerchants, {})).toStrictEqual([]);
  });

  test("tells the work of a unique violation by name", async () => {
    const database = await openDatabase(engine);
    const work = database.transaction(async (inside) => {
      await inside.run(addMerchant, merchant("mer_1"));
      await inside.run(addMerchant, merchant("mer_1"));
    });
    await expect(work).rejects.toThrow(UniqueViolation);
    expect(await database.run(listMerchants, {})).toStrictEqual([]);
  });

  test("counts a transaction inside a transaction as part of it", async () => {
    const database = await openDatabase(engine);
    const work = database.transaction(async (inside) => {
      await inside.transaction((deeper) => deeper.run(addMerchant, merchant("mer_1")));
      throw new Error("undone");
    });
    await expect(work).rejects.toThrow("undone");
    expect(await database.run(listMerchants, {})).toStrictEqual([]);
  });

  test("lets one through that others would undo again and again", async () => {
    const database = await openDatabase(engine);
    await database.run(addMerchant, merchant("mer_1"));
    const others: Promise<unknown>[] = [];
    const quick = (inside: Database) => inside.run(rename, { id: "mer_1", name: "quick" });
    await database.transaction(async (inside) => {
      await inside.run(listMerchants, {});
      // Each time that it is run another one is faster, unless that one has to wait.
      others.push(database.transaction(quick));
      for (let read = 0; read < 50; read += 1) await inside.run(listMerchants, {});
      await inside.run(rename, { id: "mer_1", name: "slow" });
    });
    await Promise.all(others);
    expect(await database.run(listMerchants, {})).toEqual([{ id: "mer_1", name: "quick" }]);
  });

  test("runs transactions that meet again until each has seen the other", async () => {
    const database = await openDatabase(engine);
    await database.run(addMerchant, merchant("mer_1"));
    // As many as go side by side whatever happened before; the embedded one takes them in turn.
    const overlapping = engine === "PostgreSQL" ? 2 : 1;
    const { promise: haveAllRead, resolve: letGo } = Promise.withResolvers<undefined>();
    let reads = 0;
    const increment = async (inside: Database) => {
      const [row] = await inside.run(listMerchants, {});
      reads++;
      if (reads === overlapping) letGo(undefined);
      await haveAllRead;
      await inside.run(rename, { id: "mer_1", name: String(Number(row?.name) + 1) });
    };
    await Promise.all([1, 2, 3].map(() => database.transaction(increment)));
    expect(await database.run(listMerchants, {})).toStrictEqual([{ id: "mer_1", name: "3" }]);
    // One of the overlapping ones wins; the other one has to read again.
    if (engine === "PostgreSQL") expect(reads).toBeGreaterThanOrEqual(4);
    else expect(reads).toBe(3);
  });
});

test("one that waits for a lock closes the database to nobody, whoever wants to go alone", async () => {
  const { url, remove } = await makePostgresDatabase();
  onTestFinished(remove);
  const database = await openPostgres({ url, connectionsMax: 6 });
  onTestFinished(() => database.close());
  for (const id of ["mer_1", "mer_2"]) await database.run(addMerchant, merchant(id));
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  onTestFinished(() => holder.end());
  await holder.query("begin");
  await holder.query("select from merchants where id = 'mer_1' for update");
  let isHanging = true;
  const hanging = database
    .transaction((inside) => inside.run(rename, { id: "mer_1", name: "late" }))
    .finally(() => (isHanging = false));
  let attempts = 0;
  const ended = { isOver: false };
  const loser = database
    .transaction(async (inside) => {
      attempts += 1;
      // As one that others have undone: after two of them it wants to go alone.
      if (attempts <= 2) throw Object.assign(new Error("undone"), { code: "40001" });
      await inside.run(rename, { id: "mer_2", name: "in the end" });
    })
    .finally(() => (ended.isOver = true));
  const others = async (): Promise<void> => {
    while (!ended.isOver) await database.transaction((inside) => inside.run(listMerchants, {}));
  };
  await Promise.all([loser, others(), others()]);
  expect(isHanging).toBe(true);
  await holder.query("rollback");
  await hanging;
  expect(await database.run(listMerchants, {})).toEqual([
    { id: "mer_1", name: "late" },
    { id: "mer_2", name: "in the end" },
  ]);
});
