// Text in columns, and times as a person says them.

import assert from "node:assert/strict";

/** The first row is the heading; every other one has as many cells. */
export function table(rows: readonly (readonly string[])[]): string {
  const [heading = []] = rows;
  assert(
    rows.every((row) => row.length === heading.length),
    `a row has more or fewer cells than ${heading.join(", ")}`,
  );
  const widths = heading.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
  return rows.map((row) => `${line(row).trimEnd()}\n`).join("");
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
] as const;

/** In the largest unit that fits. */
export function roughDuration(milliseconds: number): string {
  const unit = units.find(([, length]) => milliseconds >= length);
  const [name, length] = unit ?? ["s", 1000];
  return `${Math.floor(milliseconds / length)}${name}`;
}
