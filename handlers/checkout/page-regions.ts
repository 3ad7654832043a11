// The parts of the page that change while somebody looks at it. The page is put together from them,
// and its script replaces those that a later snapshot has differently.

import { chainNameOf } from "../../service/catalog/chain-names.ts";
import type { CheckoutTerms, ChosenPlace, ShownDeposit } from "./checkout-terms.ts";
import { type Html, html, nothing } from "./html.ts";
import { qrImage } from "./qr-image.ts";
import type { QrModules } from "./qr-image.ts";
import type { QuotedCurrency } from "../../service/database/tables/payments.ts";
import { returnLinkOf } from "./return-link.ts";
import { isPaid, stateTextOf } from "./state-texts.ts";

export type EncodeQr = (text: string) => QrModules;

/** In the order in which they stand on the page. */
export const regionNames = ["state", "choice", "terms", "deposits"] as const;
export type RegionName = (typeof regionNames)[number];
export type Regions = Readonly<Record<RegionName, Html>>;

export function regionsOf(terms: CheckoutTerms, encodeQr: EncodeQr): Regions {
  const { isPayable, place } = terms;
  return {
    state: stateRegion(terms),
    choice: isPayable ? choiceRegion(terms) : nothing,
    terms: isPayable && place !== undefined ? termsRegion(terms, place, encodeQr) : nothing,
    deposits: depositsRegion(terms),
  };
}

function stateRegion(terms: CheckoutTerms): Html {
  const { tone, headline, message } = stateTextOf(terms);
  const quiet = terms.quietChainNames.map(
    (name) =>
      html`<p class="hint">
        We have not heard from ${name} for some time. What you send there is not lost: it appears
        here as soon as we hear from it again.
      </p>`,
  );
  return html`<div class="state" data-tone="${tone}">
    <span class="mark" aria-hidden="true"></span>
    <div>
      <h2 id="headline" tabindex="-1">${headline}</h2>
      <p>${message}</p>
      ${quiet} ${returnButton(terms)}
    </div>
  </div>`;
}

function returnButton(terms: CheckoutTerms): Html {
  const link = isPaid(terms) ? returnLinkOf(terms.payment) : undefined;
  if (link === undefined) return nothing;
  return html`<p>
    <a class="button" id="return" href="${link.href}" rel="noopener noreferrer"
      >Return to <bdi>${link.host}</bdi></a
    >
  </p>`;
}

function choiceRegion({ offers, currency, place }: CheckoutTerms): Html {
  const isSimple = offers.length === 1 && offers[0]?.deployments.length === 1;
  if (offers.length === 0 || isSimple) return nothing;
  const currencies = offers.map((offer) => currencyLink(offer, offer === currency));
  const networks =
    currency === undefined
      ? nothing
      : html`<h3 id="choice-network">Network</h3>
          <ul aria-labelledby="choice-network">
            ${currency.deployments.map((one) =>
              choiceLink({
                query: new URLSearchParams({ pay: one.deploymentId }),
                id: `choose-${one.deploymentId}`,
                content: html`${chainNameOf(one.chainId)}`,
                isChosen: one.deploymentId === place?.deployment.deploymentId,
              }),
            )}
          </ul>`;
  return html`<nav class="card choice" aria-label="How to pay">
    ${
      offers.length === 1
        ? nothing
        : html`<h3 id="choice-currency">Currency</h3>
            <ul aria-labelledby="choice-currency">
              ${currencies}
            </ul>`
    }
    ${networks}
  </nav>`;
}

function currencyLink(offer: QuotedCurrency, isChosen: boolean): Html {
  const [only, ...more] = offer.deployments;
  const query =
    only !== undefined && more.length === 0 ? { pay: only.deploymentId } : { in: offer.currencyId };
  return choiceLink({
    query: new URLSearchParams(query),
    id: `choose-${offer.currencyId}`,
    content: html`<strong>${offer.code}</strong> <span>${offer.amount}</span>`,
    isChosen,
  });
}

interface ChoiceLink {
  readonly query: URLSearchParams;
  readonly id: string;
  readonly content: Html;
  readonly isChosen: boolean;
}

function choiceLink({ query, id, content, isChosen }: ChoiceLink): Html {
  const current = isChosen ? html` aria-current="true"` : nothing;
  return html`<li><a href="?${query.toString()}" id="${id}" ${current}>${content}</a></li>`;
}

function termsRegion(terms: CheckoutTerms, place: ChosenPlace, encodeQr: EncodeQr): Html {
  const { address } = place;
  if (address === undefined) {
    return html`<section class="card" aria-label="What to send">
      <p class="warning">
        <strong>${place.quote.code} on ${place.chainName} cannot be paid right now.</strong> Please
        <a href="?${payQuery(place)}">try again</a>, or choose another way.
      </p>
    </section>`;
  }
  return html`<section class="card terms" aria-label="What to send">
    ${countdown(terms)} ${progress(place)}
    <div class="columns">
      <div>${amountField(place)} ${addressField(place, address)} ${walletLink(place)}</div>
      ${codes(place, address, encodeQr)}
    </div>
    ${warning(place)}
  </section>`;
}

function payQuery({ deployment }: ChosenPlace): string {
  return new URLSearchParams({ pay: deployment.deploymentId }).toString();
}

