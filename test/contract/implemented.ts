// Operations whose handlers answer. An operation moves in here together with its handler: from
// then on its success examples are what the suite expects of it.

import type { operations } from "../../generated/types.ts";

export const implemented: ReadonlySet<string> = new Set<keyof operations>([
  "registerWebhookEndpoint",
  "getWebhookEndpoint",
  "updateWebhookEndpoint",
  "setWebhookEndpointStatus",
  "rotateWebhookEndpointSecret",
  "listWebhookDeliveries",
  "createPayment",
  "cancelPayment",
  "requestWithdrawal",
  "cancelWithdrawal",
  "registerWithdrawAddress",
  "createPayoutSchedule",
  "listPayoutSchedules",
  "pausePayoutSchedule",
  "cancelSubscription",
  "listCurrencies",
  "getCurrency",
  "replaceCurrencyAcceptance",
  "reportX402Usage",
  "settleX402Payment",
]);
