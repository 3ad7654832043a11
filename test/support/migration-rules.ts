// What a migration may say, since servers of the version before go on serving while it is applied, and whatever it
// locks is locked to them until it is committed (PostgreSQL 15, "ALTER TABLE", "Explicit Locking"). What is not on the
// list is refused: whoever needs more adds it here, with the reason why nobody is held up by it.

import { indexesBefore } from "../../adapters/database/migration-files.ts";
import type { Migration } from "../../adapters/database/migration-files.ts";

const constant = String.raw`(?:-?[\d.]+|''(?:::[a-z ]+)?|true|false|null|now\(\))`;
const types =
  "text|integer|bigint|smallint|boolean|numeric|timestamptz|date|interval|jsonb|bytea|uuid|inet|cidr";
const type = String.raw`(?:${types})(?:\([\d, ]+\))?(?:\[\])?`;

/** By form: what is said to a table that others use. */
const actions: readonly RegExp[] = [
  new RegExp(
    String.raw`^add (?:column )?(?:if not exists )?(?!constraint )\w+ ${type}(?: null)?(?: (?:not null )?default ${constant}(?: not null)?)?$`,
  ),
  /^add constraint \w+ (?:check|foreign key) .*\bnot valid$/,
  /^validate constraint \w+$/,
  // of columns that are not null: what may be null is read as a whole
  /^add constraint \w+ (?:unique|primary key) using index \w+$/,
  /^drop constraint (?:if exists )?\w+$/,
  /^alter (?:column )?\w+ drop not null$/,
  new RegExp(String.raw`^alter (?:column )?\w+ set default ${constant}$`),
];

/** With a line that says why nobody names it any more. */
const contractions: readonly RegExp[] = [
  /^alter table \w+ drop (?:column )?(?!constraint )(?:if exists )?\w+$/,
  /^drop (?:table|view|function|trigger|type) (?:if exists )?\w+(?:\([\w, ]*\))?(?: on \w+)?$/,
];

