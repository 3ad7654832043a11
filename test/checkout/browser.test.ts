// The checkout page in a real browser: with the keyboard alone, by what a screen reader is told, in
// light and dark, live, with its stream cut, and without JavaScript.

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeDatabase } from "../support/engines.ts";
import { ScriptedChain } from "../support/scripted-chain.ts";
import { startBrowser } from "./browser.ts";
import type { OpenedPage, TestBrowser } from "./browser.ts";
import { base, ethereum, eth, startCheckout, usdc, usdcOnBase } from "./checkout-server.ts";
import type { CheckoutServer, MadePayment } from "./checkout-server.ts";

const dueRaw = 25_000_000n;
const choice = [{ ...usdc, chainIds: null }, eth];

let made: Awaited<ReturnType<typeof makeDatabase>>;
let chain: ScriptedChain;
let server: CheckoutServer;
let browser: TestBrowser;

beforeAll(async () => {
  made = await makeDatabase("PostgreSQL");
  const genesisTime = new Date("2026-01-01T00:00:00Z");
  chain = new ScriptedChain({ chainId: base, genesisTime });
  const other = new ScriptedChain({ chainId: ethereum, genesisTime });
  server = await startCheckout({ database: made.database, chains: [chain, other] });
  await server.watch();
  browser = await startBrowser();
  // where there is no browser yet it is installed
});

afterEach(async () => {
  await browser.closePages();
});

afterAll(async () => {
  await browser.close();
  await server.close();
  await made.remove();
});

const mine = async (count = 1) => {
  for (let block = 0; block < count; block++) {
    server.clock.advance(12_000);
    chain.mine(1, server.clock.now());
  }
  await server.watch();
};
const addressOn = (page: Page) => page.locator("#address").innerText();
const pay = async (page: Page, amountRaw = dueRaw) => {
  const to = await addressOn(page);
  chain.deposit({ to, amountRaw, contractAddress: usdcOnBase });
  await mine();
};
const headline = (page: Page, text: string) => page.getByRole("heading", { name: text }).waitFor();
const focused = (page: Page) =>
  page.evaluate<string>("document.activeElement?.id || document.activeElement?.tagName");
const expectClean = ({ faults }: OpenedPage) => expect(faults).toEqual([]);
const pathsOf = ({ requests }: OpenedPage, payment: MadePayment) =>
  requests.filter((url) => url.startsWith(payment.url)).map((url) => url.slice(payment.url.length));

test("goes from waiting over partial to paid while somebody looks, and is never loaded again", async () => {
  const payment = await server.newPayment({ redirectUrl: "https://shop.example/thanks" });
  const opened = await browser.open(payment.url);
  const { page } = opened;
  await page.evaluate("globalThis.isSamePage = true");
  await headline(page, "Waiting for your payment");
  expect(await page.title()).toBe("Waiting for your payment · Alpine Coffee Roasters");
  // it waits for the stream: what comes now is told by it
  await server.until(() => server.pages.openStreams() === 1);
  await pay(page, 10_000_000n);
  await headline(page, "Part of the payment has arrived");
  expect(await page.locator("#amount").innerText()).toBe("15");
  expect(await page.locator("#wallet").getAttribute("href")).toContain("uint256=15000000");
  await browser.screenshot(page, "partial-light");
  await pay(page, 15_000_000n);
  await headline(page, "Payment received, being confirmed");
  await page.getByText("1 of 3 confirmations").waitFor();
  await browser.screenshot(page, "confirming-light");
  await mine(3);
  await headline(page, "Paid");
  expect(await page.title()).toBe("Paid · Alpine Coffee Roasters");
  const back = page.getByRole("link", { name: "Return to shop.example" });
  expect(await back.getAttribute("href")).toContain(`payment_id=${payment.id}&status=paid`);
  await browser.screenshot(page, "paid-light");
  expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
  expect(pathsOf(opened, payment).filter((path) => path === "")).toHaveLength(1);
  await server.until(() => server.pages.openStreams() === 0);
  expectClean(opened);
});

