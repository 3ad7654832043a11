// A customer's recurring payment, and how it is shown.

import { amountOf } from "../amounts.ts";
import type { EventTypeAbout } from "../events/types.ts";
import { dataAbout } from "../events/events.ts";
import type { EventDraft, NothingBeside } from "../events/events.ts";
import type { MissedPeriodRule, SubscriptionStatus } from "../database/words.ts";
import type { Owner } from "../owner.ts";

export interface Subscription {
  readonly id: string;
  readonly owner: Owner;
  readonly status: SubscriptionStatus;
  readonly version: bigint;
  readonly currencyId: string;
  readonly deploymentId: string;
  /** CAIP-2 */
  readonly chainId: string;
  readonly decimals: number;
  readonly amountRaw: bigint;
  /** of which need not be paid */
  readonly toleranceRaw: bigint;
  readonly intervalSeconds: number;
  readonly missedPeriods: MissedPeriodRule;
  /** the merchant's name for the customer */
  readonly userId: string | null;
  /** the period that is billed next; null: none is */
  readonly nextBillAt: Date | null;
  /** the period that is being billed */
  readonly open: OpenBill | null;
  readonly pastDueSince: Date | null;
  readonly createdAt: Date;
}

export interface OpenBill {
  readonly periodStart: Date;
  /** from 1 */
  readonly try: number;
}

/** What cannot be an id of ours need not be asked for (and the database keeps no U+0000). */
export function isSubscriptionId(text: string): boolean {
  return /^sub_[0-9A-Za-z]{1,64}$/.test(text);
}

/** In wire names: the service needs them too, for the data of events. */
export interface PublishedSubscription {
  readonly id: string;
  readonly status: SubscriptionStatus;
  readonly amount: string;
  readonly interval_secs: number;
  readonly currency_id: string;
  readonly currency_chain_id: string;
  readonly chain_id: string;
  readonly next_bill_at: string | null;
}

export function publishedSubscription(subscription: Subscription): PublishedSubscription {
  return {
    id: subscription.id,
    status: subscription.status,
    amount: amountOf(subscription.amountRaw, subscription.decimals),
    interval_secs: subscription.intervalSeconds,
    currency_id: subscription.currencyId,
    currency_chain_id: subscription.deploymentId,
    chain_id: subscription.chainId,
    next_bill_at: subscription.nextBillAt?.toISOString() ?? null,
  };
}

/** What an event says beside the subscription, in wire names. */
export interface SubscriptionFacts {
  readonly period_start?: string;
  readonly try?: number;
  readonly missed_periods?: number;
  readonly bill_amount?: string;
  readonly payment_id?: string | null;
  readonly checkout_url?: string;
  readonly refused?: string;
}

declare module "../events/events.ts" {
  interface EventSubjects {
    readonly subscription: PublishedSubscription & SubscriptionFacts;
  }
}

/** `subscription` as it is after what the event says. */
export function subscriptionEvent<Facts extends SubscriptionFacts>(
  type: EventTypeAbout<"subscription">,
  subscription: Subscription,
  facts?: Facts & NothingBeside<SubscriptionFacts, Facts>,
): EventDraft {
  const { id, owner } = subscription;
  return {
    ...owner,
    type,
    resource: { type: "subscription", id },
    data: dataAbout("subscription", { ...publishedSubscription(subscription), ...facts }),
  };
}
