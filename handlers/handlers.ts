// Every operation and the function that answers it. A new operation of the contract is missing
// here until you add it, and the compiler says so.

import type { Handlers } from "../generated/handlers.ts";
import type { Acceptance } from "../service/acceptance.ts";
import type { CatalogReader } from "../service/catalog.ts";
import type { Idempotency } from "../service/idempotency.ts";
import type { WebhookDeliveries } from "../service/webhook-deliveries.ts";
import type { WebhookEndpoints } from "../service/webhook-endpoints.ts";
import type { Caller, EdgeHeader } from "./caller.ts";
import { buildCurrencyHandlers } from "./currencies.ts";
import { buildCurrencyAcceptanceHandlers } from "./currency-acceptance.ts";
import * as payments from "./payments.ts";
import * as payoutSchedules from "./payout-schedules.ts";
import * as subscriptions from "./subscriptions.ts";
import { buildWebhookDeliveryHandlers } from "./webhook-deliveries.ts";
import { buildWebhookEndpointHandlers } from "./webhook-endpoints.ts";
import * as withdrawAddresses from "./withdraw-addresses.ts";
import * as withdrawals from "./withdrawals.ts";
import * as x402 from "./x402.ts";

export type AllHandlers = Handlers<Caller, EdgeHeader>;

/** The rules, as the handlers know them; each module takes those it needs. */
export interface Services {
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;
  readonly catalog: CatalogReader;
  readonly acceptance: Acceptance;
  readonly idempotency: Idempotency;
}

export function buildHandlers(services: Services): AllHandlers {
  return {
    ...buildWebhookEndpointHandlers(services),
    ...buildWebhookDeliveryHandlers(services),
    createPayment: payments.createPayment,
    cancelPayment: payments.cancelPayment,
    requestWithdrawal: withdrawals.requestWithdrawal,
    cancelWithdrawal: withdrawals.cancelWithdrawal,
    registerWithdrawAddress: withdrawAddresses.registerWithdrawAddress,
    createPayoutSchedule: payoutSchedules.createPayoutSchedule,
    listPayoutSchedules: payoutSchedules.listPayoutSchedules,
    pausePayoutSchedule: payoutSchedules.pausePayoutSchedule,
    cancelSubscription: subscriptions.cancelSubscription,
    ...buildCurrencyHandlers(services),
    ...buildCurrencyAcceptanceHandlers(services),
    reportX402Usage: x402.reportX402Usage,
    settleX402Payment: x402.settleX402Payment,
  };
}
