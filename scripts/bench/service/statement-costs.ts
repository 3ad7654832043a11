// Where the time of the database goes, by statement: counted by PostgreSQL's own extension pg_stat_statements
// (package postgresql-contrib; Debian's server has it), which puts $1, $2, ... in the place of what is fixed.

import type { NamedText } from "../../../test/tidy/statements.ts";
import { readStatements } from "../../../test/tidy/statements.ts";
import { query } from "../measuring.ts";

const extension = "pg_stat_statements";

/** For the start of the server. */
export const countingSettings = {
  shared_preload_libraries: extension,
  [`${extension}.track_planning`]: "on",
};

const rowsMax = 40;
const textMax = 60;

export async function beginStatementCosts(url: string): Promise<void> {
  await query(url, `create extension if not exists ${extension}`);
  await query(url, "select pg_stat_statements_reset()");
}

interface Cost {
  readonly name: string;
  readonly calls: number;
  readonly plans: number;
  /** of them */
  readonly planned: number;
  /** of the calls themselves */
  readonly ran: number;
}

/** @param count what the costs are shared among, such as deliveries */
export async function statementCostLines(url: string, count: number): Promise<readonly string[]> {
  const nameOf = namesBy(await readStatements());
  const rows = await query(
    url,
    `select query, calls::float, plans::float, total_plan_time, total_exec_time from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())`,
  );
  const costs = rows.map((row): Cost => {
    const text = String(row["query"]);
    return {
      name: nameOf(text),
      calls: Number(row["calls"]),
      plans: Number(row["plans"]),
      planned: Number(row["total_plan_time"]),
      ran: Number(row["total_exec_time"]),
    };
  });
  const sums = Map.groupBy(costs, ({ name }) => name);
  const all = Array.from(sums, ([name, each]) => sumOf(name, each));
  const cells = ({ calls, plans, planned, ran }: Cost): readonly string[] =>
    [calls, plans, planned * 1_000, ran * 1_000].map((sum) => (sum / count).toFixed(2));
  const line = (cost: Cost): string => `| ${[cost.name, ...cells(cost)].join(" | ")} |`;
  return [
    "| for each | calls | plans | us planning | us running |",
    "| --- | ---: | ---: | ---: | ---: |",
    ...all
      .toSorted((a, b) => timeOf(b) - timeOf(a))
      .slice(0, rowsMax)
      .map(line),
    line(sumOf("all", all)),
  ];
}

function timeOf({ planned, ran }: Cost): number {
  return planned + ran;
}

function sumOf(name: string, costs: readonly Cost[]): Cost {
  const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
  return {
    name,
    calls: sum(({ calls }) => calls),
    plans: sum(({ plans }) => plans),
    planned: sum(({ planned }) => planned),
    ran: sum(({ ran }) => ran),
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
    .replaceAll(/\bextract\(\w+/g, "extract(?")
    .replaceAll(/'(?:[^']|'')*'|\$\d+|-?\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b/gi, "?")
    .replaceAll(/\s+/g, " ")
    .trim();
}
