// Every operation of the merchant interface by the package merchant-payments.
//
// It takes from its environment what it cannot make:
//   PAY_URL               the service, without /v1
//   MERCHANT_API_KEY      a test key with every scope, bound to this machine's address
//   MERCHANT_API_SECRET   and its secret
//   WEBHOOK_URL           where you receive events, new to the service
//   WITHDRAW_ADDRESS      an address of yours on Base, new to the service
//   WITHDRAW_ADDRESS_ID   one that is registered on Base, and active
//   SUBSCRIPTION_ID       an active subscription of a customer
//   X402_PAYMENT_ID       a payment of yours that a customer pays by x402
//   X402_PAYLOAD          JSON: what the customer's client has signed for it
//   X402_REQUIREMENTS     JSON: what you have asked for, scheme upto
//
// Run it again within a day: what is done once gets its first answer, and what is set is set again.

// #region setup
import { merchantPayments, type types } from "merchant-payments";

const given = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`set ${name}: the top of this file says to what`);
  return value;
};

const pay = merchantPayments({
  url: given("PAY_URL"),
  key: given("MERCHANT_API_KEY"),
  secret: given("MERCHANT_API_SECRET"),
});
const webhookUrl = given("WEBHOOK_URL");
const withdrawAddress = given("WITHDRAW_ADDRESS");
const withdrawAddressId = given("WITHDRAW_ADDRESS_ID");
const subscriptionId = given("SUBSCRIPTION_ID");
const x402PaymentId = given("X402_PAYMENT_ID");
type Settle = types.SettleX402PaymentRequest;
const payload = JSON.parse(given("X402_PAYLOAD")) as Settle["payment_payload"];
const requirements = JSON.parse(given("X402_REQUIREMENTS")) as Settle["payment_requirements"];
// #endregion setup

if (!given("MERCHANT_API_KEY").startsWith("mk_test_")) {
  throw new Error(
    "MERCHANT_API_KEY: take a test key, which begins with mk_test_: all of this is done, with money, too",
  );
}

// #region listCurrencies
// Page after page, as far as you go.
for await (const currency of pay.currencies.listCurrencies.items({ limit: 100 })) {
  console.log(currency.id, currency.code, currency.status);
}
// #endregion listCurrencies

// #region getCurrency
const { currency } = await pay.currencies.getCurrency({ id: "cur_usdc" });
for (const { chain_id, decimals } of currency.deployments) {
  console.log(currency.code, chain_id, decimals);
}
// #endregion getCurrency

// #region replaceCurrencyAcceptance
// What is not named here is not accepted any more.
// A key is drawn for each change: with one that was used, nothing is changed, and the first answer comes again.
const acceptance = await pay.currencyAcceptance.replaceCurrencyAcceptance({
  currencies: { cur_usdc: { chain_ids: ["eip155:8453"] }, cur_eth: {} },
});
console.log(Object.keys(acceptance.currencies), acceptance.catalog_version);
// #endregion replaceCurrencyAcceptance

// #region registerWebhookEndpoint
const endpoint = await pay.webhookEndpoints.registerWebhookEndpoint(
  { url: webhookUrl, event_types: ["payment.paid", "payment.expired"] },
  // Named after the endpoint: it is registered once.
  { idempotencyKey: "endpoint-shop" },
);
// Shown this once: keep it where the receiver finds it.
const webhookSecret = endpoint.secret;
console.log(endpoint.id, endpoint.event_types, webhookSecret.length);
// #endregion registerWebhookEndpoint

// #region getWebhookEndpoint
const found = await pay.webhookEndpoints.getWebhookEndpoint({ id: endpoint.id });
console.log(found.id, found.url, found.active);
// #endregion getWebhookEndpoint

// #region updateWebhookEndpoint
// URL and events are replaced together; "*" stands for every event, also for later ones.
// A key is drawn for each change: with one that was used, nothing is changed, and the first answer comes again.
const updated = await pay.webhookEndpoints.updateWebhookEndpoint({
  id: endpoint.id,
  url: webhookUrl,
  event_types: ["*"],
});
console.log(updated.id, updated.event_types);
// #endregion updateWebhookEndpoint

// #region setWebhookEndpointStatus
// A key is drawn for each change: with one that was used, nothing is changed, and the first answer comes again.
const switched = await pay.webhookEndpoints.setWebhookEndpointStatus({
  id: endpoint.id,
  active: true,
});
console.log(switched.id, switched.active);
// #endregion setWebhookEndpointStatus

// #region rotateWebhookEndpointSecret
const rotated = await pay.webhookEndpoints.rotateWebhookEndpointSecret(
  { id: endpoint.id },
  // One key is one new secret: for the next one it is endpoint-shop-secret-3.
  { idempotencyKey: "endpoint-shop-secret-2" },
);
// For a day deliveries are signed with both: take the new one into use until then.
const newWebhookSecret = rotated.secret;
console.log(rotated.id, newWebhookSecret.length);
// #endregion rotateWebhookEndpointSecret

