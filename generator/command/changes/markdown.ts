// Changes as a table of Markdown, for a comment on a pull request or for a changelog. What comes from the documents
// stands in code: nothing of it is markup, calls a person, or links to an issue.

import type { Change } from "../../changes/compare.ts";
import { positionOf, visible } from "../../problems.ts";
import { adviceOf, countsOf, operationsOf, shownOf, type Verdict, wordsOf } from "./verdict.ts";

/** A comment on GitHub has at most 65,536 characters. */
const charactersMax = 60_000;

export function markdownOf(verdict: Verdict): string {
  const { base, head } = verdict;
  const shown = shownOf(verdict);
  const title = `From ${codeOf(base)} to ${codeOf(head)}: ${countsOf(verdict)}.`;
  if (shown.length === 0) return title;
  const rows: string[] = [];
  let characters = 0;
  for (const change of shown) {
    const row = rowOf(change);
    characters += row.length;
    if (characters > charactersMax) break;
    rows.push(row);
  }
  const left = shown.length - rows.length;
  const rest = left === 0 ? [] : ["", `${left} more are not shown here.`];
  const top = ["| whom | what | where | what to do |", "| --- | --- | --- | --- |"];
  return [title, "", ...top, ...rows, ...rest].join("\n");
}

function rowOf(change: Change): string {
  const { rule, message, place } = change;
  const { position, where } = positionOf(place);
  const operations = operationsOf(change);
  const cells = [
    wordsOf(change),
    `${codeOf(rule)}: ${codeOf(message)}${operations === "" ? "" : ` in ${codeOf(operations)}`}`,
    `${codeOf(position)} ${codeOf(where)}`,
    adviceOf(change).map(plain).join("<br>"),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** In ticks as far as a cell allows it; else as HTML, with every sign that means something written by its number. */
function codeOf(text: string): string {
  const line = visible(text);
  // in a cell a bar is escaped also where it is code, and what escapes a bar cannot be written before one
  if (line !== "" && !/`|\\\|/.test(line)) return `\`${line.replaceAll("|", String.raw`\|`)}\``;
  return `<code>${line.replaceAll(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`)}</code>`;
}

/** Our own words, and those of a contract's own rules. */
function plain(text: string): string {
  return visible(text).replaceAll(/[\\`*_[\]<>|#@~&]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
