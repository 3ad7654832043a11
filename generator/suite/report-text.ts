// A matrix as text for a terminal: operations down, statuses across, and in each place how many of the
// codes were met. Below stands what is missing or wrong. Nothing in it depends on time or order.

import { type CellState, cellsOf, type JudgedCell, type Matrix, type MatrixRow } from "./cells.ts";
import { nameOf } from "./cells.ts";

const headings: readonly (readonly [CellState, string])[] = [
  ["empty", "Promised, and never met"],
  ["undocumented", "Met, and never promised"],
  ["failed", "Met, and not what is promised"],
];

export function textReport(matrix: Matrix): string {
  const all = cellsOf(matrix);
  const good = cellsOf(matrix, "met");
  const untried = cellsOf(matrix, "untried");
  const summary =
    `${matrix.rows.length} operations x status x code: ` +
    `${good.length} of ${all.length} answers met as they are promised` +
    (untried.length === 0 ? "" : `, ${untried.length} not tried`);
  const lists = headings.flatMap(([state, heading]) => {
    const cells = cellsOf(matrix, state);
    return cells.length === 0 ? [] : ["", `${heading}:`, ...cells.flatMap(linesOf)];
  });
  return [summary, "", ...tableOf(matrix), ...lists, ...untriedLines(matrix)].join("\n");
}

function tableOf({ rows, statuses }: Matrix): readonly string[] {
  const width = Math.max(0, ...rows.map(({ operation }) => operation.length));
  const places = rows.map((row) => statuses.map((status) => countIn(row, status)));
  const widths = statuses.map((status, column) =>
    Math.max(String(status).length, ...places.map((texts) => (texts[column] ?? "").length)),
  );
  const line = (name: string, texts: readonly string[]): string =>
    [name.padEnd(width), ...texts.map((text, column) => text.padStart(widths[column] ?? 0))]
      .join("  ")
      .trimEnd();
  return [
    line("", statuses.map(String)),
    ...rows.map(({ operation }, index) => line(operation, places[index] ?? [])),
  ];
}

/** "3": all three codes; "2/3": one of them is missing or wrong; ".": nothing is promised. */
function countIn({ cells }: MatrixRow, status: number): string {
  const own = cells.filter((cell) => cell.status === status);
  const good = own.filter(({ state }) => state === "met").length;
  if (own.length === 0) return ".";
  return good === own.length ? String(good) : `${good}/${own.length}`;
}

function linesOf(cell: JudgedCell): readonly string[] {
  const problems = cell.met.filter(
    ({ problem }) => problem !== undefined || cell.state === "undocumented",
  );
  return [`  ${nameOf(cell)}`, ...problems.map(({ by }) => `    ${by}`)];
}

/** By reason, and then by status and code: what all operations have in common is said once. */
function untriedLines(matrix: Matrix): readonly string[] {
  const cells = cellsOf(matrix, "untried");
  if (cells.length === 0) return [];
  const answerOf = ({ status, code }: JudgedCell): string => [status, code].join(" ").trimEnd();
  const everywhere = Map.groupBy(cellsOf(matrix), answerOf);
  const reasons = Map.groupBy(cells, ({ reason = "" }) => reason);
  const lines = [...reasons].flatMap(([reason, own]) => {
    const named = Array.from(Map.groupBy(own, answerOf), ([answer, those]) => {
      const isAll = those.length > 1 && those.length === everywhere.get(answer)?.length;
      const where = isAll ? "everywhere" : those.map(({ operation }) => operation).join(", ");
      return `    ${answer}: ${where}`;
    });
    return [`  ${reason} (${own.length})`, ...named];
  });
  return ["", "Promised, and not tried:", ...lines];
}
