// The whole document. It is complete without its script: the script copies, counts down and keeps it
// up to date.

import type { CheckoutTerms, Choice } from "./checkout-terms.ts";
import { foreign, type Html, html, nothing } from "./html.ts";
import { regionNames } from "./page-regions.ts";
import type { RegionName } from "./page-regions.ts";
import type { Snapshot } from "./snapshot.ts";

/** A file of ours that pages load; the path changes with the content. */
export interface PageAsset {
  readonly path: string;
  readonly contentType: string;
  readonly content: string;
}

export interface PageAssets {
  readonly script: PageAsset;
  readonly style: PageAsset;
}

export interface PageParts {
  readonly assets: PageAssets;
  readonly terms: CheckoutTerms;
  readonly snapshot: Snapshot;
  readonly now: Date;
  /** of the address that was asked for, kept by what the script asks for */
  readonly choice: Choice;
}

export function checkoutPage({ assets, terms, snapshot, now, choice }: PageParts): string {
  const { merchantName, merchantOrderNo } = terms.payment;
  const body = html`<main
    id="checkout"
    data-snapshot="${snapshot.id}"
    data-time="${now.getTime()}"
    data-over="${String(snapshot.isOver)}"
  >
    <header>
      <p class="kicker">Payment to</p>
      <h1>${foreign(merchantName)}</h1>
      <p class="order">Order ${foreign(merchantOrderNo)}</p>
    </header>
    ${testNotice(terms)} ${regionNames.map((name) => region(name, snapshot))}
    <p class="quiet" id="copied" role="status"></p>
    <noscript
      ><p class="note">
        Without JavaScript this page does not change by itself.
        <a href="?${queryOf(choice)}">Reload it</a> to see whether your payment has arrived.
      </p></noscript
    >
  </main>`;
  const script = html`<script src="${relative(assets.script.path)}" defer></script>`;
  return documentOf({ title: snapshot.title, assets, body, script });
}

/** For somebody who wanted a page and cannot have it. */
export function problemPage(assets: PageAssets, title: string, message: string): string {
  const body = html`<main>
    <div class="state" data-tone="bad">
      <span class="mark" aria-hidden="true"></span>
      <div>
        <h1 class="problem">${title}</h1>
        <p>${message}</p>
      </div>
    </div>
  </main>`;
  return documentOf({ title, assets, body, script: nothing });
}

interface Parts {
  readonly title: string;
  readonly assets: PageAssets;
  readonly body: Html;
  readonly script: Html;
}

/** Links are relative, so that the page also works behind a proxy's path prefix. */
function documentOf({ title, assets, body, script }: Parts): string {
  const { text } = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${relative(assets.style.path)}" />
        ${script}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return text;
}

/** From /checkout/<token>. */
function relative(path: string): string {
  return `..${path}`;
}

function region(name: RegionName, { regions }: Snapshot): Html {
  const live = name === "state" ? html` role="status" aria-live="polite"` : nothing;
  return html`<div data-region="${name}" ${live}>${regions[name]}</div>`;
}

function testNotice({ payment }: CheckoutTerms): Html {
  if (payment.environment !== "test") return nothing;
  return html`<p class="note">
    <strong>Test payment.</strong> No goods are sold here, and no real money should be sent.
  </p>`;
}

function queryOf({ deploymentId, currencyId }: Choice): string {
  return new URLSearchParams({
    ...(deploymentId === null ? {} : { pay: deploymentId }),
    ...(currencyId === null ? {} : { in: currencyId }),
  }).toString();
}
