// Values that travel as columns of many arrive as they do one by one.

import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { withBatching } from "../../adapters/database/batching.ts";
import { encodeColumns } from "../../adapters/database/columns.ts";
import type { Database } from "../../service/ports/database.ts";
import { oneRow, together } from "../../service/database/row-source.ts";
import type { ColumnTypes } from "../../service/database/row-source.ts";
import { statement } from "../../service/database/statement.ts";
import { readPaymentTerms } from "../../service/payments/payments.sql.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";

interface Values {
  readonly word: string;
  readonly perhaps: string | null;
  readonly amount: bigint;
  readonly price: string;
  readonly count: number;
  readonly big: bigint | null;
  readonly isGood: boolean;
  readonly bytes: Uint8Array;
  readonly at: Date | null;
  readonly words: readonly string[];
  readonly counts: readonly number[];
}

const types: ColumnTypes<Values> = {
  word: "text",
  perhaps: "text",
  amount: "numeric",
  price: "numeric",
  count: "integer",
  big: "bigint",
  isGood: "boolean",
  bytes: "bytea",
  at: "timestamptz",
  words: "text[]",
  counts: "integer[]",
};

const echo = statement<Values>("test.echo")(
  (p) => sql<Values>`${oneRow(p, types)}`,
  together<Values>("test.echo_many", types)((rows) => sql<Values & { set: number }>`${rows}`),
);

/** The server stores no NUL in a text, and half of a surrogate pair is none. */
const text = fc
  .oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }))
  .map((word) => word.replaceAll("\0", "").toWellFormed());
const words = fc.oneof(
  text,
  fc.constantFrom("NULL", "null", "", "{}", '"', "\\", '\\"', "a,b", " "),
);
const integer = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

const values = fc.record<Values>({
  word: words,
  perhaps: fc.option(words),
  amount: fc.bigInt({ min: 0n, max: 10n ** 77n }),
  price: fc.tuple(fc.nat(), fc.nat(999_999)).map(([whole, part]) => `${whole}.${part}`),
  count: integer,
  big: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  isGood: fc.boolean(),
  bytes: fc.uint8Array(),
  at: fc.option(
    // By itself a time is sent in the time zone of this process, in whole minutes: that was of no use long ago.
    fc.date({ min: new Date("1980-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
  ),
  words: fc.array(words, { maxLength: 4 }),
  counts: fc.array(integer, { maxLength: 4 }),
});

function counting(database: Database) {
  const names: string[] = [];
  const run: Database["run"] = (asked, given) => {
    names.push(asked.name);
    return database.run(asked, given);
  };
  return { names, database: withBatching({ ...database, run }) };
}

describe.each(engines)("on %s", (engine) => {
  test("they are the same as by themselves, of all types", async () => {
    const opened = await openDatabase(engine);
    const { names, database } = counting(opened);
    await fc.assert(
      fc.asyncProperty(fc.array(values, { minLength: 2, maxLength: 6 }), async (sets) => {
        const many = await Promise.all(sets.map((one) => database.run(echo, one)));
        for (const [index, one] of sets.entries()) {
          const [alone, ...others] = await opened.run(echo, one);
          expect(many[index]).toStrictEqual([alone]);
          expect(others).toEqual([]);
          expect(alone).toMatchObject({ word: one.word, words: one.words, count: one.count });
        }
      }),
      { numRuns: 40 },
    );
    expect(new Set(names)).toEqual(new Set(["test.echo_many"]));
  });

  test.each([2, 16])("a plan is kept for batches of %i", async (count) => {
    const opened = await openDatabase(engine);
    const terms = readPaymentTerms.batch;
    if (terms === undefined) throw new Error("terms are read together");
    // Under a name of its own: its session may have been another test's, with the plans of that.
    const many = { ...terms, name: `test.read_terms_of_${count}` };
    const sets = Array.from({ length: count }, (_, index) => ({
      merchantId: `mer_${index}`,
      environment: "live",
      merchantOrderNo: `order ${index}`,
      splitMerchantIds: [],
      known: "",
      knownAcceptance: "",
    }));
    const plans = await opened.transaction(async (inside) => {
      for (let call = 1; call <= 20; call++) {
        await inside.run(many, encodeColumns(many.columns, sets));
      }
      return query(inside)<{ readonly custom: bigint; readonly generic: bigint }>`
        select custom_plans as custom, generic_plans as generic from pg_prepared_statements
        where name = ${many.name}`;
    });
    // a server compares five made for what was given with the one for everything
    expect(plans).toEqual([{ custom: 5n, generic: 15n }]);
  });

  test("one that is none of its type fails by itself", async () => {
    const { names, database } = counting(await openDatabase(engine));
    const [good] = fc.sample(values, { numRuns: 1, seed: 1 });
    if (good === undefined) throw new Error("there is one");
    const outcomes = await Promise.allSettled([
      database.run(echo, { ...good, count: 1 }),
      database.run(echo, { ...good, count: 1.5 }),
      database.run(echo, { ...good, count: 2 ** 31 }),
      database.run(echo, { ...good, big: 2n ** 63n }),
      database.run(echo, { ...good, count: 2 }),
    ]);
    const failed = ["rejected", "rejected", "rejected"];
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", ...failed, "fulfilled"]);
    expect(names).toEqual(Array.from({ length: 5 }, () => "test.echo"));
  });
});

test("a time that is none is not written as another", () => {
  const sets = [{ at: new Date(0) }, { at: new Date(Number.NaN) }];
  expect(() => encodeColumns({ at: "timestamptz" }, sets)).toThrow(RangeError);
});

test("columns stay as they were written while others are", () => {
  const one = encodeColumns({ a: "text", b: "integer" }, [{ a: "x", b: 1 }, { a: "y" }]);
  const before = Object.entries(one).map(([name, bytes]) => [name, Buffer.from(bytes)]);
  encodeColumns({ a: "text" }, [{ a: "z".repeat(200_000) }, { a: "ü".repeat(200_000) }]);
  expect(Object.entries(one)).toEqual(before);
  // one dimension, a null, int4, two items from 1 on: four bytes of 1, and nothing
  expect(Buffer.from(one["b"] ?? []).toString("hex")).toBe(
    "00000001" +
      "00000001" +
      "00000017" +
      "00000002" +
      "00000001" +
      "00000004" +
      "00000001" +
      "ffffffff",
  );
});
