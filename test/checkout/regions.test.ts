// What a page shows of a payment, by what is known of it: in memory, without a server.

import { describe, expect, test } from "vitest";
import type { Html } from "../../handlers/checkout/html.ts";
import { termsOf } from "../../handlers/checkout/checkout-terms.ts";
import { regionsOf } from "../../handlers/checkout/page-regions.ts";
import { paymentUri } from "../../handlers/checkout/payment-uri.ts";
import { qrImage } from "../../handlers/checkout/qr-image.ts";
import { returnLinkOf } from "../../handlers/checkout/return-link.ts";
import { isOver, stateTextOf } from "../../handlers/checkout/state-texts.ts";
import type { CheckoutDeposit, CheckoutPayment } from "../../service/checkout/payment.ts";
import type { PaymentStatus } from "../../service/database/words.ts";
import type { QuotedCurrency, QuotedDeployment } from "../../service/database/tables/payments.ts";
import { textOf } from "./checkout-server.ts";

const now = new Date("2026-01-01T00:00:00Z");
const [base, ethereum] = ["eip155:8453", "eip155:1"];

function deploymentOf(deploymentId: string, more: Partial<QuotedDeployment>): QuotedDeployment {
  return {
    deploymentId,
    chainId: base,
    chainFamily: "evm",
    decimals: 6,
    rawAmount: "25000000",
    assetKind: "token",
    tokenStandard: "erc20",
    contractAddress: "0xtoken",
    ...more,
  };
}
const onBase = deploymentOf("dep_usdc_base", {});
const onEthereum = deploymentOf("dep_usdc_ethereum", { chainId: ethereum });
const coin = deploymentOf("dep_eth_base", { contractAddress: null, assetKind: "native" });
const currency = { amount: "25", symbol: "$", name: "USD Coin", accountingDecimals: 2 };
const usdc: QuotedCurrency = {
  ...currency,
  currencyId: "cur_usdc",
  code: "USDC",
  deployments: [onBase, onEthereum],
};
const eth: QuotedCurrency = { ...usdc, currencyId: "cur_eth", code: "ETH", deployments: [coin] };
const one: QuotedCurrency = { ...usdc, deployments: [onBase] };

const deposit: CheckoutDeposit = {
  deploymentId: "dep_usdc_base",
  amountRaw: 10_000_000n,
  blockTime: now,
  state: "seen",
  isBooked: false,
  chainId: base,
  txHash: "0xhash",
  purpose: "price",
  confirmations: 2n,
  confirmationsNeeded: 6n,
  waitsForChain: false,
};

function paymentOf(more: Partial<CheckoutPayment> = {}): CheckoutPayment {
  return {
    id: "pay_1",
    token: "token",
    environment: "live",
    owner: { merchantId: "mer_1", environment: "live" },
    merchantName: "A shop",
    merchantOrderNo: "A-1",
    status: "pending",
    quotes: [one],
    expiresAt: new Date(now.getTime() + 60_000),
    redirectUrl: null,
    addresses: { evm: "0xaddress" },
    deposits: [],
    openDeploymentIds: new Set(["dep_usdc_base", "dep_usdc_ethereum", "dep_eth_base"]),
    staleChainIds: new Set(),
    ...more,
  };
}

interface Look {
  readonly pay?: string;
  readonly in?: string;
  readonly isPayable?: boolean;
  readonly at?: Date;
}
const termsFor = (more: Partial<CheckoutPayment>, look: Look = {}) =>
  termsOf(paymentOf(more), {
    choice: { deploymentId: look.pay ?? null, currencyId: look.in ?? null },
    now: look.at ?? now,
    isPayable: look.isPayable ?? true,
  });
const encoded: string[] = [];
const regionsFor = (more: Partial<CheckoutPayment>, look: Look = {}) => {
  encoded.length = 0;
  const encodeQr = (text: string) => {
    encoded.push(text);
    return [[true]];
  };
  return regionsOf(termsFor(more, look), encodeQr);
};
const shown = (region: Html): string => textOf(region.text);

