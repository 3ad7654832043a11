// Every operation of the merchant interface by the package merchantpayments, a folder of your module, here shop.
//
// It takes from its environment what it cannot make:
//
//	PAY_URL               the service, without /v1
//	MERCHANT_API_KEY      a test key with every scope, bound to this machine's address
//	MERCHANT_API_SECRET   and its secret
//	WEBHOOK_URL           where you receive events, new to the service
//	WITHDRAW_ADDRESS      an address of yours on Base, new to the service
//	WITHDRAW_ADDRESS_ID   one that is registered on Base, and active
//	SUBSCRIPTION_ID       an active subscription of a customer
//	X402_PAYMENT_ID       a payment of yours that a customer pays by x402
//	X402_PAYLOAD          JSON: what the customer's client has signed for it
//	X402_REQUIREMENTS     JSON: what you have asked for, scheme upto
//
// Run it again within a day: what is done once gets its first answer, and what is set is set again.
package main

// #region setup
import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	"shop/merchantpayments"
)

type object = map[string]any

var (
	pay = merchantpayments.Client{
		URL:    given("PAY_URL"),
		Key:    given("MERCHANT_API_KEY"),
		Secret: given("MERCHANT_API_SECRET"),
	}
	webhookURL        = given("WEBHOOK_URL")
	withdrawAddress   = given("WITHDRAW_ADDRESS")
	withdrawAddressID = given("WITHDRAW_ADDRESS_ID")
	subscriptionID    = given("SUBSCRIPTION_ID")
	x402PaymentID     = given("X402_PAYMENT_ID")
	payload           = json.RawMessage(given("X402_PAYLOAD"))
	requirements      = json.RawMessage(given("X402_REQUIREMENTS"))
)

func given(name string) string {
	value, isSet := os.LookupEnv(name)
	if !isSet {
		log.Fatalf("set %s: the top of this file says to what", name)
	}
	return value
}

// #endregion setup

func main() {
	if !strings.HasPrefix(pay.Key, "mk_test_") {
		log.Fatal("MERCHANT_API_KEY: take a test key, which begins with mk_test_: all of this is done, with money, too")
	}
	ctx := context.Background()
	listCurrencies(ctx)
	getCurrency(ctx)
	replaceCurrencyAcceptance(ctx)
	endpointID := registerWebhookEndpoint(ctx)
	getWebhookEndpoint(ctx, endpointID)
	updateWebhookEndpoint(ctx, endpointID)
	setWebhookEndpointStatus(ctx, endpointID)
	rotateWebhookEndpointSecret(ctx, endpointID)
	cancelPayment(ctx, createPayment(ctx))
	settleX402Payment(ctx)
	reportX402Usage(ctx)
	registerWithdrawAddress(ctx)
	cancelWithdrawal(ctx, requestWithdrawal(ctx))
	scheduleID := createPayoutSchedule(ctx)
	listPayoutSchedules(ctx)
	pausePayoutSchedule(ctx, scheduleID)
	cancelSubscription(ctx)
	listWebhookDeliveries(ctx)
}

func listCurrencies(ctx context.Context) {
	// #region listCurrencies
	for target := "/v1/currencies?limit=100"; target != ""; {
		var page struct {
			Currencies []struct{ ID, Code, Status string }
		}
		next, err := pay.Page(ctx, target, &page)
		if err != nil {
			log.Fatal(err)
		}
		for _, currency := range page.Currencies {
			fmt.Println(currency.ID, currency.Code, currency.Status)
		}
		target = next
	}
	// #endregion listCurrencies
}

func getCurrency(ctx context.Context) {
	// #region getCurrency
	call := merchantpayments.Call{Method: "GET", Target: "/v1/currencies/cur_usdc"}
	var answer struct {
		Currency struct{ ID, Code, Status string }
	}
	if err := pay.Do(ctx, call, &answer); err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Currency.ID, answer.Currency.Code, answer.Currency.Status)
	// #endregion getCurrency
}

func replaceCurrencyAcceptance(ctx context.Context) {
	// #region replaceCurrencyAcceptance
	// What is not named here is not accepted any more.
	accepted := object{"cur_usdc": object{"chain_ids": []string{"eip155:8453"}}, "cur_eth": object{}}
	// A key is drawn for each change: with one that was used, nothing is changed, and the first answer comes again.
	call := merchantpayments.Call{
		Method: "PUT", Target: "/v1/currency-acceptance",
		Body: object{"currencies": accepted},
	}
	var acceptance struct{ Currencies object }
	if err := pay.Do(ctx, call, &acceptance); err != nil {
		log.Fatal(err)
	}
	fmt.Println(acceptance.Currencies)
	// #endregion replaceCurrencyAcceptance
}

func registerWebhookEndpoint(ctx context.Context) string {
	// #region registerWebhookEndpoint
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/webhook-endpoints",
		Body: object{"url": webhookURL, "event_types": []string{"payment.paid", "payment.expired"}},
		// Named after the endpoint: it is registered once.
		IdempotencyKey: "endpoint-shop",
	}
	var endpoint struct{ ID, Secret string }
	if err := pay.Do(ctx, call, &endpoint); err != nil {
		log.Fatal(err)
	}
	// The secret is shown this once: keep it where the receiver finds it.
	fmt.Println(endpoint.ID, len(endpoint.Secret))
	// #endregion registerWebhookEndpoint
	return endpoint.ID
}

