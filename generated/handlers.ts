// Written by "npm run generate" from spec/openapi.yaml; do not edit.

import type * as answers from "./runtime/answers.ts";
import type * as webhookEndpointsOperations from "./operations/webhook-endpoints.ts";
import type * as webhookDeliveriesOperations from "./operations/webhook-deliveries.ts";
import type * as paymentsOperations from "./operations/payments.ts";
import type * as withdrawalsOperations from "./operations/withdrawals.ts";
import type * as withdrawAddressesOperations from "./operations/withdraw-addresses.ts";
import type * as payoutSchedulesOperations from "./operations/payout-schedules.ts";
import type * as subscriptionsOperations from "./operations/subscriptions.ts";
import type * as currenciesOperations from "./operations/currencies.ts";
import type * as currencyAcceptanceOperations from "./operations/currency-acceptance.ts";
import type * as x402Operations from "./operations/x402.ts";

/**
 * One function for each operation. `Caller`: what authentication found out; `Edge`: names of headers
 * that the edge adds to every answer.
 */
export interface Handlers<Caller, Edge extends string = never> {
  /** POST /v1/webhook-endpoints */
  readonly registerWebhookEndpoint: answers.HandlerOf<
    webhookEndpointsOperations.RegisterWebhookEndpointRequest,
    webhookEndpointsOperations.RegisterWebhookEndpointAnswer<Edge>,
    Caller
  >;
  /** GET /v1/webhook-endpoints/{id} */
  readonly getWebhookEndpoint: answers.HandlerOf<
    webhookEndpointsOperations.GetWebhookEndpointRequest,
    webhookEndpointsOperations.GetWebhookEndpointAnswer<Edge>,
    Caller
  >;
  /** PUT /v1/webhook-endpoints/{id} */
  readonly updateWebhookEndpoint: answers.HandlerOf<
    webhookEndpointsOperations.UpdateWebhookEndpointRequest,
    webhookEndpointsOperations.UpdateWebhookEndpointAnswer<Edge>,
    Caller
  >;
  /** POST /v1/webhook-endpoints/{id}/status */
  readonly setWebhookEndpointStatus: answers.HandlerOf<
    webhookEndpointsOperations.SetWebhookEndpointStatusRequest,
    webhookEndpointsOperations.SetWebhookEndpointStatusAnswer<Edge>,
    Caller
  >;
  /** POST /v1/webhook-endpoints/{id}/rotate-secret */
  readonly rotateWebhookEndpointSecret: answers.HandlerOf<
    webhookEndpointsOperations.RotateWebhookEndpointSecretRequest,
    webhookEndpointsOperations.RotateWebhookEndpointSecretAnswer<Edge>,
    Caller
  >;
  /** GET /v1/webhook-deliveries */
  readonly listWebhookDeliveries: answers.HandlerOf<
    webhookDeliveriesOperations.ListWebhookDeliveriesRequest,
    webhookDeliveriesOperations.ListWebhookDeliveriesAnswer<Edge>,
    Caller
  >;
  /** POST /v1/payments */
  readonly createPayment: answers.HandlerOf<
    paymentsOperations.CreatePaymentRequest,
    paymentsOperations.CreatePaymentAnswer<Edge>,
    Caller
  >;
  /** POST /v1/payments/{id}/cancel */
  readonly cancelPayment: answers.HandlerOf<
    paymentsOperations.CancelPaymentRequest,
    paymentsOperations.CancelPaymentAnswer<Edge>,
    Caller
  >;
  /** POST /v1/withdrawals */
  readonly requestWithdrawal: answers.HandlerOf<
    withdrawalsOperations.RequestWithdrawalRequest,
    withdrawalsOperations.RequestWithdrawalAnswer<Edge>,
    Caller
  >;
  /** POST /v1/withdrawals/{id}/cancel */
  readonly cancelWithdrawal: answers.HandlerOf<
    withdrawalsOperations.CancelWithdrawalRequest,
    withdrawalsOperations.CancelWithdrawalAnswer<Edge>,
    Caller
  >;
  /** POST /v1/withdraw-addresses */
  readonly registerWithdrawAddress: answers.HandlerOf<
    withdrawAddressesOperations.RegisterWithdrawAddressRequest,
    withdrawAddressesOperations.RegisterWithdrawAddressAnswer<Edge>,
    Caller
  >;
  /** POST /v1/payout-schedules */
  readonly createPayoutSchedule: answers.HandlerOf<
    payoutSchedulesOperations.CreatePayoutScheduleRequest,
    payoutSchedulesOperations.CreatePayoutScheduleAnswer<Edge>,
    Caller
  >;
  /** GET /v1/payout-schedules */
  readonly listPayoutSchedules: answers.HandlerOf<
    payoutSchedulesOperations.ListPayoutSchedulesRequest,
    payoutSchedulesOperations.ListPayoutSchedulesAnswer<Edge>,
    Caller
  >;
  /** POST /v1/payout-schedules/{id}/pause */
  readonly pausePayoutSchedule: answers.HandlerOf<
    payoutSchedulesOperations.PausePayoutScheduleRequest,
    payoutSchedulesOperations.PausePayoutScheduleAnswer<Edge>,
    Caller
  >;
  /** POST /v1/subscriptions/{id}/cancel */
  readonly cancelSubscription: answers.HandlerOf<
    subscriptionsOperations.CancelSubscriptionRequest,
    subscriptionsOperations.CancelSubscriptionAnswer<Edge>,
    Caller
  >;
  /** GET /v1/currencies */
  readonly listCurrencies: answers.HandlerOf<
    currenciesOperations.ListCurrenciesRequest,
    currenciesOperations.ListCurrenciesAnswer<Edge>,
    Caller
  >;
  /** GET /v1/currencies/{id} */
  readonly getCurrency: answers.HandlerOf<
    currenciesOperations.GetCurrencyRequest,
    currenciesOperations.GetCurrencyAnswer<Edge>,
    Caller
  >;
  /** PUT /v1/currency-acceptance */
  readonly replaceCurrencyAcceptance: answers.HandlerOf<
    currencyAcceptanceOperations.ReplaceCurrencyAcceptanceRequest,
    currencyAcceptanceOperations.ReplaceCurrencyAcceptanceAnswer<Edge>,
    Caller
  >;
  /** POST /v1/x402/{payment_id}/usage */
  readonly reportX402Usage: answers.HandlerOf<
    x402Operations.ReportX402UsageRequest,
    x402Operations.ReportX402UsageAnswer<Edge>,
    Caller
  >;
  /** POST /v1/x402/settle */
  readonly settleX402Payment: answers.HandlerOf<
    x402Operations.SettleX402PaymentRequest,
    x402Operations.SettleX402PaymentAnswer<Edge>,
    Caller
  >;
}
