#!/bin/sh
# Every operation of the merchant interface by curl. It needs sh, curl 7.76 or newer, and openssl.
#
# For your own machine only: while openssl runs, its command line, and with it the secret, can be read by every
# user of the machine.
#
# It takes from its environment what it cannot make:
#   PAY_URL               the service, without /v1
#   MERCHANT_API_KEY      a test key with every scope, bound to this machine's address
#   MERCHANT_API_SECRET   and its secret
#   WEBHOOK_URL           where you receive events, new to the service
#   WITHDRAW_ADDRESS      an address of yours on Base, new to the service
#   WITHDRAW_ADDRESS_ID   one that is registered on Base, and active
#   SUBSCRIPTION_ID       an active subscription of a customer
#   X402_PAYMENT_ID       a payment of yours that a customer pays by x402
#   X402_PAYLOAD          JSON: what the customer's client has signed for it
#   X402_REQUIREMENTS     JSON: what you have asked for, scheme upto
#
# Run it again within a day: what is done once gets its first answer, and what is set is set again.

case ${MERCHANT_API_KEY:?} in
  mk_test_*) ;;
  *)
    echo 'MERCHANT_API_KEY: take a test key, which begins with mk_test_: all of this is done, with money, too' >&2
    exit 1
    ;;
esac

# #region setup
set -eu
webhook_url=${WEBHOOK_URL:?} withdraw_address=${WITHDRAW_ADDRESS:?}
withdraw_address_id=${WITHDRAW_ADDRESS_ID:?} subscription_id=${SUBSCRIPTION_ID:?}
x402_payment_id=${X402_PAYMENT_ID:?} payload=${X402_PAYLOAD:?} requirements=${X402_REQUIREMENTS:?}

headers=$(mktemp)
trap 'rm -f "$headers"' EXIT

