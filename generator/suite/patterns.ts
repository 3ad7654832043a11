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

/** Whether something is repeated in what is repeated itself: `(a+)*`, and `(-a+)*`, which does no harm. */
export function repeatsRepetitions(pattern: string): boolean {
  // what a group that is open has in it so far, the innermost last
  const repeats = [false];
  for (const [token] of pattern.matchAll(tokens)) {
    if (token === "(") repeats.push(false);
    else if (token.startsWith(")")) {
      const isInside = repeats.pop() === true;
      const isRepeated = token.length > 1;
      if (isInside && isRepeated) return true;
      if (isInside || isRepeated) repeats[repeats.length - 1] = true;
    } else if (/^[*+{]/.test(token)) repeats[repeats.length - 1] = true;
  }
  return false;
}

/** What begins a group, or ends one, with how often it comes; and how often anything else does. `{0,1}` and `{2}` are once. */
const tokens = /\\.|\[(?:\\.|[^\]\\])*\]|\(|\)?(?:[*+]|\{\d+,(?!1\})\d*\})|\)/gs;
