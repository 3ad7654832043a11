// Every operation and the function that answers it. A new operation of the contract is missing
// here until you add it, and the compiler says so.

import type { Handlers } from "../generated/handlers.ts";
import type { Acceptance } from "../service/catalog/acceptance.ts";
import type { CatalogReader } from "../service/catalog/catalog.ts";
import type { Idempotency } from "../service/idempotency/idempotency.ts";
import type { Payments } from "../service/payments/payments.ts";
import type { PayoutSchedules } from "../service/payouts/schedules.ts";
import type { Subscriptions } from "../service/subscriptions/subscriptions.ts";
import type { WebhookDeliveries } from "../service/webhooks/deliveries.ts";
import type { WebhookEndpoints } from "../service/webhooks/endpoints.ts";
import type { WithdrawAddresses } from "../service/withdrawals/addresses.ts";
import type { Withdrawals } from "../service/withdrawals/withdrawals.ts";
import type { X402 } from "../service/x402/x402.ts";
import type { Caller, EdgeHeader } from "./caller.ts";
import { buildCurrencyHandlers } from "./currencies.ts";
import { buildCurrencyAcceptanceHandlers } from "./currency-acceptance.ts";
import { buildPaymentHandlers } from "./payments.ts";
import { buildPayoutScheduleHandlers } from "./payout-schedules.ts";
import { buildSubscriptionHandlers } from "./subscriptions.ts";
import { buildWebhookDeliveryHandlers } from "./webhook-deliveries.ts";
import { buildWebhookEndpointHandlers } from "./webhook-endpoints.ts";
import { buildWithdrawAddressHandlers } from "./withdraw-addresses.ts";
import { buildWithdrawalHandlers } from "./withdrawals.ts";
import { buildX402Handlers } from "./x402.ts";

export type AllHandlers = Handlers<Caller, EdgeHeader>;

/** The rules, as the handlers know them; each module takes those it needs. */
export interface Services {
  readonly webhookEndpoints: WebhookEndpoints;
  readonly webhookDeliveries: WebhookDeliveries;
  readonly catalog: CatalogReader;
  readonly acceptance: Acceptance;
  readonly idempotency: Idempotency;
  readonly withdrawAddresses: WithdrawAddresses;
  readonly withdrawals: Withdrawals;
  readonly payments: Payments;
  readonly payoutSchedules: PayoutSchedules;
  readonly subscriptions: Subscriptions;
  readonly x402: X402;
}

export function buildHandlers(services: Services): AllHandlers {
  return {
    ...buildWebhookEndpointHandlers(services),
    ...buildWebhookDeliveryHandlers(services),
    ...buildPaymentHandlers(services),
    ...buildWithdrawalHandlers(services),
    ...buildWithdrawAddressHandlers(services),
    ...buildPayoutScheduleHandlers(services),
    ...buildSubscriptionHandlers(services),
    ...buildCurrencyHandlers(services),
    ...buildCurrencyAcceptanceHandlers(services),
    ...buildX402Handlers(services),
  };
}
