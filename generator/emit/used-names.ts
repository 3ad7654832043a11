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

/** Identifiers that stand for something of their own: not names of properties, not in texts. */
export function usedNames(code: string): ReadonlySet<string> {
  const used = new Set<string>();
  let before = "";
  // a name waits for what stands behind it
  let waiting: string | undefined;
  for (const [text, skipped, name] of code.matchAll(sign)) {
    if (skipped !== undefined && isComment(skipped)) continue; // it stands between anything
    const isTyped = (text === ":" || text === "?:") && beforeProperty.has(before);
    if (waiting !== undefined) {
      if (before !== "." && !isTyped) used.add(waiting);
      before = waiting;
    }
    waiting = name;
    if (name === undefined) before = skipped === undefined ? text : "text";
  }
  if (waiting !== undefined && before !== ".") used.add(waiting);
  return used;
}

function isComment(text: string): boolean {
  return text.startsWith("//") || text.startsWith("/*");
}
