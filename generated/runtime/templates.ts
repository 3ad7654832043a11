// Written by "npm run generate" from spec/openapi.yaml; do not edit.

// Path templates: for Hono, for the path on the request line, and which of two is more exact.

export interface Template {
  /** as in the contract */
  readonly path: string;
  /** each segment in Hono's own notation, which may match more than the template does */
  readonly segments: readonly string[];
  /** matches the path as on the request line; one group for each name, which holds the same wherever it stands */
  readonly raw: RegExp;
  /** the same where unreserved characters are escaped as well: the same path in another spelling */
  readonly anySpelling: RegExp;
  readonly names: readonly string[];
  /** how free each segment is; compared from the left, smaller is tried first */
  readonly rank: readonly number[];
}

const braces = /\{([^{}]*)\}/;

/** Characters that mean themselves to Hono, to regular expressions and in paths. */
const plain = /^[A-Za-z0-9_~-]*$/;

/** Of RFC 3986, section 2.3: an escape of one of them says nothing else. */
const unreserved = /^[\w.~-]$/;

/** Has no place in a path on the request line, or another meaning there. */
const neverBare = /^[%?#\\]$|[^!-~]/;

const literalRank = 0;

const parameterRank = 1e6;

/**
 * Reads a path template such as `/files/{name}.{extension}` or `/jobs/{id}:cancel`. Of several
 * names in one segment each value but the last ends where the text behind it is found first:
 * `a.b.c` is the name `a` with the extension `b.c`.
 */
export function template(path: string): Template {
  const names: string[] = [];
  const rank: number[] = [];
  const segments: string[] = [];
  const raw: string[] = [];
  const anySpelling: string[] = [];
  for (const [index, segment] of path.split("/").entries()) {
    // split at a group: literals at even places, names at odd ones
    const pieces = segment.split(braces);
    const literals = pieces.filter((_, place) => place % 2 === 0);
    const isLiteral = pieces.length === 1;
    const free = literals.reduce((sum, text) => sum - unitsOf(text).length, parameterRank);
    // the number of the group that has the name already
    const groups: (number | undefined)[] = [];
    for (let place = 1; place < pieces.length; place += 2) {
      const name = pieces[place] ?? "";
      const known = names.indexOf(name) + 1;
      groups.push(known === 0 ? undefined : known);
      if (known === 0) names.push(name);
    }
    raw.push(rawSegment({ literals, groups }, asNeeded));
    anySpelling.push(rawSegment({ literals, groups }, escapedOrNot));
    // Hono compares what it has decoded in a way of its own: all but plain text is left to `raw`
    const isPlain = isLiteral && plain.test(segment.replaceAll(".", ""));
    segments.push(isPlain ? segment : bare(index));
    rank.push(isLiteral ? literalRank : free);
  }
  return { path, segments, raw: whole(raw), anySpelling: whole(anySpelling), names, rank };
}

function whole(segments: readonly string[]): RegExp {
  return new RegExp(`^${segments.join("/")}$`);
}

interface Pieces {
  readonly literals: readonly string[];
  /** for each name between them: which group holds it, if an earlier one does */
  readonly groups: readonly (number | undefined)[];
}

/**
 * A regular expression for one segment. There is only one way to match any text: with groups that
 * could end in several places, a text that does not match would be tried with all of their
 * combinations.
 */
function rawSegment({ literals, groups }: Pieces, spelling: Spelling): string {
  const last = literals.length - 1;
  return literals
    .map((text, place) => {
      const outer = unitsOf(text).map(spelling).join("");
      if (place === 0) return outer;
      const known = groups[place - 1];
      if (known !== undefined) return `(?:\\${known})${outer}`;
      if (place === last) return `([^/#]+)${outer}`;
      // nothing between two names: the first one is a single character
      if (text === "") return "([^/#])";
      // what is escaped without need belongs to a value: `1%2D2-3` is "1-2" and "3"
      const literal = unitsOf(text).map(asNeeded).join("");
      return `((?:(?!${literal})[^/#])+)${literal}`;
    })
    .join("");
}

/**
 * The characters that a literal stands for: a contract may write them as they are or as clients send them
 * (RFC 3986, section 2.4). An escaped slash stays "%2F": it stands inside a segment and ends none.
 */
function unitsOf(literal: string): readonly string[] {
  return literal.split(/((?:%[0-9a-f]{2})+)/i).flatMap((piece, place) => {
    if (place % 2 === 0) return Array.from(piece);
    return piece.split(/(%2f)/i).flatMap((part) => (/^%2f$/i.test(part) ? ["%2F"] : decoded(part)));
  });
}

/** An escape that is none means its characters. */
function decoded(escapes: string): readonly string[] {
  try {
    return Array.from(decodeURIComponent(escapes));
  } catch {
    return Array.from(escapes);
  }
}

const marks: ReadonlyMap<string, string> = new Map([
  ["%", "%25"],
  ["{", "%7B"],
  ["}", "%7D"],
]);

/** Two templates with equal ones are the same path, however they are written. */
export function canonicalPath(path: string): string {
  const segments = path.split("/").map((segment) => {
    const pieces = segment.split(braces).map((piece, place) =>
      // names mean nothing here
      place % 2 === 1
        ? "{}"
        : unitsOf(piece)
            .map((unit) => marks.get(unit) ?? unit)
            .join(""),
    );
    return pieces.join("");
  });
  return segments.join("/");
}

/** A regular expression for one of the units of a literal. */
type Spelling = (unit: string) => string;

/** The character itself or, unless it is unreserved, its percent-encoded form. */
function asNeeded(unit: string): string {
  return unreserved.test(unit) ? itself(unit) : escapedOrNot(unit);
}

function escapedOrNot(unit: string): string {
  if (unit === "%2F") return "%2[fF]";
  const bytes = Array.from(new TextEncoder().encode(unit), (byte) => {
    const hex = byte.toString(16).padStart(2, "0");
    return `%${hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
  });
  return neverBare.test(unit) ? bytes.join("") : `(?:${itself(unit)}|${bytes.join("")})`;
}

/** @param unit an ASCII character */
function itself(unit: string): string {
  return plain.test(unit) ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The text does not matter, but equal places must have equal names. */
function bare(index: number): string {
  return `:p${index}`;
}

/**
 * Hono paths for the templates of one method. Hono's fast router takes no parameter beside other
 * segments at the same place (`/jobs/{id}` beside `/jobs/last`), and one such place makes the whole
 * application use the slow one. So all segments of such a place become parameters here; which
 * template a path belongs to has to be asked again afterwards. No path is matched by two of the results.
 */
export function honoPaths(templates: readonly Template[]): readonly string[] {
  const paths = templates.map(({ segments }) => [...segments]);
  widen(paths, 0);
  return paths.map((segments) => segments.join("/"));
}

/** All paths have the same segments before this place. */
function widen(paths: readonly string[][], index: number): void {
  if (paths.length < 2) return;
  const bySegment = Map.groupBy(
    paths.filter((path) => index < path.length),
    (path) => path[index] ?? "",
  );
  // no parameter is empty, so nothing stands beside an empty segment: "/items/" beside "/items/{id}"
  widen(bySegment.get("") ?? [], index + 1);
  bySegment.delete("");
  if (bySegment.size > 1 && [...bySegment.keys()].some((segment) => segment.startsWith(":"))) {
    const widened = [...bySegment.values()].flat();
    for (const path of widened) path[index] = bare(index);
    widen(widened, index + 1);
  } else {
    for (const group of bySegment.values()) widen(group, index + 1);
  }
}

/** For sorting: a literal before a parameter, in the first segment that differs. */
export function compareTemplates(one: Template, other: Template): number {
  for (let index = 0; index < Math.min(one.rank.length, other.rank.length); index++) {
    const difference = (one.rank[index] ?? 0) - (other.rank[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.rank.length - other.rank.length;
}