/** Nobody who is there hears of it. */
const additions: readonly RegExp[] = [
  /^create table (?:if not exists )?\w+ ?\(/,
  /^create (?:or replace )?(?:function|view) \w+\b/,
  /^create (?:type|domain|sequence) \w+\b/,
  /^comment on /,
  /^insert into \w+\b/,
];

/** Why, of what people write without thinking of it. */
const reasons: readonly (readonly [form: RegExp, text: string])[] = [
  [
    /^create (?:unique )?index/,
    "holds up every write while its index is made: say it in a comment, -- before: create index concurrently if not exists NAME on TABLE ...",
  ],
  [
    /\bdrop (?:column|table|view|function)\b|^alter table \w+ drop (?!constraint)/,
    "is taken away from servers that still name it: leave it until no version does, and say which with -- contracts:",
  ],
  [
    /\brename\b/,
    "is renamed, and servers still name it: add the new one, write both, take the old one away two versions later",
  ],
  [
    /\b(?:set data )?type\b|serial\b|\bgenerated\b|\bstored\b|\bdefault\b.*\(/,
    "is written anew under a lock, or may be: add a column with a constant or none, and fill it in parts",
  ],
  [
    /\bset not null\b/,
    "is read as a whole under a lock: add a check (... is not null) not valid, validate it in a later file, then set it",
  ],
  [
    /\bnot null\b/,
    "refuses the rows of servers that do not know the column: give it a default that is constant",
  ],
  [
    /\b(?:unique|primary key|exclude)\b/,
    "gets its index under a lock: build it with -- before:, then add the constraint using index",
  ],
  [
    /\b(?:check|references|foreign key)\b/,
    "is read as a whole under a lock: add the constraint by itself, not valid, and validate it in a later file",
  ],
  [
    /^(?:update|delete|merge)\b/,
    "has rows changed in one transaction, whose locks others wait for: do it in parts, from a job",
  ],
  [
    /^create (?:constraint )?trigger\b/,
    "gets a trigger that fires for servers that do not know it",
  ],
  [/^do\b/, "is not looked into: write what the block does as statements"],
];

/** Of a file that begins after version 43, the first one that others were to work beside. */
export function migrationMistakes(migration: Migration): readonly string[] {
  const mistakes: string[] = [];
  if (!/^-- compatible from \d+$/m.test(migration.sql)) {
    mistakes.push(
      "it does not say in its first lines which version still works with it: -- compatible from N",
    );
  }
  const statements = statementsOf(migration.sql);
  const made = statements.map((one) => /^create table (?:if not exists )?(\w+) ?\(/.exec(one)?.[1]);
  const own = new Set(made.filter((table) => table !== undefined));
  const isContracting = /^-- contracts: \S/m.test(migration.sql);
  for (const statement of statements) {
    const isFine = isAllowed(statement, { own, statements, isContracting });
    if (!isFine) mistakes.push(`"${statement.slice(0, 60)}" ${reasonOf(statement)}`);
  }
  for (const { table, index } of indexesBefore(migration)) {
    // It is made before the file is applied.
    if (statements.some((one) => one.startsWith(`alter table ${table} add `))) {
      mistakes.push(
        `the index ${index} may be of a column that the same file adds: make it before the next one`,
      );
    }
  }
  return mistakes;
}

interface Context {
  /** tables that the file makes: of these everything may be said */
  readonly own: ReadonlySet<string>;
  readonly statements: readonly string[];
  readonly isContracting: boolean;
}

function isAllowed(statement: string, { own, statements, isContracting }: Context): boolean {
  if (additions.some((form) => form.test(statement))) return true;
  if (isContracting && contractions.some((form) => form.test(statement))) return true;
  const subject =
    /^(?:alter table (?:if exists )?(?:only )?|update (?:only )?|delete from |create (?:constraint )?trigger .* on |create (?:unique )?index (?:if not exists )?(?:\w+ )?on (?:only )?)(\w+)(?![\w.])/.exec(
      statement,
    )?.[1];
  if (subject !== undefined && own.has(subject)) return true;
  const altered = /^alter table (?:if exists )?(?:only )?\w+ (?<rest>.*)$/.exec(statement)
    ?.groups?.["rest"];
  if (altered === undefined) return false;
  return partsOf(altered).every((action) => {
    const validated = /^validate constraint (\w+)$/.exec(action)?.[1];
    // The lock of adding it is kept until the commit.
    if (
      validated !== undefined &&
      statements.some((one) => one.includes(`add constraint ${validated} `))
    )
      return false;
    return actions.some((form) => form.test(action));
  });
}

function reasonOf(statement: string): string {
  const found = reasons.find(([form]) => form.test(statement));
  return (
    found?.[1] ??
    "is not among what is known to hold nobody up: see test/support/migration-rules.ts"
  );
}

/** Texts are empty, bodies in dollars too, comments are gone; one space between words, in lower case. */
function statementsOf(sql: string): readonly string[] {
  const tokens =
    /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;|"(?:[^"]|"")*"|[^-/'$;"]+|./g;
  const parts = Array.from(sql.matchAll(tokens), ([token]) => {
    if (token.startsWith("--") || token.startsWith("/*")) return " ";
    return token.startsWith("'") || /^\$\w*\$/.test(token) ? "''" : token;
  });
  // A semicolon stands alone: all others are inside of something.
  const statements: string[] = [""];
  for (const part of parts) {
    if (part === ";") statements.push("");
    else statements.push(`${statements.pop() ?? ""}${part}`);
  }
  return statements
    .map((one) => one.replaceAll(/\s+/g, " ").trim().toLowerCase())
    .filter((one) => one !== "");
}

/** Between commas that are in no parentheses. */
function partsOf(text: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "," && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${character}`);
  }
  return parts.map((one) => one.trim());
}
