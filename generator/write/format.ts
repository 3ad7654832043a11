// Generated TypeScript in the project's own style. oxfmt writes it, in a tenth of prettier's time; where the project
// has options that only prettier knows, prettier does.

import { createRequire } from "node:module";
import type { GeneratedFile } from "../emit/file.ts";
import type { Json, JsonObject } from "../json.ts";
import { hashOf } from "./cache.ts";
import { optionsFor } from "./style.ts";
import { withShortUnions } from "./unions.ts";

export interface FormattedFile extends GeneratedFile {
  /** of what was formatted, and of how: an equal one gives an equal text */
  readonly draft: string;
}

/** The text that an earlier run has made of this draft; undefined: it is not there any more. */
export type Earlier = (path: string, draft: string) => string | undefined;

/** `folder` decides which configuration of prettier holds. */
export async function formatFiles(
  files: readonly GeneratedFile[],
  folder: string,
  earlier: Earlier = () => undefined,
): Promise<FormattedFile[]> {
  const { name, format } = formatterFor(await optionsFor(folder));
  const formatted: FormattedFile[] = [];
  for (const file of files) {
    const draft = hashOf(`${name}\n${file.text}`);
    const text =
      earlier(file.path, draft) ??
      (file.language === "json" ? file.text : await format(file.text, file.path));
    formatted.push({ ...file, text, draft });
  }
  return formatted;
}

interface Formatter {
  /** an equal one writes the same */
  readonly name: string;
  readonly format: (text: string, path: string) => Promise<string>;
}

/** Options of prettier that mean the same to oxfmt (its page "Migrate from Prettier"). */
const shared: Readonly<Record<string, (value: Json) => boolean>> = {
  printWidth: isCount,
  tabWidth: isCount,
  useTabs: isFlag,
  semi: isFlag,
  singleQuote: isFlag,
  quoteProps: (value) => value === "as-needed" || value === "consistent" || value === "preserve",
  trailingComma: (value) => value === "all" || value === "es5" || value === "none",
  bracketSpacing: isFlag,
  arrowParens: (value) => value === "always" || value === "avoid",
  endOfLine: (value) => value === "lf",
  objectWrap: (value) => value === "preserve" || value === "collapse",
};

/** Of other languages, or for editors. */
const meaningless = new Set([
  ..."$schema proseWrap htmlWhitespaceSensitivity vueIndentScriptAndStyle".split(" "),
  ..."jsxSingleQuote bracketSameLine singleAttributePerLine embeddedLanguageFormatting".split(" "),
]);

function isCount(value: Json): boolean {
  return Number.isInteger(value) && Number(value) > 0;
}

function isFlag(value: Json): boolean {
  return typeof value === "boolean";
}

function formatterFor(options: JsonObject): Formatter {
  const own = Object.entries(options).filter(([option]) => !meaningless.has(option));
  const isShared = own.every(([option, value]) => shared[option]?.(value) === true);
  return isShared ? oxfmtWith(Object.fromEntries(own)) : prettierWith(options);
}

const require = createRequire(import.meta.url);

function versionOf(name: string): string {
  const { version } = require(`${name}/package.json`) as { readonly version: string };
  return `${name} ${version}`;
}

function oxfmtWith(options: JsonObject): Formatter {
  const { printWidth = 80, tabWidth = 2 } = options;
  const widths = { printWidth: Number(printWidth), tabWidth: Number(tabWidth) };
  return {
    name: JSON.stringify([versionOf("oxfmt"), options]),
    async format(text, path) {
      const { format } = await import("oxfmt");
      const { code, errors } = await format(path, text, { ...options, ...widths });
      const [first] = errors;
      if (first !== undefined) throw new SyntaxError(`${path}: ${first.message}`);
      return withShortUnions(code, widths);
    },
  };
}

function prettierWith(options: JsonObject): Formatter {
  return {
    name: JSON.stringify([versionOf("prettier"), options]),
    async format(text) {
      const prettier = await import("prettier");
      return prettier.format(text, { ...options, parser: "typescript" });
    },
  };
}
