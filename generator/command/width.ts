// How many columns of a terminal a text takes.

/** Made when there is something to show: it takes a while. */
let segmenter: Intl.Segmenter | undefined;

/** Of East Asian scripts and pictures: two columns each (Unicode, annex 11). */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]|\ufe0f/u;

const invisible = /^[\p{M}\p{Cf}]+$/u;

export interface Column {
  /** what people see as one character */
  readonly text: string;
  /** where it begins in the text, in the units of JavaScript */
  readonly at: number;
  readonly width: number;
}

/** Tabs are spaces by then, and control characters are signs that stand for them. */
export function columnsOf(line: string): readonly Column[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(segmenter.segment(line), ({ segment, index }) => {
    const text = shown(segment);
    const width = text === "  " || wide.test(text) ? 2 : invisible.test(text) ? 0 : 1;
    return { text, at: index, width };
  });
}

function shown(segment: string): string {
  if (segment === "\t") return "  ";
  if (!/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(segment)) return segment;
  const code = segment.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return "\ufffd";
}
