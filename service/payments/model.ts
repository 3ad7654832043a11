// A payment as merchants see it, in answers and in the data of events.

import assert from "node:assert";
import { eventDataBytesMax } from "../events/events.ts";
import type { PublishedX402 } from "./authorization-facts.ts";
import type { PaymentStatus } from "../database/words.ts";
import type { QuotedCurrency, QuotedDeployment } from "../database/tables/payments.ts";

export interface Payment {
  readonly id: string;
  readonly merchantOrderNo: string;
  readonly status: PaymentStatus;
  /** at least one */
  readonly quotes: readonly QuotedCurrency[];
  readonly expiresAt: Date;
  /** the merchant's own words, for itself */
  readonly userId: string | null;
  readonly memo: string | null;
}

/** What cannot be an id of ours need not be asked for (and the database keeps no U+0000). */
export function isPaymentId(text: string): boolean {
  return /^pay_[0-9A-Za-z]{1,64}$/.test(text);
}

// In wire names: the service needs them too, for the data of events.

export interface PublishedPayment extends PublishedHead {
  readonly quotes: { readonly [currencyId: string]: PublishedQuote<PublishedDeployment> };
}

interface PublishedHead {
  readonly id: string;
  readonly status: PaymentStatus;
  readonly expires_at: string;
  readonly merchant_order_no: string;
}

interface PublishedQuoteHead {
  readonly amount: string;
  readonly code: string;
  readonly symbol: string;
  readonly name: string;
}

interface PublishedQuote<Deployment> extends PublishedQuoteHead {
  readonly deployments: Deployment[];
}

interface PublishedDeployment {
  readonly currency_chain_id: string;
  readonly chain_id: string;
  readonly decimals: number;
  readonly raw_amount: string;
  readonly asset_kind: QuotedDeployment["assetKind"];
  readonly token_standard: QuotedDeployment["tokenStandard"];
  readonly contract_address: string | null;
}

export function publishedPayment(payment: Payment): PublishedPayment {
  const { id, status, expires_at, merchant_order_no } = publishedHead(payment);
  const quotes = publishedQuotes(payment.quotes, publishedDeployment);
  return { id, status, quotes, expires_at, merchant_order_no };
}

/** What is known of a payment beside its terms. */
export interface PaymentFacts {
  /** by deployment; one that is missing received nothing */
  readonly receivedRaw: ReadonlyMap<string, bigint>;
  /** of bounded size */
  readonly more?: MoreOfEvent;
}

/** What an event about a payment that has begun says beside its terms, in wire names. */
export interface MoreOfEvent {
  readonly tx_hash: string | null;
  readonly confirmations: number | null;
  readonly deposit: DepositOfEvent | null;
  readonly x402?: PublishedX402;
}

export interface DepositOfEvent {
  readonly currency_chain_id: string;
  readonly chain_id: string;
  readonly amount_raw: string;
  readonly is_unmatched: boolean;
  readonly sender: string | null;
}

/** In a deployment: how much is due there, if all of the price is paid there, and what has come. */
interface DeploymentOfEvent extends PublishedDeployment {
  readonly due_raw: string;
  readonly received_raw: string;
}

/**
 * The payment in the data of an event. Our choice: with `user_id` and `memo`, since an event goes to the
 * merchant that wrote them, which cannot read a payment otherwise.
 */
export interface PaymentEventData extends PublishedHead, Partial<MoreOfEvent> {
  readonly user_id: string | null;
  readonly memo: string | null;
  readonly quotes: { readonly [currencyId: string]: PublishedQuote<DeploymentOfEvent> };
  /** left out where it is 0 */
  readonly deployments_left_out?: number;
}

declare module "../events/events.ts" {
  interface EventSubjects {
    readonly payment: PaymentEventData;
  }
}

/** A list of prices can take far more room than an event has; its number of deployments does not. */
const leftOutMax = 99_999;

/**
 * Our choice: what of a long list of prices does not fit into an event is left out of it, and counted
 * in `deployments_left_out`. Deployments that have received something come first, then all in their
 * order. The merchant has the whole list from the answer that created the payment.
 */
