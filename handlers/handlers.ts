// Every operation and the function that answers it. A new operation of the contract is missing
// here until you add it, and the compiler says so.

import type { AllHandlers } from "./caller.ts";
import { buildCurrencyHandlers } from "./currencies.ts";
import { buildCurrencyAcceptanceHandlers } from "./currency-acceptance.ts";
import { buildPaymentHandlers } from "./payments.ts";
import { buildPayoutScheduleHandlers } from "./payout-schedules.ts";
import { buildSubscriptionHandlers } from "./subscriptions.ts";
import { buildWebhookDeliveryHandlers } from "./webhook-deliveries.ts";
import { buildWebhookEndpointHandlers } from "./webhook-endpoints.ts";
import { buildWithdrawAddressHandlers } from "./withdraw-addresses.ts";
import type { Services } from "./services.ts";
import { buildWithdrawalHandlers } from "./withdrawals.ts";
import { buildX402Handlers } from "./x402.ts";

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
