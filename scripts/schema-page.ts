// docs/schema.md as it has to be: what a migrated database has, with the comments of the migrations.

import { PGlite } from "@electric-sql/pglite";
import { format } from "prettier";
import { readMigrations } from "../adapters/database/migration-files.ts";
import { sqlComments } from "./schema-comments.ts";
import type { TableComments } from "./schema-comments.ts";

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly standard: string | null;
}

interface Constraint {
  readonly table: string;
  /** p: primary key, u: unique, f: foreign key, c: check */
  readonly type: "p" | "u" | "f" | "c";
  readonly columns: readonly string[];
  /** of a foreign key: the table it points to */
  readonly target: string | null;
  /** as the database writes it */
  readonly text: string;
}

interface Schema {
  readonly columns: readonly Column[];
  readonly constraints: readonly Constraint[];
}

const columnsQuery = `
  select c.relname as "table", a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as "isRequired", pg_get_expr(d.adbin, d.adrelid) as standard
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind in ('r', 'v')
  order by c.oid, a.attnum`;

const constraintsQuery = `
  select c.relname as "table", k.contype::text as type, t.relname as target,
    pg_get_constraintdef(k.oid) as text,
    array(
      select a.attname::text from unnest(k.conkey) with ordinality as u (number, place)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = u.number order by u.place
    ) as columns
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  left join pg_class t on t.oid = k.confrelid
  where k.contype in ('p', 'u', 'f', 'c')
  order by c.oid, k.contype, k.conname`;

/** @param archive of a migrated embedded database */
export async function renderSchemaPage(archive: Blob): Promise<string> {
  const pglite = await PGlite.create({ loadDataDir: archive });
  try {
    const { rows: columns } = await pglite.query<Column>(columnsQuery);
    const { rows: constraints } = await pglite.query<Constraint>(constraintsQuery);
    return await format(page({ columns, constraints }), { parser: "markdown", printWidth: 100 });
  } finally {
    await pglite.close();
  }
}

function page(schema: Schema): string {
  const subjects = readMigrations().map(({ name, sql }) => ({ name, sql, ...sqlComments(sql) }));
  const all = new Set(schema.columns.map(({ table }) => table));
  const parts = subjects.map((subject, index) => {
    const tables = [...subject.tables.keys()].filter((table) => all.has(table));
    const title = subject.name.replace(/^\d+_/, "").replace(".sql", "").replaceAll("_", " ");
    const texts = tables.map((table) => {
      const later = subjects.flatMap(({ added }) => [...(added.get(table) ?? [])]);
      const known = subject.tables.get(table);
      const columns = new Map([...later, ...(known?.columns ?? [])]);
      return tableText(table, schema, { about: known?.about ?? "", columns });
    });
    // With a number, so that its anchor is not the one of a table of the same name.
    const heading = `## ${Number.parseInt(subject.name, 10)}. ${capital(title)}`;
    // A released file is never edited: what changed since is said by the file that changed it.
    const since = subjects
      .slice(index + 1)
      .filter(({ sql, tables: own }) => own.size === 0 && tables.some((one) => alters(sql, one)))
      .filter(({ about }) => about !== "")
      .map(({ name, about }) => `Since \`${name}\`: ${about}`);
    return { title, tables, text: [heading, subject.about, ...since, ...texts].join("\n\n") };
  });
  const filled = parts.filter(({ tables }) => tables.length > 0);
  const contents = filled.map(({ title, tables }) => {
    const links = tables.map((table) => `[\`${table}\`](#${table})`).join(", ");
    return `| ${title} | ${links} |`;
  });
  return [
    "# Schema",
    "For maintainers: every table of the database, its columns and references.",
    "Made by `npm run schema` from a migrated database and the comments of the migrations in " +
      "`adapters/database/migrations/`. Do not edit it: a test compares it.",
    ["| subject | tables |", "| --- | --- |", ...contents].join("\n"),
    ...filled.map(({ text }) => text),
    "",
  ].join("\n\n");
}

function alters(sql: string, table: string): boolean {
  return new RegExp(`^alter table ${table}\\b`, "m").test(sql);
}

function tableText(table: string, schema: Schema, known: TableComments): string {
  const constraints = schema.constraints.filter((one) => one.table === table);
  const rows = schema.columns
    .filter((column) => column.table === table)
    .map((column) => columnRow(column, constraints, known.columns.get(column.name) ?? ""));
  const users = schema.constraints.filter((one) => one.type === "f" && one.target === table);
  const usedBy = [...new Set(users.map((one) => `[\`${one.table}\`](#${one.table})`))];
  return [
    `### ${table}`,
    capital(known.about),
    ["| column | type | references | meaning |", "| --- | --- | --- | --- |", ...rows].join("\n"),
    ...keys(constraints),
    ...(usedBy.length === 0 ? [] : [`Referenced by ${usedBy.join(", ")}.`]),
  ]
    .filter((one) => one !== "")
    .join("\n\n");
}

function columnRow(column: Column, constraints: readonly Constraint[], comment: string): string {
  const isAbout = (one: Constraint): boolean => one.columns.includes(column.name);
  const targets = constraints
    .filter((one) => one.type === "f" && isAbout(one))
    .map(({ target }) => `[\`${target}\`](#${target})`);
  const words = constraints
    .filter((one) => one.type === "c" && isAbout(one) && one.columns.length === 1)
    .map((one) => wordsOf(one.text));
  const standard = column.standard === null ? "" : `default \`${shorter(column.standard)}\``;
  const meaning = [comment, ...words, standard]
    .filter((one) => one !== "")
    .join("; ")
    .replaceAll(".; ", "; ");
  const type = `${shorter(column.type)}${column.isRequired ? "" : ", null"}`;
  const cells = [`\`${column.name}\``, type, [...new Set(targets)].join(", "), meaning];
  return `| ${cells.map((cell) => cell.replaceAll("|", String.raw`\|`)).join(" | ")} |`;
}

/** `CHECK (status = ANY (ARRAY['a'::text, 'b'::text]))`, and nothing of any other check. */
function wordsOf(check: string): string {
  const list = /^CHECK \(\(\w+ = ANY \(ARRAY\[(.*)\]\)\)\)$/.exec(check)?.[1];
  if (list === undefined) return "";
  return Array.from(list.matchAll(/'([^']*)'/g), ([, word = ""]) => `\`${word}\``).join(" ");
}

function keys(constraints: readonly Constraint[]): readonly string[] {
  const of = (type: "p" | "u"): readonly string[] =>
    constraints.filter((one) => one.type === type).map(({ columns }) => columns.join(", "));
  const unique = of("u").map((columns) => `(${columns})`);
  const lines = [
    ...of("p").map((columns) => `Primary key: ${columns}.`),
    ...(unique.length === 0 ? [] : [`Unique: ${unique.join(", ")}.`]),
  ];
  return lines.length === 0 ? [] : [lines.join(" ")];
}

/** In fewer words than the database uses. */
function shorter(text: string): string {
  return text
    .replace("timestamp with time zone", "timestamptz")
    .replaceAll(/::(?:text|jsonb|bigint|numeric)(?![\w[])/g, "");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