// #region createPayment
const payment = await pay.payments.createPayment(
  { merchant_order_no: "A-1001", quotes: { cur_usdc: { amount: "25.00" } } },
  // Named after the order: however often this is sent, it is one payment.
  { idempotencyKey: "order-A-1001" },
);
console.log(payment.id, payment.status, payment.checkout_url);
// #endregion createPayment

// #region cancelPayment
const cancelledPayment = await pay.payments.cancelPayment(
  { id: payment.id },
  // Named after the payment: it is cancelled once.
  { idempotencyKey: `cancel-${payment.id}` },
);
console.log(cancelledPayment.id, cancelledPayment.status);
// #endregion cancelPayment

// #region settleX402Payment
// No key is needed: what the customer has signed is one. It is charged once, and what is signed anew is another.
const settlement = await pay.x402.settleX402Payment({
  payment_id: x402PaymentId,
  payment_payload: payload,
  payment_requirements: requirements,
});
if (settlement.success) console.log(settlement.payment_id, "settled by", settlement.tx_hash);
// 202: the money may still move.
else console.log(settlement.payment_id, "open: wait for x402.settled or x402.settlement_failed");
// #endregion settleX402Payment

// #region reportX402Usage
const usage = await pay.x402.reportX402Usage(
  {
    payment_id: x402PaymentId,
    actual_amount: "1.25",
    usage_id: "usage-2026-01-01-0001",
    evidence: { model: "large", input_tokens: 18200, output_tokens: 4100 },
  },
  // Named after what was used: it is charged once, and the rest goes back.
  { idempotencyKey: "usage-2026-01-01-0001" },
);
console.log(usage.usage_id, usage.actual_raw, "of at most", usage.max_raw);
// #endregion reportX402Usage

// #region registerWithdrawAddress
const address = await pay.withdrawAddresses.registerWithdrawAddress(
  { chain_id: "eip155:8453", address: withdrawAddress, label: "Treasury" },
  // Named after the address: it is registered once.
  { idempotencyKey: `address-base-${withdrawAddress}` },
);
// Money can go there from activates_at on.
console.log(address.id, address.status, address.activates_at);
// #endregion registerWithdrawAddress

// #region requestWithdrawal
const withdrawal = await pay.withdrawals.requestWithdrawal(
  {
    currency_id: "cur_usdc",
    target_chain_id: "eip155:8453",
    amount: "100.00",
    withdraw_address_id: withdrawAddressId,
  },
  // One key is one withdrawal: after a failure ask again with it, never with another one.
  { idempotencyKey: "withdrawal-2026-01" },
);
console.log(withdrawal.id, withdrawal.status, withdrawal.total_debit_raw);
// #endregion requestWithdrawal

// #region cancelWithdrawal
// Only what is pending can be cancelled: later it is on its way.
const cancelledWithdrawal = await pay.withdrawals.cancelWithdrawal(
  { id: withdrawal.id },
  // Named after the withdrawal: it is cancelled once.
  { idempotencyKey: `cancel-${withdrawal.id}` },
);
console.log(withdrawal.id, cancelledWithdrawal.status);
// #endregion cancelWithdrawal

// #region createPayoutSchedule
const schedule = await pay.payoutSchedules.createPayoutSchedule(
  {
    currency_id: "cur_usdc",
    target_chain_id: "eip155:8453",
    withdraw_address_id: withdrawAddressId,
    interval_secs: 86_400,
    min_send_amount: "50.00",
    mode: "auto_request",
  },
  // One key is one schedule: to create it again after a pause, take a key with the day of then.
  { idempotencyKey: "payout-daily-2026-01-01" },
);
console.log(schedule.id, schedule.status, schedule.next_run_at);
// #endregion createPayoutSchedule

// #region listPayoutSchedules
const list = pay.payoutSchedules.listPayoutSchedules;
for await (const { id, next_run_at } of list.items({ status: "active", limit: 100 })) {
  console.log(id, next_run_at);
}
// #endregion listPayoutSchedules

// #region pausePayoutSchedule
const paused = await pay.payoutSchedules.pausePayoutSchedule(
  { id: schedule.id },
  // Named after the schedule: it is paused once, and goes on as another one.
  { idempotencyKey: `pause-${schedule.id}` },
);
console.log(paused.id, paused.status);
// #endregion pausePayoutSchedule

// #region cancelSubscription
const subscription = await pay.subscriptions.cancelSubscription(
  { id: subscriptionId },
  // Named after the subscription: it is cancelled once.
  { idempotencyKey: `cancel-${subscriptionId}` },
);
console.log(subscription.id, subscription.status);
// #endregion cancelSubscription

// #region listWebhookDeliveries
const { deliveries } = await pay.webhookDeliveries.listWebhookDeliveries();
for (const { id, event_type, status, attempts } of deliveries) {
  console.log(id, event_type, status, attempts);
}
// #endregion listWebhookDeliveries
