// What a command says: results on standard output, for people or as one JSON object a line; all else on standard error.

import { inline, printable } from "./printable.ts";

type Colour = "red" | "green" | "dim";

/** ECMA-48, 8.3.117; `util.styleText` came after the oldest Node that this runs on. */
const codes: Readonly<Record<Colour, number>> = { red: 31, green: 32, dim: 2 };

export interface Painted {
  readonly text: string;
  readonly colour: Colour;
}

export class Output {
  readonly #isJson: boolean;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  /**
   * A result.
   *
   * @param text for people, in parts; several lines are fine, and an empty one says nothing
   * @param record for programs
   */
  result(
    text: string | readonly (string | Painted)[],
    record: Readonly<Record<string, unknown>>,
  ): void {
    const parts = typeof text === "string" ? [text] : text;
    this.exact(parts.map(shown).join(""), record);
  }

  /** The same, of a text that counts by its bytes: nothing from elsewhere is in it. */
  exact(text: string, record: Readonly<Record<string, unknown>>): void {
    // What JSON.stringify leaves as it is stands in strings only, where an escape says the same.
    if (this.#isJson) process.stdout.write(`${inline(JSON.stringify(record))}\n`);
    else if (text !== "") process.stdout.write(`${text}\n`);
  }

  /** How it goes on, for who watches. */
  progress(text: string): void {
    process.stderr.write(`${printable(text)}\n`);
  }
}

/** In colour on a terminal, where NO_COLOR (no-color.org) is not set. */
function shown(part: string | Painted): string {
  if (typeof part === "string") return printable(part);
  const text = printable(part.text);
  if (!process.stdout.isTTY || process.env["NO_COLOR"]) return text;
  return `\u001B[${codes[part.colour]}m${text}\u001B[0m`;
}
