// What is typed behind npm start. A server is told everything by variables, so that a word is a mistake: who typed
// --port would have a server on another one.

import { ConfigurationError } from "./configuration.ts";

/** Said by npm's own script: the documentation site is built beside a server of development. */
const buildDocs = "--build-docs";

/** Throws `ConfigurationError`. */
export function readStartWords(words: readonly string[]): { readonly isBuildingDocs: boolean } {
  const mistakes = words.filter((word) => word !== buildDocs).map(mistakeOf);
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { isBuildingDocs: words.includes(buildDocs) };
}

/** The names of an option and of a variable. A key in hex or base64 is neither: it is longer, or has other characters. */
const named = [/^--[a-z]{1,20}(?:-[a-z]{1,20})*(?==|$)/, /^[A-Z][A-Z0-9_]{0,39}(?==)/];

/** Without what may be a secret: it is likely to be a variable that stands at the wrong place. */
function mistakeOf(word: string): string {
  const what = named.map((form) => form.exec(word)?.[0]).find(Boolean) ?? "a word";
  return (
    `${what} stands behind the command: a server takes no words, it is told everything by variables ` +
    "before it, NAME=value npm start (docs/configuration.md)"
  );
}