describe("to choose", () => {
  const ids = (region: Html) =>
    Array.from(region.text.matchAll(/id="choose-([^"]+)"(\s+aria-current="true")?/g), (found) =>
      [found[1], found[2] === undefined ? "" : "now"].join(" ").trim(),
    );

  test.each<readonly [string, readonly QuotedCurrency[], Look, readonly string[]]>([
    ["nothing where there is one way", [one], {}, []],
    ["the networks of the only currency", [usdc], {}, ["dep_usdc_base", "dep_usdc_ethereum"]],
    [
      "with the one that was chosen",
      [usdc],
      { pay: "dep_usdc_ethereum" },
      ["dep_usdc_base", "dep_usdc_ethereum now"],
    ],
    ["currencies first", [usdc, eth], {}, ["cur_usdc", "cur_eth"]],
    [
      "then the networks of one",
      [usdc, eth],
      { in: "cur_usdc" },
      ["cur_usdc now", "cur_eth", "dep_usdc_base", "dep_usdc_ethereum"],
    ],
    [
      "and both of what was chosen",
      [usdc, eth],
      { pay: "dep_eth_base" },
      ["cur_usdc", "cur_eth now", "dep_eth_base now"],
    ],
    [
      "a deployment counts before a currency",
      [usdc, eth],
      { pay: "dep_eth_base", in: "cur_usdc" },
      ["cur_usdc", "cur_eth now", "dep_eth_base now"],
    ],
    [
      "what is not offered is no choice, whatever else is said",
      [usdc, eth],
      { pay: "dep_dai", in: "cur_usdc" },
      ["cur_usdc", "cur_eth"],
    ],
  ])("%s", (...[, quotes, look, expected]) => {
    expect(ids(regionsFor({ quotes }, look).choice)).toEqual(expected);
  });

  test("nothing where nothing is open, or nothing is payable", () => {
    const quotes = [usdc, eth];
    expect(regionsFor({ quotes, openDeploymentIds: new Set() }).choice.text).toBe("");
    expect(regionsFor({ quotes }, { isPayable: false }).choice.text).toBe("");
    const openDeploymentIds = new Set(["dep_usdc_ethereum", "dep_eth_base"]);
    const some = regionsFor({ quotes, openDeploymentIds }, { in: "cur_usdc" });
    expect(ids(some.choice)).toEqual(["cur_usdc now", "cur_eth", "dep_usdc_ethereum now"]);
    expect(shown(some.terms)).toContain("on Ethereum");
  });

  test("a currency of one network leads to it, one of several to them", () => {
    const markup = regionsFor({ quotes: [usdc, eth] }).choice.text;
    expect(markup).toContain('href="?in=cur_usdc" id="choose-cur_usdc"');
    expect(markup).toContain('href="?pay=dep_eth_base" id="choose-cur_eth"');
    expect(textOf(markup)).toContain("Currency");
    expect(shown(regionsFor({ quotes: [usdc] }).choice)).not.toContain("Currency");
    expect(shown(regionsFor({ quotes: [usdc] }).choice)).toContain("Network");
  });
});

describe("what to send", () => {
  test("the whole, with its address, both codes and the time to pay", () => {
    const { terms } = regionsFor({});
    const text = shown(terms);
    expect(text).toContain("Amount 25 USDC");
    expect(text).not.toContain("Remaining");
    expect(text).not.toContain("Already there");
    expect(text).toContain("until 2026-01-01 00:01:00 UTC");
    expect(terms.text).toContain('data-expires="1767225660000"');
    const uri = "ethereum:0xtoken@8453/transfer?address=0xaddress&uint256=25000000";
    expect(encoded).toEqual(["0xaddress", uri]);
    expect(text).toContain("The token with the contract 0xtoken on Base.");
    expect(terms.text).toContain('aria-label="Copy amount"');
  });

  test("the rest, of what has arrived already", () => {
    const { terms } = regionsFor({ status: "partially_paid", deposits: [deposit] });
    expect(shown(terms)).toContain("Already there: 40% of 25 USDC");
    expect(shown(terms)).toContain("Remaining amount 15 USDC");
    expect(terms.text).toContain('aria-label="Copy remaining amount"');
  });

  test("of a coin there is no contract, and of a chain without a form no link", () => {
    const { terms } = regionsFor({ quotes: [eth] });
    expect(shown(terms)).not.toContain("contract");
    const odd = { ...onBase, chainId: "solana:5eykt" };
    const plain = regionsFor({ quotes: [{ ...usdc, deployments: [odd] }] }).terms;
    expect(encoded).toEqual(["0xaddress"]);
    expect(plain.text).not.toContain("wallet");
    expect(plain.text).not.toContain("fieldset");
  });

  test("nothing where there is no address, nothing is chosen, or nothing is payable", () => {
    const { terms } = regionsFor({ addresses: {} });
    expect(shown(terms)).toContain("USDC on Base cannot be paid right now.");
    expect(terms.text).toContain('href="?pay=dep_usdc_base"');
    expect(encoded).toEqual([]);
    expect(regionsFor({ quotes: [usdc] }).terms.text).toBe("");
    expect(regionsFor({}, { isPayable: false }).terms.text).toBe("");
  });
});

