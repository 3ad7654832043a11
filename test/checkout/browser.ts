// A real headless Chromium, which notes whatever a page should not do: errors, violations of its
// policy, and requests to anybody else.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { projectRoot } from "../programs/child.ts";
import { shared } from "../support/shared.ts";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface OpenedPage {
  readonly page: Page;
  /** what it should not have done */
  readonly faults: readonly string[];
  readonly requests: readonly string[];
}

export type TestBrowser = Awaited<ReturnType<typeof startBrowser>>;

const screenshotFolder = join(projectRoot, "test-results", "checkout");

export async function startBrowser() {
  const executablePath = await shared("chromium");
  if (executablePath === "") {
    throw new Error(
      "No Chromium: `apt-get install chromium` as root, or set CHROMIUM_PATH to one, and run again.",
    );
  }
  const folder = mkdtempSync(join(tmpdir(), "checkout-browser-"));
  mkdirSync(screenshotFolder, { recursive: true });
  const browser = await chromium.launch({ executablePath, headless: true, args: [...flags] });
  const contexts: BrowserContext[] = [];
  return {
    open: async (url: string, options: BrowserContextOptions = {}): Promise<OpenedPage> => {
      const context = await browser.newContext({
        viewport: { width: 900, height: 1100 },
        reducedMotion: "reduce",
        ...options,
      });
      contexts.push(context);
      const page = await context.newPage();
      const watched = watch(page, new URL(url).origin);
      await page.goto(url);
      return { page, ...watched };
    },
    /** Kept for people to look at. */
    screenshot: async (page: Page, name: string): Promise<void> => {
      await page.screenshot({ path: join(screenshotFolder, `${name}.png`), fullPage: true });
    },
    closePages: async (): Promise<void> => {
      for (const context of contexts.splice(0)) await context.close();
    },
    close: async (): Promise<void> => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function watch(page: Page, origin: string): Omit<OpenedPage, "page"> {
  const faults: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    // A blocked script, style or request is told so, too.
    if (message.type() === "error" || message.type() === "warning") faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    requests.push(url);
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) faults.push(`asked for ${url}`);
  });
  return { faults, requests };
}
