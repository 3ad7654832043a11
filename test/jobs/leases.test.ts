import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { JobLeases } from "../../service/jobs/leases.ts";
import { Jobs } from "../../service/jobs/jobs.ts";
import type { Database } from "../../service/ports/database.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query, TestClock } from "../support/service-parts.ts";
import { endIn, type LeaseRow, leaseRows, setup } from "./lease-rows.ts";
import { idle, Script } from "./scripted-jobs.ts";

function holdersOf(database: Database) {
  const one = new JobLeases({ database, setup, holder: "one" });
  const other = new JobLeases({ database, setup, holder: "other" });
  return { one, other };
}

const holders = (rows: readonly LeaseRow[]) => rows.map(({ name, holder }) => `${name} ${holder}`);
const known = (own: readonly string[], others: readonly string[]) => ({
  own: new Set(own),
  others: new Set(others),
});

describe.each(engines)("on %s", (engine) => {
  test("one that ends too far ahead is nobody's: the database's clock went back", async () => {
    const database = await openDatabase(engine);
    const { one, other } = holdersOf(database);
    await one.take("sweep");
    await endIn(database, "55 seconds");
    expect(await other.take("sweep")).toBeUndefined();
    expect(await other.extend([])).toEqual(known([], ["sweep"]));
    await endIn(database, "70 seconds");
    expect(await other.extend([])).toEqual(known([], []));
    expect(await other.take("sweep")).toEqual({ expiredHolder: "one" });
    expect(await one.take("sweep")).toBeUndefined();
  });

  test("processes with other chains share nothing", async () => {
    const database = await openDatabase(engine);
    const { one } = holdersOf(database);
    const poorer = new JobLeases({ database, setup: "00000000", holder: "poorer" });
    await one.take("sweep");
    expect(await poorer.extend([])).toEqual(known([], []));
    expect(await poorer.take("sweep")).toEqual({ expiredHolder: undefined });
    expect(await one.extend(["sweep"])).toEqual(known(["sweep"], []));
    await poorer.release("sweep");
    expect(holders(await leaseRows(database))).toEqual(["sweep one"]);
  });

  test("the first has a job for eight seconds, and the second not", async () => {
    const database = await openDatabase(engine);
    const { one, other } = holdersOf(database);
    expect(await one.take("sweep")).toEqual({ expiredHolder: undefined });
    const [first] = await leaseRows(database);
    expect(first).toMatchObject({ name: "sweep", holder: "one" });
    expect(first?.expires_at.getTime()).toBe((first?.taken_at.getTime() ?? 0) + 8_000);
    await endIn(database, "50 seconds");
    expect(await other.take("sweep")).toBeUndefined();
    expect(holders(await leaseRows(database))).toEqual(["sweep one"]);
    // Another job is another matter.
    expect(await other.take("send")).toEqual({ expiredHolder: undefined });
  });

  test("who has it may take it again, and has it since the first time", async () => {
    const database = await openDatabase(engine);
    const { one } = holdersOf(database);
    await one.take("sweep");
    await endIn(database, "-1 second");
    const [before] = await leaseRows(database);
    expect(await one.take("sweep")).toEqual({ expiredHolder: undefined });
    const [after] = await leaseRows(database);
    expect(after?.taken_at).toEqual(before?.taken_at);
    expect(after?.isLive).toBe(true);
  });

  test("what has run out is anybody's, who hears whose it was", async () => {
    const database = await openDatabase(engine);
    const { one, other } = holdersOf(database);
    await one.take("sweep");
    await endIn(database, "-1 millisecond");
    const [before] = await leaseRows(database);
    expect(await other.take("sweep")).toEqual({ expiredHolder: "one" });
    const [after] = await leaseRows(database);
    expect(after?.holder).toBe("other");
    expect(after?.taken_at.getTime()).toBeGreaterThan(before?.expires_at.getTime() ?? Infinity);
    await endIn(database, "50 seconds");
    expect(await one.take("sweep")).toBeUndefined();
  });

  test("one statement extends what is named and one's own, and tells what others have", async () => {
    const database = await openDatabase(engine);
    const { one, other } = holdersOf(database);
    for (const name of ["a", "b", "c"]) await one.take(name);
    for (const name of ["d", "e"]) await other.take(name);
    await endIn(database, "50 seconds");
    await endIn(database, "-1 second", "e");
    expect(await one.extend(["a", "b", "d"])).toEqual(known(["a", "b"], ["d"]));
    const rows = await leaseRows(database);
    // Eight seconds from now, where it was an hour.
    expect(rows.filter((row) => row.leftSeconds <= 8).map(({ name }) => name)).toEqual([
      "a",
      "b",
      "e",
    ]);
    await endIn(database, "50 seconds");
    expect(await one.extend([])).toEqual(known([], ["d", "e"]));
  });

  test("what has run out is not extended: not even where nobody has taken it", async () => {
    const database = await openDatabase(engine);
    const { one, other } = holdersOf(database);
    await one.take("lapsed");
    await one.take("lost");
    await endIn(database, "-1 second");
    await other.take("lost");
    await endIn(database, "50 seconds", "lost");
    const before = await leaseRows(database);
    expect(await one.extend(["lapsed", "lost"])).toEqual(known([], ["lost"]));
    expect(holders(await leaseRows(database))).toEqual(["lapsed one", "lost other"]);
    expect((await leaseRows(database)).map(({ expires_at: end }) => end)).toEqual(
      before.map(({ expires_at: end }) => end),
    );
  });

  test("what is given back is free at once, and what was lost stays another's", async () => {
    const database = await openDatabase(engine);
    const { one, other } = holdersOf(database);
    await one.take("sweep");
    await other.release("sweep");
    expect(holders(await leaseRows(database))).toEqual(["sweep one"]);
    await one.release("sweep");
    expect(await leaseRows(database)).toEqual([]);
    expect(await other.take("sweep")).toEqual({ expiredHolder: undefined });
  });

  test("of many that want a job at once, one has it", async () => {
    const database = await openDatabase(engine);
    await new JobLeases({ database, setup, holder: "gone" }).take("sweep");
    await endIn(database, "-1 second");
    const names = Array.from({ length: 8 }, (_, at) => `process ${at}`);
    const taken = await Promise.all(
      names.map((holder) => new JobLeases({ database, setup, holder }).take("sweep")),
    );
    expect(taken.filter((one) => one !== undefined)).toHaveLength(1);
    expect(await leaseRows(database)).toMatchObject([
      { holder: names[taken.findIndex((one) => one !== undefined)] },
    ]);
  });

  test("people see who has a job now", async () => {
    const database = await openDatabase(engine);
    const [held, lapsed] = [new Script("held", () => idle), new Script("lapsed", () => idle)];
    const jobs = new Jobs({ database, clock: new TestClock() }, [held, lapsed]);
    for (const job of [held, lapsed]) {
      await jobs.run(job);
      await new JobLeases({ database, setup, holder: "web/7/c0de" }).take(job.name);
    }
    await endIn(database, "50 seconds", "held");
    await endIn(database, "-1 second", "lapsed");
    expect(await jobs.list()).toMatchObject([
      { name: "held", heldBy: "web/7/c0de" },
      { name: "lapsed", heldBy: null },
    ]);
  });

  test("a holder has a name, and a job a word", async () => {
    const database = await openDatabase(engine);
    const nameless = new JobLeases({ database, setup, holder: "" });
    await expect(nameless.take("sweep")).rejects.toThrow("job_leases_holder_check");
    await expect(holdersOf(database).one.take("Not a job")).rejects.toThrow(
      "job_leases_name_check",
    );
    expect(await query(database, sql`select name from job_leases`)).toEqual([]);
  });
});
