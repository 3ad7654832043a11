// Subscriptions as a merchant and the operator see them: creating, showing and cancelling them. What
// is billed when is the business of the biller.

import { isDecimalAmount, rawAmountOf } from "../amounts.ts";
import { auditValues } from "../audit/audit.ts";
import { ServiceError } from "../errors.ts";
import { eventValues } from "../events/events.ts";
import { decideAgain, isChanged, storeAnswer } from "../idempotency/decide-again.ts";
import type { Finish } from "../idempotency/idempotency.ts";
import { OperatorError } from "../operator-error.ts";
import type { Owner } from "../owner.ts";
import type { RecordingPorts } from "../ports/recording.ts";
import type { WatchedChains } from "../ports/watched-chains.ts";
import type { Database } from "../ports/database.ts";
import {
  cancelSubscription,
  createSubscription,
  findBillableDeployment,
  findSubscription,
  listBills,
  listSubscriptions,
} from "./subscriptions.sql.ts";
import type { SubscriptionRow } from "./subscriptions.sql.ts";
import type { MissedPeriodRule } from "../database/words.ts";
import { isSubscriptionId, subscriptionEvent } from "./model.ts";
import type { Subscription } from "./model.ts";
import { nextSubscriptionStatus } from "./states.ts";

/** Our choice: daily at most, since each bill has several days to be paid; yearly at least. */
export const billIntervalSeconds = { min: 86_400, max: 366 * 86_400 } as const;
/** As many as the contract gives the merchant's name for a customer. */
const userIdCharactersMax = 128;
/** For people to read: a merchant with more of them looks into the database. */
const listedMax = 1000;

export interface SubscriptionPorts extends RecordingPorts, WatchedChains {
  readonly payments: {
    /** False: it is no longer pending, and nothing was written. */
    readonly cancelInTransaction: (
      database: Database,
      owner: Owner,
      paymentId: string,
    ) => Promise<boolean>;
  };
}

export interface NewSubscription {
  readonly currencyId: string;
  /** CAIP-2 */
  readonly chainId: string;
  /** decimal text */
  readonly amount: string;
  readonly intervalSeconds: number;
  readonly missedPeriods: MissedPeriodRule;
  readonly userId: string | null;
  /** now when omitted */
  readonly firstBillAt: Date | undefined;
}

export class Subscriptions {
  readonly #ports: SubscriptionPorts;

  constructor(ports: SubscriptionPorts) {
    this.#ports = ports;
  }

  /** By the operator: the interface has no operation for it. Throws `OperatorError`. */
  async create(owner: Owner, wish: NewSubscription): Promise<Subscription> {
    const { database, identifiers, watchedChainIds } = this.#ports;
    const { merchantId, environment } = owner;
    const { currencyId, chainId, intervalSeconds, missedPeriods, userId } = wish;
    const { min, max } = billIntervalSeconds;
    if (!Number.isInteger(intervalSeconds) || intervalSeconds < min || intervalSeconds > max) {
      throw new OperatorError(`The interval must be from ${min} to ${max} seconds.`);
    }
    checkUserId(userId);
    const wanted = { merchantId, environment, currencyId, chainId };
    const [deployment] = await database.run(findBillableDeployment, wanted);
    if (deployment === undefined) {
      throw new OperatorError(
        `There is no merchant ${merchantId}, or no ${currencyId} on ${chainId} in its ${environment} catalog.`,
      );
    }
    if (!deployment.deposit_enabled) {
      throw new OperatorError(`Deposits of ${currencyId} on ${chainId} are off.`);
    }
    if (!watchedChainIds.has(chainId)) {
      throw new OperatorError(
        `Nobody watches ${chainId}, so nobody could pay: name its nodes in EVM_RPC_URLS first.`,
      );
    }
    const now = this.#ports.clock.now();
    const nextBillAt = wish.firstBillAt ?? now;
    if (nextBillAt < now) throw new OperatorError("The first bill cannot be in the past.");
    const id = identifiers.next("sub");
    const amountRaw = amountRawOf(wish.amount, deployment.decimals);
    const audit = auditValues({
      occurredAt: now,
      actor: "operator",
      action: "subscription.created",
      merchantId,
      environment,
      subject: { type: "subscription", id },
      details: {
        deployment_id: deployment.id,
        amount_raw: amountRaw.toString(),
        interval_secs: intervalSeconds,
        missed_periods: missedPeriods,
        first_bill_at: nextBillAt.toISOString(),
      },
    });
    const what = { deploymentId: deployment.id, amountRaw, intervalSeconds, missedPeriods, userId };
    await database.run(createSubscription, { ...wanted, ...what, id, nextBillAt, now, ...audit });
    return this.get(owner, id);
  }

