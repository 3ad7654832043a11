// What a checkout page's answers promise whatever is in them: headers, escapes, limits, sizes, the
// terms for software, the stream of events, and that its link is in no log.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { x402HTTPClient } from "@x402/core/http";
import { x402Client } from "@x402/core/client";
import { parsePaymentRequired } from "@x402/core/schemas";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { prefersJson } from "../../handlers/checkout/accepted-form.ts";
import { projectRoot } from "../programs/child.ts";
import { query } from "../support/service-parts.ts";
import type { QuotedCurrency } from "../../service/database/tables/payments.ts";
import { base, eth, payTo, startCheckout, textOf, usdc, usdcOnBase } from "./checkout-server.ts";
import type { MadePayment } from "./checkout-server.ts";
import { useCheckout, server, chain } from "./stage.ts";

const html = { Accept: "text/html" };
const software = { Accept: "application/json" };
const bytesMax = 60_000;
const streamLimits = { streamsOfAddressMax: 3, streamsMax: 5, heartbeatMilliseconds: 30_000 };
useCheckout("PostgreSQL", { streamLimits });

const get = (url: string, headers: Record<string, string> = html) => fetch(url, { headers });
const assetsOf = async (payment: MadePayment) => {
  const markup = await (await get(payment.url)).text();
  return Array.from(markup.matchAll(/"\.\.(\/checkout-files\/[^"]+)"/g), ([, path = ""]) => path);
};

