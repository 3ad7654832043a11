// The operator's commands about subscriptions, as text. The interface has no operation that makes one.

import { amountOf } from "../../service/amounts.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Subscription } from "../../service/subscriptions/model.ts";
import type { Subscriptions } from "../../service/subscriptions/subscriptions.ts";
import { type Cell, fields, listing, made, result, type Result, shown } from "./results.ts";
import { ownerCell } from "./by-hand.ts";
import { duration, momentOf } from "./duration.ts";
import { missedPeriodRules } from "../../service/database/words.ts";
import { type Command, command, oneOf, optional, text } from "./words.ts";

export interface SubscriptionOperator {
  readonly clock: Clock;
  readonly subscriptions: Pick<Subscriptions, "create" | "list">;
}

export const subscriptionCommands: readonly Command<SubscriptionOperator>[] = [
  command("subscription create", {
    words: {
      merchant: text("MERCHANT_ID"),
      environment: oneOf(["live", "test"]),
      currency: text("CURRENCY_ID"),
      chain: text("CHAIN_ID"),
      amount: text("AMOUNT"),
      interval: duration("30d"),
      missed: optional(
        oneOf(
          missedPeriodRules,
          "periods that went by unbilled: one bill, or one each; default: collapse",
        ),
      ),
      "user-id": optional(text("TEXT", "the merchant's name for the customer")),
      "first-bill-at": optional(
        text("WHEN", "7d, 2027-01-31 or 2027-01-31T12:00:00Z; default: now"),
      ),
    },
    dryRun: "rehearsal",
    run: async (given, { subscriptions, clock }: SubscriptionOperator) => {
      const { merchant: merchantId, environment } = given;
      const wanted = {
        currencyId: given.currency,
        chainId: given.chain,
        amount: given.amount,
        intervalSeconds: given.interval / 1000,
        missedPeriods: given.missed ?? "collapse",
        userId: given["user-id"] ?? null,
        firstBillAt: momentOf(given["first-bill-at"], "first-bill-at", clock),
      };
      return madeResult(await subscriptions.create({ merchantId, environment }, wanted));
    },
  }),
  command("subscription list", {
    words: { merchant: text("MERCHANT_ID") },
    run: listSubscriptions,
  }),
];

function madeResult(subscription: Subscription): Result {
  const { id, intervalSeconds, missedPeriods, nextBillAt } = subscription;
  const { merchantId, environment } = subscription.owner;
  const amount = {
    amount: amountText(subscription),
    amount_raw: subscription.amountRaw,
    deployment_id: subscription.deploymentId,
  };
  return result(
    fields([
      ["Subscription", "id", made(id)],
      ["Merchant", "owner", ownerCell(merchantId, environment)],
      ["Amount", "amount", shown(amount, `${amount.amount} of ${amount.deployment_id}`)],
      ["Interval", "interval_seconds", shown(intervalSeconds, `${intervalSeconds} s`)],
      ["Missed", "missed_periods", missedPeriods],
      ["First bill", "next_bill_at", nextBillAt],
    ]),
  );
}

async function listSubscriptions(
  { merchant }: { readonly merchant: string },
  { subscriptions }: SubscriptionOperator,
): Promise<Result> {
  return result(
    listing("subscriptions", await subscriptions.list(merchant), [
      ["SUBSCRIPTION", "id", (one) => one.id],
      ["ENVIRONMENT", "environment", (one) => one.owner.environment],
      ["STATUS", "status", (one) => one.status],
      ["AMOUNT", "amount", amountText],
      ["DEPLOYMENT", "deployment_id", (one) => one.deploymentId],
      ["SECONDS", "interval_seconds", (one) => one.intervalSeconds],
      ["NEXT BILL", "next_bill_at", (one) => one.nextBillAt],
      ["OPEN BILL", "open_bill", openBillCell],
      ["USER", "user_id", (one) => one.userId],
    ]),
  );
}

function openBillCell({ open }: Subscription): Cell {
  if (open === null) return null;
  const values = { period_start: open.periodStart, try: open.try };
  return shown(values, `${open.periodStart.toISOString()} try ${open.try}`);
}

function amountText({ amountRaw, decimals }: Subscription): string {
  return amountOf(amountRaw, decimals);
}
