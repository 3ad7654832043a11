// HTML out of text. Whatever is put into a template is escaped, so nothing of a merchant's or a
// stranger's can become markup (threat 73); only what came out of a template itself is left alone.

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Finished markup. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | bigint | Html | readonly Html[];

/** Attributes are written in double quotes, always. Lines begin without the indentation of the code. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = "";
  for (const [index, fixed] of texts.entries()) {
    text += fixed.replaceAll(/\n\s*/g, "\n");
    const part = parts[index];
    if (part !== undefined) text += markupOf(part);
  }
  return new Html(text);
}

export const nothing = new Html("");

function markupOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return escaped(String(part));
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => escapes[character] ?? "");
}

/**
 * For where there is no markup to keep text in its place, such as a title: without line breaks, and
 * without what turns the direction of what follows or cannot be seen.
 */
export function plainText(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");
}

/** Of somebody else: shown apart, so that its direction of writing changes nothing around it. */
export function foreign(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}