export function paymentEventData(payment: Payment, facts: PaymentFacts): PaymentEventData {
  const { receivedRaw, more = {} } = facts;
  const publish = (deployment: QuotedDeployment): DeploymentOfEvent => ({
    ...publishedDeployment(deployment),
    due_raw: deployment.rawAmount,
    received_raw: (receivedRaw.get(deployment.deploymentId) ?? 0n).toString(),
  });
  const { userId: user_id, memo } = payment;
  const head: Omit<PaymentEventData, "quotes"> = {
    ...publishedHead(payment),
    user_id,
    memo,
    ...more,
  };
  const whole = { ...head, quotes: publishedQuotes(payment.quotes, publish) };
  if (bytesOf(whole) <= eventDataBytesMax) return whole;
  const bytesMax =
    eventDataBytesMax - bytesOf({ ...head, quotes: {}, deployments_left_out: leftOutMax });
  const kept = keepFirst(payment.quotes, { publish, receivedRaw, bytesMax });
  const quotes = payment.quotes
    .map((quote) => ({
      ...quote,
      deployments: quote.deployments.filter(({ deploymentId }) => kept.has(deploymentId)),
    }))
    .filter(({ deployments }) => deployments.length > 0);
  const count = payment.quotes.reduce((sum, { deployments }) => sum + deployments.length, 0);
  return {
    ...head,
    quotes: publishedQuotes(quotes, publish),
    deployments_left_out: count - kept.size,
  };
}

interface Room {
  readonly publish: (deployment: QuotedDeployment) => DeploymentOfEvent;
  readonly receivedRaw: ReadonlyMap<string, bigint>;
  readonly bytesMax: number;
}

/** The ids of the deployments that there is room for. */
function keepFirst(
  quotes: readonly QuotedCurrency[],
  { publish, receivedRaw, bytesMax }: Room,
): ReadonlySet<string> {
  const all = quotes.flatMap((quote) => quote.deployments.map((one) => ({ quote, one })));
  const isPaid = ({ one }: (typeof all)[number]): boolean => receivedRaw.has(one.deploymentId);
  const inOrder = [...all.filter(isPaid), ...all.filter((each) => !isPaid(each))];
  const [kept, begun] = [new Set<string>(), new Set<string>()];
  let left = bytesMax;
  for (const { quote, one } of inOrder) {
    const { currencyId } = quote;
    const alone = publishedQuotes([{ ...quote, deployments: [] }], publish);
    // With a comma each, more than it takes.
    const bytes = bytesOf(publish(one)) + 1 + (begun.has(currencyId) ? 0 : bytesOf(alone) + 1);
    if (bytes > left) break;
    left -= bytes;
    kept.add(one.deploymentId);
    begun.add(currencyId);
  }
  assert(kept.size > 0, "there is always room for one deployment");
  return kept;
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value), "utf8");
}

function publishedHead({ id, status, expiresAt, merchantOrderNo }: Payment): PublishedHead {
  return { id, status, expires_at: expiresAt.toISOString(), merchant_order_no: merchantOrderNo };
}

function publishedQuotes<Deployment>(
  quotes: readonly QuotedCurrency[],
  publish: (deployment: QuotedDeployment) => Deployment,
): { readonly [currencyId: string]: PublishedQuote<Deployment> } {
  return Object.fromEntries(
    quotes.map(
      ({
        currencyId,
        amount,
        code,
        symbol,
        name,
        deployments,
      }): [string, PublishedQuote<Deployment>] => [
        currencyId,
        { amount, code, symbol, name, deployments: deployments.map(publish) },
      ],
    ),
  );
}

function publishedDeployment(deployment: QuotedDeployment): PublishedDeployment {
  return {
    currency_chain_id: deployment.deploymentId,
    chain_id: deployment.chainId,
    decimals: deployment.decimals,
    raw_amount: deployment.rawAmount,
    asset_kind: deployment.assetKind,
    token_standard: deployment.tokenStandard,
    contract_address: deployment.contractAddress,
  };
}
