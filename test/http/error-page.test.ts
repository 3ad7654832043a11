// The page of the errors in a real browser: what its policy forbids it does not need, and it can be read on
// a phone, in light and dark, and without JavaScript.

import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startBrowser } from "../checkout/browser.ts";
import type { TestBrowser } from "../checkout/browser.ts";
import { startServer } from "../programs/start-server.ts";
import type { TestServer } from "../programs/start-server.ts";

let server: TestServer;
let browser: TestBrowser;
beforeAll(async () => {
  server = await startServer();
  browser = await startBrowser();
});
afterEach(async () => {
  await browser.closePages();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const target = "document.querySelector(':target')";
const phone = { viewport: { width: 360, height: 740 }, isMobile: true, javaScriptEnabled: false };

test.each([
  ["light", "rgb(232, 237, 255)"],
  ["dark", "rgb(34, 45, 82)"],
] as const)("shows the entry that a Link names, on a phone, in %s", async (colorScheme, mark) => {
  const url = `${server.url}/docs/errors#x402_requirements_mismatch`;
  const { page, faults, requests } = await browser.open(url, { ...phone, colorScheme });
  const entry = page.locator("#x402_requirements_mismatch");
  const box = await entry.boundingBox();
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect(box?.y).toBeLessThan(phone.viewport.height);
  expect(await page.evaluate(`getComputedStyle(${target}).backgroundColor`)).toBe(mark);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(phone.viewport.width);
  await page.locator('nav a[href="#rate_limited"]').click();
  const other = await page.locator("#rate_limited").boundingBox();
  expect(other?.y).toBeLessThan(phone.viewport.height);
  expect(requests).toEqual([`${server.url}/docs/errors`]);
  expect(faults).toEqual([]);
});
