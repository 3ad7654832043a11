// The site as a server of development builds it, and as a real browser reads it: nothing in it leads nowhere, and nothing
// of it comes from anywhere else.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startDocsBuild } from "../../adapters/http/docs-build.ts";
import { DocsSite } from "../../adapters/http/docs-routes.ts";
import { readContract } from "../../scripts/reference/contract.ts";
import { slugOf } from "../../scripts/reference/markdown.ts";
import { addressOf, docsFolder, sitePages } from "../../scripts/site/pages.ts";
import { startBrowser } from "../checkout/browser.ts";
import type { TestBrowser } from "../checkout/browser.ts";
import { endChildren, makeFolder, projectRoot } from "../programs/child.ts";
import { startServer } from "../programs/start-server.ts";
import type { TestServer } from "../programs/start-server.ts";

const folder = join(makeFolder(), "docs");
const site = new DocsSite(folder);
const siteOfAnother = new DocsSite(folder);
const warnings: unknown[] = [];
const log = { warn: (fields: unknown) => warnings.push(fields) };
const parts = { log, environment: process.env };

let server: TestServer;
let browser: TestBrowser;
let shownMeanwhile = "";
let wasLeftByKilled: readonly string[] = [];
beforeAll(async () => {
  server = await startServer({ docs: site });
  browser = await startBrowser();
  await killOneInTheMiddle();
  wasLeftByKilled = existsSync(folder) ? [folder] : [];
  // Two servers that are started at once.
  const builds = [startDocsBuild(site, parts), startDocsBuild(siteOfAnother, parts)];
  shownMeanwhile = await (await fetch(`${server.url}/docs`)).text();
  await Promise.all(builds.map(({ ended }) => ended));
});
afterEach(async () => {
  await browser.closePages();
});
afterAll(async () => {
  await browser.close();
  await server.close();
  await endChildren();
});

