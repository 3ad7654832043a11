// Patterns (ECMA-262, 22.2.1) as trees. Classes and escapes are not taken apart: what they let pass is asked of the engine.

/**
 * What is not decided here: back references, modifiers, what is looked at ahead or behind, bounds of words, and what is
 * larger than anybody writes.
 */
export class Undecided extends Error {}

/** Of steps that may still be taken for one pattern: what is ambiguous at all is so within a few. */
export class Budget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  /** @throws Undecided when it is used up */
  spend(steps = 1): void {
    this.#left -= steps;
    if (this.#left < 0) throw new Undecided();
  }
}

export type Tree =
  /** one character; `source` is how the pattern writes it */
  | { readonly kind: "one"; readonly source: string }
  /** the beginning or the end of the text */
  | { readonly kind: "edge"; readonly of: "start" | "end" }
  | { readonly kind: "row"; readonly parts: readonly Tree[] }
  | { readonly kind: "choice"; readonly ways: readonly Tree[] }
  | { readonly kind: "times"; readonly part: Tree; readonly least: number; readonly most: number };

const depthMax = 50;

/**
 * @param isUnicode with the flag `u`
 * @throws Undecided
 */
export function treeOf(pattern: string, isUnicode: boolean): Tree {
  return new Reader(pattern, isUnicode).read();
}

class Reader {
  readonly #text: string;
  readonly #isUnicode: boolean;
  #at = 0;
  #depth = 0;

  constructor(text: string, isUnicode: boolean) {
    this.#text = text;
    this.#isUnicode = isUnicode;
  }

  read(): Tree {
    const tree = this.#choice();
    if (this.#at < this.#text.length) throw new Undecided();
    return tree;
  }

  #choice(): Tree {
    this.#depth += 1;
    if (this.#depth > depthMax) throw new Undecided();
    const ways = [this.#row()];
    while (this.#takes("|")) ways.push(this.#row());
    this.#depth -= 1;
    const [way] = ways;
    return ways.length === 1 && way !== undefined ? way : { kind: "choice", ways };
  }

  #row(): Tree {
    const parts: Tree[] = [];
    while (this.#at < this.#text.length && !this.#isNext("|") && !this.#isNext(")")) {
      parts.push(this.#counted(this.#part()));
    }
    return { kind: "row", parts };
  }

  #part(): Tree {
    if (this.#takes("^")) return { kind: "edge", of: "start" };
    if (this.#takes("$")) return { kind: "edge", of: "end" };
    if (this.#takes("(")) return this.#group();
    const found = this.#match(this.#isUnicode ? unicodeSign : plainSign);
    if (found === undefined || /^\\(?:[1-9]|0\d|k|b$)/i.test(found)) throw new Undecided();
    return { kind: "one", source: found };
  }

  /** Behind its parenthesis. */
  #group(): Tree {
    const opening = this.#match(/\?(?::|<[^>=!]+>)/y);
    if (opening === undefined && this.#isNext("?")) throw new Undecided();
    const inside = this.#choice();
    if (!this.#takes(")")) throw new Undecided();
    return inside;
  }

  #counted(part: Tree): Tree {
    const found = this.#match(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/y);
    if (found === undefined) return part;
    const [least, most] = boundsOf(found);
    return { kind: "times", part, least, most };
  }

  #isNext(sign: string): boolean {
    return this.#text.startsWith(sign, this.#at);
  }

  #takes(sign: string): boolean {
    if (!this.#isNext(sign)) return false;
    this.#at += sign.length;
    return true;
  }

  #match(expression: RegExp): string | undefined {
    expression.lastIndex = this.#at;
    const [found] = expression.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

const charClass = String.raw`\[(?:[^\\\]]|\\[^])*\]`;
const escape = String.raw`\\x[0-9A-Fa-f]{2}|\\c[A-Za-z]|\\u[0-9A-Fa-f]{4}`;
const unicodeEscape = String.raw`\\[pPu]\{[^}]*\}|\\u[Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}`;

const unicodeSign = new RegExp(`${charClass}|${unicodeEscape}|${escape}|\\\\[^]|[^]`, "uy");
const plainSign = new RegExp(`${charClass}|${escape}|\\\\[^]|[^]`, "y");

function boundsOf(quantifier: string): readonly [least: number, most: number] {
  if (quantifier.startsWith("*")) return [0, Infinity];
  if (quantifier.startsWith("+")) return [1, Infinity];
  if (quantifier.startsWith("?")) return [0, 1];
  const [, least = "", comma, most = ""] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
  if (comma === "") return [Number(least), Number(least)];
  return [Number(least), most === "" ? Infinity : Number(most)];
}
