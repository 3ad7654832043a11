// The usage of commands, made from the words that they take.

import { exitCodes } from "./exit-codes.ts";
import { type Command, everywhere, ofAsking, ofChanges, type Word } from "./words.ts";

const width = 100;
/** What a command or an option does stands in a column of its own. */
const column = 37;

type Shown = Pick<Command<never>, "name" | "says" | "words">;

export function usageOf(commands: readonly Shown[]): string {
  const lines = commands.flatMap(({ name, says, words }) => {
    const entries = Object.entries(words).filter(([key]) => !Object.hasOwn(everywhere, key));
    const own = entries.filter(
      ([key]) => !Object.hasOwn(ofChanges, key) && !Object.hasOwn(ofAsking, key),
    );
    const start = `  ${name} `;
    const synopsis = filled(entries.map(synopsisOf), width - start.length).map(
      (line, at) => (at === 0 ? start : " ".repeat(start.length)) + line,
    );
    return [...inColumns(synopsis, says), ...optionLines(own)];
  });
  return textOf(lines);
}

/** Of words that several commands take. */
export function optionsUsage(words: Shown["words"]): string {
  return textOf(optionLines(Object.entries(words)));
}

/** What the exit codes mean. */
export function endingsUsage(): string {
  const lines = Object.values(exitCodes).flatMap(({ code, says }) =>
    inColumns([`      ${code}`], says),
  );
  return textOf(["exit codes:", ...lines]);
}

function optionLines(entries: readonly (readonly [string, Word<unknown>])[]): readonly string[] {
  return entries
    .filter(([, { says }]) => says !== "")
    .flatMap(([key, word]) => inColumns([`      ${shownOf(key, word)}`], word.says));
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line.trimEnd()}\n`).join("");
}

function shownOf(key: string, { form, shown }: Word<unknown>): string {
  return form === "place" ? shown : `--${key} ${shown}`.trim();
}

function synopsisOf([key, word]: readonly [string, Word<unknown>]): string {
  const shown = shownOf(key, word);
  if (word.form === "repeated") return `[${shown}]...`;
  return word.form === "optional" || word.form === "flag" ? `[${shown}]` : shown;
}

/** The right text begins beside the left one where that is a short line. */
function inColumns(left: readonly string[], right: string): readonly string[] {
  if (right === "") return left;
  const [only = "", ...more] = left;
  const beside = more.length === 0 && only.length < column - 1 ? only : "";
  return [
    ...(beside === "" ? left : []),
    ...filled(right.split(" "), width - column).map(
      (line, at) => (at === 0 ? beside : "").padEnd(column) + line,
    ),
  ];
}

/** Parts that stay whole, in lines of at most this many characters; one line at least. */
function filled(parts: readonly string[], most: number): readonly string[] {
  const lines = [""];
  for (const part of parts) {
    const longer = `${lines.at(-1)} ${part}`.trim();
    if (longer.length <= most) lines.splice(-1, 1, longer);
    else lines.push(part);
  }
  return lines;
}
