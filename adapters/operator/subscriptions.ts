// The operator's commands about subscriptions, as text. The interface has no operation that makes one.

import { amountOf } from "../../service/amounts.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Subscription } from "../../service/subscriptions/model.ts";
import type { Subscriptions } from "../../service/subscriptions/subscriptions.ts";
import { table } from "./tables.ts";
import { duration, momentOf } from "./duration.ts";
import { missedPeriodRules } from "../../service/database/words.ts";
import type { MissedPeriodRule } from "../../service/database/words.ts";
import { type Command, command, oneOf, optional, text, UsageError } from "./words.ts";

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
        text(
          "collapse|each",
          "periods that went by unbilled: one bill, or one each; default: collapse",
        ),
      ),
      "user-id": optional(text("TEXT", "the merchant's name for the customer")),
      "first-bill-at": optional(
        text("WHEN", "7d, 2027-01-31 or 2027-01-31T12:00:00Z; default: now"),
      ),
    },
    run: async (given, { subscriptions, clock }: SubscriptionOperator) => {
      const { merchant: merchantId, environment } = given;
      const wanted = {
        currencyId: given.currency,
        chainId: given.chain,
        amount: given.amount,
        intervalSeconds: given.interval / 1000,
        missedPeriods: missedRuleOf(given.missed),
        userId: given["user-id"] ?? null,
        firstBillAt: momentOf(given["first-bill-at"], "first-bill-at", clock),
      };
      return madeText(await subscriptions.create({ merchantId, environment }, wanted));
    },
  }),
  command("subscription list", {
    words: { merchant: text("MERCHANT_ID") },
    run: listSubscriptions,
  }),
];

function missedRuleOf(text = "collapse"): MissedPeriodRule {
  const rule = missedPeriodRules.find((one) => one === text);
  if (rule === undefined) throw new UsageError("--missed is collapse or each.");
  return rule;
}

function madeText(subscription: Subscription): string {
  const { merchantId, environment } = subscription.owner;
  const lines = [
    ["Subscription", subscription.id],
    ["Merchant", `${merchantId} ${environment}`],
    ["Amount", `${amountText(subscription)} of ${subscription.deploymentId}`],
    ["Interval", `${subscription.intervalSeconds} s`],
    ["Missed", subscription.missedPeriods],
    ["First bill", subscription.nextBillAt?.toISOString() ?? "-"],
  ];
  return lines.map(([name = "", value]) => `${name.padEnd(12)} ${value}\n`).join("");
}

async function listSubscriptions(
  { merchant }: { readonly merchant: string },
  { subscriptions }: SubscriptionOperator,
): Promise<string> {
  const found = await subscriptions.list(merchant);
  const rows = found.map((one) => [
    one.id,
    one.owner.environment,
    one.status,
    amountText(one),
    one.deploymentId,
    `${one.intervalSeconds}`,
    one.nextBillAt?.toISOString() ?? "-",
    one.open === null ? "-" : `${one.open.periodStart.toISOString()} try ${one.open.try}`,
    one.userId ?? "-",
  ]);
  const heading = ["SUBSCRIPTION", "ENVIRONMENT", "STATUS", "AMOUNT", "DEPLOYMENT", "SECONDS"];
  return table([[...heading, "NEXT BILL", "OPEN BILL", "USER"], ...rows]);
}

function amountText({ amountRaw, decimals }: Subscription): string {
  return amountOf(amountRaw, decimals);
}
