// No merchant comes near what another one owns: whatever a statement reads or changes in a table of
// merchants' things, it compares the owner with a value that it was handed.

import type { SourceFiles } from "./source-files.ts";
import type { NamedText } from "./statements.ts";

type Columns = ReadonlySet<OwnerColumn>;

/** The tables and views of merchants' things, and the columns that have to say whose it is. */
type OwnedTables = ReadonlyMap<string, Columns>;

const ownerColumns = ["merchant_id", "environment"] as const;
type OwnerColumn = (typeof ownerColumns)[number];
/** How the values of many requests at once are named. */
const handedIn = { merchant_id: "[mM]erchantId", environment: "[eE]nvironment" } as const;

/**
 * Read from the migrations: what has a merchant, and what belongs to such a thing. So a new table
 * counts from its first day.
 */
export function readOwnedTables(migrations: SourceFiles): OwnedTables {
  const text = Array.from(migrations.values()).join("\n").replaceAll(/--.*/g, "");
  const made = text.matchAll(/create (?:table|view) (\w+) (.*?);$/gms);
  const bodies = Array.from(made, ([, name = "", body = ""]) => ({ name, body }));
  const owned = new Map<string, Columns>();
  for (const { name, body } of bodies) {
    const columns = ownerColumns.filter((column) => new RegExp(`\\b${column}\\b`).test(body));
    // What it refers to stands before it.
    const parents = Array.from(body.matchAll(/references (\w+)/g), ([, parent = ""]) => parent);
    const isOwned = columns.includes("merchant_id") || parents.some((one) => owned.has(one));
    if (isOwned) owned.set(name, new Set(["merchant_id", ...columns] as const));
  }
  return owned;
}

/** What of the statement reads or changes an owned table without asking whose it is. */
export function ownershipProblems(
  { name, text }: NamedText,
  owned: OwnedTables,
): readonly string[] {
  const parts = partsOf(text);
  const problems = new Set<string>();
  for (const [table, columns] of owned) {
    const lacking = parts
      .filter((part) => mentions(part, table))
      .map((part) => ({ part, columns: lackingColumns(part, columns) }));
    // What is changed afterwards, in the same statement, is the row that was locked under its owner.
    const isLocked = lacking.some(
      (one) => one.columns.length === 0 && /\bfor (?:no key )?update\b/.test(one.part),
    );
    if (isLocked) continue;
    for (const one of lacking) {
      if (one.columns.length > 0) {
        problems.add(`${name}: ${table} without ${one.columns.join(", ")}`);
      }
    }
  }
  return [...problems];
}

function lackingColumns(part: string, columns: Columns): readonly string[] {
  const lacking = [...columns].filter((column) => !compares(part, column));
  // An Idempotency-Key belongs to the merchant, whichever API key it came with.
  const isByKey = /\bidempotency_key"? = \$\d+/.test(part);
  return isByKey ? lacking.filter((column) => column !== "environment") : lacking;
}

const subquery = /^\((?=\s*(?:select|insert|update|delete|with)\b)/i;

/** Each query of a statement for itself: the queries inside of it are parts of their own. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  const own = (at: number): { readonly text: string; readonly end: number } => {
    let found = "";
    for (let index = at; index < text.length; index++) {
      const character = text[index] ?? "";
      if (character === ")") return { text: found, end: index };
      if (character !== "(") {
        found += character;
        continue;
      }
      const inner = own(index + 1);
      if (subquery.test(text.slice(index, index + 20))) parts.push(inner.text);
      else found += `(${inner.text})`;
      index = inner.end;
    }
    return { text: found, end: text.length };
  };
  parts.push(own(0).text);
  return parts;
}

/** As the source or the target; a new row of one's own, which replaces none, harms nobody. */
function mentions(part: string, table: string): boolean {
  const isNewRow = new RegExp(`insert into "?${table}"?\\b`).test(part);
  if (isNewRow) return /\bon conflict\b.*\bdo update\b/s.test(part);
  return new RegExp(`(?<![."\\w])"?${table}"?(?![."\\w])`).test(part);
}

/** With a value, or with the owner of a row that was found so. */
function compares(part: string, column: OwnerColumn): boolean {
  const row = `"?\\w+"?\\."?(?:${column}\\b|\\w*${handedIn[column]}")`;
  const comparison = new RegExp(`\\b${column}"? = (?:\\$\\d+|${row})`);
  const conflict = new RegExp(`\\bon conflict \\([^)]*\\b${column}\\b`);
  return comparison.test(part) || conflict.test(part);
}