describe("what has arrived", () => {
  const lineOf = (more: Partial<CheckoutDeposit>) =>
    shown(regionsFor({ deposits: [{ ...deposit, ...more }] }).deposits);

  test.each<readonly [string, Partial<CheckoutDeposit>, string]>([
    ["seen", {}, "2 of 6 confirmations 2 Transaction"],
    ["deeper than needed", { confirmations: 9n }, "6 of 6 confirmations 6 Transaction"],
    [
      "deep enough, without the chain's word",
      { confirmations: 9n, waitsForChain: true },
      "6 of 6 confirmations, waiting for the network to call it final",
    ],
    ["that nobody can say anything about", { confirmationsNeeded: undefined }, "Base Seen Tr"],
    ["final", { state: "final" }, "Confirmed Transaction"],
    ["gone", { state: "orphaned", purpose: "held" }, "Gone: the network has taken it back"],
    ["no part of it", { purpose: "unmatched", state: "final" }, "not part of this payment"],
    ["set aside", { purpose: "held", state: "final" }, "Set aside: what is not used goes back"],
  ])("%s", (_, more, text) => {
    expect(lineOf(more)).toContain(text);
  });

  test("says how much of what, and where", () => {
    const { deposits } = regionsFor({ deposits: [deposit] });
    expect(shown(deposits)).toContain("What has arrived 10 USDC on Base 2 of 6");
    expect(shown(deposits)).toContain("Transaction 0xhash");
    expect(lineOf({ deploymentId: "dep_dai", chainId: ethereum })).toContain(
      "another currency on Ethereum",
    );
    expect(regionsFor({}).deposits.text).toBe("");
  });
});

