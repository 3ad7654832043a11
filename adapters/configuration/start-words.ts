// What is typed behind npm start. A server is told everything by variables, so that a word is a mistake: who typed
// --port would have a server on another one.

import { ConfigurationError } from "./configuration.ts";

/** Said by npm's own script: the documentation site is built beside a server of development. */
const buildDocs = "--build-docs";

/** Throws `ConfigurationError`. */
export function readStartWords(words: readonly string[]): { readonly isBuildingDocs: boolean } {
  const mistakes = words
    .filter((word) => word !== buildDocs)
    .map(
      (word) =>
        `${word}: a server takes no words, it is told everything by variables (docs/configuration.md)`,
    );
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return { isBuildingDocs: words.includes(buildDocs) };
}
