// Where the time of the database goes, by statement: counted by PostgreSQL's own extension pg_stat_statements
// (package postgresql-contrib; Debian's server has it), which puts $1, $2, ... in the place of what is fixed.

import type { NamedText } from "../../../test/tidy/statements.ts";
import { readStatements } from "../../../test/tidy/statements.ts";
import { query } from "../measuring.ts";

/** For the start of the server. */
export const countingLibrary = "pg_stat_statements";

const rowsMax = 40;
const textMax = 60;

export async function beginStatementCosts(url: string): Promise<void> {
  await query(url, `create extension if not exists ${countingLibrary}`);
  await query(url, "select pg_stat_statements_reset()");
}

interface Cost {
  readonly name: string;
  readonly calls: number;
  readonly milliseconds: number;
}

/** @param count what the costs are shared among, such as deliveries */
export async function statementCostLines(url: string, count: number): Promise<readonly string[]> {
  const nameOf = namesBy(await readStatements());
  const rows = await query(
    url,
    `select query, calls::double precision, total_exec_time from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())`,
  );
  const costs = rows.map((row): Cost => {
    const text = String(row["query"]);
    return {
      name: nameOf(text),
      calls: Number(row["calls"]),
      milliseconds: Number(row["total_exec_time"]),
    };
  });
  const sums = Map.groupBy(costs, ({ name }) => name);
  const all = Array.from(sums, ([name, each]) => sumOf(name, each));
  const line = ({ name, calls, milliseconds }: Cost): string =>
    `| ${name} | ${(calls / count).toFixed(2)} | ${((milliseconds * 1_000) / count).toFixed(1)} |`;
  return [
    "| statement | calls for each | us for each |",
    "| --- | ---: | ---: |",
    ...all
      .toSorted((a, b) => b.milliseconds - a.milliseconds)
      .slice(0, rowsMax)
      .map(line),
    line(sumOf("all", all)),
  ];
}

function sumOf(name: string, costs: readonly Cost[]): Cost {
  return {
    name,
    calls: costs.reduce((sum, { calls }) => sum + calls, 0),
    milliseconds: costs.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
  };
}

/** The name of the service's statement with this text; of another one its beginning. */
export function namesBy(statements: readonly NamedText[]): (text: string) => string {
  const names = new Map(statements.map(({ name, text }) => [withoutConstants(text), name]));
  return (text) =>
    names.get(withoutConstants(text)) ?? text.replaceAll(/\s+/g, " ").trim().slice(0, textMax);
}

/** The server names all constants alike, and tells of those that it was given with the values. */
function withoutConstants(text: string): string {
  return text
    .replaceAll(/'(?:[^']|'')*'|\$\d+|-?\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b/gi, "?")
    .replaceAll(/\s+/g, " ")
    .trim();
}
