// Which statement of the service the server speaks of: it puts a parameter in the place of each constant.

import { expect, test } from "vitest";
import { namesBy } from "../../scripts/bench/service/statement-costs.ts";

const nameOf = namesBy([
  { name: "one", text: "select 'it''s', $1::text, extract(epoch from at) from one limit 10" },
  { name: "two", text: "select x1.a is not true, -5\n  from x1 where b = null and c = 1.5" },
]);

test.each([
  ["select $2, $1::text, extract($3 from at) from one limit $4", "one"],
  ["select x1.a is not true, $1 from x1 where b = $2 and c = $3", "two"],
  ["select x2.a is not true, $1 from x2 where b = $2 and c = $3", undefined],
  ["vacuum   analyze", "vacuum analyze"],
])("%s", (text, name) => {
  expect(nameOf(text)).toBe(name ?? "select x2.a is not true, $1 from x2 where b = $2 and c = $3");
});
