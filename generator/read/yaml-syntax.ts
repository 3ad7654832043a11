// What is wrong with a text that is to be YAML, in words for people who write contracts. The parser goes on
// after an error and finds more that is none, so only the first of a file is said.

import { depthSlip } from "./depth.ts";
import type * as yaml from "yaml";
import type { ErrorCode } from "../diagnostics/codes.ts";
import type { Said } from "../problems.ts";

export interface Slip {
  readonly code: ErrorCode;
  readonly offset: number;
  readonly said: Said;
}

/** What the parser found first; undefined when it found nothing. */
export function findYamlSlip(text: string, errors: readonly yaml.YAMLError[]): Slip | undefined {
  // the parser's own way to say so
  if (errors.some(({ message }) => message.startsWith("Maximum call stack"))) return depthSlip(0);
  const [first] = errors.toSorted((a, b) => a.pos[0] - b.pos[0]);
  return first && explain(text, first);
}

const syntax = (offset: number, message: string, advice: string): Slip => ({
  code: "OAG103",
  offset,
  said: [message, advice],
});

type Explain = (text: string, error: yaml.YAMLError) => Slip | undefined;

const explanations: Readonly<Partial<Record<yaml.ErrorCode, Explain>>> = {
  MULTIPLE_DOCS: (_, { pos }) => ({
    code: "OAG107",
    offset: pos[0],
    said: ["the file holds several documents", 'keep one; "---" begins another'],
  }),
  TAB_AS_INDENT: (_, { pos }) => syntax(pos[0], "a tab indents this line", "indent it by spaces"),
  BLOCK_AS_IMPLICIT_KEY: secondValue,
  MULTILINE_IMPLICIT_KEY: noPair,
  BAD_INDENT: badIndent,
  MISSING_CHAR: missing,
  BLOCK_IN_FLOW: (_, { pos }) =>
    syntax(
      pos[0],
      "something is missing before this, or too much here",
      'inside { } and [ ] write "," between entries',
    ),
  BAD_DQ_ESCAPE: (text, { pos: [offset] }) =>
    syntax(
      offset,
      `${text.slice(offset, offset + 2)} is no escape of YAML`,
      "write a backslash as \\\\, or put the text in single quotes",
    ),
  BAD_SCALAR_START: (text, { pos: [offset] }) =>
    syntax(offset, `a text cannot begin with ${text.charAt(offset)}`, "put it in quotes"),
  UNEXPECTED_TOKEN: (_, { pos, message }) =>
    message === "Unexpected scalar at node end"
      ? syntax(
          pos[0],
          "the quote in this text ends it",
          "write it twice, or use the other kind of quotes around the text",
        )
      : undefined,
};

function explain(text: string, error: yaml.YAMLError): Slip {
  const [offset] = error.pos;
  if (/^(?:<{7}|={7}|>{7})(?: |$)/.test(lineAt(text, offset).text)) {
    return syntax(
      lineAt(text, offset).start,
      "a merge was not finished here",
      "keep one side, and remove the marks",
    );
  }
  const quote = endedAt(text, offset);
  if (quote !== undefined) {
    const { number } = quote;
    return syntax(
      quote.begin,
      `the text that begins here goes on to the next quote, in line ${number}`,
      `write ${text.charAt(quote.begin)} where it ends`,
    );
  }
  const message = error.message.split("\n")[0] ?? error.message;
  return (
    explanations[error.code]?.(text, error) ??
    syntax(offset, message, "correct the YAML at this place")
  );
}