function countdown({ payment: { expiresAt } }: CheckoutTerms): Html {
  const iso = expiresAt.toISOString();
  const until = `until ${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
  const time = html`<time
    datetime="${iso}"
    data-expires="${expiresAt.getTime()}"
    data-until="${until}"
    role="timer"
    >${until}</time
  >`;
  return html`<p class="clock"><span>Time to pay</span> ${time}</p>`;
}

function progress({ paidPercent, dueAmount, quote }: ChosenPlace): Html {
  if (paidPercent === 0) return nothing;
  return html`<div class="paid">
    <label for="paid-part">Already there: ${paidPercent}% of ${dueAmount} ${quote.code}</label>
    <progress id="paid-part" max="100" value="${paidPercent}">${paidPercent}%</progress>
  </div>`;
}

function amountField({ remainingAmount, paidPercent, quote, chainName }: ChosenPlace): Html {
  const label = paidPercent === 0 ? "Amount" : "Remaining amount";
  return html`<dl class="field">
    <dt>${label}</dt>
    <dd class="amount">
      <span class="value" id="amount">${remainingAmount}</span>
      <span class="unit">${quote.code}</span> ${copyButton("amount", label.toLowerCase())}
    </dd>
    <dd class="hint">
      on <strong>${chainName}</strong>. Fees of the network come on top: exactly this has to arrive.
    </dd>
  </dl>`;
}

function addressField({ quote, chainName }: ChosenPlace, address: string): Html {
  return html`<dl class="field">
    <dt>Address for ${quote.code} on ${chainName}</dt>
    <dd class="address">
      <code class="value" id="address">${address}</code> ${copyButton("address", "address")}
    </dd>
  </dl>`;
}

/** Shown by the script: without it nothing can be copied by a button. */
function copyButton(target: string, what: string): Html {
  return html`<button
    type="button"
    class="copy"
    id="copy-${target}"
    data-copy="${target}"
    hidden
    aria-label="Copy ${what}"
  >
    Copy
  </button>`;
}

function walletLink({ uri }: ChosenPlace): Html {
  if (uri === undefined) return nothing;
  return html`<p><a class="button" id="wallet" href="${uri}">Open in a wallet app</a></p>`;
}

/** Several wallets read addresses only: the second picture is for them. */
function codes({ uri, chainName, quote }: ChosenPlace, address: string, encodeQr: EncodeQr): Html {
  const plain = qrImage(encodeQr(address), "QR code of the address");
  if (uri === undefined) return html`<div class="codes"><div class="code">${plain}</div></div>`;
  const whole = qrImage(
    encodeQr(uri),
    `QR code of the address and the amount, for ${quote.code} on ${chainName}`,
  );
  return html`<fieldset class="codes">
    <legend>QR code</legend>
    <input type="radio" name="code" id="code-uri" checked /><label for="code-uri"
      >With amount</label
    >
    <input type="radio" name="code" id="code-address" /><label for="code-address"
      >Address only</label
    >
    <div class="code of-uri">${whole}</div>
    <div class="code of-address">${plain}</div>
  </fieldset>`;
}

function warning({ quote, chainName, deployment }: ChosenPlace): Html {
  const { code } = quote;
  const { contractAddress } = deployment;
  const contract =
    contractAddress === null
      ? nothing
      : html`<details>
          <summary>Which ${code} is meant?</summary>
          <p>
            The token with the contract <code>${contractAddress}</code> on ${chainName}. Tokens of
            the same name with another contract do not count.
          </p>
        </details>`;
  return html`<p class="warning">
      <strong>Send only ${code}, and only on ${chainName}.</strong> Another currency or network is
      not recognised as your payment, and may be lost.
    </p>
    ${contract}`;
}

function depositsRegion({ deposits }: CheckoutTerms): Html {
  if (deposits.length === 0) return nothing;
  return html`<section class="card" aria-labelledby="deposits-title">
    <h3 id="deposits-title">What has arrived</h3>
    <ul class="deposits">
      ${deposits.map(depositLine)}
    </ul>
  </section>`;
}

function depositLine(deposit: ShownDeposit): Html {
  const { amount, code, chainName, txHash } = deposit;
  return html`<li>
    <p><strong>${amount} ${code}</strong> on ${chainName}</p>
    <p class="how-far">${howFar(deposit)}</p>
    <p class="hash">Transaction <code>${txHash}</code></p>
  </li>`;
}

function howFar(deposit: ShownDeposit): Html {
  const { state, purpose, confirmations, confirmationsNeeded, waitsForChain } = deposit;
  if (state === "orphaned") return html`Gone: the network has taken it back`;
  if (purpose === "unmatched") {
    return html`Arrived, but not part of this payment: please ask the merchant about it`;
  }
  if (purpose === "held") return html`Set aside: what is not used goes back`;
  if (state === "final") return html`Confirmed`;
  if (confirmationsNeeded === undefined) return html`Seen`;
  const shown = confirmations < confirmationsNeeded ? confirmations : confirmationsNeeded;
  const word = waitsForChain ? ", waiting for the network to call it final" : "";
  return html`${shown} of ${confirmationsNeeded} confirmations${word}
    <progress max="${confirmationsNeeded}" value="${shown}" aria-label="Confirmations">
      ${shown}
    </progress>`;
}
