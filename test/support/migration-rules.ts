// What a migration may not say, since servers of the version before go on serving while it is applied, and whatever it
// locks is locked to them (PostgreSQL 15, "ALTER TABLE", "Explicit Locking").

import type { Migration } from "../../adapters/database/migration-files.ts";

interface Rule {
  readonly form: RegExp;
  /** what is wrong with it, and what to do instead */
  readonly text: string;
}

const name = String.raw`"?([a-z0-9_]+)"?`;
const inTable = String.raw`alter table (?:if exists )?(?:only )?${name}\b[^;]*?`;

/** The first group of each is the table: of one that the same file makes, everything may be said. */
const rules: readonly Rule[] = [
  {
    form: new RegExp(
      String.raw`${inTable}\bdrop (?!constraint|default|not null|expression|identity)`,
    ),
    text: "takes a column away from servers that still name it: leave it until no version does, and say which with -- contracts:",
  },
  {
    form: new RegExp(`drop table (?:if exists )?${name}`),
    text: "takes a table away from servers that still name it: leave it until no version does, and say which with -- contracts:",
  },
  {
    form: new RegExp(String.raw`${inTable}\brename\b`),
    text: "renames what servers still name: add the new one, write both, and take the old one away two versions later",
  },
  {
    form: new RegExp(String.raw`${inTable}\b(?:set data )?type\b`),
    text: "writes the whole table anew under a lock: add a column of the new type, and fill it in parts",
  },
  {
    form: new RegExp(
      String.raw`${inTable}\badd (?:column )?(?!constraint)[^,;]*\bnot null\b(?![^,;]*\bdefault\b)`,
    ),
    text: "refuses the rows of servers that do not know the column: give it a default",
  },
  {
    form: new RegExp(
      String.raw`${inTable}\badd (?:column )?(?!constraint)[^,;]*(?:\bserial\b|\bbigserial\b|\bstored\b|default [^,;]*(?:random|nextval|clock_timestamp)[^,;]*\()`,
    ),
    text: "writes the whole table anew under a lock: add it empty, and fill it in parts",
  },
  {
    form: new RegExp(String.raw`${inTable}\balter (?:column )?\S+ set not null`),
    text: "reads the whole table under a lock: add a check (... is not null) not valid, validate it in a later file, then set it",
  },
  {
    form: new RegExp(
      String.raw`${inTable}\badd (?:constraint \S+ )?(?:check|foreign key)\b(?![^;]*?\bnot valid\b)`,
    ),
    text: "reads the whole table under a lock: say not valid, and validate it in a later file",
  },
  {
    form: new RegExp(
      String.raw`${inTable}\badd (?:constraint \S+ )?(?:unique|primary key|exclude)\b(?! using index)`,
    ),
    text: "builds its index under a lock: build it with -- before:, then add the constraint using index",
  },
  {
    form: new RegExp(String.raw`\b(?:cluster|vacuum full|lock table|reindex table) ${name}`),
    text: "holds everybody up for as long as the table is big",
  },
  {
    form: new RegExp(String.raw`\bupdate (?:only )?${name} (?:\w+ )?set\b|\bdelete from ${name}\b`),
    text: "changes rows of a table that may be big in one transaction, whose locks others wait for: do it in parts, from a job",
  },
  {
    form: new RegExp(String.raw`\btruncate (?:table )?${name}`),
    text: "takes rows away from servers that still read them",
  },
];

const madeTable = new RegExp(`create table (?:if not exists )?${name}`, "g");
const index = new RegExp(
  `create (?:unique )?index (?:concurrently )?(?:if not exists )?${name} on (?:only )?${name}`,
  "g",
);

/** Of a file that begins after version 43, the first one that others were to work beside. */
export function migrationMistakes(migration: Migration): readonly string[] {
  const mistakes: string[] = [];
  if (!/^-- compatible from \d+$/m.test(migration.sql)) {
    mistakes.push(
      "does not say in its first lines which version still works with it: -- compatible from N",
    );
  }
  const contracts = /^-- contracts: \S/m.test(migration.sql);
  const sql = withoutComments(migration.sql);
  const own = new Set(Array.from(sql.matchAll(madeTable), ([, table = ""]) => table));
  for (const statement of sql.split(";")) {
    for (const { form, text } of rules) {
      const [, table = "", other = ""] = form.exec(statement) ?? [];
      if (table + other === "" || own.has(table || other)) continue;
      if (contracts && text.includes("-- contracts:")) continue;
      mistakes.push(`${table || other}: ${text}`);
    }
  }
  for (const [, made = "", table = ""] of sql.matchAll(index)) {
    if (own.has(table)) continue;
    mistakes.push(
      `${table}: holds up every write while the index ${made} is made: say it in a comment, -- before: create index ` +
        `concurrently if not exists ${made} on ${table} ...`,
    );
  }
  return mistakes;
}

/** One space between words, lower case, texts empty. */
function withoutComments(sql: string): string {
  return sql
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
}
