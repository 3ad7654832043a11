// What the generator has to say about a document: errors stop it, warnings do not.

import { type Code, codes, type Diagnostic } from "./diagnostics/codes.ts";

export interface Place {
  /** as the user named it, or relative to the working directory */
  readonly file: string;
  /** JSON Pointer within that file, "" for the whole document */
  readonly pointer: string;
  /** 1-based; both absent when the place has no text (a missing file) */
  readonly line?: number;
  readonly column?: number;
}

export interface Problem {
  readonly code: Code;
  readonly severity: Diagnostic["severity"];
  readonly place: Place;
  /** what is wrong */
  readonly message: string;
  /** what to write instead */
  readonly advice: string;
}

/** What is said of a place: what is wrong, and what to write instead. */
export type Said = readonly [message: string, advice: string];

/** As serious as the table of codes says. */
export function problemAt(code: Code, place: Place, [message, advice]: Said): Problem {
  return { code, severity: codes[code].severity, place, message, advice };
}

/** Thrown when nothing can be generated; carries every problem that was found, in reading order. */
export class DocumentError extends Error {
  readonly problems: readonly Problem[];
  /** absolute paths of all files of the document, as far as it could be read */
  readonly files: readonly string[];
  constructor(problems: readonly Problem[], files: readonly string[]) {
    super(formatProblems(problems).join("\n"));
    this.name = "DocumentError";
    this.problems = problems;
    this.files = files;
  }
}

/** `spec/openapi.yaml:412:7  /components/schemas/Quote  error OAG401: what is wrong; what to write`. */
export function formatProblem(problem: Problem): string {
  const { file, line, column, pointer } = problem.place;
  const position = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  const where = pointer === "" ? "(document)" : pointer;
  return `${position}  ${where}\n    ${problem.severity} ${problem.code}: ${problem.message}\n    ${problem.advice}`;
}

/** So many of the same are said each by itself, and of more the first one with the places of the others. */
const sameMax = 4;

const placesMax = 10;

/** In the order of the first of each kind. */
export function formatProblems(problems: readonly Problem[]): readonly string[] {
  const kinds = Map.groupBy(problems, ({ code, message, advice }) =>
    JSON.stringify([code, message, advice]),
  );
  const folded = new Set([...kinds.values()].filter(({ length }) => length > sameMax));
  const byProblem = new Map([...folded].flatMap((kind) => kind.map((one) => [one, kind] as const)));
  return problems.flatMap((problem) => {
    const kind = byProblem.get(problem);
    if (kind === undefined) return [formatProblem(problem)];
    return kind[0] === problem ? [formatKind(problem, kind.slice(1))] : [];
  });
}

function formatKind(first: Problem, others: readonly Problem[]): string {
  const { file } = first.place;
  const places = others.slice(0, placesMax).map(({ place }) => {
    const position = `${place.line ?? 1}:${place.column ?? 1}`;
    return place.file === file ? position : `${place.file}:${position}`;
  });
  const rest = others.length > placesMax ? ", ..." : "";
  return `${formatProblem(first)}\n    and ${others.length} more at ${places.join(", ")}${rest}`;
}

/** Reading order: by file, then by line and column; errors and warnings mixed. */
export function inReadingOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) =>
      Number(a.place.file > b.place.file) - Number(a.place.file < b.place.file) ||
      (a.place.line ?? 0) - (b.place.line ?? 0) ||
      (a.place.column ?? 0) - (b.place.column ?? 0),
  );
}
