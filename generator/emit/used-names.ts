// The names that generated code uses. It is read sign by sign, since a compiler would have to be loaded for it; it
// holds texts, comments, patterns, no divisions, and no templates with names in them.

const skipped = [
  String.raw`//[^\n]*`,
  String.raw`/\*[\s\S]*?\*/`,
  String.raw`"(?:[^"\\\n]|\\.)*"`,
  String.raw`'(?:[^'\\\n]|\\.)*'`,
  "`(?:[^`\\\\]|\\\\[\\s\\S])*`",
  String.raw`/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*`,
  String.raw`\d[\w.]*`,
].join("|");
const sign = new RegExp(
  String.raw`(${skipped})|\.\.\.|\?:|([\p{ID_Start}$_][\p{ID_Continue}$]*)|\S`,
  "gu",
);

/** Before the name of a property; before a value stands something else. */
const beforeProperty = new Set(["", "{", ",", ";", "}", "readonly"]);

interface Sign {
  readonly text: string;
  readonly isName: boolean;
}

/** Identifiers that stand for something of their own: not names of properties, not in texts. */
export function usedNames(code: string): ReadonlySet<string> {
  const signs = signsOf(code);
  const used = new Set<string>();
  for (const [index, { text, isName }] of signs.entries()) {
    if (!isName) continue;
    const before = signs[index - 1]?.text ?? "";
    const after = signs[index + 1]?.text ?? "";
    const isProperty = /^(?::|\?:)$/.test(after) && beforeProperty.has(before);
    if (before !== "." && !isProperty) used.add(text);
  }
  return used;
}

function signsOf(code: string): readonly Sign[] {
  const signs: Sign[] = [];
  for (const [text, isSkipped, name] of code.matchAll(sign)) {
    // a comment stands between anything
    if (/^\/[/*]/.test(text) && isSkipped !== undefined) continue;
    signs.push({ text: isSkipped === undefined ? text : "text", isName: name !== undefined });
  }
  return signs;
}
