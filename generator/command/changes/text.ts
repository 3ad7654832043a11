// Changes for people at a terminal.

import type { Change } from "../../changes/compare.ts";
import { positionOf, visible } from "../../problems.ts";
import { adviceOf, countsOf, operationsOf, shownOf, type Verdict, wordsOf } from "./verdict.ts";

export function textOf(verdict: Verdict): string {
  const { base, head } = verdict;
  const counts = `from ${base} to ${head}: ${countsOf(verdict)}`;
  return [...shownOf(verdict).map(linesOf), visible(counts)].join("\n");
}

function linesOf(change: Change): string {
  const { rule, message, place, places } = change;
  const { position, where } = positionOf(place);
  const isGone = place === places.base;
  const other = isGone ? places.head : places.base;
  const operations = operationsOf(change);
  return [
    `${position}  ${where}`,
    `${wordsOf(change)}: ${rule}: ${message}`,
    ...(operations === "" ? [] : [`in ${operations}`]),
    `${isGone ? "after" : "before"}: ${positionOf(other).position}`,
    ...adviceOf(change),
  ]
    .map(visible)
    .join("\n    ");
}
