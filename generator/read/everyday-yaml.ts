// YAML as contracts are written in it, read in a tenth of the time that a parser of all of YAML 1.2 takes: mappings
// and lists by indentation, or in brackets, texts of every kind, comments. Whatever else there is (anchors, tags,
// tabs, several documents), and whatever is wrong, is not decided here: `undefined` sends the
// text to the package yaml, which says what it is. What is decided has the value that the package gives it (YAML 1.2.2, core schema).

import type { Json } from "../json.ts";
import { type FlowValue, readFlow } from "./everyday-flow.ts";
import {
  blockText,
  checkedName,
  plainName,
  plainValue,
  quotedText,
  Unusual,
  withoutSpaces,
} from "./everyday-texts.ts";
import type { Member, Members } from "./places.ts";

const depthMax = 100;
const nameMax = 1000;

/** Line ends of Windows are line ends to YAML (section 5.4): what stands on a line stands where it stood. */
export function withPlainEnds(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n") : text;
}

/**
 * @param text with plain line ends
 * @param places where values stand is written down there, by the offset of what they are in
 */
export function readEverydayYaml(text: string, places?: Map<number, Members>): Json | undefined {
  // a line of its own begins or ends a document, wherever it stands
  if (/^\uFEFF|\r|^(?:\.\.\.|%)/m.test(text)) return undefined;
  try {
    return new EverydayYaml(text, places).read();
  } catch (error) {
    if (error instanceof Unusual) return undefined;
    throw error;
  }
}

interface Name {
  readonly name: string;
  /** offset behind the colon */
  readonly after: number;
}

class EverydayYaml {
  readonly #text: string;
  readonly #places: Map<number, Members> | undefined;
  /** of the line that is read: its first character, the first that is still to be read, and its end */
  #start = 0;
  #content = 0;
  #end = -1;
  #isOver = false;
  #isBegun = false;
  /** comments stand above the line */
  #isCommented = false;
  #depth = 0;

  constructor(text: string, places: Map<number, Members> | undefined) {
    this.#text = text;
    this.#places = places;
  }

