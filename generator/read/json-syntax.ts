// What is wrong with a text that is to be JSON (RFC 8259), in JSON's own words and at the place that has to be
// changed. JSON.parse says whether something is wrong; this says what.

import type { ErrorCode } from "../diagnostics/codes.ts";
import type { Said } from "../problems.ts";
import { closest } from "./similar.ts";

export interface Slip {
  readonly code: ErrorCode;
  readonly offset: number;
  readonly said: Said;
}

/** Writes a place of the text for people, as `3:5`. */
type Shown = (offset: number) => string;

/** What comes next inside a list or an object. */
type Expected = "value" | "name" | "colon" | "end";

interface Open {
  readonly bracket: "{" | "[";
  readonly offset: number;
  /** names that stand in it, and where */
  readonly names: Map<string, number>;
}

const pairs: Readonly<Record<string, string>> = { "}": "{", "]": "[", "{": "}", "[": "]" };

const words: readonly string[] = ["true", "false", "null"];

/** The first thing that is wrong, or a name that stands twice; undefined when nothing is. */
export function findJsonSlip(text: string, shown: Shown): Slip | undefined {
  return new Scanner(text, shown).run();
}

class Scanner {
  readonly #text: string;
  readonly #shown: Shown;
  readonly #open: Open[] = [];
  #at = 0;
  #expected: Expected = "value";
  /** where the last comma stands, if nothing has followed it */
  #comma: number | undefined;
  /** the end of what was read last */
  #end = 0;
  #name = "";
  #slip: Slip | undefined;

  constructor(text: string, shown: Shown) {
    this.#text = text;
    this.#shown = shown;
  }

