// Rules for Markdown pages: what a page points to is there, and it says for whom it is.

import { posix } from "node:path";
import type { SourceFiles } from "./source-files.ts";

/** Whether a file or folder is there, by its path from the root of the project. */
type IsThere = (path: string) => boolean;

const fence = /^```[^\n]*\n(.*?)^```$/gms;
/** `[text](target)` and `src="target"` */
const link = /\]\(([^)\s]+)\)|\bsrc="([^"]+)"/g;
/** Starts at a folder of ours, and not in the middle of a longer path or of an address. */
const ownPath =
  /(?<![\w/.@-])(?:adapters|docs|generated|generator|handlers|scripts|service|spec|test)\/[\w./-]*/g;

/** Links to files and headings that are not there. Addresses of other machines are left alone. */
export function linkProblems(pages: SourceFiles, isThere: IsThere): readonly string[] {
  return Array.from(pages).flatMap(([page, text]) =>
    linksOf(text).flatMap((target) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [file = "", anchor] = target.split("#");
      const path = file === "" ? page : posix.join(posix.dirname(page), file);
      if (!isThere(path)) return [`${page} links to ${target}, which is not there`];
      const isKnown = anchor === undefined || anchorsOf(pages.get(path) ?? "").has(anchor);
      return isKnown ? [] : [`${page} links to ${target}, and there is no such heading`];
    }),
  );
}

function linksOf(text: string): readonly string[] {
  const prose = text.replaceAll(fence, "").replaceAll(/`[^`]*`(?!\])/g, "");
  return Array.from(prose.matchAll(link), ([, one, other]) => one ?? other ?? "");
}

/** As the usual platforms make them of headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.replaceAll(fence, "").matchAll(/^#+ (.+)$/gm)) {
    const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "");
    const anchor = words.replaceAll(" ", "-");
    let name = anchor;
    for (let count = 1; anchors.has(name); count++) name = `${anchor}-${count}`;
    anchors.add(name);
  }
  return anchors;
}

/** Paths of this project in code, such as `service/errors.ts`, that are not there. */
export function pathProblems(pages: SourceFiles, isThere: IsThere): readonly string[] {
  return Array.from(pages).flatMap(([page, text]) => {
    const blocks = Array.from(text.matchAll(fence), ([, code = ""]) => code);
    const spans = text.replaceAll(fence, "").match(/`[^`\n]+`/g) ?? [];
    const paths = [...blocks, ...spans].flatMap((code) => code.match(ownPath) ?? []);
    const missing = paths.map((path) => path.replace(/[./-]+$/, "")).filter((one) => !isThere(one));
    return [...new Set(missing)].map((path) => `${page} names ${path}, which is not there`);
  });
}

/** The first line after the title says for whom the page is. */
export function audienceProblems(pages: SourceFiles): readonly string[] {
  return Array.from(pages)
    .filter(([, text]) => !/^# [^\n]+\n\nFor [a-z][^\n:]*[\n:]/.test(text))
    .map(([page]) => `${page} does not say in its first line for whom it is`);
}

interface Words {
  /** scripts of package.json */
  readonly scripts: ReadonlySet<string>;
  /** what `npm run admin -- --help` prints */
  readonly adminUsage: string;
}

/** Commands to type that do not exist. */
export function commandProblems(pages: SourceFiles, words: Words): readonly string[] {
  return Array.from(pages).flatMap(([page, text]) => {
    const scripts = Array.from(
      text.matchAll(/\bnpm run (?:-s )?([a-z]+(?::[a-z]+)?)/g),
      ([, one = ""]) => one,
    );
    const commands = Array.from(
      text.matchAll(/\bnpm run admin -- ([a-z-]+ [a-z-]+)/g),
      ([, one = ""]) => one,
    );
    const known = new RegExp(`^  (?:${commands.join("|")})\\b`, "gm");
    const found = new Set(words.adminUsage.match(known)?.map((one) => one.trim()));
    return [
      ...scripts.filter((one) => !words.scripts.has(one)).map((one) => `npm run ${one}`),
      ...commands.filter((one) => !found.has(one)).map((one) => `npm run admin -- ${one}`),
    ].map((command) => `${page} tells to type ${command}, which does not exist`);
  });
}
