// What a page says about the state of its payment: for somebody who has never paid like this before.

import type { CheckoutTerms, ChosenPlace } from "./checkout-terms.ts";
import type { PaymentStatus } from "../../service/database/words.ts";
import { unsettledDeposits } from "./checkout-terms.ts";

export interface StateText {
  /** how it looks */
  readonly tone: "waiting" | "working" | "good" | "bad";
  readonly headline: string;
  readonly message: string;
}

export function stateTextOf(terms: CheckoutTerms): StateText {
  const { status } = terms.payment;
  return (terms.isTimeOver ? afterTime(terms) : undefined) ?? texts[status](terms);
}

/** The time is over, and the chains may not have been read that far: nothing is decided yet. */
function afterTime(terms: CheckoutTerms): StateText | undefined {
  const { status } = terms.payment;
  if (status !== "pending" && status !== "partially_paid") return undefined;
  return {
    tone: "waiting",
    headline: "The time to pay is over",
    message:
      "Please do not send anything now. What was sent in time still counts: we are checking the network for it.",
  };
}

const texts: Readonly<Record<PaymentStatus, (terms: CheckoutTerms) => StateText>> = {
  pending: (terms) => ({
    tone: "waiting",
    headline: "Waiting for your payment",
    message: waitingMessage(terms),
  }),
  partially_paid: ({ place }) => ({
    tone: "waiting",
    headline: "Part of the payment has arrived",
    message: restMessage(place),
  }),
  confirming: (terms) => ({
    tone: "working",
    headline: "Payment received, being confirmed",
    message: confirmingMessage(terms),
  }),
  authorized: () => ({
    tone: "working",
    headline: "Payment authorised",
    message:
      "The amount is set aside. You are charged for what you use, and get back what is left of it.",
  }),
  paid: () => ({
    tone: "good",
    headline: "Paid",
    message: "Your payment is complete. Thank you!",
  }),
  overpaid: () => ({
    tone: "good",
    headline: "Paid, and more than needed",
    message:
      "Your payment is complete. More has arrived than was asked for: please ask the merchant about the difference.",
  }),
  paid_late: () => ({
    tone: "good",
    headline: "Paid, after the time was over",
    message:
      "The whole amount has arrived, but late. The merchant knows, and decides about your order.",
  }),
  underpaid: (terms) => ({
    tone: "bad",
    headline: "Not enough has arrived in time",
    message: lateMessage(
      terms,
      "Please do not send more here. Contact the merchant about what you have sent.",
    ),
  }),
  expired: (terms) => ({
    tone: "bad",
    headline: "This payment has expired",
    message: lateMessage(terms, expiredMessage(terms)),
  }),
  cancelled: ({ deposits }) => ({
    tone: "bad",
    headline: "This payment was cancelled",
    message:
      deposits.length === 0
        ? "Please do not send anything to an address that was shown here."
        : "Money has arrived all the same. Please contact the merchant about it.",
  }),
  reversed: (terms) => ({
    tone: "bad",
    headline: "The network has undone this payment",
    message: reversedMessage(terms),
  }),
};

/** Nothing is asked for where there is no address to send it to. */
function unavailable({ quote, chainName }: ChosenPlace): string {
  return `${quote.code} on ${chainName} cannot be paid right now. Nothing you have sent is lost.`;
}

function waitingMessage({ offers, place }: CheckoutTerms): string {
  if (offers.length === 0) {
    return "This payment cannot be made right now, because its networks cannot be reached. Please try again later.";
  }
  if (place === undefined) return "Choose what you would like to pay with.";
  if (place.address === undefined) return unavailable(place);
  return `Send exactly ${place.remainingAmount} ${place.quote.code} on ${place.chainName}.`;
}

function restMessage(place: ChosenPlace | undefined): string {
  if (place === undefined) return "Something is still missing. Choose how to pay the rest.";
  if (place.address === undefined) return unavailable(place);
  const { remainingAmount, quote, chainName } = place;
  return `Send the rest, ${remainingAmount} ${quote.code} on ${chainName}, to complete it.`;
}

function confirmingMessage(terms: CheckoutTerms): string {
  const open = unsettledDeposits(terms);
  if (open.some(({ waitsForChain }) => waitsForChain)) {
    return "Waiting until the network calls it final. You need not do anything, and may close this page.";
  }
  return "The network is confirming it. You need not do anything, and may close this page.";
}

function expiredMessage({ deposits }: CheckoutTerms): string {
  if (deposits.some(({ purpose }) => purpose === "held")) {
    return "Nothing was used. What was set aside goes back to where it came from.";
  }
  return "Please do not send anything to an address that was shown here. Ask the merchant for a new payment.";
}

function reversedMessage(terms: CheckoutTerms): string {
  if (unsettledDeposits(terms).length === 0) {
    return "What had been confirmed is no longer part of the network's history. Please look into your wallet and contact the merchant.";
  }
  return "What you have sent is part of the network's history again, and is being confirmed. Please do not send more.";
}

function lateMessage(terms: CheckoutTerms, otherwise: string): string {
  if (unsettledDeposits(terms).length === 0) return otherwise;
  return "Something has arrived late, and is being confirmed. Please do not send more.";
}

/** Nothing changes any more that somebody would wait for in front of a page. */
export function isOver(terms: CheckoutTerms): boolean {
  switch (terms.payment.status) {
    case "paid":
    case "overpaid":
    case "paid_late":
    case "cancelled":
      return true;
    case "expired":
    case "underpaid":
      return unsettledDeposits(terms).length === 0;
    default:
      return false;
  }
}

export function isPaid({ payment: { status } }: CheckoutTerms): boolean {
  return status === "paid" || status === "overpaid" || status === "paid_late";
}
