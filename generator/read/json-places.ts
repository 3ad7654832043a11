// Where the values of a JSON text stand. Only what is on the way to a place that is asked for is looked into, and what
// lies beside it is skipped: a document of many megabytes may have a problem as well.

import { type Member, type Members, offsetOfMember } from "./places.ts";

/** @param text a whole and valid JSON text (RFC 8259) */
export class JsonPlaces {
  readonly #text: string;
  /** of objects and lists that were looked into, by their offsets */
  readonly #members = new Map<number, Members>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The offset of the value, or of the closest one around it that is there. */
  offsetOf(tokens: readonly string[], what: "value" | "key"): number {
    return offsetOfMember([tokens, what], this.#afterSpace(0), (offset) => this.#membersAt(offset));
  }

  #membersAt(offset: number): Members {
    const known = this.#members.get(offset);
    if (known !== undefined) return known;
    const opening = this.#text[offset];
    const found = new Map<string, Member>();
    this.#members.set(offset, found);
    if (opening !== "{" && opening !== "[") return found;
    let at = this.#afterSpace(offset + 1);
    while (this.#text[at] !== "}" && this.#text[at] !== "]") {
      const key = at;
      let name = String(found.size);
      if (opening === "{") {
        const end = this.#afterText(at);
        name = JSON.parse(this.#text.slice(at, end)) as string;
        at = this.#afterSpace(this.#afterSpace(end) + 1); // behind the colon
      }
      found.set(name, { key, value: at });
      at = this.#afterSpace(this.#afterValue(at));
      if (this.#text[at] === ",") at = this.#afterSpace(at + 1);
    }
    return found;
  }

  #afterText(offset: number): number {
    let end = this.#text.indexOf('"', offset + 1);
    while (this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    return end + 1;
  }

  #isEscaped(offset: number): boolean {
    let count = 0;
    while (this.#text[offset - count - 1] === "\\") count += 1;
    return count % 2 === 1;
  }

  #afterValue(offset: number): number {
    const opening = this.#text[offset];
    if (opening === '"') return this.#afterText(offset);
    if (opening !== "{" && opening !== "[") return this.#after(word, offset);
    let depth = 0;
    let at = offset;
    do {
      const sign = this.#text[at];
      if (sign === "{" || sign === "[") depth += 1;
      if (sign === "}" || sign === "]") depth -= 1;
      at = sign === '"' ? this.#afterText(at) : at + 1;
      if (depth > 0) at = this.#after(between, at);
    } while (depth > 0);
    return at;
  }

  #afterSpace(offset: number): number {
    return this.#after(space, offset);
  }

  #after(pattern: RegExp, offset: number): number {
    pattern.lastIndex = offset;
    pattern.test(this.#text);
    return pattern.lastIndex;
  }
}

const space = /[ \t\r\n]*/y;
/** A number, or the name of a value. */
const word = /[\w.+-]*/y;
/** Numbers, names of values, commas and colons. */
const between = /[^"{}[\]]*/y;
