// What a page shows of its payment for the currency and chain that were chosen: amounts as text, who
// is paid, how far it is. Worked out anew for every page and every message of its stream.

import { amountOf } from "../../service/amounts.ts";
import type { CheckoutDeposit, CheckoutPayment } from "../../service/checkout/payment.ts";
import { chainNameOf } from "../../service/catalog/chain-names.ts";
import { missingRaw, timingOf } from "../../service/payments/rules.ts";
import type { QuotedCurrency, QuotedDeployment } from "../../service/database/tables/payments.ts";
import { paymentUri } from "./payment-uri.ts";

/** As the address of the page says: `?pay=` a deployment, or `?in=` a currency. */
export interface Choice {
  readonly deploymentId: string | null;
  readonly currencyId: string | null;
}

export interface ChosenPlace {
  readonly quote: QuotedCurrency;
  readonly deployment: QuotedDeployment;
  readonly chainName: string;
  /** of the whole price, exact */
  readonly dueAmount: string;
  readonly remainingAmount: string;
  readonly remainingRaw: bigint;
  /** of the price, in hundredths, rounded down; at most 100 */
  readonly paidPercent: number;
  /** undefined: not opened */
  readonly address: string | undefined;
  /** undefined: there is no address, or no form for this chain */
  readonly uri: string | undefined;
}

export interface CheckoutTerms {
  readonly payment: CheckoutPayment;
  /** that can be chosen now, each with at least one deployment */
  readonly offers: readonly QuotedCurrency[];
  /** undefined: nothing is chosen yet, or nothing can be */
  readonly currency: QuotedCurrency | undefined;
  readonly place: ChosenPlace | undefined;
  /** Its time is over by the clock; the chains may have to be read to that point yet. */
  readonly isTimeOver: boolean;
  /** More money is asked for. */
  readonly isPayable: boolean;
  readonly deposits: readonly ShownDeposit[];
  /** names of networks that matter here and that nobody has heard from for some time */
  readonly quietChainNames: readonly string[];
}

export interface ShownDeposit extends CheckoutDeposit {
  readonly amount: string;
  readonly code: string;
  readonly chainName: string;
}

export interface TermsOptions {
  readonly choice: Choice;
  readonly now: Date;
  readonly isPayable: boolean;
}

export function termsOf(
  payment: CheckoutPayment,
  { choice, now, isPayable }: TermsOptions,
): CheckoutTerms {
  const offers = offersOf(payment);
  const currency = chosenCurrency(offers, choice);
  const deployment = chosenDeployment(currency, choice);
  const deposits = payment.deposits.map((one) => shownDeposit(payment, one));
  const awaited = new Set(unsettledOf(payment, deposits).map(({ chainId }) => chainId));
  if (isPayable && deployment !== undefined) awaited.add(deployment.chainId);
  const quiet = [...awaited].filter((chainId) => payment.staleChainIds.has(chainId));
  return {
    payment,
    offers,
    currency,
    place:
      currency === undefined || deployment === undefined
        ? undefined
        : placeOf(payment, currency, deployment),
    isTimeOver: now.getTime() > payment.expiresAt.getTime(),
    isPayable,
    deposits,
    quietChainNames: quiet.map(chainNameOf),
  };
}

function offersOf({ quotes, openDeploymentIds }: CheckoutPayment): readonly QuotedCurrency[] {
  return quotes
    .map((quote) => ({
      ...quote,
      deployments: quote.deployments.filter(({ deploymentId }) =>
        openDeploymentIds.has(deploymentId),
      ),
    }))
    .filter(({ deployments }) => deployments.length > 0);
}

/** One that is not offered counts as none; where there is no choice nobody has to make it. */
function chosenCurrency(
  offers: readonly QuotedCurrency[],
  { deploymentId, currencyId }: Choice,
): QuotedCurrency | undefined {
  const chosen = offers.find(
    (offer) =>
      offer.deployments.some((one) => one.deploymentId === deploymentId) ||
      (deploymentId === null && offer.currencyId === currencyId),
  );
  return chosen ?? (offers.length === 1 ? offers[0] : undefined);
}

function chosenDeployment(
  currency: QuotedCurrency | undefined,
  { deploymentId }: Choice,
): QuotedDeployment | undefined {
  if (currency === undefined) return undefined;
  const { deployments } = currency;
  const chosen = deployments.find((one) => one.deploymentId === deploymentId);
  return chosen ?? (deployments.length === 1 ? deployments[0] : undefined);
}

function placeOf(
  payment: CheckoutPayment,
  quote: QuotedCurrency,
  deployment: QuotedDeployment,
): ChosenPlace {
  const { decimals, chainFamily, chainId, rawAmount } = deployment;
  const remainingRaw = missingRaw(payment, deployment);
  const dueRaw = BigInt(rawAmount);
  const address = payment.addresses[chainFamily];
  return {
    quote,
    deployment,
    chainName: chainNameOf(chainId),
    dueAmount: amountOf(dueRaw, decimals),
    remainingAmount: amountOf(remainingRaw, decimals),
    remainingRaw,
    paidPercent: Number(((dueRaw - remainingRaw) * 100n) / dueRaw),
    address,
    uri: address === undefined ? undefined : paymentUri(deployment, address, remainingRaw),
  };
}

function shownDeposit({ quotes }: CheckoutPayment, deposit: CheckoutDeposit): ShownDeposit {
  const chainName = chainNameOf(deposit.chainId);
  for (const { code, deployments } of quotes) {
    const found = deployments.find((one) => one.deploymentId === deposit.deploymentId);
    if (found === undefined) continue;
    return { ...deposit, amount: amountOf(deposit.amountRaw, found.decimals), code, chainName };
  }
  // Of a currency that was not asked for: nobody here knows its decimals.
  return { ...deposit, amount: "", code: "another currency", chainName };
}

/** Deposits that the price still waits for. */
export function unsettledDeposits({ payment, deposits }: CheckoutTerms): readonly ShownDeposit[] {
  return unsettledOf(payment, deposits);
}

function unsettledOf(
  payment: CheckoutPayment,
  deposits: readonly ShownDeposit[],
): readonly ShownDeposit[] {
  return deposits.filter(
    ({ state, isApart, blockTime }) =>
      state === "seen" && isApart !== true && timingOf(payment, blockTime) !== "too_late",
  );
}
