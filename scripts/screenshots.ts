// Makes the pictures of the README and of the guides anew: the checkout page while a payment in parts waits, goes on
// and is paid, and the end of the demo as it stands in a terminal.
//
//   node scripts/launch.mjs scripts/screenshots.ts        CHROMIUM_PATH=... where it is elsewhere

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { takeNoWords } from "./command-line.ts";
import { assemble } from "./demo/cast.ts";
import { usd } from "./client/tool/test-usd.ts";
import { readPage } from "./client/tool/checkout-page.ts";
import { acceptMoney, makePayment } from "./demo/payments.ts";
import { startServer } from "./demo/server.ts";

takeNoWords(
  "node scripts/launch.mjs scripts/screenshots.ts: makes the pictures in docs/images anew.",
);
const images = join(import.meta.dirname, "..", "docs", "images");
const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const screen = { width: 620, height: 1100 };
/** Narrow enough to be read where three stand beside each other; as long as the page is. */
const phone = { width: 390, height: 640 };
/** The end of the demo begins here. */
const endOfDemo = /^.*The shop got \d+ events/m;

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
try {
  await picturesOfCheckout(browser);
  await pictureOfDemo(browser);
} finally {
  await browser.close();
}
// A server of the demo leaves timers behind that nobody waits for.
process.exit();

async function picturesOfCheckout(from: Browser): Promise<void> {
  const server = await startServer(new Promise(() => {}));
  const cast = await assemble(server);
  const { payer, receiver, token } = cast;
  try {
    await acceptMoney(cast);
    const { id, pageUrl } = await makePayment(cast, "25.00", {
      expires_in_secs: 3600,
      redirect_url: "https://shop.example/thanks",
    });
    const url = `${pageUrl}?pay=${usd.deploymentId}`;
    const take = async (name: string, viewport = phone): Promise<void> => {
      const page = await from.newPage({ viewport, colorScheme: "light", reducedMotion: "reduce" });
      await page.goto(url);
      const path = join(images, `${name}.png`);
      await page.screenshot({ path, fullPage: viewport === phone });
      await page.close();
    };
    await take("checkout-waiting");
    const { address } = await readPage(pageUrl, usd.deploymentId);
    await payer.sendToken(token, address, 10_000_000n);
    await receiver.waitFor("payment.partially_paid", id);
    await take("checkout", screen);
    await take("checkout-part");
    await payer.sendToken(token, address, 15_000_000n);
    await receiver.waitFor("payment.paid", id);
    await take("checkout-paid");
  } finally {
    await receiver.stop();
    await server.stop();
  }
}

async function pictureOfDemo(from: Browser): Promise<void> {
  const program = join(import.meta.dirname, "demo", "main.ts");
  const demo = spawn(process.execPath, [program, "--end"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([text(demo.stdout), once(demo, "exit")]);
  if (demo.exitCode !== 0) throw new Error(`the demo has failed:\n${output}`);
  const shown = output.slice(endOfDemo.exec(output)?.index).trimEnd();
  const escaped = shown.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const page = await from.newPage({ viewport: { width: 820, height: 400 } });
  await page.setContent(
    `<style>body { margin: 0; background: #1b1f27 } pre { margin: 0; padding: 20px 24px;
      color: #d7dce5; font: 12.5px/1.5 "DejaVu Sans Mono", monospace }</style><pre>${escaped}</pre>`,
  );
  await page.screenshot({ path: join(images, "demo.png"), fullPage: true });
}
