// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import * as calls from "./runtime/calls.ts";
import * as webhookEndpointsGroup from "./operations/webhook-endpoints.ts";
import * as webhookDeliveriesGroup from "./operations/webhook-deliveries.ts";
import * as paymentsGroup from "./operations/payments.ts";
import * as withdrawalsGroup from "./operations/withdrawals.ts";
import * as withdrawAddressesGroup from "./operations/withdraw-addresses.ts";
import * as payoutSchedulesGroup from "./operations/payout-schedules.ts";
import * as subscriptionsGroup from "./operations/subscriptions.ts";
import * as currenciesGroup from "./operations/currencies.ts";
import * as currencyAcceptanceGroup from "./operations/currency-acceptance.ts";
import * as x402Group from "./operations/x402.ts";
export type * from "./operations/webhook-endpoints.ts";
export type * from "./operations/webhook-deliveries.ts";
export type * from "./operations/payments.ts";
export type * from "./operations/withdrawals.ts";
export type * from "./operations/withdraw-addresses.ts";
export type * from "./operations/payout-schedules.ts";
export type * from "./operations/subscriptions.ts";
export type * from "./operations/currencies.ts";
export type * from "./operations/currency-acceptance.ts";
export type * from "./operations/x402.ts";
export type * as types from "../types.ts";
export type * from "./runtime/answers.ts";
export type * from "./runtime/calls.ts";
export { NoResponseError, ResponseError, UnexpectedResponseError } from "./runtime/answers.ts";

/** A client of Merchant Crypto Payment Service: its operations by subject. */
export interface Client {
  readonly webhookEndpoints: webhookEndpointsGroup.WebhookEndpointsOperations;
  readonly webhookDeliveries: webhookDeliveriesGroup.WebhookDeliveriesOperations;
  readonly payments: paymentsGroup.PaymentsOperations;
  readonly withdrawals: withdrawalsGroup.WithdrawalsOperations;
  readonly withdrawAddresses: withdrawAddressesGroup.WithdrawAddressesOperations;
  readonly payoutSchedules: payoutSchedulesGroup.PayoutSchedulesOperations;
  readonly subscriptions: subscriptionsGroup.SubscriptionsOperations;
  readonly currencies: currenciesGroup.CurrenciesOperations;
  readonly currencyAcceptance: currencyAcceptanceGroup.CurrencyAcceptanceOperations;
  readonly x402: x402Group.X402Operations;
}

/**
 * The contract's own server is http://127.0.0.1:8080.
 *
 * @throws {TypeError} `baseUrl` is no URL
 */
export function createClient(options: calls.ClientOptions): Client {
  const sender = calls.senderOf(options);
  return {
    webhookEndpoints: webhookEndpointsGroup.webhookEndpointsOperations(sender),
    webhookDeliveries: webhookDeliveriesGroup.webhookDeliveriesOperations(sender),
    payments: paymentsGroup.paymentsOperations(sender),
    withdrawals: withdrawalsGroup.withdrawalsOperations(sender),
    withdrawAddresses: withdrawAddressesGroup.withdrawAddressesOperations(sender),
    payoutSchedules: payoutSchedulesGroup.payoutSchedulesOperations(sender),
    subscriptions: subscriptionsGroup.subscriptionsOperations(sender),
    currencies: currenciesGroup.currenciesOperations(sender),
    currencyAcceptance: currencyAcceptanceGroup.currencyAcceptanceOperations(sender),
    x402: x402Group.x402Operations(sender),
  };
}
