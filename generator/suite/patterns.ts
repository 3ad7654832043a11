// Patterns of a document as regular expressions.

/** With the unicode flag, as JSON Schema has it, and without where a pattern means nothing with it. */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}