  run(): Slip | undefined {
    for (;;) {
      while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at += 1;
      const character = this.#text[this.#at];
      if (character === undefined) return this.#atEnd();
      this.#read(character);
      if (this.#slip !== undefined) return this.#slip;
    }
  }

  #read(character: string): void {
    if (this.#text.startsWith("//", this.#at) || this.#text.startsWith("/*", this.#at))
      return this.#refuse("JSON has no comments", 'remove it, or say it in a "description"');
    if (character === "#")
      return this.#refuse("JSON has no comments", 'remove it, or say it in a "description"');
    if (character === "'")
      return this.#refuse("texts stand in double quotes", `write " in the place of '`);
    if (/[“”„‘’`]/.test(character))
      return this.#refuse(`${character} is no quote of JSON`, 'write "');
    if (/[\s\u200b\ufeff]/.test(character)) {
      const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
      return this.#refuse(`the invisible character U+${code} stands between values`, "remove it");
    }
    if (character === "}" || character === "]") return this.#close(character);
    if (character === ",") return this.#separate();
    if (character === ":") return this.#colon();
    if (this.#expected === "colon")
      return this.#refuse(
        `a colon is missing after the name "${this.#name}"`,
        character === "=" ? 'write ":" in the place of "="' : 'write ":" here',
        character === "=" ? this.#at : this.#end,
      );
    if (this.#expected === "end") return this.#more();
    if (character === '"') return this.#quoted();
    if (this.#expected === "name") return this.#bareName(character);
    if (character === "{" || character === "[") return this.#begin(character);
    this.#word();
  }

  #begin(bracket: "{" | "["): void {
    this.#open.push({ bracket, offset: this.#at, names: new Map() });
    this.#at += 1;
    this.#end = this.#at;
    this.#comma = undefined;
    this.#expected = bracket === "{" ? "name" : "value";
  }

  #close(bracket: "}" | "]"): void {
    const open = this.#open.at(-1);
    if (open === undefined)
      return this.#refuse(`"${bracket}" closes nothing: nothing is open here`, "remove it");
    if (this.#comma !== undefined)
      return this.#refuse(
        `nothing follows this comma before "${bracket}"`,
        "remove the comma",
        this.#comma,
      );
    if (open.bracket !== pairs[bracket]) {
      const wanted = pairs[open.bracket] ?? "";
      return this.#refuse(
        `"${bracket}" stands where the "${open.bracket}" of ${this.#shown(open.offset)} has to be closed`,
        `write "${wanted}" before it`,
      );
    }
    if (this.#expected === "colon") return this.#noValue();
    const isNamed = open.bracket === "{" && this.#expected === "value";
    if (isNamed) return this.#noValue();
    this.#open.pop();
    this.#at += 1;
    this.#ended();
  }

  #noValue(): void {
    this.#refuse(
      `the name "${this.#name}" has no value`,
      "write one, or remove the name",
      this.#end,
    );
  }

  #separate(): void {
    if (this.#expected === "colon" || (this.#expected === "value" && this.#isNamed()))
      return this.#noValue();
    if (this.#expected !== "end" || this.#open.length === 0)
      return this.#refuse("nothing stands before this comma", "remove the comma");
    this.#comma = this.#at;
    this.#at += 1;
    this.#expected = this.#open.at(-1)?.bracket === "{" ? "name" : "value";
  }

  #colon(): void {
    if (this.#expected !== "colon")
      return this.#refuse("no name stands before this colon", "remove the colon");
    this.#at += 1;
    this.#end = this.#at;
    this.#expected = "value";
  }

  #isNamed(): boolean {
    return this.#open.at(-1)?.bracket === "{" && this.#comma === undefined;
  }

  /** Something stands where only a comma or a bracket can. */
  #more(): void {
    if (this.#open.length === 0)
      return this.#refuse("the document has ended, and something follows", "remove what follows");
    const before = this.#text[this.#at - 1];
    if (before === '"' && this.#end === this.#at && /[^\s"{[]/.test(this.#text[this.#at] ?? ""))
      return this.#refuse(
        "a text ends at this quote, and something follows",
        'write a quote inside a text as \\", or end the text where it ends',
        this.#at - 1,
      );
    const isBehind = this.#text.startsWith("\\", this.#at) || this.#text[this.#at] === "+";
    if (isBehind)
      return this.#refuse("texts cannot be put together in JSON", "write one text in one line");
    this.#refuse("a comma is missing", 'write "," here', this.#end);
  }

  #quoted(): void {
    const from = this.#at;
    // as the grammar has it (RFC 8259, section 7), and the character behind
    const pattern =
      /"[ !#-[\]-\u{10ffff}]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\u{10ffff}]*)*(.?)/suy;
    pattern.lastIndex = from;
    const match = pattern.exec(this.#text);
    const until = pattern.lastIndex;
    if (match?.[1] !== '"') return this.#brokenText(from, until - (match?.[1] ?? "").length);
    // the pattern takes nothing that is no text of JSON
    const text = JSON.parse(this.#text.slice(from, until)) as string;
    this.#at = until;
    if (this.#expected === "name") this.#named(text, from);
    else this.#ended();
    this.#end = until;
  }

  #brokenText(from: number, offset: number): void {
    const character = this.#text[offset];
    if (character === "\\") {
      const escape =
        /\\(?:u[^"\s]{0,4}|.|$)/s.exec(this.#text.slice(offset, offset + 6))?.[0] ?? "\\";
      return this.#refuse(
        `${JSON.stringify(escape).slice(1, -1).replaceAll("\\\\", "\\")} is no escape of JSON`,
        'write a backslash as "\\\\"',
        offset,
      );
    }
    if (character === "\t")
      return this.#refuse("a tab stands inside a text", "write it as \\t", offset);
    if (character === undefined || character === "\n" || character === "\r")
      return this.#refuse(
        "the text that begins here does not end in its line",
        'end it with ", and write line breaks inside it as \\n',
        from,
      );
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    this.#refuse("a control character stands inside a text", `write it as \\u${code}`, offset);
  }

  #named(name: string, offset: number): void {
    const names = this.#open.at(-1)?.names;
    const earlier = names?.get(name);
    if (earlier !== undefined) {
      const message = `${JSON.stringify(name)} stands twice in this object, first at ${this.#shown(earlier)}`;
      this.#slip = { code: "OAG105", offset, said: [message, "keep one of the two"] };
      return;
    }
    names?.set(name, offset);
    this.#name = name;
    this.#comma = undefined;
    this.#expected = "colon";
  }

  #bareName(character: string): void {
    const name = /^[\p{L}\p{N}_$.-]+/u.exec(this.#text.slice(this.#at, this.#at + 100))?.[0];
    if (name !== undefined && name !== "")
      return this.#refuse(`the name ${name} has to stand in double quotes`, `write "${name}"`);
    this.#refuse(`${JSON.stringify(character)} is no name`, "write a name in double quotes");
  }

  #word(): void {
    const rest = this.#text.slice(this.#at, this.#at + 400);
    const word = /^[^\s,:{}[\]"']+/.exec(rest)?.[0] ?? rest.slice(0, 1);
    const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word);
    if (isNumber && !Number.isFinite(Number(word))) {
      const said = [`JSON has no value for "${word}"`, "write a number or a text"] as const;
      this.#slip = { code: "OAG110", offset: this.#at, said };
      return;
    }
    if (!isNumber && !words.includes(word)) return this.#noWord(word);
    this.#at += word.length;
    this.#ended();
  }

