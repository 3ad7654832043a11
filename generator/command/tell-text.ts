// News for people, line by line. On a terminal problems have a frame of the lines around them.

import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { foldProblems, othersOf, positionOf, type Problem, visible } from "../problems.ts";
import { frameOf } from "./frame.ts";
import { plainCommand } from "./name.ts";
import type { News, Teller } from "./news.ts";
import { paintOf, type Paint, type Screen } from "./screen.ts";
import type { Terminal } from "./terminal.ts";
import { progressOn } from "./progress.ts";

export function textTeller(terminal: Terminal): Teller {
  const { say, complain, screen } = terminal;
  const tellProblems = problemsOn(complain, screen);
  const { progress, clear } = progressOn(screen);
  return {
    tell(news) {
      clear();
      if (news.kind === "warnings" || news.kind === "refused") tellProblems(news.problems);
      const line = lineOf(news);
      if (line !== undefined) (isComplaint(news) ? complain : say)(line);
      if (news.kind === "stale") complain(staleness(news.files));
    },
    progress,
    end: clear,
  };
}

function isComplaint({ kind }: News): boolean {
  return kind === "refused" || kind === "edited" || kind === "failed";
}

/** What is said besides problems; undefined: nothing is. */
export function lineOf(news: News): string | undefined {
  switch (news.kind) {
    case "warnings":
      return undefined;
    case "refused":
      return `\n${refusal(news)}`;
    case "file":
      return `${news.change} ${news.file}`;
    case "edited":
      return (
        `${news.file} was not as the last run here has left it: what stood there is now ` +
        `${news.copy}; if it was written by hand, change the contract instead`
      );
    case "stub": {
      const next = news.nameIn === undefined ? "" : `, and name it in ${news.nameIn}`;
      return `added a stub for ${visible(news.operationId)}: write it, ${news.file}:${news.line}${next}`;
    }
    case "orphan": {
      const also = news.named === undefined ? "" : ` and ${news.named}`;
      const places = `${news.file}:${news.line}${also}`;
      return `${visible(news.operationId)} has left the contract: remove its handler, ${places}`;
    }
    case "fresh":
      return `${news.folder} is up to date`;
    case "stale":
      return news.diff;
    case "failed":
      return news.message;
    case "watching":
      return `watching ${news.files.join(", ")}`;
    default:
      return news satisfies never;
  }
}

/** How many files are not as they would be written. */
export function staleness(files: readonly string[]): string {
  const many = files.length === 1 ? "1 file is" : `${files.length} files are`;
  return `${many} stale: run "${plainCommand}"`;
}

function refusal({ problems, contract, isStrict }: Extract<News, { kind: "refused" }>): string {
  const which = contract === undefined ? "" : ` for ${contract}`;
  const counted = problems.filter(({ severity, allowed }) =>
    isStrict ? allowed === undefined : severity === "error",
  );
  const word = isStrict ? "warning" : "error";
  const many = `${counted.length} ${counted.length === 1 ? word : `${word}s`}`;
  const why = isStrict ? ", which --strict counts as errors" : "";
  return `${many}${why}; nothing was written${which}`;
}

function problemsOn(
  complain: Terminal["complain"],
  screen: Screen | undefined,
): (problems: readonly Problem[]) => void {
  const paint = paintOf({ hasColours: screen?.hasColours === true });
  const view = screen?.view;
  return (problems) => {
    const linesOf = readerOfLines();
    for (const [index, problem] of foldProblems(problems).entries()) {
      const { file, line, column = 1 } = problem.place;
      const lines = view === undefined || line === undefined ? [] : linesOf(file);
      const isThere = view !== undefined && line !== undefined && line <= lines.length;
      const look = { columns: (view?.columns() ?? 0) - frameIndent.length, paint, around: 1 };
      const frame = isThere ? frameOf(lines, { line, column }, look) : [];
      // frames need air between them
      if (view !== undefined && index > 0) complain("");
      complain(problemText(problem, paint, frame));
    }
  };
}

/** Of files as they stand now; that somebody has edited one since then shows soon enough. */
function readerOfLines(): (file: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (file) => {
    const path = resolve(file);
    const lines =
      known.get(path) ?? (existsSync(path) ? readFileSync(path, "utf8").split(/\r?\n/) : []);
    known.set(path, lines);
    return lines;
  };
}

const frameIndent = " ".repeat(6);

function problemText(
  { place, severity, code, message, advice, allowed, also = [] }: Problem,
  paint: Paint,
  frame: readonly string[],
): string {
  const { position, where } = positionOf(place);
  const colour = severity === "error" ? "red" : "yellow";
  const word = paint("bold", paint(colour, `${severity} ${code}`));
  const last = allowed === undefined ? advice : `allowed: ${allowed}`;
  const lines = [
    `${paint("cyan", visible(position))}  ${paint("dim", visible(where))}`,
    `    ${word}: ${paint("bold", visible(message))}`,
    ...frame.map((line) => frameIndent + line),
    `    ${visible(last)}`,
  ];
  if (also.length > 0) lines.push(`    ${paint("dim", visible(othersOf(place, also)))}`);
  return lines.join("\n");
}
