// Text from elsewhere on a terminal: it must neither move the cursor, nor turn what stands beside it around.

/** Control characters (C0, C1), marks that turn the direction (UAX #9), and the two that end a line elsewhere. */
const unprintable = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** As JSON writes them. */
function escaped(sign: string): string {
  return String.raw`\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Lines of ours: they stay lines. */
export function printable(text: string): string {
  return text.replace(unprintable, (sign) => (sign === "\n" ? sign : escaped(sign)));
}

/** A word from elsewhere: it cannot begin a line. */
export function inline(text: string): string {
  return text.replace(unprintable, escaped);
}
