// Reads that come together are one statement, and each is answered as by itself.

import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { withBatching } from "../../adapters/database/batching.ts";
import type { Database } from "../../service/ports/database.ts";
import { reading } from "../../service/database/reading.ts";
import { queries } from "../../service/database/statement.ts";
import { engines, openDatabase } from "../support/engines.ts";
import { query } from "../support/service-parts.ts";

interface Wanted {
  readonly names: readonly string[];
  readonly since: Date;
  readonly least: bigint;
}

const columns = { names: "text[]", since: "timestamptz", least: "bigint" } as const;

/** By the builder, with an order and a limit of its own. */
const listByName = reading<Wanted>(
  { one: "reading.list", many: "reading.list_many" },
  columns,
)((p) =>
  queries
    .selectFrom("merchants")
    .select(["id", "name", "created_at"])
    .where("name", "=", sql<string>`any(${p.names})`)
    .where("created_at", ">=", p.since)
    .orderBy("id", "desc")
    .limit(sql.lit(3)),
);

/** As text, with a row also where nothing is. */
const countByName = reading<Wanted>(
  { one: "reading.count", many: "reading.count_many" },
  columns,
)(
  (p) => sql<{ count: bigint; least: bigint }>`
    select count(*) as count, ${p.least}::bigint as least from merchants
    where name = any(${p.names}::text[]) and created_at >= ${p.since}::timestamptz`,
);

function counting(database: Database) {
  const names: string[] = [];
  const run: Database["run"] = (one, values) => {
    names.push(one.name);
    return database.run(one, values);
  };
  return { names, database: withBatching({ ...database, run }) };
}

describe.each(engines)("on %s", (engine) => {
  test("has the rows of each in their order, with the same types", async () => {
    const opened = await openDatabase(engine);
    const at = (index: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, index, 123));
    for (let index = 0; index < 12; index += 1) {
      await query(opened)`insert into merchants (id, name, created_at)
        values (${`mer_${index + 10}`}, ${`"name", ${index % 3}`}, ${at(index)}) returning id`;
    }
    const wanted = Array.from({ length: 9 }, (_, index): Wanted => ({
      names: index === 8 ? [] : [`"name", ${index % 4}`, `"name", ${(index + 1) % 4}`],
      since: at(index),
      least: 2n ** 60n + BigInt(index),
    }));
    const { names, database } = counting(opened);
    const together = await Promise.all(
      wanted.flatMap((one) => [database.run(listByName, one), database.run(countByName, one)]),
    );
    expect(names).toEqual(["reading.list_many", "reading.count_many"]);
    const apart = [];
    for (const one of wanted) {
      apart.push(await opened.run(listByName, one), await opened.run(countByName, one));
    }
    expect(together).toStrictEqual(apart);
    expect(together.map((rows) => rows.length)).toContain(3);
    expect(together.map((rows) => rows.length)).toContain(0);
    expect(together[1]).toStrictEqual([{ count: 8n, least: 2n ** 60n }]);
  });
});
