"""Every operation of the merchant interface by merchant_payments.py, beside this file.

It takes from its environment what it cannot make:
  PAY_URL               the service, without /v1
  MERCHANT_API_KEY      a test key with every scope, bound to this machine's address
  MERCHANT_API_SECRET   and its secret
  WEBHOOK_URL           where you receive events, new to the service
  WITHDRAW_ADDRESS      an address of yours on Base, new to the service
  WITHDRAW_ADDRESS_ID   one that is registered on Base, and active
  SUBSCRIPTION_ID       an active subscription of a customer
  X402_PAYMENT_ID       a payment of yours that a customer pays by x402
  X402_PAYLOAD          JSON: what the customer's client has signed for it
  X402_REQUIREMENTS     JSON: what you have asked for, scheme upto

Run it again within a day: what is done once gets its first answer, and what is
set is set again.
"""

# #region setup
import json
import os
from typing import Any

from merchant_payments import Client

pay = Client(
    os.environ["PAY_URL"],
    os.environ["MERCHANT_API_KEY"],
    os.environ["MERCHANT_API_SECRET"],
)
webhook_url = os.environ["WEBHOOK_URL"]
withdraw_address = os.environ["WITHDRAW_ADDRESS"]
withdraw_address_id = os.environ["WITHDRAW_ADDRESS_ID"]
subscription_id = os.environ["SUBSCRIPTION_ID"]
x402_payment_id = os.environ["X402_PAYMENT_ID"]
payload: dict[str, Any] = json.loads(os.environ["X402_PAYLOAD"])
requirements: dict[str, Any] = json.loads(os.environ["X402_REQUIREMENTS"])
# #endregion setup

if not os.environ["MERCHANT_API_KEY"].startswith("mk_test_"):
    raise SystemExit(
        "MERCHANT_API_KEY: take a test key, which begins with mk_test_:"
        " all of this is done, with money, too"
    )

# #region listCurrencies
for page in pay.pages("/v1/currencies?limit=100"):
    for currency in page["currencies"]:
        print(currency["id"], currency["code"], currency["status"])
# #endregion listCurrencies

# #region getCurrency
currency = pay.call("GET", "/v1/currencies/cur_usdc")["currency"]
for deployment in currency["deployments"]:
    print(currency["code"], deployment["chain_id"], deployment["decimals"])
# #endregion getCurrency

# #region replaceCurrencyAcceptance
# What is not named here is not accepted any more.
accepted = {"cur_usdc": {"chain_ids": ["eip155:8453"]}, "cur_eth": {}}
# A key is drawn for each change: with one that was used, nothing is changed, and
# the first answer comes again.
acceptance = pay.call("PUT", "/v1/currency-acceptance", {"currencies": accepted})
print(list(acceptance["currencies"]), acceptance["catalog_version"])
# #endregion replaceCurrencyAcceptance

# #region registerWebhookEndpoint
wanted = {"url": webhook_url, "event_types": ["payment.paid", "payment.expired"]}
# Named after the endpoint: it is registered once.
endpoint = pay.call(
    "POST", "/v1/webhook-endpoints", wanted, idempotency_key="endpoint-shop"
)
# Shown this once: keep it where the receiver finds it.
endpoint_id, webhook_secret = endpoint["id"], endpoint["secret"]
print(endpoint_id, endpoint["event_types"], len(webhook_secret))
# #endregion registerWebhookEndpoint

# #region getWebhookEndpoint
endpoint = pay.call("GET", f"/v1/webhook-endpoints/{endpoint_id}")
print(endpoint["id"], endpoint["url"], endpoint["active"])
# #endregion getWebhookEndpoint

# #region updateWebhookEndpoint
# URL and events are replaced together; "*" stands for every event, also for later ones.
wanted = {"url": webhook_url, "event_types": ["*"]}
# A key is drawn for each change: with one that was used, nothing is changed, and
# the first answer comes again.
endpoint = pay.call("PUT", f"/v1/webhook-endpoints/{endpoint_id}", wanted)
print(endpoint["id"], endpoint["event_types"])
# #endregion updateWebhookEndpoint

# #region setWebhookEndpointStatus
# A key is drawn for each change: with one that was used, nothing is changed, and
# the first answer comes again.
endpoint = pay.call(
    "POST", f"/v1/webhook-endpoints/{endpoint_id}/status", {"active": True}
)
print(endpoint["id"], endpoint["active"])
# #endregion setWebhookEndpointStatus

# #region rotateWebhookEndpointSecret
# One key is one new secret: for the next one it is endpoint-shop-secret-3.
rotated = pay.call(
    "POST",
    f"/v1/webhook-endpoints/{endpoint_id}/rotate-secret",
    idempotency_key="endpoint-shop-secret-2",
)
# For a day deliveries are signed with both: take the new one into use until then.
webhook_secret = rotated["secret"]
print(rotated["id"], len(webhook_secret))
# #endregion rotateWebhookEndpointSecret