func getWebhookEndpoint(ctx context.Context, endpointID string) {
	// #region getWebhookEndpoint
	call := merchantpayments.Call{Method: "GET", Target: "/v1/webhook-endpoints/" + endpointID}
	var endpoint struct{ ID, URL string }
	if err := pay.Do(ctx, call, &endpoint); err != nil {
		log.Fatal(err)
	}
	fmt.Println(endpoint.ID, endpoint.URL)
	// #endregion getWebhookEndpoint
}

func updateWebhookEndpoint(ctx context.Context, endpointID string) {
	// #region updateWebhookEndpoint
	// URL and events are replaced together; "*" stands for every event, also for later ones.
	// A key is drawn for each change: with one that was used, nothing is changed, and the first answer comes again.
	call := merchantpayments.Call{
		Method: "PUT", Target: "/v1/webhook-endpoints/" + endpointID,
		Body: object{"url": webhookURL, "event_types": []string{"*"}},
	}
	var endpoint struct{ ID, URL string }
	if err := pay.Do(ctx, call, &endpoint); err != nil {
		log.Fatal(err)
	}
	fmt.Println(endpoint.ID, endpoint.URL)
	// #endregion updateWebhookEndpoint
}

func setWebhookEndpointStatus(ctx context.Context, endpointID string) {
	// #region setWebhookEndpointStatus
	// A key is drawn for each change: with one that was used, nothing is changed, and the first answer comes again.
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/webhook-endpoints/" + endpointID + "/status",
		Body: object{"active": true},
	}
	var endpoint struct{ Active bool }
	if err := pay.Do(ctx, call, &endpoint); err != nil {
		log.Fatal(err)
	}
	fmt.Println(endpointID, endpoint.Active)
	// #endregion setWebhookEndpointStatus
}

func rotateWebhookEndpointSecret(ctx context.Context, endpointID string) {
	// #region rotateWebhookEndpointSecret
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/webhook-endpoints/" + endpointID + "/rotate-secret",
		// One key is one new secret: for the next one it is endpoint-shop-secret-3.
		IdempotencyKey: "endpoint-shop-secret-2",
	}
	var rotated struct{ ID, Secret string }
	if err := pay.Do(ctx, call, &rotated); err != nil {
		log.Fatal(err)
	}
	// For a day deliveries are signed with both: take the new one into use until then.
	fmt.Println(rotated.ID, len(rotated.Secret))
	// #endregion rotateWebhookEndpointSecret
}

func createPayment(ctx context.Context) string {
	// #region createPayment
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/payments",
		Body: object{
			"merchant_order_no": "A-1001",
			"quotes":            object{"cur_usdc": object{"amount": "25.00"}},
		},
		// Named after the order: however often this is sent, it is one payment.
		IdempotencyKey: "order-A-1001",
	}
	var payment struct{ ID, Status string }
	if err := pay.Do(ctx, call, &payment); err != nil {
		log.Fatal(err)
	}
	fmt.Println(payment.ID, payment.Status)
	// #endregion createPayment
	return payment.ID
}

func cancelPayment(ctx context.Context, paymentID string) {
	// #region cancelPayment
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/payments/" + paymentID + "/cancel",
		// Named after the payment: it is cancelled once.
		IdempotencyKey: "cancel-" + paymentID,
	}
	var payment struct{ ID, Status string }
	if err := pay.Do(ctx, call, &payment); err != nil {
		log.Fatal(err)
	}
	fmt.Println(payment.ID, payment.Status)
	// #endregion cancelPayment
}

func settleX402Payment(ctx context.Context) {
	// #region settleX402Payment
	// No key is needed: what the customer has signed is one. It is charged once, and what is signed anew is another.
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/x402/settle",
		Body: object{
			"payment_id":      x402PaymentID,
			"payment_payload": payload, "payment_requirements": requirements,
		},
	}
	var settlement object
	if err := pay.Do(ctx, call, &settlement); err != nil {
		log.Fatal(err)
	}
	// No success is 202: the money may still move. Wait for x402.settled or x402.settlement_failed.
	fmt.Println(x402PaymentID, settlement["success"], settlement["tx_hash"])
	// #endregion settleX402Payment
}

func reportX402Usage(ctx context.Context) {
	// #region reportX402Usage
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/x402/" + x402PaymentID + "/usage",
		Body: object{
			"actual_amount": "1.25",
			"usage_id":      "usage-2026-01-01-0001",
			"evidence":      object{"model": "large", "input_tokens": 18200, "output_tokens": 4100},
		},
		// Named after what was used: it is charged once, and the rest goes back.
		IdempotencyKey: "usage-2026-01-01-0001",
	}
	var usage object
	if err := pay.Do(ctx, call, &usage); err != nil {
		log.Fatal(err)
	}
	fmt.Println(usage["usage_id"], usage["actual_raw"], "of at most", usage["max_raw"])
	// #endregion reportX402Usage
}

