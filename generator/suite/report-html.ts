// A matrix as one HTML page: the sums and the table; then what is missing or wrong, with the commands
// that repeat it; then, under each operation, who met what. It has no script and loads nothing.

import {
  type CellState,
  cellsOf,
  type JudgedCell,
  type Matrix,
  type MatrixRow,
  type Met,
  nameOf,
} from "./cells.ts";

export interface PageWish {
  readonly title: string;
  /** what was asked, and of whom: a sentence below the title */
  readonly about: string;
}

const states: readonly CellState[] = ["failed", "undocumented", "empty", "untried", "met"];
const repairable = states.filter((state) => state !== "met" && state !== "untried");

const words: Readonly<Record<CellState, { readonly sign: string; readonly meaning: string }>> = {
  failed: { sign: "✗", meaning: "met, and not what is promised" },
  undocumented: { sign: "!", meaning: "met, and never promised" },
  empty: { sign: "○", meaning: "promised, and never met" },
  untried: { sign: "–", meaning: "promised, and not tried" },
  met: { sign: "✓", meaning: "met as it is promised" },
};

export function htmlReport(matrix: Matrix, { title, about }: PageWish): string {
  const wrong = repairable.flatMap((one) => cellsOf(matrix, one));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(about)}</p>
<ul class="sums">${states.map((state) => sumOf(matrix, state)).join("")}</ul>
<h2>Operation × status × code</h2>
<div class="wide"><table>
<thead><tr><th></th>${matrix.statuses.map((status) => `<th>${status}</th>`).join("")}</tr></thead>
<tbody>
${matrix.rows.map((row) => rowOf(row, matrix.statuses)).join("\n")}
</tbody>
</table></div>
${wrong.length === 0 ? "" : `<h2>To repair</h2>\n${wrong.map(wrongCell).join("\n")}`}
<h2>Who met what</h2>
${matrix.rows.map(detailsOf).join("\n")}
</body>
</html>
`;
}

function sumOf(matrix: Matrix, state: CellState): string {
  const { sign, meaning } = words[state];
  const count = cellsOf(matrix, state).length;
  return `<li class="${count === 0 ? "none" : state}"><b>${count}</b> ${sign} ${meaning}</li>`;
}

function wrongCell(cell: JudgedCell): string {
  const { sign, meaning } = words[cell.state];
  const seen = cell.met.filter(
    ({ problem }) => problem !== undefined || cell.state === "undocumented",
  );
  return `<section class="${cell.state}"><h3>${sign} ${escapeHtml(nameOf(cell))}</h3> ${meaning}
${seen.map(seenAs).join("\n")}</section>`;
}

function seenAs({ by, problem, repeat }: Met): string {
  const told = problem === undefined ? "" : `<pre>${escapeHtml(problem)}</pre>`;
  const again = repeat === undefined ? "" : `<p>Again:</p><pre>${escapeHtml(repeat)}</pre>`;
  return `<details open><summary>${escapeHtml(by)}</summary>${told}${again}</details>`;
}

function rowOf({ operation, cells }: MatrixRow, statuses: readonly number[]): string {
  const places = statuses.map((status) => {
    const own = cells.filter((cell) => cell.status === status);
    const marks = own.map((cell) => {
      const { sign, meaning } = words[cell.state];
      const why = cell.reason === undefined ? "" : ` (${cell.reason})`;
      const told = `${nameOf(cell)}: ${meaning}${why}`;
      return `<span class="${cell.state}" title="${escapeHtml(told)}">${sign}</span>`;
    });
    return `<td>${marks.join("")}</td>`;
  });
  const name = `<a href="#${escapeHtml(operation)}">${escapeHtml(operation)}</a>`;
  return `<tr><th scope="row">${name}</th>${places.join("")}</tr>`;
}

function detailsOf({ operation, title, cells }: MatrixRow): string {
  const items = cells.map(({ status, code, state, reason, met }) => {
    const { sign } = words[state];
    const name = code === undefined ? String(status) : `${status} ${code}`;
    const who = new Set(met.map(({ by }) => by));
    const list = Array.from(who, (by) => `<li>${escapeHtml(by)}</li>`).join("");
    const heading = `<span class="${state}">${sign}</span> ${escapeHtml(name)}`;
    const why = reason === undefined ? "" : `<p>Not tried: ${escapeHtml(reason)}.</p>`;
    return `<dt>${heading}</dt><dd>${why}<ul>${list}</ul></dd>`;
  });
  const heading = `<code>${escapeHtml(operation)}</code> ${escapeHtml(title)}`;
  return `<details id="${escapeHtml(operation)}"><summary>${heading}</summary>
<dl>${items.join("\n")}</dl></details>`;
}

/** What HTML and XML write otherwise, in texts and in attributes. */
export const markupSigns: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For text and for attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[&<>"'\0]/g, (sign) => (sign === "\0" ? "\ufffd" : (markupSigns[sign] ?? sign)));
}

const style = `
:root { color-scheme: light dark; --line: #8886; --bad: #c62828; --odd: #b26a00; --good: #2e7d32; }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --odd: #ffcc80; --good: #a5d6a7; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem; padding: 0 1rem; }
.sums { display: flex; flex-wrap: wrap; gap: 1rem; list-style: none; padding: 0; }
.sums li { border: 1px solid; border-left-width: .4rem; padding: .5rem 1rem; }
.sums b { font-size: 1.5rem; }
.failed, .undocumented { color: var(--bad); border-color: var(--bad); }
.empty { color: var(--odd); border-color: var(--odd); }
.untried { opacity: .7; }
.met { color: var(--good); border-color: var(--good); }
.sums .none { opacity: .5; }
section { border-left: .4rem solid; margin: .3rem 0; padding: .1rem 1rem; }
section h3 { display: inline; font-size: 1rem; }
section details, section p { color: CanvasText; }
td .failed, td .undocumented { background: var(--bad); color: Canvas; padding: 0 .3rem; }
td .empty { background: var(--odd); color: Canvas; padding: 0 .3rem; }
pre { background: #8882; overflow-x: auto; padding: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: .15rem .4rem; text-align: left; vertical-align: top; }
td { font-family: monospace; min-width: 2rem; max-width: 8rem; overflow-wrap: anywhere; }
td span { cursor: help; }
summary { cursor: pointer; }
dd ul, dd p { margin: 0; font-size: .85rem; }
:target { outline: 2px solid; }
`;