test("every answer keeps its link to itself: policy, no cache, no referrer, no index", async () => {
  const payment = await server.newPayment();
  const urls = [payment.url, `${payment.url}/status`, `${server.url}/checkout/${"x".repeat(22)}`];
  for (const url of urls) {
    const { headers } = await get(url);
    expect(headers.get("Content-Security-Policy")).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("Cache-Control")).toBe("no-store");
    expect(headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
    expect(headers.get("Permissions-Policy")).toContain("camera=()");
    expect(headers.get("X-Request-Id")).toMatch(/^req_/);
  }
  const markup = await (await get(payment.url)).text();
  expect(markup).toContain('<html lang="en">');
  // nothing inline that the policy would have to allow, and nothing from elsewhere
  expect(markup).not.toMatch(/ on\w+=|style=|<style|<script>|src="(?!\.\.\/checkout-files\/)/);
});

test("its files are found by their content, kept for ever, and are the only ones", async () => {
  const paths = await assetsOf(await server.newPayment());
  expect(paths).toHaveLength(2);
  for (const path of paths) {
    const answer = await get(server.url + path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Cache-Control")).toContain("immutable");
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(answer.headers.get("Content-Encoding")).toBe("gzip");
    const tag = { "If-None-Match": answer.headers.get("ETag") ?? "" };
    expect((await get(server.url + path, tag)).status).toBe(304);
    expect((await get(`${server.url}${path}x`)).status).toBe(404);
    expect((await get(server.url + path.replace(/page\.\w+$/, "files.ts"))).status).toBe(404);
  }
});

describe("all of it is less than 60 kB, uncompressed", () => {
  const weigh = async (payment: MadePayment, search: string) => {
    const files = (await assetsOf(payment)).map(async (path) =>
      (await get(server.url + path)).text(),
    );
    const page = await (await get(payment.url + search)).text();
    const all = [...(await Promise.all(files)), page].join("");
    return { page, bytes: Buffer.byteLength(all), compressed: gzipSync(all).byteLength };
  };

  test("for the usual payment", async () => {
    const payment = await server.newPayment({ quotes: [usdc, eth] });
    const { page, bytes, compressed } = await weigh(payment, "?pay=dep_usdc_base");
    process.stderr.write(`checkout page: ${bytes} bytes in all, ${compressed} compressed\n`);
    expect(page).toContain("<svg");
    expect(bytes).toBeLessThan(bytesMax);
  });

  test("and with the most prices that a payment can have", async () => {
    const payment = await server.newPayment();
    const [row] = await query(server.database)<{ quotes: readonly QuotedCurrency[] }>`
      select quotes from payments where id = ${payment.id}`;
    const quotes = Array.from({ length: 64 }, (_, index) => ({
      ...row?.quotes[0],
      currencyId: `cur_currency_number_${index}`,
      code: `CODE${index}`,
      deployments: Array.from({ length: 10 }, (_, chain) => ({
        ...row?.quotes[0]?.deployments[0],
        deploymentId: `dep_currency_number_${index}_${chain}`,
      })),
    }));
    await query(
      server.database,
    )`update payments set quotes = ${JSON.stringify(quotes)}::jsonb where id = ${payment.id}`;
    const { page, bytes } = await weigh(payment, "?pay=dep_currency_number_63_9");
    expect(page.match(/<li>/g)).toHaveLength(64 + 10);
    expect(page).toContain("<svg");
    expect(bytes).toBeLessThan(bytesMax);
  });
});

const hostile = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  "</title><svg onload=alert(1)>",
  "</textarea><!--<script>",
  "&lt;script&gt;&#x3C;b&#x3E;",
  "javascript:alert(1)",
  "`${alert(1)}`",
  "\u202Egnp.exe\u2066",
  "{{7*7}}${7*7}<%=7*7%>",
  "]]><x/>",
  "\u0000".replace("\u0000", "\u0001\u0008\u001B"),
  "data: x\n\nevent: snapshot",
];

/** Of what we wrote ourselves: every tag and attribute there can be. */
const ownMarkup =
  /^<\/?(?:!doctype|html|head|meta|title|link|script|body|main|header|section|nav|noscript|fieldset|legend|input|label|details|summary|button|progress|svg|path|time|code|strong|span|bdi|div|dl|dt|dd|ul|li|h1|h2|h3|p|a)(?: [a-zA-Z-]+(?:="[^"<>]*")?)*\s*\/?>$/;

describe("what others wrote stays text (threat 73)", () => {
  const page = async (text: string) => {
    const payment = await server.newPayment({
      merchantName: text,
      merchantOrderNo: `${text} ${Math.trunc(performance.now() * 1000)}`.slice(0, 128),
    });
    // the catalog is the operator's; its names are not believed either
    await query(
      server.database,
    )`update payments set quotes = jsonb_set(jsonb_set(jsonb_set(quotes, '{0,code}',
      ${JSON.stringify(text)}::jsonb), '{0,name}', ${JSON.stringify(text)}::jsonb),
      '{0,symbol}', ${JSON.stringify(text)}::jsonb) where id = ${payment.id}`;
    return payment;
  };
  const check = (markup: string) => {
    const tags = markup.match(/<[^>]*>/g) ?? [];
    const foreign = tags.filter((tag) => !ownMarkup.test(tag.replaceAll(/\s+/g, " ")));
    expect(foreign).toEqual([]);
    expect(markup.match(/<script/g)).toHaveLength(1);
    const rest = markup.replaceAll(/<[^>]*>/g, "");
    expect(rest).not.toMatch(/[<>]/);
  };

  test.each(hostile)("%j", async (text) => {
    const payment = await page(text);
    check(await (await get(payment.url)).text());
    const status = await (await get(`${payment.url}/status`)).text();
    const { regions, title } = JSON.parse(status) as {
      readonly regions: Readonly<Record<string, string>>;
      readonly title: string;
    };
    check(`<script></script>${Object.values(regions).join("")}`);
    expect(title).not.toMatch(/\p{Cc}|\p{Cf}/u);
    const terms = await get(payment.url, software);
    expect(terms.headers.get("Content-Type")).toBe("application/json");
  });

  test("any text at all", async () => {
    const text = fc.string({ unit: "binary", minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, async (any) => {
        const name = any.replaceAll("\0", "");
        fc.pre(name.trim() !== "");
        check(await (await get((await page(name)).url)).text());
      }),
      { numRuns: 8 },
    );
  });
});

describe("the way back (threat 74)", () => {
  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example/",
    "http://shop.example/",
    "https://user:secret@shop.example/",
    "https:shop.example",
    "\\\\evil.example",
    "",
  ])("%j is no link, even if it stood in the database", async (redirectUrl) => {
    const payment = await server.newPayment();
    await query(server.database)`update payments set status = 'paid', redirect_url = ${redirectUrl}
      where id = ${payment.id}`;
    const markup = await (await get(payment.url)).text();
    expect(markup).toContain("Paid");
    expect(markup).not.toContain('id="return"');
    expect(markup).not.toContain("evil.example");
  });

  test.each(["pending", "confirming", "expired", "cancelled", "reversed"])(
    "is not shown while the payment is %s",
    async (status) => {
      const payment = await server.newPayment({ redirectUrl: "https://shop.example/" });
      await query(server.database)`update payments set status = ${status} where id = ${payment.id}`;
      expect(await (await get(payment.url)).text()).not.toContain("shop.example");
    },
  );

  test("shows the host in letters that cannot be mistaken, and replaces hints of others", async () => {
    const redirectUrl = "https://shöp.example/done?payment_id=mine&status=paid&x=%22%3E";
    const payment = await server.newPayment({ redirectUrl });
    await query(server.database)`update payments set status = 'paid_late' where id = ${payment.id}`;
    const markup = await (await get(payment.url)).text();
    expect(textOf(markup)).toContain("Return to xn--shp-tna.example");
    const hints = `payment_id=${payment.id}&amp;status=paid_late&amp;x=%22%3E`;
    expect(markup).toContain(`href="https://xn--shp-tna.example/done?${hints}"`);
    expect(markup).toContain('rel="noopener noreferrer"');
  });
});

