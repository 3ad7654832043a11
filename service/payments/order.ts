// What a merchant orders a payment to be, and whether it can be: decided in memory, from what was
// read in one round trip.

import type { AcceptedCurrency } from "../catalog/acceptance-rules.ts";
import { refusalsOf, ServiceError } from "../errors.ts";
import type { Owner } from "../owner.ts";
import type { Payment } from "./model.ts";
import { openSecondsMax } from "./rules.ts";
import { placeQuotes, priceQuotes, quoteProblems } from "./quotes.ts";
import type { Market, PartialQuote, WantedQuote } from "./quotes.ts";
import { checkSplits, splitProblems } from "./splits.ts";
import type { PartialSplit, Split } from "./splits.ts";

/** When the order says nothing of it. */
const standardSeconds = 1800;

/** Texts are without U+0000. */
export interface PaymentOrder {
  readonly merchantOrderNo: string;
  /** at least one, each of another currency */
  readonly quotes: readonly WantedQuote[];
  readonly splits: readonly Split[];
  readonly overpayPolicy: "pro_rata" | "to_primary";
  /** null: half an hour */
  readonly expiresInSeconds: number | null;
  readonly userId: string | null;
  /** for the merchant's own eyes */
  readonly memo: string | null;
  /** see `parseRedirectUrl` */
  readonly redirectUrl: string | null;
}

/** What was read for the decision. */
export interface PaymentTerms extends Market {
  readonly owner: Owner;
  readonly now: Date;
  readonly accepted: readonly AcceptedCurrency[];
  /** of the merchants with a share, those that can have one */
  readonly activeMerchantIds: ReadonlySet<string>;
  readonly feeBps: number;
  /** of the same order number */
  readonly existingPaymentId: string | null;
}

export interface DecidedPayment {
  readonly payment: Payment;
  readonly order: PaymentOrder;
  /** what held when it was created */
  readonly feeBps: number;
  readonly createdAt: Date;
}

/**
 * Throws, in this order: what `placeQuotes`, `checkSplits` refuse, `expires_in_out_of_range`, what
 * `priceQuotes` refuses, `order_already_exists`.
 */
export function decidePayment(
  terms: PaymentTerms,
  order: PaymentOrder,
  newId: () => string,
): DecidedPayment {
  const { now, owner, feeBps, existingPaymentId } = terms;
  const placed = placeQuotes(terms, order.quotes);
  checkSplits(owner.merchantId, order.splits, terms.activeMerchantIds);
  const expiresAt = expiryOf(order, now);
  const quotes = priceQuotes(placed);
  if (existingPaymentId !== null) throw orderExists(existingPaymentId);
  const { merchantOrderNo, userId, memo } = order;
  const head = { id: newId(), merchantOrderNo, status: "pending" } as const;
  const payment = { ...head, quotes, expiresAt, userId, memo };
  return { payment, order, feeBps, createdAt: now };
}

/** Of an order of which parts are not known; undefined: not known. */
export interface OrderParts {
  readonly quotes: readonly PartialQuote[];
  readonly splits: readonly PartialSplit[];
  readonly expiresInSeconds: number | null | undefined;
}

/** What `decidePayment` would refuse of the parts that are known; each names its place. */
export function orderProblems(terms: PaymentTerms, parts: OrderParts): readonly ServiceError[] {
  const { quotes, splits, expiresInSeconds = null } = parts;
  return [
    ...quoteProblems(terms, quotes),
    ...splitProblems(terms.owner.merchantId, splits, terms.activeMerchantIds),
    ...refusalsOf([() => expiryOf({ expiresInSeconds }, terms.now)]),
  ];
}

function expiryOf({ expiresInSeconds }: Pick<PaymentOrder, "expiresInSeconds">, now: Date): Date {
  const seconds = expiresInSeconds ?? standardSeconds;
  if (seconds >= 1 && seconds <= openSecondsMax) {
    return new Date(now.getTime() + seconds * 1000);
  }
  const details = { pointer: "/expires_in_secs", minimum: 1, maximum: openSecondsMax };
  const message = `A payment can be paid for 1 to ${openSecondsMax} seconds.`;
  throw new ServiceError("expires_in_out_of_range", message, { details });
}

export function orderExists(paymentId: string): ServiceError {
  const message = "A payment with this merchant_order_no exists.";
  const details = { payment_id: paymentId };
  return new ServiceError("order_already_exists", message, { details });
}