# #region createPayment
order = {"merchant_order_no": "A-1001", "quotes": {"cur_usdc": {"amount": "25.00"}}}
# Named after the order: however often this is sent, it is one payment.
payment = pay.call("POST", "/v1/payments", order, idempotency_key="order-A-1001")
payment_id = payment["id"]
print(payment_id, payment["status"], payment["checkout_url"])
# #endregion createPayment

# #region cancelPayment
# Named after the payment: it is cancelled once.
payment = pay.call(
    "POST",
    f"/v1/payments/{payment_id}/cancel",
    idempotency_key=f"cancel-{payment_id}",
)
print(payment["id"], payment["status"])
# #endregion cancelPayment

# #region settleX402Payment
signed = {
    "payment_id": x402_payment_id,
    "payment_payload": payload,
    "payment_requirements": requirements,
}
# No key is needed: what the customer has signed is one. It is charged once,
# and what is signed anew is another.
settlement = pay.call("POST", "/v1/x402/settle", signed)
if settlement["success"]:
    print(settlement["payment_id"], "settled by", settlement["tx_hash"])
else:  # 202: the money may still move
    print(x402_payment_id, "open: wait for x402.settled or x402.settlement_failed")
# #endregion settleX402Payment

# #region reportX402Usage
report = {
    "actual_amount": "1.25",
    "usage_id": "usage-2026-01-01-0001",
    "evidence": {"model": "large", "input_tokens": 18200, "output_tokens": 4100},
}
# Named after what was used: it is charged once, and the rest goes back.
usage = pay.call(
    "POST", f"/v1/x402/{x402_payment_id}/usage", report, report["usage_id"]
)
print(usage["usage_id"], usage["actual_raw"], "of at most", usage["max_raw"])
# #endregion reportX402Usage

# #region registerWithdrawAddress
treasury = {"chain_id": "eip155:8453", "address": withdraw_address, "label": "Treasury"}
# Named after the address: it is registered once.
address = pay.call(
    "POST",
    "/v1/withdraw-addresses",
    treasury,
    idempotency_key=f"address-base-{withdraw_address}",
)
# Money can go there from activates_at on.
print(address["id"], address["status"], address["activates_at"])
# #endregion registerWithdrawAddress

# #region requestWithdrawal
wish = {
    "currency_id": "cur_usdc",
    "target_chain_id": "eip155:8453",
    "amount": "100.00",
    "withdraw_address_id": withdraw_address_id,
}
# One key is one withdrawal: after a failure ask again with it, never with another one.
withdrawal = pay.call(
    "POST", "/v1/withdrawals", wish, idempotency_key="withdrawal-2026-01"
)
withdrawal_id = withdrawal["id"]
print(withdrawal_id, withdrawal["status"], withdrawal["total_debit_raw"])
# #endregion requestWithdrawal

# #region cancelWithdrawal
# Only what is pending can be cancelled: later it is on its way.
# Named after the withdrawal: it is cancelled once.
cancelled = pay.call(
    "POST",
    f"/v1/withdrawals/{withdrawal_id}/cancel",
    idempotency_key=f"cancel-{withdrawal_id}",
)
print(withdrawal_id, cancelled["status"])
# #endregion cancelWithdrawal

# #region createPayoutSchedule
plan = {
    "currency_id": "cur_usdc",
    "target_chain_id": "eip155:8453",
    "withdraw_address_id": withdraw_address_id,
    "interval_secs": 86_400,
    "min_send_amount": "50.00",
    "mode": "auto_request",
}
# One key is one schedule: to create it again after a pause, take a key with the day
# of then.
schedule = pay.call("POST", "/v1/payout-schedules", plan, "payout-daily-2026-01-01")
schedule_id = schedule["id"]
print(schedule_id, schedule["status"], schedule["next_run_at"])
# #endregion createPayoutSchedule

# #region listPayoutSchedules
for page in pay.pages("/v1/payout-schedules?limit=100&status=active"):
    for schedule in page["schedules"]:
        print(schedule["id"], schedule["next_run_at"])
# #endregion listPayoutSchedules

# #region pausePayoutSchedule
# Named after the schedule: it is paused once, and goes on as another one.
schedule = pay.call(
    "POST",
    f"/v1/payout-schedules/{schedule_id}/pause",
    idempotency_key=f"pause-{schedule_id}",
)
print(schedule["id"], schedule["status"])
# #endregion pausePayoutSchedule

# #region cancelSubscription
# Named after the subscription: it is cancelled once.
subscription = pay.call(
    "POST",
    f"/v1/subscriptions/{subscription_id}/cancel",
    idempotency_key=f"cancel-{subscription_id}",
)
print(subscription["id"], subscription["status"])
# #endregion cancelSubscription

# #region listWebhookDeliveries
answer = pay.call("GET", "/v1/webhook-deliveries")
for delivery in answer["deliveries"]:
    print(delivery["id"], delivery["event_type"], delivery["status"])
# #endregion listWebhookDeliveries