test("the keyboard alone: chooses, copies, changes the code, in the order in which it stands", async () => {
  const payment = await server.newPayment({ quotes: choice });
  const opened = await browser.open(payment.url, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = opened;
  const tabTo = async (id: string) => {
    for (let count = 0; count < 12; count++) {
      await page.keyboard.press("Tab");
      if ((await focused(page)) === id) return;
    }
    throw new Error(`no way to ${id}, only to ${await focused(page)}`);
  };
  await tabTo("choose-cur_usdc");
  expect(await isOutlined(page)).toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForURL("**?in=cur_usdc");
  await tabTo("choose-dep_usdc_base");
  await page.keyboard.press("Enter");
  await page.waitForURL("**?pay=dep_usdc_base");
  const address = await addressOn(page);
  await tabTo("copy-amount");
  await page.keyboard.press("Enter");
  await page.getByText("Copied.").waitFor();
  expect(await clipboard(page)).toBe("25");
  await tabTo("copy-address");
  await page.keyboard.press("Space");
  await page.locator("#copy-address", { hasText: "Copied" }).waitFor();
  expect(await clipboard(page)).toBe(address);
  await tabTo("wallet");
  await tabTo("code-uri");
  expect(await page.locator(".of-uri").isVisible()).toBe(true);
  expect(await page.locator(".of-address").isVisible()).toBe(false);
  await page.keyboard.press("ArrowRight");
  expect(await page.locator(".of-uri").isVisible()).toBe(false);
  expect(await page.locator(".of-address").isVisible()).toBe(true);
  // What comes meanwhile takes nobody away from where they are.
  await server.until(() => server.pages.openStreams() === 1);
  await pay(page, 10_000_000n);
  await headline(page, "Part of the payment has arrived");
  expect(await focused(page)).toBe("code-address");
  expect(await page.locator(".of-address").isVisible()).toBe(true);
  await pay(page, 15_000_000n);
  await headline(page, "Payment received, being confirmed");
  expect(await focused(page)).toBe("headline");
  expectClean(opened);
});

const isOutlined = (page: Page) =>
  page.evaluate<boolean>("getComputedStyle(document.activeElement).outlineStyle !== 'none'");
const clipboard = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");

test("a screen reader hears a name for everything, and the state when it changes", async () => {
  const payment = await server.newPayment({ quotes: choice });
  const opened = await browser.open(`${payment.url}?pay=dep_usdc_base`);
  const { page } = opened;
  const tree = await page.locator("main").ariaSnapshot();
  const expected = [
    'heading "Alpine Coffee Roasters" [level=1]',
    'heading "Waiting for your payment" [level=2]',
    'navigation "How to pay"',
    'link "USDC 25"',
    'link "ETH 0.01"',
    'link "Base"',
    'link "Ethereum"',
    'region "What to send"',
    "timer",
    'button "Copy amount"',
    'button "Copy address"',
    'link "Open in a wallet app"',
    'radio "With amount" [checked]',
    'radio "Address only"',
    'img "QR code of the address and the amount, for USDC on Base"',
  ];
  for (const one of expected) expect(tree).toContain(one);
  expect(tree).not.toContain('link ""');
  expect(tree).not.toContain('button ""');
  const state = page.locator('[data-region="state"]');
  expect(await state.getAttribute("aria-live")).toBe("polite");
  expect(await state.locator("[data-expires]").count()).toBe(0);
  expect(await page.locator("html").getAttribute("lang")).toBe("en");
  expectClean(opened);
});

test("light, dark, on a phone, on paper; QR codes stay dark on light, texts can be read", async () => {
  const payment = await server.newPayment({ quotes: choice });
  const url = `${payment.url}?pay=dep_usdc_base`;
  const backgrounds: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const opened = await browser.open(url, { colorScheme });
    const { page } = opened;
    await browser.screenshot(page, `waiting-${colorScheme}`);
    backgrounds.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
    const darkModule = "document.querySelector('.qr .dark')";
    expect(await page.evaluate(`getComputedStyle(${darkModule}).fill`)).toBe("rgb(0, 0, 0)");
    expect(await lowContrast(page)).toEqual([]);
    expectClean(opened);
  }
  expect(new Set(backgrounds).size).toBe(2);
  const phone = await browser.open(url, {
    viewport: { width: 320, height: 640 },
    colorScheme: "dark",
  });
  expect(await phone.page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  await browser.screenshot(phone.page, "waiting-phone");
  await phone.page.emulateMedia({ media: "print", colorScheme: "light" });
  expect(await phone.page.locator("#copy-amount").isVisible()).toBe(false);
  expect(await phone.page.locator("#address").isVisible()).toBe(true);
  expectClean(phone);
  // paper is white, whatever the screen is
  await phone.page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await lowContrast(phone.page)).toEqual([]);
  await browser.screenshot(phone.page, "waiting-paper");
  const first = await browser.open(payment.url);
  await browser.screenshot(first.page, "choice-light");
  const none = await browser.open(`${server.url}/checkout/${"n".repeat(22)}`, {
    colorScheme: "dark",
  });
  await browser.screenshot(none.page, "not-found-dark");
});

