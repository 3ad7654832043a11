// Which faults are made of which SQL.

import { describe, expect, test } from "vitest";
import { mutantsIn } from "../../scripts/mutate/find.ts";
import { applied } from "../../scripts/mutate/mutant.ts";
import { sqlTextEdits } from "../../scripts/mutate/sql-rules.ts";

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(" )", ")").trim();
}

function mutated(text: string): readonly string[] {
  return sqlTextEdits(text).map((edit) => squeezed(applied(text, edit)));
}

describe.each([
  ["the only condition", "select a from t where b", ["select a from t where true"]],
  [
    "two conditions",
    "select a from t where b and c",
    ["select a from t where true and c", "select a from t where b"],
  ],
  [
    "either of two in brackets",
    "select a from t where (b or c)",
    [
      "select a from t where true",
      "select a from t where (b)",
      "select a from t where (false or c)",
    ],
  ],
  [
    "a range is one condition",
    "select a from t where b between c and d and e",
    ["select a from t where true and e", "select a from t where b between c and d"],
  ],
  ["a join", "from t left join u using (a)", ["from t join u using (a)"]],
  [
    "an order",
    "select a order by b, c desc",
    ["select a order by b desc, c desc", "select a order by b, c asc"],
  ],
  ["a limit", "select a limit b", ["select a"]],
  ["a union", "select a union select b", ["select a union all select b"]],
  ["all of a union", "select a union all select b", ["select a union select b"]],
  [
    "a lock that skips",
    "select a for no key update of t skip locked",
    ["select a", "select a for no key update of t"],
  ],
  ["a default", "select coalesce(a, b)", ["select (a)"]],
  ["the greater", "select greatest(a, b)", ["select least(a, b)"]],
  ["a set", "update t set a = b, c = d", ["update t set c = d", "update t set a = b"]],
] as const)("%s", (_, text, expected) => {
  test("has these faults", () => {
    expect(mutated(text).toSorted()).toEqual([...expected].toSorted());
  });
});

test.each([
  ["a <= 7", "a < 7"],
  ["a <= 7", "a > 7"],
  ["a <= 7", "a <= 8"],
  ["a = 'x'", "a <> 'x'"],
  ["a = 'x'", "a = 'x_'"],
  ["a is null", "a is not null"],
  ["a is not null", "a is null"],
  ["a is distinct from b", "a is not distinct from b"],
  ["not exists (select)", "exists (select)"],
  ["exists (select)", "not exists (select)"],
  ["a in ('x')", "a not in ('x')"],
  ["a + b > c", "a - b > c"],
])("where %s: where %s", (before, after) => {
  expect(mutated(`select x where ${before}`)).toContain(`select x where ${after}`);
});

test("what the program puts in stays whole, whatever brackets it has", () => {
  const source =
    'const s = sql<Row>`select a from t where b = ${f("and", [1])}::text and c limit ${p.rows}`;';
  const found = mutantsIn("service/one.sql.ts", source).map((one) => applied(source, one));
  expect(found).toContain("const s = sql<Row>`select a from t where true and c limit ${p.rows}`;");
  expect(found).toContain(
    'const s = sql<Row>`select a from t where b = ${f("and", [1])}::text  limit ${p.rows}`;',
  );
  expect(found).toContain(
    'const s = sql<Row>`select a from t where b = ${f("and", [1])}::text and c `;',
  );
});

test("a piece of SQL in another one is looked at, too", () => {
  const source = "const s = sql`select a where ${isOn ? sql`b and c` : d}`;";
  const found = mutantsIn("service/one.sql.ts", source).map((one) => applied(source, one));
  expect(found).toContain("const s = sql`select a where ${isOn ? sql`b ` : d}`;");
});