func registerWithdrawAddress(ctx context.Context) {
	// #region registerWithdrawAddress
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/withdraw-addresses",
		Body: object{"chain_id": "eip155:8453", "address": withdrawAddress, "label": "Treasury"},
		// Named after the address: it is registered once.
		IdempotencyKey: "address-base-" + withdrawAddress,
	}
	var address struct{ ID, Status string }
	if err := pay.Do(ctx, call, &address); err != nil {
		log.Fatal(err)
	}
	// pending_activation: money can go there from activates_at on.
	fmt.Println(address.ID, address.Status)
	// #endregion registerWithdrawAddress
}

func requestWithdrawal(ctx context.Context) string {
	// #region requestWithdrawal
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/withdrawals",
		Body: object{
			"currency_id": "cur_usdc", "target_chain_id": "eip155:8453",
			"amount": "100.00", "withdraw_address_id": withdrawAddressID,
		},
		// One key is one withdrawal: after a failure ask again with it, never with another one.
		IdempotencyKey: "withdrawal-2026-01",
	}
	var withdrawal struct{ ID, Status string }
	if err := pay.Do(ctx, call, &withdrawal); err != nil {
		log.Fatal(err)
	}
	fmt.Println(withdrawal.ID, withdrawal.Status)
	// #endregion requestWithdrawal
	return withdrawal.ID
}

func cancelWithdrawal(ctx context.Context, withdrawalID string) {
	// #region cancelWithdrawal
	// Only what is pending can be cancelled: later it is on its way.
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/withdrawals/" + withdrawalID + "/cancel",
		// Named after the withdrawal: it is cancelled once.
		IdempotencyKey: "cancel-" + withdrawalID,
	}
	var cancelled struct{ Status string }
	if err := pay.Do(ctx, call, &cancelled); err != nil {
		log.Fatal(err)
	}
	fmt.Println(withdrawalID, cancelled.Status)
	// #endregion cancelWithdrawal
}

func createPayoutSchedule(ctx context.Context) string {
	// #region createPayoutSchedule
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/payout-schedules",
		Body: object{
			"currency_id": "cur_usdc", "target_chain_id": "eip155:8453",
			"withdraw_address_id": withdrawAddressID,
			"interval_secs":       86400, "min_send_amount": "50.00", "mode": "auto_request",
		},
		// One key is one schedule: to create it again after a pause, take a key with the day of then.
		IdempotencyKey: "payout-daily-2026-01-01",
	}
	var schedule struct{ ID, Status string }
	if err := pay.Do(ctx, call, &schedule); err != nil {
		log.Fatal(err)
	}
	fmt.Println(schedule.ID, schedule.Status)
	// #endregion createPayoutSchedule
	return schedule.ID
}

func listPayoutSchedules(ctx context.Context) {
	// #region listPayoutSchedules
	for target := "/v1/payout-schedules?limit=100&status=active"; target != ""; {
		var page struct {
			Schedules []struct{ ID, Status string }
		}
		next, err := pay.Page(ctx, target, &page)
		if err != nil {
			log.Fatal(err)
		}
		for _, schedule := range page.Schedules {
			fmt.Println(schedule.ID, schedule.Status)
		}
		target = next
	}
	// #endregion listPayoutSchedules
}

func pausePayoutSchedule(ctx context.Context, scheduleID string) {
	// #region pausePayoutSchedule
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/payout-schedules/" + scheduleID + "/pause",
		// Named after the schedule: it is paused once, and goes on as another one.
		IdempotencyKey: "pause-" + scheduleID,
	}
	var schedule struct{ ID, Status string }
	if err := pay.Do(ctx, call, &schedule); err != nil {
		log.Fatal(err)
	}
	fmt.Println(schedule.ID, schedule.Status)
	// #endregion pausePayoutSchedule
}

func cancelSubscription(ctx context.Context) {
	// #region cancelSubscription
	call := merchantpayments.Call{
		Method: "POST", Target: "/v1/subscriptions/" + subscriptionID + "/cancel",
		// Named after the subscription: it is cancelled once.
		IdempotencyKey: "cancel-" + subscriptionID,
	}
	var subscription struct{ ID, Status string }
	if err := pay.Do(ctx, call, &subscription); err != nil {
		log.Fatal(err)
	}
	fmt.Println(subscription.ID, subscription.Status)
	// #endregion cancelSubscription
}

func listWebhookDeliveries(ctx context.Context) {
	// #region listWebhookDeliveries
	call := merchantpayments.Call{Method: "GET", Target: "/v1/webhook-deliveries"}
	var answer struct {
		Deliveries []struct{ ID, Status string }
	}
	if err := pay.Do(ctx, call, &answer); err != nil {
		log.Fatal(err)
	}
	for _, delivery := range answer.Deliveries {
		fmt.Println(delivery.ID, delivery.Status)
	}
	// #endregion listWebhookDeliveries
}