describe("software that asks for JSON", () => {
  test.each([
    [null, false],
    ["*/*", false],
    ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false],
    ["application/json", true],
    // as axios asks, and so the official client that is built on it
    ["application/json, text/plain, */*", true],
    ["application/*, */*", true],
    ["*/*, application/json;q=0.9", false],
    ["text/*, application/json", false],
    ["application/json, text/html;q=0.9", true],
    ["text/html, application/json;q=0.9", false],
    ["application/*;q=0.5, text/*;q=0.4", true],
    ["application/json;q=0", false],
    ["application/json;q=much", false],
    ["APPLICATION/JSON;charset=utf-8;Q=0.9,text/html;q=0.1", true],
    [",".repeat(10_000), false],
  ])("Accept: %.40s", (accept, isJson) => {
    expect(prefersJson(accept)).toBe(isJson);
  });

  test("gets 402 with terms that the official client reads, in both versions", async () => {
    const payment = await server.newPayment();
    const answer = await get(payment.url, software);
    expect(answer.status).toBe(402);
    const body: unknown = await answer.json();
    const first = parsePaymentRequired(body);
    expect(first.success && first.data).toMatchObject({
      x402Version: 1,
      accepts: [
        {
          scheme: "exact",
          network: "base",
          maxAmountRequired: "25000000",
          resource: payment.url,
          payTo,
          asset: usdcOnBase,
          extra: { name: "USD Coin", version: "2" },
        },
      ],
    });
    const client = new x402HTTPClient(new x402Client());
    const second = client.getPaymentRequiredResponse((name) => answer.headers.get(name), body);
    expect(parsePaymentRequired(second).success).toBe(true);
    expect(second).toMatchObject({
      x402Version: 2,
      resource: { url: payment.url },
      accepts: [{ scheme: "exact", network: base, amount: "25000000", asset: usdcOnBase, payTo }],
    });
    // without the header, as a client of version 1 sees it
    expect(client.getPaymentRequiredResponse(() => null, body)).toEqual(body);
  });

  test("hears the status when there is nothing to pay any more, and 404 as JSON", async () => {
    const payment = await server.newPayment();
    await query(server.database)`update payments set status = 'paid' where id = ${payment.id}`;
    const answer = await get(payment.url, software);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ payment_id: payment.id, status: "paid" });
    const none = await get(`${server.url}/checkout/${"y".repeat(22)}`, software);
    expect(none.status).toBe(404);
    expect(await none.json()).toMatchObject({ code: "payment_not_found" });
  });
});

test("60 requests a minute of one address, then 429, and its files still come", async () => {
  const own = await startCheckout({
    database: server.database,
    chains: [chain],
    requestsMax: 60,
  });
  try {
    const payment = await own.newPayment();
    const [path = ""] = await assetsOf(payment);
    const statuses: number[] = [];
    for (let count = 1; count < 60; count++) {
      const { status } = await get(count % 2 === 0 ? payment.url : `${payment.url}/status`);
      statuses.push(status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    for (const url of [payment.url, `${own.url}/checkout/${"z".repeat(22)}`]) {
      const refused = await get(url);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(textOf(await refused.text())).toContain("Too many requests");
    }
    expect((await get(own.url + path)).status).toBe(200);
  } finally {
    await own.close();
  }
});

test("no line of the log has the link of a page (threats 64 and 72)", async () => {
  const payment = await server.newPayment();
  const { token } = payment;
  const paths = [
    `/checkout/${token}`,
    `/checkout/${token}/status?seen=x`,
    `/checkout/${token}/nothing`,
    `/%63heckout/${token}`,
    `/Checkout/${token}`,
    `/v1/../checkout/${token}`,
    `//checkout/${token}`,
  ];
  const before = server.lines.length;
  for (const path of paths) await get(server.url + path);
  await fetch(payment.url, { method: "POST", body: "x" });
  const lines = server.lines.slice(before);
  expect(lines.length).toBeGreaterThanOrEqual(paths.length);
  expect(lines.filter((line) => line.includes(token))).toEqual([]);
  expect(lines.some((line) => line.includes('"path":"/checkout/..."'))).toBe(true);
});

test("another method is refused with those that there are", async () => {
  const { url } = await server.newPayment();
  const answer = await fetch(url, { method: "POST" });
  expect(answer.status).toBe(405);
  expect(answer.headers.get("Allow")).toBe("GET, HEAD");
});

test("the script is checked by the compiler as what a browser runs", () => {
  const compiler = join(projectRoot, "node_modules", "typescript-7", "bin", "tsc");
  const folder = join(projectRoot, "adapters", "checkout-page");
  // Throws with what the compiler says.
  execFileSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
});
