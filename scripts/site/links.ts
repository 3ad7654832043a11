// How a link between pages of docs/ is read on the site: another page of the site is found under its address there, and
// what the site does not have is named as a file of the repository. Both are decided before the site's program sees it.

import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { addressOf, repositoryOnly, sitePages } from "./pages.ts";

/** The part of markdown-it's tokens that is used here. */
interface Token {
  type: string;
  tag: string;
  attrs: [string, string][] | null;
  children: Token[] | null;
}

/** @param folder of the pages, as the site's program has it */
export function addSiteRules(markdown: MarkdownRenderer, folder: string): void {
  const pages = new Set(sitePages(folder));
  markdown.core.ruler.push("site_links", ({ tokens, env }) => {
    // What the site's program tells of the page.
    const { realPath, path } = env as { readonly realPath?: string; readonly path?: string };
    const file = realPath ?? path;
    if (file === undefined) return;
    const page = posix.relative(folder, file);
    for (const { children } of tokens) settleLinks(children ?? [], { page, pages });
  });
  // `<!-- file: shop.ts -->` in front of a program says to its test what it is called; here it is said to readers.
  markdown.core.ruler.before("normalize", "names_of_files", (state) => {
    state.src = state.src.replaceAll(/^<!-- file: (\S+) -->$/gm, "`$1`:");
  });
  // Vue reads `{{` as the start of an expression, and takes it for text where it is written like this.
  const { rules } = markdown.renderer;
  rules["text"] = (tokens, index) =>
    escaped(tokens[index]?.content ?? "").replaceAll("{{", "&#123;&#123;");
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

interface Place {
  /** by its path in docs/ */
  readonly page: string;
  readonly pages: ReadonlySet<string>;
}

function settleLinks(tokens: readonly Token[], place: Place): void {
  let isFile = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const href = token.attrs?.find(([name]) => name === "href");
      if (href === undefined) continue;
      const target = siteTarget(href[1], place);
      isFile = target.isFile;
      if (target.isFile) {
        token.tag = "span";
        token.type = "repository_open";
        token.attrs = [["title", `${target.address} in the repository`]];
      } else href[1] = target.address;
    } else if (token.type === "link_close" && isFile) {
      token.tag = "span";
      token.type = "repository_close";
      isFile = false;
    }
  }
}

interface Target {
  readonly isFile: boolean;
  /** of a page below the base of the site, or the path of a file in the repository */
  readonly address: string;
}

/** Throws for a link to what is neither on the site nor said to be in the repository only. */
export function siteTarget(href: string, { page, pages }: Place): Target {
  if (/^(?:[a-z][a-z0-9+.-]*:|#|\/)/i.test(href)) return { isFile: false, address: href };
  const [file = "", anchor] = href.split("#");
  const path = posix.join("docs", posix.dirname(page), file);
  const target = posix.relative("docs", path);
  if (pages.has(target)) {
    const end = anchor === undefined ? "" : `#${anchor}`;
    return { isFile: false, address: `/${addressOf(target)}${end}` };
  }
  if (repositoryOnly.some((one) => one.test(path))) return { isFile: true, address: path };
  throw new Error(
    `docs/${page} links to ${href}, and ${path} is not on the site: name it in sitePages, or in repositoryOnly`,
  );
}
