// Patterns as those who wrote them meant them.

/**
 * With the unicode flag (JSON Schema 2020-12, core, 6.4); where it cannot be read so, such as `[\w-.]`, without it, as
 * the generated code reads it. Throws `SyntaxError` where it cannot be read at all.
 */
export function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    return new RegExp(withPlainDashes(text));
  }
}

/** For Ajv; the name is for code that it writes into files, and here it writes none. */
export const patternEngine = Object.assign((text: string) => patternOf(text), {
  code: "patternOf",
});

/** A dash beside `\w` is one, and no range: whoever draws from the pattern wants it said. */
function withPlainDashes(text: string): string {
  return text
    .replaceAll(/(\\[dsw])-(?!\])/gi, String.raw`$1\-`)
    .replaceAll(/(?<!\\)-(?=\\[dsw])/gi, String.raw`\-`);
}