/** WCAG AA: texts that stand out from what is behind them by less than 4.5 to 1. */
const lowContrast = (page: Page) =>
  page.evaluate<readonly string[]>(`(() => {
    const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => {
      const part = (c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    };
    const behind = (element) => {
      for (let one = element; one; one = one.parentElement) {
        const color = rgb(getComputedStyle(one).backgroundColor);
        if (color[3] === undefined || color[3] === 1) return color;
      }
      return [255, 255, 255];
    };
    const found = [];
    for (const element of document.querySelectorAll("main *")) {
      const hasText = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
      if (!hasText || element.closest("svg, noscript") || !element.checkVisibility()) continue;
      const [one, other] = [light(rgb(getComputedStyle(element).color)), light(behind(element))];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < 4.5) found.push(element.tagName + " " + element.textContent.trim() + " " + ratio);
    }
    return found;
  })()`);

describe("the time that is left", () => {
  test("is counted on the server's clock, whatever the clock of the device says", async () => {
    // The server's clock stands in another year than the device's.
    const payment = await server.newPayment({ expiresInSeconds: 600 });
    const opened = await browser.open(payment.url);
    const timer = opened.page.getByRole("timer");
    await timer.filter({ hasText: /^09:5\d$/ }).waitFor();
    server.clock.advance(601_000);
    await headline(opened.page, "The time to pay is over");
    expect(await opened.page.locator("#address").count()).toBe(0);
    expectClean(opened);
  });
});

test("without the stream of events it asks from time to time, and turns paid as well", async () => {
  const payment = await server.newPayment();
  const opened = await browser.open("about:blank");
  const { page } = opened;
  await page.route("**/events?**", (route) => route.abort("connectionreset"));
  await page.goto(payment.url);
  await pay(page);
  await mine(3);
  await headline(page, "Paid");
  const asked = opened.requests.filter((url) => url.includes("/status?"));
  expect(asked.length).toBeGreaterThan(0);
  await browser.screenshot(page, "paid-by-asking");
});

test("a stream that the server cuts is opened again", async () => {
  const short = await startCheckout({
    database: made.database,
    chains: [chain],
    // on the clock of the machine, so that it goes by
    streamLimits: { lifeMilliseconds: 300 },
    isClockReal: true,
  });
  try {
    const payment = await short.newPayment();
    const opened = await browser.open(payment.url);
    const streams = () => opened.requests.filter((url) => url.includes("/events?")).length;
    await short.until(() => streams() > 1);
    expectClean(opened);
  } finally {
    await browser.closePages();
    await short.close();
  }
});

test("without JavaScript: choosing, the code, the amount, and the news after loading it again", async () => {
  const payment = await server.newPayment({ quotes: choice });
  const { page, faults } = await browser.open(payment.url, { javaScriptEnabled: false });
  await page.getByRole("link", { name: "USDC 25" }).click();
  await page.getByRole("link", { name: "Base" }).click();
  const address = await addressOn(page);
  expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
  expect(await page.locator("#copy-amount").isVisible()).toBe(false);
  expect(await page.locator("noscript .note").isVisible()).toBe(true);
  expect(await page.getByText(/until 2026-01-01/).isVisible()).toBe(true);
  await page.getByText("Address only").click();
  expect(await page.locator(".of-address").isVisible()).toBe(true);
  await browser.screenshot(page, "without-script");
  await pay(page);
  await page.getByRole("link", { name: "Reload it" }).click();
  await headline(page, "Payment received, being confirmed");
  await mine(3);
  await page.reload();
  await headline(page, "Paid");
  expect(faults).toEqual([]);
});
