// What a command says: results on standard output, for people or as one JSON object a line; all else on standard error.

export type Colour = "red" | "green" | "yellow" | "dim";

/** ECMA-48, 8.3.117; `util.styleText` came after the oldest Node that this runs on. */
const codes: Readonly<Record<Colour, number>> = { red: 31, green: 32, yellow: 33, dim: 2 };

export class Output {
  readonly #isJson: boolean;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  /**
   * A result.
   *
   * @param text for people; several lines are fine, and an empty one says nothing
   * @param record for programs
   */
  result(text: string, record: Readonly<Record<string, unknown>>): void {
    if (this.#isJson) process.stdout.write(`${JSON.stringify(record)}\n`);
    else if (text !== "") process.stdout.write(`${text}\n`);
  }

  /** How it goes on, for who watches. */
  progress(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** On a terminal, where NO_COLOR (no-color.org) is not set. */
  painted(text: string, colour: Colour): string {
    if (!process.stdout.isTTY || process.env["NO_COLOR"]) return text;
    return `\u001B[${codes[colour]}m${text}\u001B[0m`;
  }
}
