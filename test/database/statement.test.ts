// Whatever order the query builder brings them in, values stand where the text wants them.

import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { queries, statement } from "../../service/database/statement.ts";

const names = ["one", "two", "three", "four", "five", "six"] as const;
type Name = (typeof names)[number];
type Values = Readonly<Record<Name, string>>;

test("hands every value to the parameters that stand for it", () => {
  const orders = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 20 });
  const sets = fc.record<Values>(
    Object.fromEntries(names.map((name) => [name, fc.string()])) as Record<
      Name,
      fc.Arbitrary<string>
    >,
  );
  fc.assert(
    fc.property(orders, fc.array(sets, { minLength: 1, maxLength: 4 }), (order, calls) => {
      const made = statement<Values>("test.order")((p) => {
        return sql`select ${sql.join(order.map((name) => p[name]))}`;
      });
      expect(made.text.match(/\$\d+/g)).toStrictEqual(order.map((_, index) => `$${index + 1}`));
      for (const values of calls) {
        expect(made.list(values)).toStrictEqual(order.map((name) => values[name]));
      }
    }),
  );
});

test("what is the same at every call stands in the text, and only what is handed in is a parameter", () => {
  const made = statement<{ id: string; now: Date }>("test.fixed")((p) =>
    queries
      .updateTable("merchants")
      .set({ status: "suspended", created_at: p.now, fee_bps: 25, name: "it's" })
      .where("id", "=", p.id)
      .where("status", "in", ["active", "suspended"])
      .returning("id"),
  );
  const now = new Date(0);
  expect(made.list({ now, id: "mer_1" })).toStrictEqual([now, "mer_1"]);
  expect(made.text).toBe(
    `update "merchants" set "status" = 'suspended', "created_at" = $1, "fee_bps" = 25, ` +
      `"name" = 'it''s' where "id" = $2 and "status" in ('active', 'suspended') returning "id"`,
  );
});

test("a statement is composed when it is first asked for, and once", () => {
  let count = 0;
  const made = statement<{ id: string }>("test.lazy")((p) => {
    count += 1;
    return sql`select ${p.id}`;
  });
  expect(count).toBe(0);
  expect(made.list({ id: "one" })).toStrictEqual(["one"]);
  expect(made.text).toBe("select $1");
  expect(made.list({ id: "other" })).toStrictEqual(["other"]);
  expect(count).toBe(1);
});
