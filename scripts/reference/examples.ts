// The examples of each operation in the languages of clients: regions of the programs in docs/examples.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const languages = [
  { language: "sh", title: "curl", fence: "sh", comment: "#" },
  { language: "ts", title: "TypeScript", fence: "ts", comment: "//" },
  { language: "py", title: "Python", fence: "python", comment: "#" },
  { language: "go", title: "Go", fence: "go", comment: "//" },
] as const;

/** The ending of the program's name, too. */
export type Language = (typeof languages)[number]["language"];

export interface LanguageExample {
  readonly language: Language;
  readonly title: string;
  /** behind the three backticks of a block in Markdown */
  readonly fence: string;
  /** without an indent that all lines have, and without an end of line behind the last one */
  readonly code: string;
}

const folder = join("docs", "examples");
const root = join(import.meta.dirname, "..", "..");

/**
 * The example of an operation in each language, always in the same order.
 *
 * @throws {Error} a program has no such region, or one that is no region: names file and operation
 */
export function examplesOf(operationId: string): readonly LanguageExample[] {
  return languages.map(({ language, title, fence }) => {
    return { language, title, fence, code: regionOf(language, operationId) };
  });
}

/**
 * What stands once in front of all examples of a language.
 *
 * @throws {Error} as above
 */
export function setupOf(language: Language): string {
  return regionOf(language, "setup");
}

function regionOf(language: Language, name: string): string {
  const { file, comment, regions } = programOf(language);
  const code = regions.get(name);
  if (code !== undefined) return code;
  const marks = `"${comment} #region ${name}" and "${comment} #endregion ${name}"`;
  throw new Error(`${file} has no region ${name}: write its example there between ${marks}`);
}

/** What stands between the marks of a program, by their names, in its order. */
export function programOf(language: Language) {
  const file = join(folder, `operations.${language}`);
  const comment = languages.find((one) => one.language === language)?.comment ?? "#";
  const text = readFileSync(join(root, file), "utf8");
  return { file, comment, text, regions: regionsIn(text, { file, comment }) };
}

/** @throws {Error} marks do not come in pairs, or stand within others: names file and line */
export function regionsIn(
  text: string,
  { file, comment }: { readonly file: string; readonly comment: string },
): ReadonlyMap<string, string> {
  const regions = new Map<string, string>();
  let open: { readonly name: string; readonly lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const refuse = (problem: string): never => {
      throw new Error(`${file}, line ${index + 1}: ${problem}`);
    };
    const [, end, name = ""] = /^\s*\S+ #(end)?region(?: (\S+))?\s*$/.exec(line) ?? [];
    if (!/#(?:end)?region\b/.test(line)) open?.lines.push(line);
    else if (!line.trim().startsWith(`${comment} #`) || name === "")
      refuse(`expected is "${comment} #region NAME" or "${comment} #endregion NAME" alone`);
    else if (end !== undefined) {
      if (open?.name !== name) refuse(`${name} ends here, open is ${open?.name ?? "none"}`);
      regions.set(name, dedented(open?.lines ?? []));
      open = undefined;
    } else {
      if (open !== undefined) refuse(`${name} begins within ${open.name}`);
      if (regions.has(name)) refuse(`${name} is there twice`);
      open = { name, lines: [] };
    }
  }
  if (open !== undefined) throw new Error(`${file}: the region ${open.name} does not end`);
  return regions;
}

function dedented(lines: readonly string[]): string {
  const depths = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const depth = Math.min(...depths);
  return lines
    .map((line) => line.slice(depth))
    .join("\n")
    .trim();
}