describe("the state", () => {
  const late = { expiresAt: new Date(now.getTime() - 1) };
  const apart = { ...deposit, isApart: true };
  const tooLate = { ...deposit, blockTime: new Date(now.getTime() + 30 * 86_400_000) };
  test.each<readonly [PaymentStatus, string, string, boolean, Partial<CheckoutPayment>]>([
    ["pending", "waiting", "Send exactly 25 USDC on Base.", false, {}],
    ["pending", "waiting", "USDC on Base cannot be paid right now.", false, { addresses: {} }],
    ["pending", "waiting", "Choose what you would like to pay with.", false, { quotes: [usdc] }],
    ["pending", "waiting", "cannot be made right now", false, { openDeploymentIds: new Set() }],
    ["pending", "waiting", "Please do not send anything now.", false, late],
    ["partially_paid", "waiting", "Please do not send anything now.", false, late],
    ["confirming", "working", "The network is confirming it.", false, late],
    ["partially_paid", "waiting", "Send the rest, 15 USDC on Base", false, { deposits: [deposit] }],
    ["partially_paid", "waiting", "Choose how to pay the rest.", false, { quotes: [usdc] }],
    ["partially_paid", "waiting", "cannot be paid right now", false, { addresses: {} }],
    ["confirming", "working", "The network is confirming it.", false, { deposits: [deposit] }],
    [
      "confirming",
      "working",
      "Waiting until the network calls it final.",
      false,
      { deposits: [deposit, { ...deposit, waitsForChain: true }] },
    ],
    [
      "confirming",
      "working",
      "The network is confirming it.",
      false,
      { deposits: [deposit, { ...apart, waitsForChain: true }] },
    ],
    ["authorized", "working", "The amount is set aside.", false, {}],
    ["paid", "good", "Your payment is complete. Thank you!", true, {}],
    ["overpaid", "good", "More has arrived than was asked for", true, {}],
    ["paid_late", "good", "The whole amount has arrived, but late.", true, {}],
    ["underpaid", "bad", "Please do not send more here.", true, {}],
    ["underpaid", "bad", "Something has arrived late", false, { deposits: [deposit] }],
    ["underpaid", "bad", "Please do not send more here.", true, { deposits: [apart, tooLate] }],
    ["expired", "bad", "Ask the merchant for a new payment.", true, {}],
    ["expired", "bad", "Something has arrived late", false, { deposits: [deposit] }],
    [
      "expired",
      "bad",
      "Nothing was used.",
      true,
      { deposits: [{ ...deposit, state: "final", purpose: "held" }] },
    ],
    ["cancelled", "bad", "Please do not send anything to an address", true, {}],
    ["cancelled", "bad", "Money has arrived all the same.", true, { deposits: [deposit] }],
    ["reversed", "bad", "no longer part of the network's history", false, {}],
    ["reversed", "bad", "part of the network's history again", false, { deposits: [deposit] }],
  ])("%s is %s: %s (over: %s)", (...[status, tone, text, over, more]) => {
    const terms = termsFor({ status, ...more });
    const said = stateTextOf(terms);
    expect(said.tone).toBe(tone);
    expect(said.message).toContain(text);
    expect(isOver(terms)).toBe(over);
  });

  test("the time is over after its last millisecond", () => {
    const expiresAt = now;
    expect(termsFor({ expiresAt }).isTimeOver).toBe(false);
    expect(termsFor({ expiresAt }, { at: new Date(now.getTime() + 1) }).isTimeOver).toBe(true);
  });

  test("networks that nobody has heard from are named where they matter", () => {
    const stale = { staleChainIds: new Set([base, ethereum]) };
    const names = (more: Partial<CheckoutPayment>, look: Look = {}) =>
      termsFor({ ...stale, ...more }, look).quietChainNames;
    expect(names({})).toEqual(["Base"]);
    expect(names({}, { isPayable: false })).toEqual([]);
    expect(names({ quotes: [usdc] })).toEqual([]);
    expect(names({ staleChainIds: new Set() })).toEqual([]);
    const elsewhere = { deposits: [{ ...deposit, chainId: ethereum }] };
    expect(names(elsewhere, { isPayable: false })).toEqual(["Ethereum"]);
    expect(names({ deposits: [apart] }, { isPayable: false })).toEqual([]);
    expect(shown(regionsFor(stale).state)).toContain("We have not heard from Base for some time.");
  });

  test("the way back is shown of what is paid, and only there", () => {
    const redirectUrl = "https://shop.example/thanks";
    for (const status of ["paid", "overpaid", "paid_late"] as const) {
      const markup = regionsFor({ status, redirectUrl }).state.text;
      expect(markup).toContain(`payment_id=pay_1&amp;status=${status}"`);
    }
    for (const status of ["pending", "underpaid", "authorized"] as const) {
      expect(regionsFor({ status, redirectUrl }).state.text).not.toContain("shop.example");
    }
  });
});

test.each([
  ["evm", base, "ethereum:0xtoken@8453/transfer?address=0xto&uint256=7"],
  ["evm", "eip155:08453", undefined],
  ["evm", "xeip155:1", undefined],
  ["evm", "eip155:1x", undefined],
  ["solana", base, undefined],
  ["solana", "solana:5eykt", undefined],
] as const)("the form for a wallet of %s on %s", (chainFamily, chainId, uri) => {
  expect(paymentUri({ ...onBase, chainFamily, chainId }, "0xto", 7n)).toBe(uri);
});

test("the form for a coin has its amount as value", () => {
  expect(paymentUri(coin, "0xto", 7n)).toBe("ethereum:0xto@8453?value=7");
});

test.each([
  ["https://shop.example:8443/a?b=1&status=x#c", "shop.example:8443"],
  ["http://shop.example/", undefined],
  ["no url", undefined],
  [null, undefined],
])("the way back to %s leads to %s", (redirectUrl, host) => {
  const link = returnLinkOf(paymentOf({ redirectUrl, status: "paid" }));
  expect(link?.host).toBe(host);
  if (host === undefined) return;
  expect(link?.href).toBe("https://shop.example:8443/a?b=1&status=paid&payment_id=pay_1#c");
});

test("a code is drawn as runs of dark modules, with four light ones around it", () => {
  const rows = [
    [true, true, false],
    [false, true, true],
    [true, false, true],
  ];
  const markup = qrImage(rows, "a <label>").text;
  expect(markup).toContain('viewBox="0 0 11 11"');
  expect(markup).toContain('d="M0 0h11v11H0z"');
  expect(markup).toContain('aria-label="a &lt;label&gt;"');
  const path = "M4 4h2v1h-2zM5 5h2v1h-2zM4 6h1v1h-1zM6 6h1v1h-1z";
  expect(markup).toContain(`d="${path}"`);
});
