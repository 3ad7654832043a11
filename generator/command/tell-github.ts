// News for GitHub Actions: problems as workflow commands, which it shows at their lines (its documentation,
// "Workflow commands for GitHub Actions"). Everything else is said as to people.

import { relative, resolve, sep } from "node:path";
import { foldProblems, othersOf, type Place, type Problem, visible } from "../problems.ts";
import type { News, Teller } from "./news.ts";
import { lineOf, staleness } from "./tell-text.ts";
import type { Terminal } from "./terminal.ts";

/** `workspace`: what files are named relative to, `GITHUB_WORKSPACE`. */
export function githubTeller({ say }: Terminal, workspace: string | undefined): Teller {
  return {
    tell(news) {
      if (news.kind === "warnings" || news.kind === "refused") {
        for (const one of foldProblems(news.problems)) say(annotation(one, workspace));
      }
      const line = textOf(news);
      if (line !== undefined) say(line);
    },
    progress: () => {},
    end: () => {},
  };
}

function textOf(news: News): string | undefined {
  if (news.kind === "failed") return `::error::${data(news.message)}`;
  if (news.kind === "stale") return `::error::${data(staleness(news.files))}`;
  return lineOf(news)?.trimStart();
}

function annotation(problem: Problem, workspace: string | undefined): string {
  const { severity, code, place, message, advice, allowed, also = [] } = problem;
  const lines = [message, allowed === undefined ? advice : `allowed: ${allowed}`];
  if (also.length > 0) lines.push(othersOf(place, also));
  return workflowCommand({ kind: severity, place, title: code, lines }, workspace);
}

interface Annotation {
  readonly kind: "error" | "warning" | "notice";
  readonly place: Place;
  readonly title: string;
  readonly lines: readonly string[];
}

/** One line that GitHub shows at its place. */
export function workflowCommand(
  { kind, place, title, lines }: Annotation,
  workspace: string | undefined,
): string {
  const file = workspace === undefined ? place.file : relative(workspace, resolve(place.file));
  const properties = [
    `file=${property(file.split(sep).join("/"))}`,
    ...(place.line === undefined ? [] : [`line=${place.line}`, `col=${place.column ?? 1}`]),
    `title=${property(title)}`,
  ];
  return `::${kind} ${properties.join(",")}::${data(lines.map(visible).join("\n"))}`;
}

/** What would end the line, or be taken for an escape (toolkit of GitHub Actions, command.ts). */
function data(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function property(text: string): string {
  return data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