  #noWord(word: string): void {
    const said = (message: string, advice: string): void => this.#refuse(message, advice);
    if (/^-?0\d/.test(word)) return said(`the number ${word} begins with 0`, "write it without");
    if (/^\+\d/.test(word)) return said(`the number ${word} begins with +`, "write it without");
    if (/^-?\.\d/.test(word))
      return said(`the number ${word} has no digit before its point`, "write 0 before it");
    if (/^-?\d+\.(?!\d)/.test(word))
      return said(`the number ${word} has no digit after its point`, "write 0 after it");
    if (/^[-+]?\d/.test(word))
      return said(`${word} is no number of JSON`, "write it in digits, or as a text");
    if (/^[-+]?(?:NaN|Infinity)$/.test(word))
      return said(`JSON has no ${word}`, "write a number, a text or null");
    if (/^(?:undefined|None|nil)$/.test(word))
      return said(`JSON has no ${word}`, "write null, or remove the name");
    const guess = closest(word.toLowerCase(), words);
    said(
      `${JSON.stringify(word).slice(1, -1)} is no value of JSON`,
      guess === undefined ? "write a text in double quotes" : `did you mean ${guess}?`,
    );
  }

  #ended(): void {
    this.#end = this.#at;
    this.#comma = undefined;
    this.#expected = "end";
  }

  #atEnd(): Slip | undefined {
    const open = this.#open.at(-1);
    if (open === undefined) {
      if (this.#expected === "end") return undefined;
      this.#refuse("the file is empty", "write an object", 0);
      return this.#slip;
    }
    const suspect = this.#misaligned() ?? open;
    const wanted = pairs[suspect.bracket] ?? "";
    this.#refuse(
      `this "${suspect.bracket}" is never closed`,
      `write "${wanted}" where it ends`,
      suspect.offset,
    );
    return this.#slip;
  }

  /** As people indent: a closing bracket stands below the line that its opening one is in. */
  #misaligned(): { readonly bracket: string; readonly offset: number } | undefined {
    const open: { readonly bracket: string; readonly offset: number; readonly indent: number }[] =
      [];
    for (const { index: offset, 0: token } of this.#text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
      if (token === "{" || token === "[") {
        open.push({ bracket: token, offset, indent: this.#indentOf(offset) });
      } else if (token === "}" || token === "]") {
        const isFirst = /(?:^|\n)[ \t]*$/.test(this.#text.slice(Math.max(0, offset - 200), offset));
        const last = open.pop();
        if (isFirst && last !== undefined && last.indent > this.#indentOf(offset)) return last;
      }
    }
    return undefined;
  }

  #indentOf(offset: number): number {
    const line = this.#text.lastIndexOf("\n", offset - 1) + 1;
    return /^[ \t]*/.exec(this.#text.slice(line, offset))?.[0].length ?? 0;
  }

  #refuse(message: string, advice: string, offset = this.#at): void {
    this.#slip = { code: "OAG104", offset, said: [message, advice] };
  }
}
