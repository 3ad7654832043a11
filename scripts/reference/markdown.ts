// How texts of the contract become Markdown that GitHub, prettier and the site read alike.

/** At the end of a page: it is for those who edit it, and not for those who read it. */
export const madeFromContract =
  "Made by `npm run docs` from `spec/openapi.yaml`. Do not edit it: a test compares it.";

/** Code is left as it is; a `<` of the text beside it would begin HTML. */
export function prose(text: string): string {
  return text.replaceAll(/(`+)[^`]+\1|</g, (found) => (found === "<" ? String.raw`\<` : found));
}

/** As one paragraph, for an item of a list. */
export function line(text: string): string {
  return prose(text).replaceAll(/\s+/g, " ").trim();
}

/** Of any text, also of one with backticks. */
export function inCode(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const marks = "`".repeat(longest + 1);
  return longest === 0 ? `\`${text}\`` : `${marks} ${text} ${marks}`;
}

export interface Tab {
  readonly fence: string;
  readonly title: string;
  readonly code: string;
}

/** As tabs of the site; without it they stand one after the other. A single one needs no tab. */
export function codeGroup(tabs: readonly Tab[]): readonly string[] {
  const [first] = tabs;
  if (first === undefined) return [];
  if (tabs.length === 1) return [`\`\`\`${first.fence}\n${first.code.trimEnd()}\n\`\`\``];
  const blocks = tabs.map(({ fence, title, code }) => {
    const label = title.replaceAll(/[[\]]/g, "");
    return `\`\`\`${fence} [${label}]\n${code.trimEnd()}\n\`\`\``;
  });
  return ["::: code-group", ...blocks, ":::"];
}

/** As GitHub makes them of headings. */
export function slugOf(heading: string): string {
  const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "");
  return words.trim().replaceAll(" ", "-");
}

/** "Payout schedules"; x402 is written like that everywhere. */
export function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.startsWith("x402") ? words : words.charAt(0).toUpperCase() + words.slice(1);
}
