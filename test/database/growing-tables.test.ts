// What docs/running/storage.md says of the tables that grow: each is there, once, and what is kept for ever is deleted by
// no statement.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../programs/child.ts";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");

function rows(): readonly { readonly tables: readonly string[]; readonly kept: string }[] {
  const [, below = ""] = read("docs/running/storage.md").split("\n## What grows\n");
  const [section = ""] = below.split("\n## ");
  const lines = section.matchAll(/^\| (`.*?`) +\|.*?\| (.*?) +\|$/gm);
  return Array.from(lines, ([, names = "", kept = ""]) => {
    const tables = Array.from(names.matchAll(/`(\w+)`/g), ([, name = ""]) => name);
    return { tables, kept };
  });
}

/** By a statement of the service, whatever of the table it is about. */
function deleted(): ReadonlySet<string> {
  const texts = globSync("service/**/*.sql.ts", { cwd: projectRoot }).map(read).join("\n");
  const forms = [/\bdelete from (\w+)/g, /\bdeleteFrom\("(\w+)/g];
  return new Set(
    forms.flatMap((form) => Array.from(texts.matchAll(form), ([, name = ""]) => name)),
  );
}

const named = rows().flatMap(({ tables }) => tables);

test("names tables that there are, each once", () => {
  const headings = read("docs/schema.md").matchAll(/^### (\w+)$/gm);
  const schema = new Set(Array.from(headings, ([, name]) => name));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !schema.has(name))).toEqual([]);
  expect(new Set(named).size).toBe(named.length);
});

test("of what is kept for ever nothing is deleted, and of the rest something is", () => {
  const gone = deleted();
  const forEver = rows().filter(({ kept }) => kept.startsWith("for ever"));
  const others = rows().filter(({ kept }) => !kept.startsWith("for ever"));
  expect(others.flatMap(({ tables }) => tables).filter((name) => !gone.has(name))).toEqual([]);
  // Of transfers that are measured later, those whose block is gone before.
  expect(forEver.flatMap(({ tables }) => tables).filter((name) => gone.has(name))).toEqual([
    "measured_transfers",
  ]);
});
