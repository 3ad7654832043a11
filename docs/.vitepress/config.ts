// The site of merchants' developers, made of pages of docs/ by "npm run docs" and served at /docs.

import { globSync } from "node:fs";
import { defineConfig } from "vitepress";
import { addSiteRules } from "../../scripts/site/links.ts";
import { docsFolder, menu, rewrites, sitePages } from "../../scripts/site/pages.ts";
import type { MenuGroup } from "../../scripts/site/pages.ts";
import { slugOf } from "../../scripts/reference/markdown.ts";

const pages = new Set(sitePages());
const groups = menu();

/** What stands on the first page: the first page of each group, with what it is for. */
const entrances: Readonly<Record<string, string>> = {
  Guides: "From an order to money in your account, step by step, with code.",
  Reference: "Every operation: what it needs, what it answers, and examples.",
  Errors: "Every code, why it comes, and what to do about it.",
  Clients: "In TypeScript, Python, Go and PHP, and how a request is signed.",
  Webhooks: "How events reach you, how to verify them, and what is in each.",
};

export default defineConfig({
  lang: "en",
  title: "Merchant crypto payments",
  description: "Accept cryptocurrency payments and move funds out, through one HTTP interface.",
  base: "/docs/",
  cleanUrls: true,
  // Every link in view would be fetched, and each counts for the limits of the reader's address.
  router: { prefetchLinks: false },
  // One script for all pages, so that no page has inline data and its policy names few scripts.
  metaChunk: true,
  srcExclude: globSync("**/*.md", { cwd: docsFolder }).filter((page) => !pages.has(page)),
  rewrites,
  cacheDir: "../../node_modules/.cache/vitepress",
  // Otherwise the switch puts a style into the page for a moment, which its policy forbids.
  appearance: { disableTransition: false },
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    // Braces are of paths, and colons of addresses.
    attrs: { disable: true },
    emoji: { enabled: [] },
    html: false,
    // The `Link` of an error ends in its code, underscores and all.
    anchor: { slugify: slugOf },
    config: (markdown) => addSiteRules(markdown, docsFolder),
  },
  transformPageData: ({ relativePath, frontmatter }) => {
    if (relativePath !== "index.md") return;
    frontmatter["features"] = groups.map(({ text, items }) => ({
      title: text,
      details: entrances[text],
      link: items[0]?.link,
    }));
  },
  themeConfig: {
    // The whole title is wider than a phone.
    siteTitle: "Crypto payments",
    nav: groups.map(({ text, items }) => ({
      text,
      link: items[0]?.link ?? "/",
      activeMatch: groupMatch(items.map(({ link }) => link)),
    })),
    sidebar: groups.map(sidebarGroup),
    outline: { level: [2, 3] },
    search: { provider: "local" },
    docFooter: { prev: false, next: false },
    notFound: { quote: "There is no such page. The search knows every operation and every error." },
  },
});

/** A page that is a group of its own stands without another title. */
function sidebarGroup({ text, items }: MenuGroup) {
  const [first] = items;
  if (items.length === 1 && first?.text === text) return first;
  return { text, items: [...items], collapsed: false };
}

/** A menu of the top is lit on all pages of its group. */
function groupMatch(links: readonly string[]): string {
  return `^(?:${links.map((link) => link.replaceAll(".", String.raw`\.`)).join("|")})(?:\\.html)?$`;
}