/** A text in quotes over several lines that has ended in the line of the place, as one that was not closed does. */
function endedAt(text: string, offset: number) {
  const start = lineAt(text, offset).start;
  const quoted = /(?<=^|[\s[{,:-])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|#.*)/gm;
  for (const { index: begin, 0: token } of text.matchAll(quoted)) {
    const end = begin + token.length;
    if (begin >= start || end > offset + 1) return undefined;
    if (end <= start || !/^["']/.test(token)) continue;
    return { begin, number: text.slice(0, end).split("\n").length };
  }
  return undefined;
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly indent: number;
}

function lineAt(text: string, offset: number): Line {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", offset);
  const line = text.slice(start, end < 0 ? undefined : end).replace(/\r$/, "");
  return { text: line, start, indent: /^ */.exec(line)?.[0].length ?? 0 };
}

function isBlank({ text }: Line): boolean {
  return /^\s*(?:#.*)?$/.test(text);
}

function nextLine(text: string, { start, text: { length } }: Line): Line | undefined {
  let at = text.indexOf("\n", start + length);
  while (at >= 0 && at + 1 < text.length) {
    const line = lineAt(text, at + 1);
    if (!isBlank(line)) return line;
    at = text.indexOf("\n", at + 1);
  }
  return undefined;
}

function* linesAbove(text: string, { start }: Line): Generator<Line> {
  for (let at = start; at > 0;) {
    const line = lineAt(text, at - 1);
    if (!isBlank(line)) yield line;
    at = line.start;
  }
}

/** A value, and another one where it has ended: on the same line, or on one that is indented too deep. */
function secondValue(text: string, { pos: [offset] }: yaml.YAMLError): Slip {
  const line = lineAt(text, offset);
  const rest = text.slice(offset, line.start + line.text.length);
  const isQuoted = /^["']/.test(rest);
  if (!isQuoted && /:(?: |$)/.test(rest)) {
    return syntax(offset, 'a text with ": " in it has to stand in quotes', "put it in quotes");
  }
  const next = nextLine(text, line);
  if (next === undefined || next.indent <= line.indent) {
    return syntax(offset, "two values stand here", "write one, or put the text in quotes");
  }
  const name = /^[\s-]*([^\s:]+)/.exec(line.text)?.[1] ?? "";
  return syntax(
    next.start + next.indent,
    `this line is indented deeper than "${name}" above, which has its value already`,
    `indent it by ${contentIndent(line)}, like "${name}"`,
  );
}

/** Where the name stands in a line, behind the dashes of lists. */
function contentIndent({ text }: Line): number {
  return /^[\s-]*/.exec(text)?.[0].length ?? 0;
}

function noPair(text: string, { pos: [offset] }: Pick<yaml.YAMLError, "pos">): Slip {
  const line = lineAt(text, offset);
  const name = /^[\s-]*("[^"]*"|'[^']*'|[^\s:]+):(?=\S)/.exec(line.text)?.[1];
  const at = line.start + contentIndent(line);
  if (name !== undefined)
    return syntax(at, `a space is missing after "${name}:"`, `write "${name}: " before the value`);
  return syntax(
    at,
    "this line is no name with a value",
    'write "name: value", or indent it as part of the text above',
  );
}

function badIndent(text: string, error: yaml.YAMLError): Slip {
  const { pos, message } = error;
  const flow = /^Flow (map|sequence)/.exec(message)?.[1];
  const line = lineAt(text, pos[0]);
  if (flow !== undefined) {
    const [open, close] = flow === "map" ? ["{", "}"] : ["[", "]"];
    const from = openedAt(text, pos[0], open);
    return syntax(from ?? pos[0], `this "${open}" is not closed`, `write "${close}" where it ends`);
  }
  const shown = lineAt(text, line.start + line.text.search(/\S|$/));
  const fitting = indentsAbove(text, shown);
  const places = fitting.length === 0 ? "" : `, and the lines around it by ${fitting.join(", ")}`;
  return syntax(
    shown.start + shown.indent,
    `this line is indented by ${shown.indent}${places}`,
    fitting.length === 0 ? "indent it like its neighbours" : `indent it by ${fitting.join(" or ")}`,
  );
}

/** The indentations that lines above have, from the nearest outwards, as far as they are open. */
function indentsAbove(text: string, line: Line): readonly number[] {
  const found = new Set<number>();
  let bound = Infinity;
  for (const above of linesAbove(text, line)) {
    const own = contentIndent(above);
    if (above.indent >= bound && own >= bound) continue;
    bound = above.indent;
    found.add(own);
    if (above.indent < line.indent) break;
  }
  return [...found].toSorted((a, b) => b - a);
}

/** The last bracket before the place that nothing closes, texts in quotes left aside. */
function openedAt(text: string, offset: number, bracket: string): number | undefined {
  const open: number[] = [];
  for (const { 0: token, index } of text
    .slice(0, offset)
    .matchAll(/"(?:[^"\\]|\\.)*"|'[^']*'|#.*|[{}[\]]/g)) {
    if (token === "{" || token === "[") open.push(index);
    else if (token === "}" || token === "]") open.pop();
  }
  return open.findLast((at) => text[at] === bracket);
}

function missing(text: string, { pos: [offset], message }: yaml.YAMLError): Slip | undefined {
  const quote = /^Missing closing (["'])/.exec(message)?.[1];
  if (quote === undefined) {
    return message.startsWith("Implicit map keys need")
      ? noPair(text, { pos: [offset, offset] })
      : undefined;
  }
  const begin = lastOpen(text.slice(0, offset), quote) ?? offset;
  const advice = `write ${quote} where it ends`;
  const next = text.indexOf("\n", offset - 1);
  // the parser ends it before a line that cannot belong to it, or else with the file
  if (next < 0 || text.slice(next).trim() === "")
    return syntax(begin, "the text that begins here is never closed", advice);
  const number = text.slice(0, next + 1).split("\n").length;
  return syntax(
    begin,
    `the text that begins here is not closed before line ${number}, which is not indented deeply enough to belong to it`,
    `${advice}, or indent its other lines more deeply`,
  );
}

/** Where the last text in such quotes begins that does not end; inside of one a pair of single quotes is a character. */
function lastOpen(text: string, quote: string): number | undefined {
  let last: number | undefined;
  for (const { 0: found, index } of text.matchAll(quote === '"' ? /\\.|"/gs : /'+/g)) {
    if (quote === '"' ? found === quote : found.length % 2 === 1) last = index;
  }
  return last;
}
