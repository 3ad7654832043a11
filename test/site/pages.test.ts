// Which pages the site has, what its menus say, and what becomes of a link to a page that it does not have.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { siteTarget } from "../../scripts/site/links.ts";
import { addressOf, menu, sitePages } from "../../scripts/site/pages.ts";
import { endChildren, makeFolder } from "../programs/child.ts";

afterEach(endChildren);

/** A docs folder with these guides, and the pages that there always are. */
function docsWith(guides: readonly string[]): string {
  const folder = makeFolder();
  const table = "# Reference\n\n| [Create](payments.md#create) | `POST /v1/payments` |\n";
  const pages = new Map([["reference/index.md", table]]);
  for (const page of [
    "client",
    "signing",
    "errors",
    "clients/README",
    "running/webhooks",
    "reference/events",
    "reference/payments",
  ])
    pages.set(`${page}.md`, `# Page of \`${page}\`\n`);
  for (const guide of guides) pages.set(`guides/${guide}.md`, `# Guide ${guide}\n`);
  for (const [page, text] of pages) {
    mkdirSync(dirname(join(folder, page)), { recursive: true });
    writeFileSync(join(folder, page), text);
  }
  return folder;
}

test("guides come in the order of a reader, those that nobody has placed at the end", () => {
  const folder = docsWith(["another", "going-live", "pay-out", "take-a-payment"]);
  const [guides, reference] = menu(folder);
  expect(guides).toEqual({
    text: "Guides",
    items: ["take-a-payment", "pay-out", "going-live", "another"].map((name) => ({
      text: `Guide ${name}`,
      link: `/guides/${name}`,
    })),
  });
  expect(reference?.items).toEqual([
    { text: "Reference", link: "/reference/" },
    { text: "Page of reference/payments", link: "/reference/payments" },
  ]);
});

test("without a guide there is no menu of guides", () => {
  const folder = docsWith([]);
  expect(menu(folder).map(({ text }) => text)).toEqual([
    "Reference",
    "Errors",
    "Clients",
    "Webhooks",
  ]);
  expect(sitePages(folder)[1]).toBe("reference/index.md");
});

test("a page that is named and not there is told", () => {
  const folder = docsWith([]);
  writeFileSync(join(folder, "signing.md"), "no heading\n");
  expect(() => menu(folder)).toThrow("docs/signing.md has no heading, or is not there");
});

test.each([
  ["index.md", ""],
  ["errors.md", "errors"],
  ["clients/README.md", "clients/"],
  ["reference/index.md", "reference/"],
])("%s is read at %s", (page, address) => {
  expect(addressOf(page)).toBe(address);
});

const pages = new Set(["errors.md", "clients/README.md", "reference/payments.md"]);

test.each([
  ["../errors.md#not_found", "/errors#not_found"],
  ["payments.md", "/reference/payments"],
  ["../clients/README.md", "/clients/"],
  ["#here", "#here"],
  ["https://example.com/", "https://example.com/"],
])("a link to %s leads to %s", (href, address) => {
  expect(siteTarget(href, { page: "reference/payments.md", pages })).toEqual({
    isFile: false,
    address,
  });
});

test("a link to a page for operators names the file", () => {
  const target = siteTarget("threats.md", { page: "errors.md", pages });
  expect(target).toEqual({ isFile: true, address: "docs/threats.md" });
});

test("a link to what nobody has named stops the build", () => {
  expect(() => siteTarget("../elsewhere/page.md", { page: "errors.md", pages })).toThrow(
    "docs/errors.md links to ../elsewhere/page.md, and elsewhere/page.md is not on the site",
  );
});
