// Every operation and the function that answers it. A new operation of the contract is missing
// here until you add it, and the compiler says so.

import type { Handlers } from "../generated/handlers.ts";
import type { Caller, EdgeHeader } from "./caller.ts";
import * as webhookEndpoints from "./webhook-endpoints.ts";
import * as webhookDeliveries from "./webhook-deliveries.ts";
import * as payments from "./payments.ts";
import * as withdrawals from "./withdrawals.ts";
import * as withdrawAddresses from "./withdraw-addresses.ts";
import * as payoutSchedules from "./payout-schedules.ts";
import * as subscriptions from "./subscriptions.ts";
import * as currencies from "./currencies.ts";
import * as currencyAcceptance from "./currency-acceptance.ts";
import * as x402 from "./x402.ts";

export type AllHandlers = Handlers<Caller, EdgeHeader>;

export const handlers: AllHandlers = {
  registerWebhookEndpoint: webhookEndpoints.registerWebhookEndpoint,
  getWebhookEndpoint: webhookEndpoints.getWebhookEndpoint,
  updateWebhookEndpoint: webhookEndpoints.updateWebhookEndpoint,
  setWebhookEndpointStatus: webhookEndpoints.setWebhookEndpointStatus,
  rotateWebhookEndpointSecret: webhookEndpoints.rotateWebhookEndpointSecret,
  listWebhookDeliveries: webhookDeliveries.listWebhookDeliveries,
  createPayment: payments.createPayment,
  cancelPayment: payments.cancelPayment,
  requestWithdrawal: withdrawals.requestWithdrawal,
  cancelWithdrawal: withdrawals.cancelWithdrawal,
  registerWithdrawAddress: withdrawAddresses.registerWithdrawAddress,
  createPayoutSchedule: payoutSchedules.createPayoutSchedule,
  listPayoutSchedules: payoutSchedules.listPayoutSchedules,
  pausePayoutSchedule: payoutSchedules.pausePayoutSchedule,
  cancelSubscription: subscriptions.cancelSubscription,
  listCurrencies: currencies.listCurrencies,
  getCurrency: currencies.getCurrency,
  replaceCurrencyAcceptance: currencyAcceptance.replaceCurrencyAcceptance,
  reportX402Usage: x402.reportX402Usage,
  settleX402Payment: x402.settleX402Payment,
};
