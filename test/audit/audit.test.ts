import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { auditValues } from "../../service/audit/audit.ts";
import { recordAudit } from "../../service/audit/audit.sql.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";
import { recordEntries, recordMany, valuesOf } from "./entries.ts";

const noHash = "0".repeat(64);

describe.each(engines)("on %s", (engine) => {
  test("an empty log is whole, and its head is a place to begin", async () => {
    const audit = await recordEntries(await openDatabase(engine), 0);
    const head = { sequence: 0n, hash: noHash };
    expect(await audit.verify(head)).toEqual({ count: 0n, head, problems: [] });
    expect(await audit.list({ after: undefined, limit: 10 })).toEqual([]);
  });

  test("entries are numbered and chained, and listed from the newest or after one", async () => {
    const audit = await recordEntries(await openDatabase(engine), 5);
    const { count, head, problems } = await audit.verify();
    expect({ count, sequence: head.sequence, problems }).toEqual({
      count: 5n,
      sequence: 5n,
      problems: [],
    });
    const numbers = async (after: bigint | undefined, limit: number) =>
      (await audit.list({ after, limit })).map(({ sequence }) => sequence);
    expect(await numbers(undefined, 2)).toEqual([4n, 5n]);
    expect(await numbers(1n, 2)).toEqual([2n, 3n]);
    expect((await audit.list({ after: 4n, limit: 9 }))[0]).toEqual({
      sequence: 5n,
      occurredAt: new Date("2026-01-01T00:00:00.123Z"),
      actor: "operator",
      action: "api_key.created",
      merchantId: "mer_1",
      environment: "test",
      subject: { type: "api_key", id: "mk_test_5" },
      details: '{"cidrs":[],"scopes":["payouts:read"]}',
    });
  });

  test("the hash is the one that anybody can compute", async () => {
    const database = await openDatabase(engine);
    await database.run(recordAudit, valuesOf("mk_test_1"));
    const other = { actor: "api_key mk_live_Ü", details: { "☃": "\n" } } as const;
    await database.run(
      recordAudit,
      auditValues({
        occurredAt: new Date(-1),
        action: "catalog.applied",
        subject: { type: "catalog", id: "catalog" },
        ...other,
      }),
    );
    const rows = await query(database)<{
      hash: string;
    }>`select encode(hash, 'hex') as hash from audit_entries order by sequence`;
    // Computed once with another language: \0 for null, or \1, the length and the bytes.
    expect(rows.map(({ hash }) => hash)).toEqual([
      "4d23d32625f1dbf6679c60bb93e5d36735abd0fac728b1b7382cda02198441b9",
      "ea5e4965e3fabc707d06527ffc7251049b4a7498dbbe7b7c5393ab43122a1c6e",
    ]);
  });

  test("many at once, in one statement and in many, leave one chain without gaps", async () => {
    const database = await openDatabase(engine);
    const audit = await recordEntries(database, 0);
    await database.run(recordMany, { ...valuesOf("mk_test_1"), count: 1_100 });
    const one = (number: number) => database.run(recordAudit, valuesOf(`mk_test_${number}`));
    await Promise.all(Array.from({ length: 20 }, (_, number) => one(number)));
    await Promise.all(
      [1, 2, 3].map((number) =>
        database.transaction((inside) => inside.run(recordAudit, valuesOf(`mk_live_${number}`))),
      ),
    );
    expect(await audit.verify()).toMatchObject({ count: 1_123n, problems: [] });
  });

  test("what is rolled back leaves neither an entry nor a gap", async () => {
    const database = await openDatabase(engine);
    const audit = await recordEntries(database, 1);
    const work = database.transaction(async (inside) => {
      await inside.run(recordAudit, valuesOf("mk_test_2"));
      throw new Error("second thoughts");
    });
    await expect(work).rejects.toThrow("second thoughts");
    await database.run(recordMany, { ...valuesOf("mk_test_3"), count: 0 });
    await database.run(recordAudit, valuesOf("mk_test_4"));
    expect(await audit.verify()).toMatchObject({ count: 2n, problems: [] });
  });

  test("nothing is changed or taken out, and nobody chooses a number or a hash", async () => {
    const database = await openDatabase(engine);
    const audit = await recordEntries(database, 2);
    const before = await audit.verify();
    const attempts = [
      sql`update audit_entries set actor = 'system'`,
      sql`delete from audit_entries where sequence = 2`,
      sql`truncate audit_entries`,
      sql`update audit_head set sequence = 1`,
      sql`delete from audit_head`,
      sql`truncate audit_head`,
    ];
    for (const attempt of attempts) {
      await expect(query(database, attempt)).rejects.toThrow("the audit log is append-only");
    }
    expect(await audit.verify()).toEqual(before);
    await query(
      database,
    )`insert into audit_entries (sequence, occurred_at, actor, action, subject_type, subject_id,
        details, previous_hash, hash)
      values (99, now(), 'system', 'x', 'x', 'x', '{}', decode(repeat('11', 32), 'hex'),
        decode(repeat('22', 32), 'hex'))`;
    expect(await audit.verify(before.head)).toMatchObject({ count: 3n, problems: [] });
  });
});

test("details that are no JSON, or too many, are our mistake", () => {
  expect(() => valuesOf("mk", { details: { at: 1n } })).toThrow("must be a JSON value");
  expect(() => valuesOf("mk", { details: { text: "x".repeat(65_536) } })).toThrow(
    "api_key.created has 65547 bytes of details",
  );
});