# call METHOD PATH[?QUERY] [BODY] [IDEMPOTENCY_KEY]: prints the answer, and fails with what is no success. It sends once,
# without what ~/.curlrc says. QUERY: sorted by name, and percent-encoded.
call() {
  path=${2%%\?*} query=${2#"${2%%\?*}"} timestamp=$(date +%s) nonce=$(openssl rand -hex 16)
  hash=$(printf %s "${3-}" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
  text=$(printf '%s\n' CPS1-HMAC-SHA256 "${MERCHANT_API_KEY:?}" "$timestamp" "$nonce" \
    "$1" "$path" "${query#\?}" "${4-}" "$hash")
  signature=$(printf %s "$text" | openssl dgst -sha256 -hmac "${MERCHANT_API_SECRET:?}" -r | cut -d ' ' -f 1)
  answer=$(curl -q --max-time 60 --silent --show-error --fail-with-body --dump-header "$headers" \
    --request "$1" "${PAY_URL:?}$2" \
    --header "X-Api-Key: $MERCHANT_API_KEY" --header "X-Timestamp: $timestamp" \
    --header "X-Nonce: $nonce" --header "X-Signature: $signature" \
    ${4:+--header "Idempotency-Key: $4"} \
    ${3:+--header "Content-Type: application/json" --data-raw "$3"}) || {
    printf '%s %s: %s\n' "$1" "$2" "$answer" >&2
    return 1
  }
  printf '%s\n' "$answer"
}

# fields NAME JSON: each value of that name, a line for each; field NAME JSON: the first one.
fields() { printf %s "$2" | tr '{,' '[\n*]' | sed -n "s/^\"$1\":\"\{0,1\}\([^\"}]*\).*/\1/p"; }
field() { fields "$@" | head -n 1; }

# next_cursor: where the page behind the last answer begins; nothing where there is none.
next_cursor() { sed -n 's/^[Xx]-[Nn]ext-[Cc]ursor: *\([^[:space:]]*\).*/\1/p' "$headers"; }
# #endregion setup

# #region listCurrencies
target='/v1/currencies?limit=100'
while [ -n "$target" ]; do
  page=$(call GET "$target")
  fields code "$page"
  cursor=$(next_cursor)
  target=${cursor:+"/v1/currencies?cursor=$cursor&limit=100"}
done
# #endregion listCurrencies

# #region getCurrency
answer=$(call GET /v1/currencies/cur_usdc)
echo "$(field code "$answer") on $(fields chain_id "$answer" | tr '\n' ' ')"
# #endregion getCurrency

# #region replaceCurrencyAcceptance
# What is not named here is not accepted any more.
accepted='{"currencies": {"cur_usdc": {"chain_ids": ["eip155:8453"]}, "cur_eth": {}}}'
# A new key for each change: with one that was used, nothing is changed, and the first answer comes again.
answer=$(call PUT /v1/currency-acceptance "$accepted" "$(openssl rand -hex 16)")
echo "accepted, by catalog $(field catalog_version "$answer")"
# #endregion replaceCurrencyAcceptance

# #region registerWebhookEndpoint
body=$(printf '{"url": "%s", "event_types": ["payment.paid", "payment.expired"]}' "$webhook_url")
# Named after the endpoint: it is registered once.
endpoint=$(call POST /v1/webhook-endpoints "$body" endpoint-shop)
endpoint_id=$(field id "$endpoint")
# Shown this once: keep it where the receiver finds it.
webhook_secret=$(field secret "$endpoint")
echo "$endpoint_id: a secret of ${#webhook_secret} characters"
# #endregion registerWebhookEndpoint

# #region getWebhookEndpoint
endpoint=$(call GET "/v1/webhook-endpoints/$endpoint_id")
echo "$(field url "$endpoint") is active: $(field active "$endpoint")"
# #endregion getWebhookEndpoint

# #region updateWebhookEndpoint
# URL and events are replaced together; "*" stands for every event, also for later ones.
body=$(printf '{"url": "%s", "event_types": ["*"]}' "$webhook_url")
# A new key for each change: with one that was used, nothing is changed, and the first answer comes again.
endpoint=$(call PUT "/v1/webhook-endpoints/$endpoint_id" "$body" "$(openssl rand -hex 16)")
echo "$(field id "$endpoint") gets every event at $(field url "$endpoint")"
# #endregion updateWebhookEndpoint

# #region setWebhookEndpointStatus
# A new key for each change: with one that was used, nothing is changed, and the first answer comes again.
endpoint=$(call POST "/v1/webhook-endpoints/$endpoint_id/status" '{"active": true}' "$(openssl rand -hex 16)")
echo "$(field id "$endpoint") is active: $(field active "$endpoint")"
# #endregion setWebhookEndpointStatus

# #region rotateWebhookEndpointSecret
# One key is one new secret: for the next one it is endpoint-shop-secret-3.
rotated=$(call POST "/v1/webhook-endpoints/$endpoint_id/rotate-secret" '' endpoint-shop-secret-2)
# For a day deliveries are signed with both: take the new one into use until then.
webhook_secret=$(field secret "$rotated")
echo "$(field id "$rotated"): a new secret of ${#webhook_secret} characters"
# #endregion rotateWebhookEndpointSecret

# #region createPayment
order='{"merchant_order_no": "A-1001", "quotes": {"cur_usdc": {"amount": "25.00"}}}'
# Named after the order: however often this is sent, it is one payment.
payment=$(call POST /v1/payments "$order" order-A-1001)
payment_id=$(field id "$payment")
echo "$payment_id $(field status "$payment"): $(field checkout_url "$payment")"
# #endregion createPayment

# #region cancelPayment
# Named after the payment: it is cancelled once.
payment=$(call POST "/v1/payments/$payment_id/cancel" '' "cancel-$payment_id")
echo "$(field id "$payment") $(field status "$payment")"
# #endregion cancelPayment

# #region settleX402Payment
body=$(printf '{"payment_id": "%s", "payment_payload": %s, "payment_requirements": %s}' \
  "$x402_payment_id" "$payload" "$requirements")
# No key is needed: what the customer has signed is one. It is charged once, and what is signed anew is another.
settlement=$(call POST /v1/x402/settle "$body")
if [ "$(field success "$settlement")" = true ]; then
  echo "$x402_payment_id settled by $(field tx_hash "$settlement")"
else # 202: the money may still move
  echo "$x402_payment_id open: wait for x402.settled or x402.settlement_failed"
fi
# #endregion settleX402Payment

# #region reportX402Usage
body='{
  "actual_amount": "1.25",
  "usage_id": "usage-2026-01-01-0001",
  "evidence": {"model": "large", "input_tokens": 18200, "output_tokens": 4100}
}'
# Named after what was used: it is charged once, and the rest goes back.
usage=$(call POST "/v1/x402/$x402_payment_id/usage" "$body" usage-2026-01-01-0001)
echo "$(field usage_id "$usage"): $(field actual_raw "$usage") of at most $(field max_raw "$usage")"
# #endregion reportX402Usage

# #region registerWithdrawAddress
body=$(printf '{"chain_id": "eip155:8453", "address": "%s", "label": "Treasury"}' "$withdraw_address")
# Named after the address: it is registered once.
address=$(call POST /v1/withdraw-addresses "$body" "address-base-$withdraw_address")
# Money can go there from activates_at on.
echo "$(field id "$address") $(field status "$address") until $(field activates_at "$address")"
# #endregion registerWithdrawAddress

# #region requestWithdrawal
body=$(printf '{
  "currency_id": "cur_usdc",
  "target_chain_id": "eip155:8453",
  "amount": "100.00",
  "withdraw_address_id": "%s"
}' "$withdraw_address_id")
# One key is one withdrawal: after a failure ask again with it, never with another one.
withdrawal=$(call POST /v1/withdrawals "$body" withdrawal-2026-01)
withdrawal_id=$(field id "$withdrawal")
echo "$withdrawal_id $(field status "$withdrawal"), $(field total_debit_raw "$withdrawal") with its fee"
# #endregion requestWithdrawal

# #region cancelWithdrawal
# Only what is pending can be cancelled: later it is on its way.
# Named after the withdrawal: it is cancelled once.
cancelled=$(call POST "/v1/withdrawals/$withdrawal_id/cancel" '' "cancel-$withdrawal_id")
echo "$withdrawal_id $(field status "$cancelled")"
# #endregion cancelWithdrawal

# #region createPayoutSchedule
body=$(printf '{
  "currency_id": "cur_usdc", "target_chain_id": "eip155:8453", "withdraw_address_id": "%s",
  "interval_secs": 86400, "min_send_amount": "50.00", "mode": "auto_request"
}' "$withdraw_address_id")
# One key is one schedule: to create it again after a pause, take a key with the day of then.
schedule=$(call POST /v1/payout-schedules "$body" payout-daily-2026-01-01)
schedule_id=$(field id "$schedule")
echo "$schedule_id $(field status "$schedule"), next at $(field next_run_at "$schedule")"
# #endregion createPayoutSchedule

# #region listPayoutSchedules
target='/v1/payout-schedules?limit=100&status=active'
while [ -n "$target" ]; do
  page=$(call GET "$target")
  fields id "$page"
  cursor=$(next_cursor)
  target=${cursor:+"/v1/payout-schedules?cursor=$cursor&limit=100&status=active"}
done
# #endregion listPayoutSchedules

# #region pausePayoutSchedule
# Named after the schedule: it is paused once, and goes on as another one.
schedule=$(call POST "/v1/payout-schedules/$schedule_id/pause" '' "pause-$schedule_id")
echo "$(field id "$schedule") $(field status "$schedule")"
# #endregion pausePayoutSchedule

# #region cancelSubscription
# Named after the subscription: it is cancelled once.
subscription=$(call POST "/v1/subscriptions/$subscription_id/cancel" '' "cancel-$subscription_id")
echo "$(field id "$subscription") $(field status "$subscription")"
# #endregion cancelSubscription

# #region listWebhookDeliveries
deliveries=$(call GET /v1/webhook-deliveries)
fields id "$deliveries"
# #endregion listWebhookDeliveries
