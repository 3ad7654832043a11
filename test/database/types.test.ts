// Values come back as they were written, and the same from both engines.

import { sql } from "kysely";
import pg from "pg";
import { describe, expect, test } from "vitest";
import { valueTypes } from "../../adapters/database/values.ts";
import { statement } from "../../service/database/statement.ts";
import { engines, openDatabase } from "../support/engines.ts";

interface Values {
  readonly big: bigint;
  readonly at: Date;
  readonly words: readonly (string | null)[];
  readonly bytes: Uint8Array;
  readonly json: string;
  readonly amount: string;
  readonly count: number;
  readonly isTrue: boolean;
  readonly nothing: null;
}

const echo = statement<Values>("test.echo_of_type")((p) => {
  return sql<Values & { readonly bigs: readonly bigint[] }>`
    select ${p.big}::bigint as big, ${p.at}::timestamptz as at, ${p.words}::text[] as words,
      ${p.bytes}::bytea as bytes, ${p.json}::jsonb as json, ${p.amount}::numeric(78,0) as amount,
      ${p.count}::integer as count, ${p.isTrue}::boolean as "isTrue", ${p.nothing}::text as nothing,
      array[${p.big}::bigint, null] as bigs`;
});

describe("a moment is what the driver makes of its text:", () => {
  const timestamptz = 1184;
  // Declared for an enumeration of the types that ship with PostgreSQL.
  const { getTypeParser } = pg.types as {
    getTypeParser: (type: number, format: "text") => (text: string) => unknown;
  };

  test.each([
    "2026-01-02 03:04:05+00",
    "2026-01-02 03:04:05.6+00",
    "2026-01-02 03:04:05.67+00",
    "2026-12-31 23:59:59.999+00",
    "2024-02-29 00:00:00.000001+00",
    "2026-01-02 03:04:05.678999+00",
    "1969-12-31 23:59:59.5+00",
    "0100-01-01 00:00:00+00",
    "0099-12-31 23:59:59.999+00",
    "0001-01-01 00:00:00+00",
    "0044-03-15 12:00:00+00 BC",
    "12026-01-02 03:04:05.678+00",
    "2026-01-02 03:04:05.678+05:30",
    "2026-01-02 03:04:05-08",
    "1890-01-01 00:00:00+00:19:32",
    "infinity",
    "-infinity",
  ])("%s", (text) => {
    const expected = getTypeParser(timestamptz, "text")(text);
    expect(valueTypes.getTypeParser(timestamptz)(text)).toStrictEqual(expected);
  });
});

describe.each(engines)("on %s", (engine) => {
  test("gives back every type as it was written", async () => {
    const database = await openDatabase(engine);
    const values: Values = {
      big: 9_223_372_036_854_775_807n,
      at: new Date("2026-01-02T03:04:05.678Z"),
      words: [
        "plain",
        "",
        "a,b",
        'q"uo\\te',
        "{brace}",
        "NULL",
        null,
        "Ünïcødé ☃ 🎉",
        "tab\tline\n",
      ],
      bytes: new Uint8Array([0, 1, 92, 120, 127, 128, 255]),
      json: JSON.stringify({ b: [1, null, "x"], a: { 'q"': "\\" } }),
      amount: (2n ** 256n - 1n).toString(),
      count: -7,
      isTrue: true,
      nothing: null,
    };
    const [row] = await database.run(echo, values);
    expect(row).toStrictEqual({
      ...values,
      json: { a: { 'q"': "\\" }, b: [1, null, "x"] },
      bigs: [values.big, null],
    });
  });
});
