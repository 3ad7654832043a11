// The operator's commands about subscriptions, as text. The interface has no operation that makes one.

import { amountOf } from "../../service/amounts.ts";
import { OperatorError } from "../../service/operator-error.ts";
import type { Clock } from "../../service/ports/clock.ts";
import type { Subscription } from "../../service/subscriptions/model.ts";
import type { Subscriptions } from "../../service/subscriptions/subscriptions.ts";
import { table } from "./tables.ts";
import { parseDurationMilliseconds, parseMoment } from "./duration.ts";

export interface SubscriptionOperator {
  readonly clock: Pick<Clock, "nowMilliseconds">;
  readonly subscriptions: Pick<Subscriptions, "create" | "list">;
}

export const subscriptionUsage = `\
  subscription create --merchant MERCHANT_ID --environment live|test --currency CURRENCY_ID
                      --chain CHAIN_ID --amount AMOUNT --interval 30d
                      [--user-id TEXT]             the merchant's name for the customer
                      [--first-bill-at WHEN]       7d, 2027-01-31 or 2027-01-31T12:00:00Z; default: now
  subscription list --merchant MERCHANT_ID`;

/** Beside those that other commands have too. */
export const subscriptionOptions = {
  environment: { type: "string" },
  currency: { type: "string" },
  interval: { type: "string" },
  "user-id": { type: "string" },
  "first-bill-at": { type: "string" },
} as const;

interface Words {
  readonly values: {
    readonly merchant?: string | undefined;
    readonly environment?: string | undefined;
    readonly currency?: string | undefined;
    readonly chain?: string | undefined;
    readonly amount?: string | undefined;
    readonly interval?: string | undefined;
    readonly "user-id"?: string | undefined;
    readonly "first-bill-at"?: string | undefined;
  };
}

interface SubscriptionCommand {
  readonly run: (words: Words, operator: SubscriptionOperator) => Promise<string>;
  readonly takes: readonly (keyof Words["values"])[];
  readonly places: readonly string[];
}

export const subscriptionCommands: readonly (readonly [string, SubscriptionCommand])[] = [
  [
    "subscription create",
    {
      run: createSubscription,
      takes: [
        ...(["merchant", "environment", "currency", "chain", "amount", "interval"] as const),
        ...(["user-id", "first-bill-at"] as const),
      ],
      places: [],
    },
  ],
  ["subscription list", { run: listSubscriptions, takes: ["merchant"], places: [] }],
];

async function createSubscription(
  { values: words }: Words,
  { subscriptions, clock }: SubscriptionOperator,
): Promise<string> {
  const merchantId = given(words.merchant, "merchant");
  const environment = given(words.environment, "environment");
  if (environment !== "live" && environment !== "test") {
    throw new OperatorError("--environment is live or test.");
  }
  const subscription = await subscriptions.create(
    { merchantId, environment },
    {
      currencyId: given(words.currency, "currency"),
      chainId: given(words.chain, "chain"),
      amount: given(words.amount, "amount"),
      intervalSeconds: intervalOf(given(words.interval, "interval")),
      userId: words["user-id"] ?? null,
      firstBillAt: momentOf(words["first-bill-at"], clock),
    },
  );
  const lines = [
    ["Subscription", subscription.id],
    ["Merchant", `${merchantId} ${environment}`],
    ["Amount", `${amountText(subscription)} of ${subscription.deploymentId}`],
    ["Interval", `${subscription.intervalSeconds} s`],
    ["First bill", subscription.nextBillAt?.toISOString() ?? "-"],
  ];
  return lines.map(([name = "", value]) => `${name.padEnd(12)} ${value}\n`).join("");
}

async function listSubscriptions(
  { values: words }: Words,
  { subscriptions }: SubscriptionOperator,
): Promise<string> {
  const found = await subscriptions.list(given(words.merchant, "merchant"));
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

function intervalOf(text: string): number {
  const milliseconds = parseDurationMilliseconds(text);
  if (milliseconds !== undefined) return milliseconds / 1000;
  throw new OperatorError("--interval is a duration such as 30d or 24h.");
}

function momentOf(
  text: string | undefined,
  clock: SubscriptionOperator["clock"],
): Date | undefined {
  if (text === undefined) return undefined;
  const moment = parseMoment(text, clock.nowMilliseconds());
  if (moment !== undefined) return moment;
  throw new OperatorError(
    "--first-bill-at is a duration such as 7d, or a date such as 2027-01-31.",
  );
}

function given(value: string | undefined, name: string): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new OperatorError(`--${name} is missing.`);
}
