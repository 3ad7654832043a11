// Changes as annotations of GitHub Actions, at the lines of the newer revision.

import type { Change } from "../../changes/compare.ts";
import { visible } from "../../problems.ts";
import { workflowCommand } from "../tell-github.ts";
import {
  adviceOf,
  countsOf,
  isBreaking,
  isHarmless,
  operationsOf,
  shownOf,
  type Verdict,
  wordsOf,
} from "./verdict.ts";

/** `workspace`: what files are named relative to, `GITHUB_WORKSPACE`. */
export function githubOf(verdict: Verdict, workspace: string | undefined): string {
  const { base, head, failOn } = verdict;
  const annotations = shownOf(verdict).map((change) => {
    const kind = isBreaking(change, failOn) ? "error" : isHarmless(change) ? "notice" : "warning";
    const lines = linesOf(change);
    return workflowCommand(
      { kind, place: change.places.head, title: change.rule, lines },
      workspace,
    );
  });
  return [...annotations, visible(`from ${base} to ${head}: ${countsOf(verdict)}`)].join("\n");
}

function linesOf(change: Change): readonly string[] {
  const operations = operationsOf(change);
  const first = `${wordsOf(change)}: ${change.message}`;
  return [operations === "" ? first : `${first} (in ${operations})`, ...adviceOf(change)];
}
