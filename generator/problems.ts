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
  /** of an error that is allowed, and so a warning: what happens now */
  readonly allowed?: string;
  readonly place: Place;
  /** what is wrong */
  readonly message: string;
  /** what to write instead */
  readonly advice: string;
  /** further places that say the same for the same cause */
  readonly also?: readonly Place[];
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
  const { position, where } = positionOf(problem.place);
  const { severity, code, message, advice, allowed, also = [] } = problem;
  const last = allowed === undefined ? advice : `allowed: ${allowed}`;
  const lines = [`${position}  ${where}`, `${severity} ${code}: ${message}`, last];
  if (also.length > 0) lines.push(othersOf(problem.place, also));
  return lines.map(visible).join("\n    ");
}

/** As people write a place, and as programs do. */
export function positionOf({ file, line, column, pointer }: Place): {
  readonly position: string;
  readonly where: string;
} {
  return {
    position: line === undefined ? file : `${file}:${line}:${column ?? 1}`,
    where: pointer === "" ? "(document)" : pointer,
  };
}

/** Names of the document stand in what is said: they end no line, and turn no terminal about. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** So many of the same are said each by itself, and of more the first one with the places of the others. */
const sameMax = 4;

const placesMax = 10;

/** What is wrong in the same way in many places, once: the first with the places of the others. */
export function foldProblems(problems: readonly Problem[]): readonly Problem[] {
  const kinds = Map.groupBy(problems, ({ code, message, advice }) =>
    JSON.stringify([code, message, advice]),
  );
  const folded = new Map<Problem, Problem | undefined>();
  for (const kind of kinds.values()) {
    const [first, ...others] = kind;
    if (first === undefined || kind.length <= sameMax) continue;
    for (const one of others) folded.set(one, undefined);
    folded.set(first, { ...first, also: others.map(({ place }) => place) });
  }
  return problems.flatMap((one) => (folded.has(one) ? (folded.get(one) ?? []) : [one]));
}

/** In the order of the first of each kind. */
export function formatProblems(problems: readonly Problem[]): readonly string[] {
  return foldProblems(problems).map(formatProblem);
}

/** `and 3 more at 12:5, other.yaml:3:1`. */
export function othersOf({ file }: Place, others: readonly Place[]): string {
  const places = others.slice(0, placesMax).map((place) => {
    const position = `${place.line ?? 1}:${place.column ?? 1}`;
    return place.file === file ? position : `${place.file}:${position}`;
  });
  const rest = others.length > placesMax ? ", ..." : "";
  return `and ${others.length} more at ${places.join(", ")}${rest}`;
}

/** What can be said of where a reference leads: one thing of each. */
export const ofReferences: ReadonlySet<Code> = new Set<Code>(["OAG201", "OAG202", "OAG205"]);

/** What is missing once and is missed wherever it is named: one cause. */
const causes: ReadonlySet<Code> = new Set<Code>([
  "OAG201",
  "OAG202",
  "OAG203",
  "OAG204",
  "OAG215",
  "OAG701",
]);

/** Reading order: by file, then by line and column; errors and warnings mixed, and each cause once. */
export function inReadingOrder(problems: readonly Problem[]): Problem[] {
  const sorted = sortedByPlace(problems);
  const byCause = Map.groupBy(sorted, (problem) =>
    causes.has(problem.code) ? `${problem.code} ${problem.message}` : problem,
  );
  return [...byCause.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return others.length === 0 ? [first] : [{ ...first, also: others.map(({ place }) => place) }];
  });
}

function sortedByPlace(problems: readonly Problem[]): Problem[] {
  return problems.toSorted(
    (a, b) =>
      Number(a.place.file > b.place.file) - Number(a.place.file < b.place.file) ||
      (a.place.line ?? 0) - (b.place.line ?? 0) ||
      (a.place.column ?? 0) - (b.place.column ?? 0),
  );
}