  read(): Json {
    this.#next();
    const isMark = withoutSpaces(this.#text.slice(this.#start, this.#end)) === "---";
    this.#isBegun = true;
    if (isMark) this.#next();
    if (this.#column() !== 0 || this.#text.startsWith("---", this.#start)) throw new Unusual();
    const isCollection = this.#isItem(this.#content) || this.#nameAt(this.#content) !== undefined;
    if (!isCollection) throw new Unusual();
    const value = this.#block(-1);
    if (this.#column() >= 0) throw new Unusual();
    return value;
  }

  /** Before everything behind the last line. */
  #column(): number {
    return this.#isOver ? -1 : this.#content - this.#start;
  }

  /** The next line that has more than a comment. */
  #next(): void {
    const text = this.#text;
    this.#isCommented = false;
    for (;;) {
      this.#start = this.#end + 1;
      if (this.#start >= text.length) {
        this.#isOver = true;
        return;
      }
      const end = text.indexOf("\n", this.#start);
      this.#end = end < 0 ? text.length : end;
      this.#content = afterSpaces(text, this.#start);
      const first = text[this.#content];
      if (first === "\t") throw new Unusual();
      if (this.#content < this.#end && first !== "#") break;
      if (first === "#") this.#isCommented = true;
    }
    if (this.#isBegun && text.startsWith("---", this.#start)) throw new Unusual();
  }

  /** What stands at the next character, deeper than `parent`. */
  #block(parent: number): Json {
    const column = this.#column();
    if (column <= parent || this.#depth > depthMax) throw new Unusual();
    this.#depth += 1;
    const value = this.#isItem(this.#content)
      ? this.#list(column)
      : this.#nameAt(this.#content) === undefined
        ? this.#lone(parent)
        : this.#mapping(column);
    this.#depth -= 1;
    return value;
  }

  /** The package takes a text below a comment for another one, by where the comment stands. */
  #lone(parent: number): Json {
    if (this.#isCommented) throw new Unusual();
    return this.#scalar(this.#content, parent);
  }

  #isItem(offset: number): boolean {
    return this.#text[offset] === "-" && this.#isBlank(offset + 1);
  }

  #isBlank(offset: number): boolean {
    return offset >= this.#end || this.#text[offset] === " ";
  }

  #list(column: number): Json {
    const list: Json[] = [];
    const members = this.#membersAt(this.#content);
    while (this.#column() === column && this.#isItem(this.#content)) {
      const dash = this.#content;
      const at = afterSpaces(this.#text, dash + 1);
      let value: Json;
      let place = at;
      if (this.#isEnd(at)) {
        place = this.#placeBelow(at, column);
        value = place === at ? null : this.#block(column);
      } else {
        this.#content = at;
        value = this.#block(column);
      }
      members?.set(String(list.length), { key: place, value: place });
      list.push(value);
    }
    if (this.#column() > column) throw new Unusual();
    return list;
  }

  #mapping(column: number): Json {
    const mapping: Record<string, Json> = {};
    const members = this.#membersAt(this.#content);
    while (this.#column() === column) {
      const key = this.#content;
      const found = this.#isItem(key) ? undefined : this.#nameAt(key);
      // a name that stands twice is told of by the package
      if (found === undefined || Object.hasOwn(mapping, found.name)) throw new Unusual();
      const at = afterSpaces(this.#text, found.after);
      let value: Json = null;
      let place = at;
      if (!this.#isEnd(at)) {
        value = this.#scalar(at, column);
      } else {
        place = this.#placeBelow(at, column);
        if (place !== at) {
          value = this.#block(column);
        } else if (this.#column() === column && this.#isItem(this.#content)) {
          place = this.#content;
          value = this.#list(column);
        }
      }
      mapping[found.name] = value;
      members?.set(found.name, { key, value: place });
    }
    if (this.#column() > column) throw new Unusual();
    return mapping;
  }

  /** Of what a name or a dash has on deeper lines below it; `at`: it has nothing there. */
  #placeBelow(at: number, column: number): number {
    this.#next();
    return this.#column() > column ? this.#content : at;
  }

  #membersAt(offset: number): Map<string, Member> | undefined {
    if (this.#places === undefined) return undefined;
    const members = new Map<string, Member>();
    this.#places.set(offset, members);
    return members;
  }

  /** Nothing but a comment comes on this line. */
  #isEnd(offset: number): boolean {
    if (offset >= this.#end) return true;
    return this.#text[offset] === "#" && this.#text[offset - 1] === " ";
  }

  /** Of a pair of a mapping that begins there. */
  #nameAt(offset: number): Name | undefined {
    const text = this.#text;
    const first = text[offset];
    if (first === '"' || first === "'") {
      const close = closingQuote(text, offset, this.#end);
      const colon = close === undefined ? this.#end : afterSpaces(text, close + 1);
      if (colon >= this.#end || text[colon] !== ":" || !this.#isBlank(colon + 1)) return undefined;
      checkLength(colon - offset);
      const name = checkedName(quotedText(text, offset, { isOneLine: true }).value);
      return { name, after: colon + 1 };
    }
    if (first === "?" && this.#isBlank(offset + 1)) throw new Unusual();
    const line = text.slice(offset, this.#end);
    let colon = line.indexOf(":");
    while (colon >= 0 && !this.#isBlank(offset + colon + 1)) colon = line.indexOf(":", colon + 1);
    if (colon < 0 || "[{|>".includes(first ?? "")) return undefined;
    const words = line.slice(0, colon);
    if (words.includes("\t")) throw new Unusual();
    if (words.includes(" #")) return undefined;
    checkLength(colon);
    const name = checkedName(plainName(withoutSpaces(words)));
    return { name, after: offset + colon + 1 };
  }

  /** What is written on the line of its name or dash, and goes on below it; then the next line. */
  #scalar(offset: number, parent: number): Json {
    const text = this.#text;
    const first = text[offset] ?? "";
    if (first === "|" || first === ">") return this.#read(blockText(text, offset, parent));
    if (first === '"' || first === "'") return this.#read(quotedText(text, offset, { parent }));
    if (first === "[" || first === "{") {
      return this.#read(readFlow(text, offset, { parent, places: this.#places }));
    }
    return this.#plain(offset, parent);
  }

  /** Behind it stands nothing but a comment. */
  #read({ value, after }: FlowValue): Json {
    if (after > this.#end) {
      this.#start = this.#text.lastIndexOf("\n", after - 1) + 1;
      const end = this.#text.indexOf("\n", after);
      this.#end = end < 0 ? this.#text.length : end;
    }
    const at = afterSpaces(this.#text, after);
    if (!this.#isEnd(at)) throw new Unusual();
    this.#next();
    return value;
  }

  /** A text without quotes goes on where lines are deeper than what it belongs to (section 7.3.3). */
  #plain(offset: number, parent: number): Json {
    const text = this.#text;
    const first = this.#plainLine(offset);
    const single = plainValue(first.words);
    let value = first.words;
    let isWhole = first.hasComment;
    let breaks = 0;
    let isFolded = false;
    while (!isWhole && this.#end < text.length) {
      const start = this.#end + 1;
      const found = text.indexOf("\n", start);
      const end = found < 0 ? text.length : found;
      const content = afterSpaces(text, start);
      if (content >= end) {
        if (found < 0) break;
        breaks += 1;
        this.#end = end;
        continue;
      }
      if (content - start <= parent || text[content] === "#") break;
      [this.#start, this.#end] = [start, end];
      const line = this.#plainLine(content);
      value += (breaks === 0 ? " " : "\n".repeat(breaks)) + line.words;
      isWhole = line.hasComment;
      breaks = 0;
      isFolded = true;
    }
    this.#next();
    return isFolded ? value : single;
  }

  #plainLine(offset: number): { readonly words: string; readonly hasComment: boolean } {
    const line = this.#text.slice(offset, this.#end);
    const comment = line.indexOf(" #");
    const words = withoutSpaces(comment < 0 ? line : line.slice(0, comment));
    if (line.includes("\t") || words.includes(": ") || words.endsWith(":")) throw new Unusual();
    return { words, hasComment: comment >= 0 };
  }
}

/** Of a text in quotes that ends on its line. */
function closingQuote(text: string, offset: number, end: number): number | undefined {
  const quote = text[offset] ?? "";
  for (let at = offset + 1; at < end; at++) {
    const sign = text[at];
    if (sign === "\\" && quote === '"') at += 1;
    else if (sign === quote && quote === "'" && text[at + 1] === "'") at += 1;
    else if (sign === quote) return at;
  }
  return undefined;
}

/** Up to its colon, as it is written: a name that is longer is none (YAML 1.2.2, section 7.4.2). */
function checkLength(length: number): void {
  if (length > nameMax) throw new Unusual();
}

function afterSpaces(text: string, offset: number): number {
  let at = offset;
  while (text.charCodeAt(at) === 32) at += 1;
  return at;
}
