// The lines around a place, as people see them in an editor.

import { columnsOf, type Column } from "./width.ts";
import type { Paint } from "./screen.ts";

export interface Spot {
  /** 1-based */
  readonly line: number;
  readonly column: number;
}

interface Look {
  readonly columns: number;
  readonly paint: Paint;
  /** lines before and behind it */
  readonly around: number;
}

/** Columns that are left of a line that is wider than the terminal, on the left of the place. */
const leftMax = 30;

/**
 * ```text
 *   411 |       amount:
 * > 412 |         type: strng
 *       |               ^
 *   413 |         pattern: x
 * ```
 */
export function frameOf(
  lines: readonly string[],
  { line, column }: Spot,
  { columns, paint, around }: Look,
): readonly string[] {
  const first = Math.max(1, line - around);
  // what follows the last line break is no line
  const end = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const last = Math.max(line, Math.min(end, line + around));
  const digits = String(last).length;
  const room = Math.max(20, columns - digits - 6);
  const target = columnsOf(lines[line - 1] ?? "");
  const isBehind = column > (lines[line - 1] ?? "").length;
  const index = isBehind ? target.length : target.findLastIndex(({ at }) => at < column);
  const from = leftOf(target, index, room);
  const found: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const isHere = number === line;
    const parts = isHere ? target : columnsOf(lines[number - 1] ?? "");
    const gutter = `${isHere ? ">" : " "} ${String(number).padStart(digits)} |`;
    const text = cut(parts, from, room);
    found.push(`${paint(isHere ? "bold" : "dim", gutter)} ${text}`.trimEnd());
    if (!isHere) continue;
    const before = target.slice(from, index).reduce((sum, { width }) => sum + width, 0);
    const offset = before + (from > 0 ? 1 : 0);
    const mark = `${" ".repeat(offset)}${paint("red", "^")}`;
    found.push(`${paint("dim", `  ${" ".repeat(digits)} |`)} ${mark}`);
  }
  return found;
}

/** From which character on a line is shown, so that the place is in sight. */
function leftOf(parts: readonly Column[], index: number, room: number): number {
  const before = parts.slice(0, index).reduce((sum, { width }) => sum + width, 0);
  if (before < room - 10) return 0;
  const most = Math.min(leftMax, room >> 1);
  let from = index;
  for (let width = 0; from > 0; from -= 1) {
    width += parts[from - 1]?.width ?? 0;
    if (width > most) break;
  }
  return from;
}

function cut(parts: readonly Column[], from: number, room: number): string {
  let width = from > 0 ? 1 : 0;
  let text = from > 0 ? "…" : "";
  for (const part of parts.slice(from)) {
    if (width + part.width > room) return `${text}…`;
    text += part.text;
    width += part.width;
  }
  return text;
}
