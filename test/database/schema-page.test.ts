import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sqlComments } from "../../scripts/schema-comments.ts";
import { renderSchemaPage } from "../../scripts/schema-page.ts";
import { projectRoot } from "../programs/child.ts";
import { shared } from "../support/shared.ts";

test("docs/schema.md says what the database has; after a change: npm run schema", async () => {
  const page = readFileSync(join(projectRoot, "docs", "schema.md"), "utf8");
  const archive = new Blob([readFileSync(await shared("pgliteArchive"))]);
  expect(await renderSchemaPage(archive)).toBe(page);
});

test("comments belong to what follows them", () => {
  const sql = `-- The file.

-- The table
-- of two lines.
create table a (
  -- service/a.ts: the key (see service/b.ts)
  id text primary key,
  other text not null,
  -- no column
  constraint one unique (other)
);

create view b as
  select 1;

-- what it is for
alter table c add column purpose text;
alter table d
  -- when
  -- it began
  add column began_at timestamptz,
  add column ended_at timestamptz;
`;
  const { about, tables, added } = sqlComments(sql);
  expect(about).toBe("The file.");
  expect(Array.from(tables, ([name, one]) => [name, one.about, [...one.columns]])).toEqual([
    ["a", "The table of two lines.", [["id", "the key"]]],
    ["b", "", []],
  ]);
  expect(Array.from(added, ([name, columns]) => [name, [...columns]])).toEqual([
    ["c", [["purpose", "what it is for"]]],
    ["d", [["began_at", "when it began"]]],
  ]);
});