/** As when its server is killed: its channel is closed, and nobody tells it anything. */
async function killOneInTheMiddle(): Promise<void> {
  const program = join(projectRoot, "scripts", "site", "child.ts");
  const child = spawn(process.execPath, [program, folder], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ended = once(child, "exit");
  while (!existsSync(`${folder}.tmp`)) await new Promise(setImmediate);
  child.disconnect();
  await ended;
}

const files = (pattern: string): readonly string[] => globSync(pattern, { cwd: folder });
const textOf = (file: string): string => readFileSync(join(folder, file), "utf8");

describe("the build", () => {
  test("that is cut off leaves no half of a site, and nothing that holds others up", () => {
    expect(wasLeftByKilled).toEqual([]);
    expect(existsSync(`${folder}.tmp`)).toBe(false);
  });

  test("is told of on the page meanwhile, and of two at once both find the site", async () => {
    expect(shownMeanwhile).toContain("being built");
    expect(warnings).toEqual([]);
    const found = await Promise.all([site.files(), siteOfAnother.files()]);
    expect(found.map((all) => all?.byPath.has("/docs/errors"))).toEqual([true, true]);
  });

  test("has every page of its list, and no other", () => {
    const addresses = files("**/*.html").map((file) => file.replace(/(?:index)?\.html$/, ""));
    expect(addresses.toSorted()).toEqual(["404", ...sitePages().map(addressOf)].toSorted());
  });

  test("that fails is told once, and the server goes on", async () => {
    const file = join(makeFolder(), "file");
    writeFileSync(file, "");
    const broken = new DocsSite(join(file, "docs"));
    const told: unknown[] = [];
    const build = startDocsBuild(broken, {
      ...parts,
      log: { warn: (fields: unknown) => told.push(fields) },
    });
    await build.ended;
    expect(told).toHaveLength(1);
    expect(told).toMatchObject([{ exit_code: 1, signal: null }]);
    expect(JSON.stringify(told)).toContain("EEXIST");
    expect(broken.isBuilding).toBe(false);
  });
});

describe("what is built", () => {
  test("leads to pages and places that are there", () => {
    const idsOf = (file: string): ReadonlySet<string> =>
      new Set(Array.from(textOf(file).matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id));
    const pages = new Map(
      files("**/*.html").map((file) => [
        `/docs/${file.replace(/(?:index)?\.html$/, "")}`,
        idsOf(file),
      ]),
    );
    const others = new Set(files("**/*.*").map((file) => `/docs/${file}`));
    const problems: string[] = [];
    let count = 0;
    for (const file of files("**/*.html")) {
      const own = `/docs/${file.replace(/(?:index)?\.html$/, "")}`;
      for (const [, link = ""] of textOf(file).matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(?:https?:|data:|mailto:)/.test(link)) continue;
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? own : path;
        const ids = pages.get(target);
        count += 1;
        if (ids === undefined && !others.has(target)) problems.push(`${file} leads to ${link}`);
        if (anchor !== undefined && anchor !== "" && ids?.has(decodeURIComponent(anchor)) === false)
          problems.push(`${file} leads to ${link}, and there is no such place`);
      }
    }
    expect(
      problems.filter((one) => !one.endsWith("#VPContent, and there is no such place")),
    ).toEqual([]);
    expect(count).toBeGreaterThan(1_000);
  });

  test("shows no comment, and each program below the name of its file", () => {
    const commented = files("**/*.html").filter((file) => textOf(file).includes("&lt;!--"));
    expect(commented).toEqual([]);
    expect(textOf("guides/take-a-payment.html")).toContain("<p><code>setup.ts</code>:</p>");
  });

  test("loads nothing from another host", () => {
    const loads = [
      [
        "**/*.html",
        /<(?:script|img|iframe|link|source)\b[^>]*(?:src|href)="(?:https?:)?\/\/[^"]*"/g,
      ],
      ["**/*.css", /(?:url\(\s*["']?|@import\s+["'])(?:https?:)?\/\/[^)"']*/g],
      [
        "**/*.js",
        /(?:import\(?|from|fetch\(|src[:=]|new Worker\()\s*["'`](?:https?:)?\/\/[^"'`]*/g,
      ],
    ] as const;
    const found = loads.flatMap(([pattern, load]) =>
      files(pattern).flatMap((file) =>
        Array.from(textOf(file).matchAll(load), ([one]) => `${file}: ${one}`),
      ),
    );
    expect(found).toEqual([]);
  });

  test("has a place for every error, under its code", () => {
    const page = textOf("errors.html");
    const codes = Array.from(
      readFileSync(join(docsFolder, "errors.md"), "utf8").matchAll(/^### (\w+)$/gm),
      ([, code = ""]) => code,
    );
    expect(codes.length).toBeGreaterThan(50);
    expect(codes.filter((code) => !page.includes(` id="${code}"`))).toEqual([]);
  });

  test("has a place for every operation", () => {
    const places = readContract().subjects.flatMap(({ name, operations }) =>
      operations.map(({ summary }) => [name, slugOf(summary)] as const),
    );
    expect(places).toHaveLength(20);
    const missing = places.filter(
      ([name, place]) => !textOf(`reference/${name}.html`).includes(` id="${place}"`),
    );
    expect(missing).toEqual([]);
  });
});

/** Nothing was forbidden, nothing failed, and nobody else was asked. */
async function open(path: string, options = {}) {
  const opened = await browser.open(`${server.url}${path}`, options);
  await opened.page.waitForLoadState("networkidle");
  return opened;
}

describe("in a browser", () => {
  test("every page can be opened, and none breaks its policy", async () => {
    for (const page of sitePages()) {
      const { page: tab, faults } = await open(`/docs/${addressOf(page)}`);
      expect([page, await tab.locator("h1").count()]).toEqual([page, 1]);
      expect([page, faults]).toEqual([page, []]);
      await browser.closePages();
    }
  });

  test("the Link of an error leads to its entry", async () => {
    const { page, faults } = await open("/docs/errors#amount_precision");
    const entry = page.locator("#amount_precision");
    const box = await entry.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(1_100);
    expect(await page.evaluate("document.querySelector(':target').id")).toBe("amount_precision");
    expect(faults).toEqual([]);
  });

  test.each([
    ["createPayout", "/docs/reference/payout-schedules#create-a-payout-schedule"],
    ["amount_precision", "/docs/errors#amount_precision"],
  ])("the search finds %s", async (words, address) => {
    const { page, faults } = await open("/docs");
    await page.locator(".DocSearch-Button").click();
    await page.locator("#localsearch-input").fill(words);
    await page.locator(`.VPLocalSearchBox a.result[href="${address}"]`).click();
    await page.waitForURL(`${server.url}${address}`);
    expect(faults).toEqual([]);
  });

  test.each(["light", "dark"] as const)(
    "the switch turns %s around, and the choice is kept",
    async (colorScheme) => {
      const viewport = { width: 1_400, height: 900 };
      const { page, faults } = await open("/docs/errors", { colorScheme, viewport });
      const colour = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
      const isDark = () => page.evaluate("document.documentElement.classList.contains('dark')");
      const before = await colour();
      expect(await isDark()).toBe(colorScheme === "dark");
      await page.locator(".VPNavBarAppearance .VPSwitchAppearance").click();
      expect(await isDark()).toBe(colorScheme !== "dark");
      expect(await colour()).not.toBe(before);
      await page.reload();
      expect(await isDark()).toBe(colorScheme !== "dark");
      expect(faults).toEqual([]);
    },
  );

  test("the tabs of a group of code turn", async () => {
    const { page, faults } = await open("/docs/reference/payments");
    const group = page.locator(".vp-code-group").first();
    const blocks = group.locator(".blocks > div");
    expect(await blocks.nth(0).isVisible()).toBe(true);
    await group.locator(".tabs label").nth(1).click();
    expect(await blocks.nth(1).isVisible()).toBe(true);
    expect(await blocks.nth(0).isVisible()).toBe(false);
    expect(faults).toEqual([]);
  });

  test("it can be read without a script, on a phone", async () => {
    const phone = {
      viewport: { width: 360, height: 740 },
      isMobile: true,
      javaScriptEnabled: false,
    };
    const { page } = await open("/docs/reference/payments", phone);
    expect(await page.locator("h1").textContent()).toContain("Payments");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  });

  test("a page fetches no other page before somebody asks for it", async () => {
    const { requests } = await open("/docs", { viewport: { width: 1_400, height: 900 } });
    const text = requests.join("\n");
    expect(text).toMatch(/assets\/index\.md\./);
    expect(text).not.toMatch(/assets\/(?:errors|guides_|reference_|clients_)/);
  });

  test("who asks for a page that is not there finds the way back", async () => {
    const { page, faults } = await open("/docs/nothing-here");
    expect(await page.locator(".NotFound").textContent()).toContain("404");
    // That the page itself is 404, the browser tells as well.
    expect(faults.filter((one) => !one.includes("404"))).toEqual([]);
  });
});
