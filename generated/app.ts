// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Env } from "hono";
import type { Handlers } from "./handlers.ts";
import * as webhookEndpointsOperations from "./operations/webhook-endpoints.ts";
import * as webhookDeliveriesOperations from "./operations/webhook-deliveries.ts";
import * as paymentsOperations from "./operations/payments.ts";
import * as withdrawalsOperations from "./operations/withdrawals.ts";
import * as withdrawAddressesOperations from "./operations/withdraw-addresses.ts";
import * as payoutSchedulesOperations from "./operations/payout-schedules.ts";
import * as subscriptionsOperations from "./operations/subscriptions.ts";
import * as currenciesOperations from "./operations/currencies.ts";
import * as currencyAcceptanceOperations from "./operations/currency-acceptance.ts";
import * as x402Operations from "./operations/x402.ts";
import * as registration from "./runtime/register.ts";
import type * as runtime from "./runtime/runtime.ts";

/** Every operation, in the order of the contract. */
export const operations: readonly runtime.Operation[] = [
  webhookEndpointsOperations.registerWebhookEndpoint,
  webhookEndpointsOperations.getWebhookEndpoint,
  webhookEndpointsOperations.updateWebhookEndpoint,
  webhookEndpointsOperations.setWebhookEndpointStatus,
  webhookEndpointsOperations.rotateWebhookEndpointSecret,
  webhookDeliveriesOperations.listWebhookDeliveries,
  paymentsOperations.createPayment,
  paymentsOperations.cancelPayment,
  withdrawalsOperations.requestWithdrawal,
  withdrawalsOperations.cancelWithdrawal,
  withdrawAddressesOperations.registerWithdrawAddress,
  payoutSchedulesOperations.createPayoutSchedule,
  payoutSchedulesOperations.listPayoutSchedules,
  payoutSchedulesOperations.pausePayoutSchedule,
  subscriptionsOperations.cancelSubscription,
  currenciesOperations.listCurrencies,
  currenciesOperations.getCurrency,
  currencyAcceptanceOperations.replaceCurrencyAcceptance,
  x402Operations.reportX402Usage,
  x402Operations.settleX402Payment,
];

/** Puts every operation on the app; a missing handler is refused here and by the compiler. */
export function register<E extends Env, State, Caller, Edge extends string>(
  app: OpenAPIHono<E>,
  handlers: Handlers<Caller, Edge>,
  edge: runtime.Edge<State, Caller>,
  options?: runtime.RegisterOptions,
): void {
  // the compiler has checked each handler against its operation; the runtime calls them by name
  const byName = handlers as unknown as Readonly<Record<string, runtime.Handler>>;
  registration.register(app, operations, byName, edge, options);
}
