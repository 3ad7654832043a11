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
