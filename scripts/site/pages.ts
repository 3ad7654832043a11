// Which pages of docs/ are on the site of merchants' developers, under which address, and where they stand in its menus.

import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const docsFolder = join(import.meta.dirname, "..", "..", "docs");

/** In the order of the menu; others stand behind them. */
const guides = [
  "take-a-payment",
  "split-a-payment",
  "sell-an-api-by-x402",
  "pay-out",
  "subscriptions",
  "webhooks",
  "going-live",
];

const clients = ["client.md", "clients/README.md", "signing.md"];
const webhooks = ["running/webhooks.md", "reference/events.md"];
const overview = "reference/index.md";

/** What pages of the site may name without being able to lead there: files of the repository, by their path. */
export const repositoryOnly: readonly RegExp[] = [
  /^docs\/clients\/[\w.]+\.(?:php|py|go)$/,
  /^docs\/(?:running|generator|images|examples)\//,
  /^docs\/[\w-]+\.md$/,
  /^(?:adapters|generated|handlers|scripts|service|spec|test)\//,
  /^(?:README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/,
];

/** Pages by their path in docs/, in the order of the menus. */
export function sitePages(folder = docsFolder): readonly string[] {
  return [
    "index.md",
    ...guidePages(folder),
    overview,
    ...referencePages(folder),
    "errors.md",
    ...clients,
    ...webhooks,
  ];
}

/** Where a page is read, below the site's base: `clients/README.md` is `clients/`. */
export function addressOf(page: string): string {
  return page.replace(/\.md$/, "").replace(/(^|\/)(?:README|index)$/, "$1");
}

/** What the site's program needs to know of pages that are called otherwise there. */
export const rewrites: Readonly<Record<string, string>> = {
  "clients/README.md": "clients/index.md",
};

interface MenuItem {
  readonly text: string;
  readonly link: string;
}

export interface MenuGroup {
  readonly text: string;
  readonly items: readonly MenuItem[];
}

/** A group without a page is left out. */
export function menu(folder = docsFolder): readonly MenuGroup[] {
  const items = (pages: readonly string[]): readonly MenuItem[] =>
    pages.map((page) => ({ text: titleOf(page, folder), link: `/${addressOf(page)}` }));
  const groups = [
    { text: "Guides", items: items(guidePages(folder)) },
    { text: "Reference", items: items([overview, ...referencePages(folder)]) },
    { text: "Errors", items: items(["errors.md"]) },
    { text: "Clients", items: items(clients) },
    { text: "Webhooks", items: items(webhooks) },
  ];
  return groups.filter((group) => group.items.length > 0);
}

function guidePages(folder: string): readonly string[] {
  const there = globSync("guides/*.md", { cwd: folder }).toSorted();
  const place = (page: string): number => {
    const known = guides.indexOf(page.slice("guides/".length, -".md".length));
    return known === -1 ? guides.length : known;
  };
  return there.toSorted((one, other) => place(one) - place(other));
}

/** By the table of all operations, whose order is the contract's. */
function referencePages(folder: string): readonly string[] {
  const text = readFileSync(join(folder, overview), "utf8");
  const named = Array.from(text.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)#/gm), ([, page]) => page);
  return [...new Set(named)].map((page) => `reference/${page}`);
}

/** The first heading. Throws where there is none. */
function titleOf(page: string, folder: string): string {
  const path = join(folder, page);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`docs/${page} has no heading, or is not there`);
  return title.replaceAll("`", "");
}