  /** Of one merchant, the oldest first. */
  async list(merchantId: string): Promise<readonly Subscription[]> {
    const values = { merchantId, rowsMax: listedMax };
    const rows = await this.#ports.database.run(listSubscriptions, values);
    return rows.map(subscriptionOf);
  }

  /** Throws `not_found`. */
  async get({ merchantId, environment }: Owner, id: string): Promise<Subscription> {
    const [row] = isSubscriptionId(id)
      ? await this.#ports.database.run(findSubscription, { merchantId, environment, id })
      : [];
    if (row !== undefined) return subscriptionOf(row);
    throw new ServiceError("not_found", "There is no subscription with this id.");
  }

  /**
   * At once, together with a bill for which no funds were seen. One that is cancelled already is left
   * as it is. Throws `not_found`, `subscription_not_cancellable`.
   */
  async cancel(owner: Owner, id: string, finish: Finish<Subscription>): Promise<void> {
    await decideAgain("subscription", async () => {
      const subscription = await this.get(owner, id);
      if (subscription.status === "cancelled") {
        return storeAnswer(this.#ports.database, finish(subscription));
      }
      if (subscription.status === "expired") throw notCancellable(subscription);
      return this.#isCancelled(subscription, finish);
    });
  }

  /** False: it changed in between, and nothing was written. */
  async #isCancelled(subscription: Subscription, finish: Finish<Subscription>): Promise<boolean> {
    const { owner, id, open } = subscription;
    const status = nextSubscriptionStatus(subscription.status, "cancelled");
    const cancelled: Subscription = {
      ...subscription,
      status,
      nextBillAt: null,
      open: null,
      pastDueSince: null,
    };
    const draft = subscriptionEvent("subscription.cancelled", cancelled);
    const values = {
      ...stateValues(cancelled, this.#ports.clock.now()),
      ...eventValues(this.#ports, draft),
      ...finish(cancelled),
    };
    return this.#ports.database.transaction(async (database) => {
      if (!isChanged(await database.run(cancelSubscription, values))) return false;
      if (open === null) return true;
      const bills = await database.run(listBills, { id, periodStart: open.periodStart });
      for (const { payment_id: paymentId } of bills) {
        if (paymentId === null) continue;
        await this.#ports.payments.cancelInTransaction(database, owner, paymentId);
      }
      return true;
    });
  }
}

/** What is written of a subscription that is `changed`, on top of the version it was read at. */
export function stateValues(changed: Subscription, now: Date) {
  const { id, owner, status, version, nextBillAt, open, pastDueSince } = changed;
  return {
    ...owner,
    id,
    status,
    nextBillAt,
    pastDueSince,
    now,
    versionRead: version,
    openPeriod: open?.periodStart ?? null,
    openTry: open?.try ?? null,
  };
}

export function subscriptionOf(row: SubscriptionRow): Subscription {
  const { open_period: periodStart, open_try: openTry } = row;
  return {
    id: row.id,
    owner: { merchantId: row.merchant_id, environment: row.environment },
    status: row.status,
    version: row.version,
    currencyId: row.currency_id,
    deploymentId: row.deployment_id,
    chainId: row.chain_id,
    decimals: row.decimals,
    amountRaw: BigInt(row.amount_raw),
    toleranceRaw: BigInt(row.tolerance_raw),
    intervalSeconds: Number(row.interval_seconds),
    missedPeriods: row.missed_periods,
    userId: row.user_id,
    nextBillAt: row.next_bill_at,
    open: periodStart === null || openTry === null ? null : { periodStart, try: openTry },
    pastDueSince: row.past_due_since,
    createdAt: row.created_at,
  };
}

function checkUserId(text: string | null): void {
  if (text === null) return;
  const count = Array.from(text).length;
  if (count >= 1 && count <= userIdCharactersMax && !text.includes("\0")) return;
  throw new OperatorError(`A user id has 1 to ${userIdCharactersMax} characters.`);
}

function amountRawOf(text: string, decimals: number): bigint {
  const refused = new OperatorError(
    `The amount is one such as 9.99, above zero, with at most ${decimals} fraction digits.`,
  );
  if (!isDecimalAmount(text)) throw refused;
  try {
    return rawAmountOf(text, decimals, "/amount");
  } catch (error) {
    throw error instanceof ServiceError ? refused : error;
  }
}

function notCancellable({ status }: Subscription): ServiceError {
  return new ServiceError(
    "subscription_not_cancellable",
    "An expired subscription cannot be cancelled.",
    { details: { status } },
  );
}
