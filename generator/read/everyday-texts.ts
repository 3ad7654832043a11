// The texts of everyday YAML: without quotes, in quotes, and in blocks.

/** What everyday YAML has not, or what is wrong: the package yaml is asked. */
export class Unusual extends Error {}

export interface Text {
  readonly value: string;
  /** offset behind it */
  readonly after: number;
}

const indicators = /^(?:[\][{},#&*!|>'"%@`]|[-?:](?: |$))/;
const number = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** Numbers, too, and none of JSON's or not in its words. */
const foreignNumber = /^(?:0o[0-7]+|0x[\da-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** Of a text without quotes (YAML 1.2.2, section 10.3.2). */
export function plainValue(words: string): string | number | boolean | null {
  if (indicators.test(words) || words.includes("\t")) throw new Unusual();
  switch (words) {
    case "":
    case "~":
      throw new Unusual();
    case "null":
    case "Null":
    case "NULL":
      return null;
    case "true":
    case "True":
    case "TRUE":
      return true;
    case "false":
    case "False":
    case "FALSE":
      return false;
    default:
  }
  if (foreignNumber.test(words)) throw new Unusual();
  if (!number.test(words)) return words;
  const value = Number.parseFloat(words);
  return Number.isFinite(value) ? value : unusual();
}

/** Of a pair, without quotes: `200` is a name as it is written, and `1e3` is another one. */
export function plainName(words: string): string {
  const value = plainValue(words);
  if (value === null || (typeof value === "number" && String(value) !== words)) throw new Unusual();
  return String(value);
}

/** Of "<<" another mapping is merged in, and "__proto__" is no name of an object's own. */
export function checkedName(name: string): string {
  if (name === "<<" || name === "__proto__") throw new Unusual();
  return name;
}

function unusual(): never {
  throw new Unusual();
}

interface Quoting {
  /** as the names of pairs are, and what stands in brackets */
  readonly isOneLine?: boolean;
  /** lines after the first are deeper */
  readonly parent?: number;
}

/** In quotes of either kind; line breaks in it are folded (sections 7.3.1 and 7.3.2). */
export function quotedText(text: string, offset: number, quoting: Quoting): Text {
  const { isOneLine = false, parent = -1 } = quoting;
  const quote = text[offset] ?? "";
  const stop = quote === '"' ? /["\\\n]/g : /['\n]/g;
  const parts: string[] = [];
  /** what was read since: an escape at the end of its line is not trimmed */
  let last = "";
  let at = offset + 1;
  for (;;) {
    stop.lastIndex = at;
    const found = stop.exec(text)?.index;
    if (found === undefined) throw new Unusual();
    last += text.slice(at, found);
    const sign = text[found];
    const isEscape = sign === "\\" && text[found + 1] !== "\n";
    if (sign === quote) {
      if (quote === '"' || text[found + 1] !== "'") {
        return { value: parts.join("") + last, after: found + 1 };
      }
      last += "'";
      at = found + 2;
    } else if (isEscape) {
      const escape = escapeAt(text, found + 1);
      parts.push(last, escape.value);
      last = "";
      at = escape.after;
    } else {
      if (isOneLine) throw new Unusual();
      const isJoined = sign === "\\";
      const next = afterBreaks(text, isJoined ? found + 1 : found, parent);
      // behind a backslash the package leaves out empty lines
      if (isJoined && next.breaks > 1) throw new Unusual();
      if (isJoined) parts.push(last);
      else parts.push(trimmed(last), next.breaks === 1 ? " " : "\n".repeat(next.breaks - 1));
      last = "";
      at = next.at;
    }
  }
}

/** The first character of the next line that has one, and how many line breaks are before it. */
function afterBreaks(text: string, offset: number, parent: number) {
  let at = offset;
  let breaks = 0;
  let start = offset;
  while (text[at] === "\n") {
    breaks += 1;
    start = at + 1;
    at = start;
    while (text[at] === " ") at += 1;
  }
  if (at - start <= parent || text[at] === "\t" || at >= text.length) throw new Unusual();
  return { at, breaks };
}

function trimmed(text: string): string {
  const words = withoutSpaces(text);
  if (words.endsWith("\t")) throw new Unusual();
  return words;
}

/** No other sign is a space to YAML (section 5.5). */
export function withoutSpaces(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 32) end -= 1;
  return text.slice(0, end);
}

const escapes: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\u0007",
  b: "\b",
  e: "\u001B",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  N: "\u0085",
  _: "\u00A0",
  L: "\u2028",
  P: "\u2029",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
};
const digits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Behind the backslash (section 5.7). */
function escapeAt(text: string, offset: number): Text {
  const name = text[offset] ?? "";
  const count = digits[name];
  if (count === undefined) {
    const value = Object.hasOwn(escapes, name) ? escapes[name] : undefined;
    return value === undefined ? unusual() : { value, after: offset + 1 };
  }
  const code = text.slice(offset + 1, offset + 1 + count);
  const point =
    /^[\da-fA-F]+$/.test(code) && code.length === count ? Number.parseInt(code, 16) : -1;
  if (point < 0 || point > 0x10_ff_ff) throw new Unusual();
  return { value: String.fromCodePoint(point), after: offset + 1 + count };
}

/** Lines that are deeper than `parent`, as they are or folded (sections 8.1.2 and 8.1.3). */
export function blockText(text: string, offset: number, parent: number): Text {
  const header = /([|>])([1-9]?)([-+]?)([1-9]?) *(?: #[^\n]*)?(?=\n|$)/y;
  header.lastIndex = offset;
  const [all, style, before = "", chomping = "", behind = ""] = header.exec(text) ?? unusual();
  if (before !== "" && behind !== "") throw new Unusual();
  const said = Number(before || behind);
  const lines: string[] = [];
  let indent = said === 0 ? undefined : Math.max(parent, 0) + said;
  let last = offset + all.length;
  let blankMax = 0;
  while (last < text.length) {
    const start = last + 1;
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    let content = start;
    while (text[content] === " ") content += 1;
    const column = content - start;
    if (content >= end) {
      // behind the last line break nothing is a line
      if (found < 0 && start >= text.length) break;
      if (indent === undefined) blankMax = Math.max(blankMax, column);
      lines.push(indent === undefined ? "" : text.slice(start + indent, end));
    } else {
      if (column <= parent) break;
      indent ??= column;
      if (column < indent || blankMax > indent || text[content] === "\t") throw new Unusual();
      lines.push(text.slice(start + indent, end));
    }
    last = end;
  }
  if (last >= text.length && !text.endsWith("\n")) throw new Unusual();
  let count = lines.length;
  while (lines[count - 1] === "") count -= 1;
  // where the indentation is said, spaces at the end are another matter
  if (lines.length === 0 || (said > 0 && (lines[count - 1] ?? " ").trim() === "")) {
    throw new Unusual();
  }
  const body = lines.slice(0, count);
  const value = style === "|" ? body.join("\n") : folded(body);
  // each empty line at the end is one, and so is the end of the last line that is not
  const own = count === 0 ? 0 : 1;
  const breaks = { "-": 0, "": own, "+": lines.length - count + own }[chomping] ?? unusual();
  return { value: value + "\n".repeat(breaks), after: last };
}

/** Line breaks between lines that begin with no space are spaces; an empty line is a line break. */
function folded(lines: readonly string[]): string {
  let value = "";
  let breaks = 0;
  let wasDeep = true;
  for (const line of lines) {
    if (line === "") {
      breaks += 1;
      continue;
    }
    const isDeep = line.startsWith(" ") || line.startsWith("\t");
    if (value !== "" || breaks > 0) {
      const isFolded = !isDeep && !wasDeep;
      if (value === "") value = "\n".repeat(breaks);
      else if (isFolded) value += breaks === 0 ? " " : "\n".repeat(breaks);
      else value += "\n".repeat(breaks + 1);
    }
    value += line;
    breaks = 0;
    wasDeep = isDeep;
  }
  return value;
}
