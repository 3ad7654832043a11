// Wrong values of the right form, each in a real answer, by the relation that has to notice it.

import { type Json, objectAt, textOf } from "../support/contract-document.ts";
import { plantedErrors } from "./planted-errors.ts";
import { plantedPayouts } from "./planted-payouts.ts";
import { plantedResources } from "./planted-resources.ts";
import {
  as,
  body,
  firstTwice,
  header,
  later,
  lessOne,
  otherId,
  planted,
  type PlantedValue,
  plus,
  turned,
  without,
} from "./planting-values.ts";

const usdc = "quotes cur_usdc";
const ether = "quotes cur_eth deployments 0";
const hour = 3_600_000;
const otherAddress = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const lower = (is: Json): string => textOf(is).toLowerCase().replace("0X", "0x");

const headers: readonly PlantedValue[] = [
  ...planted(
    "both headers of the rate are about one bucket",
    ["payment", "the rest of another", header("RateLimit", (is) => is.replace("write", "read"))],
    ["too many", "the rest of another", header("RateLimit", (is) => is.replace("read", "money"))],
  ),
  ...planted(
    "the bucket is the operation's",
    [
      "withdrawal",
      "counted as a write",
      header("RateLimit-Policy", (is) => is.replace("money", "write")),
      header("RateLimit", (is) => is.replace("money", "write")),
    ],
    [
      "order that exists",
      "counted as a read",
      header("RateLimit-Policy", (is) => is.replace("write", "read")),
      header("RateLimit", (is) => is.replace("write", "read")),
    ],
  ),
  ...planted("no more is left in a bucket than it has", [
    "catalog",
    "more left than there is",
    header("RateLimit-Policy", (is) => is.replace(/q=\d+/, "q=600")),
    header("RateLimit", (is) => is.replace(/r=\d+/, "r=601")),
  ]),
  ...planted("a request that counted has used up one", [
    "catalog",
    "all of it left",
    header("RateLimit-Policy", (is) => is.replace(/q=\d+/, "q=600")),
    header("RateLimit", (is) => is.replace(/r=\d+/, "r=600")),
  ]),
  ...planted("a bucket fills within its window", [
    "catalog",
    "later than that",
    header("RateLimit", (is) => is.replace(/t=\d+/, "t=61")),
  ]),
  ...planted(
    "a bucket that refuses is empty, and named",
    ["too many", "something left", header("RateLimit", (is) => is.replace("r=0", "r=1"))],
    ["too many", "another bucket", body("details policy", "money")],
    ["too many", "to come back tomorrow", header("Retry-After", "86400")],
    ["too many", "to come back at once", header("Retry-After", "1")],
  ),
  ...planted(
    "what answers a read may be kept, and nothing else",
    ["limit too high", "not to be kept", header("Cache-Control", "private, no-store")],
    ["scope missing", "not to be kept", header("Cache-Control", "private, no-store")],
  ),
  ...planted("only an answer to a key is a replay", [
    "payment",
    "of a request without a key",
    header("Idempotent-Replayed", "true"),
    (one) => {
      const { "idempotency-key": _key, ...others } = one.asked.headers;
      return { ...one, asked: { ...one.asked, headers: others } };
    },
  ]),
  ...planted(
    "a key that was sent once is no replay",
    ["payment", "a replay at first", header("Idempotent-Replayed", "true")],
    ["withdrawal", "a replay at first", header("Idempotent-Replayed", "true")],
    [
      "order that exists",
      "a key that is in use",
      body("code", "idempotency_in_progress"),
      body("details", without("payment_id")),
      header("Retry-After", "1"),
    ],
  ),
  ...planted(
    "the Link of an error leads to the entry of its code",
    ["scope missing", "to another one", header("Link", '</docs/errors#not_found>; rel="help"')],
    [
      "order that exists",
      "to the one before",
      body("code", "idempotency_key_expired"),
      body("details", without("payment_id")),
    ],
  ),
  ...planted(
    "Location is the path of what was made",
    ["endpoint", "that of another", header("Location", (is) => textOf(otherId(is)))],
    [
      "endpoint for all",
      "the one before",
      header(
        "Location",
        (_, all) => `/v1/webhook-endpoints/${textOf(as("endpoint", "id")(null, all))}`,
      ),
    ],
  ),
  ...planted(
    "ETag is the version of the body",
    ["catalog", "the tag of the next one", header("ETag", (is) => is.replace(/\d+/, "77"))],
    ["currency", "the body of the next one", body("catalog_version", 77)],
  ),
  ...planted(
    "ETag has the environment of the key",
    ["catalog", "live for a test key", header("ETag", (is) => is.replace("test", "live"))],
    ["live catalog", "test for a live key", header("ETag", (is) => is.replace("live", "test"))],
  ),
  ...planted(
    "304 is for a version that was named, and 200 for another one",
    ["same catalog", "304 for another version", header("ETag", '"77-test"')],
    [
      "currency",
      "200 for the one that was named",
      (one) => ({
        ...one,
        asked: {
          ...one.asked,
          headers: { ...one.asked.headers, "if-none-match": one.answer.headers.get("ETag") ?? "" },
        },
      }),
    ],
  ),
];

const pages: readonly PlantedValue[] = [
  ...planted(
    "a list is in its order",
    ["catalog", "the last first", body("currencies", turned)],
    ["schedules", "the oldest first", body("schedules", turned)],
    ["deliveries", "the oldest first", body("deliveries 0 created_at", later(-hour))],
  ),
  ...planted(
    "nothing stands twice in a list",
    ["catalog", "the first twice", body("currencies", firstTwice)],
    ["schedules", "the first twice", body("schedules", firstTwice)],
    ["deliveries", "the first twice", body("deliveries", firstTwice)],
  ),
  ...planted(
    "a page has no more than its limit",
    ["first currencies", "all of them", body("currencies", as("catalog", "currencies"))],
    ["first schedules", "all of them", body("schedules", as("schedules", "schedules"))],
  ),
  ...planted(
    "the address and the cursor of the next page come together",
    ["first currencies", "the cursor alone", header("Link", undefined)],
    ["first currencies", "the address alone", header("X-Next-Cursor", undefined)],
    ["first schedules", "another cursor", header("X-Next-Cursor", "abc")],
  ),
  ...planted("only a full page has a next one", [
    "first currencies",
    "one less, and more to come",
    body("currencies", lessOne),
  ]),
  ...planted(
    "the next page is asked for as this one",
    [
      "first schedules",
      "with another limit",
      header("Link", (is) => is.replace("limit=1", "limit=20")),
    ],
    [
      "first currencies",
      "at another path",
      header("Link", (is) => is.replace("/v1/currencies", "/v1/payout-schedules")),
    ],
    [
      "first currencies",
      "with a filter",
      header("Link", (is) => is.replace("limit=2", "limit=2&status=active")),
    ],
  ),
  ...planted(
    "a list has what was asked for",
    [
      "active schedules",
      "one that is paused",
      body("schedules 0 status", "paused"),
      body("schedules 0 enabled", false),
    ],
    ["active schedules", "one of another currency", body("schedules 0 currency_id", "cur_dai")],
    ["active schedules", "one on another chain", body("schedules 0 target_chain_id", "eip155:1")],
  ),
  ...planted(
    "a page goes on where the one before has ended",
    [
      "next schedules",
      "with what was there",
      body("schedules", as("first schedules", "schedules")),
    ],
    [
      "next currencies",
      "with what was there",
      body("currencies", as("first currencies", "currencies")),
    ],
  ),
];

const payments: readonly PlantedValue[] = [
  ...planted(
    "a created payment is pending",
    ["payment", "paid at once", body("status", "paid")],
    ["payment", "cancelled at once", body("status", "cancelled")],
  ),
  ...planted(
    "a payment that was cancelled is cancelled",
    ["payment cancelled", "still pending", body("status", "pending")],
    ["payment cancelled", "expired", body("status", "expired")],
  ),
  ...planted(
    "a raw amount is the price in the smallest unit",
    ["payment", "one more", body(`${usdc} deployments 0 raw_amount`, plus(1n))],
    ["payment", "ten times as much", body(`${ether} raw_amount`, (is) => `${textOf(is)}0`)],
    ["payment", "other decimals", body(`${usdc} deployments 1 decimals`, 18)],
    ["payment", "another price", body(`${usdc} amount`, "25.4")],
    ["payment cancelled", "one less", body(`${usdc} deployments 0 raw_amount`, plus(-1n))],
  ),
  ...planted(
    "a coin has no contract, and a token has one",
    ["payment", "a coin with a contract", body(`${ether} contract_address`, otherAddress)],
    ["payment", "a token without one", body(`${usdc} deployments 0 contract_address`, null)],
    [
      "payment",
      "a token by the standard of coins",
      body(`${usdc} deployments 0 token_standard`, "native"),
    ],
    ["payment", "a coin that is a token", body(`${ether} asset_kind`, "token")],
    ["payment", "a coin by the standard of tokens", body(`${ether} token_standard`, "erc20")],
  ),
  ...planted("a contract is written with its checksum", [
    "payment",
    "in lower case",
    body(`${usdc} deployments 0 contract_address`, lower),
  ]),
  ...planted(
    "nothing can be paid in two places of the quotes",
    ["payment", "one deployment twice", body(`${usdc} deployments`, firstTwice)],
    [
      "payment",
      "one contract twice",
      body(`${usdc} deployments`, firstTwice),
      body(`${usdc} deployments 0 currency_chain_id`, "dep_other"),
    ],
  ),
  ...planted(
    "a payment has the number of its order",
    ["payment", "that of another", body("merchant_order_no", "A-0")],
    [
      "payment of half an hour",
      "that of the one before",
      body("merchant_order_no", as("payment", "merchant_order_no")),
    ],
  ),
  ...planted(
    "a payment has the prices that were asked for",
    ["payment", "one currency less", body("quotes", without("cur_eth"))],
    ["payment of half an hour", "one currency more", body("quotes", as("payment", "quotes"))],
    [
      "payment",
      "a lower price",
      body(`${usdc} amount`, "2.55"),
      body(`${usdc} deployments 0 raw_amount`, "2550000"),
      body(`${usdc} deployments 1 raw_amount`, "2550000"),
    ],
    [
      "payment",
      "under another currency",
      body("quotes", (is) => ({ cur_dai: objectAt({ quotes: is }, "quotes")["cur_usdc"] ?? null })),
    ],
  ),
  ...planted(
    "a price is for the chains that were asked for",
    ["payment", "one chain less", body(`${usdc} deployments`, lessOne)],
    ["payment", "another chain", body(`${usdc} deployments 0 chain_id`, "eip155:10")],
  ),
  ...planted(
    "a payment can be paid for as long as was asked",
    ["payment", "half an hour", body("expires_at", later(-hour / 2))],
    ["payment", "an hour more", body("expires_at", later(hour))],
    ["payment of half an hour", "a minute less", body("expires_at", later(-60_000))],
    ["payment of half an hour", "over at once", body("expires_at", later(-hour))],
  ),
  ...planted(
    "a payment keeps its prices, its time and its order",
    ["payment cancelled", "another time", body("expires_at", later(1000))],
    ["payment cancelled", "another order", body("merchant_order_no", "A-0")],
    ["payment cancelled", "one price less", body("quotes", without("cur_eth"))],
    ["payment cancelled", "another name", body(`${usdc} name`, "USD coin")],
    [
      "payment cancelled",
      "another contract",
      body(`${usdc} deployments 0 contract_address`, otherAddress),
    ],
  ),
  ...planted(
    "an order has one payment",
    [
      "order that exists",
      "the payment of another",
      body("details payment_id", as("payment of half an hour", "id")),
    ],
    ["payment again", "another payment", body("id", otherId)],
  ),
  ...planted(
    "what is made has an id of its own",
    ["payment of half an hour", "that of the one before", body("id", as("payment", "id"))],
    ["schedule from then", "that of the one before", body("id", as("schedule", "id"))],
    [
      "endpoint for all",
      "that of the one before",
      body("id", as("endpoint", "id")),
      header(
        "Location",
        (_, all) => `/v1/webhook-endpoints/${textOf(as("endpoint", "id")(null, all))}`,
      ),
    ],
    ["withdrawal that goes", "that of the one before", body("id", as("withdrawal", "id"))],
  ),
  ...planted("a payment has a page of its own", [
    "payment of half an hour",
    "that of the one before",
    body("checkout_url", as("payment", "checkout_url")),
  ]),
];

const answers: readonly PlantedValue[] = [
  ...planted(
    "a replay is the first answer, word for word",
    ["payment again", "as it is now", body("status", "cancelled")],
    ["payment again", "of another price", body(`${usdc} amount`, "25")],
    ["settlement again", "of another transaction", body("tx_hash", otherId)],
  ),
  ...planted(
    "an answer has a name of its own",
    [
      "currency",
      "that of the one before",
      header("X-Request-Id", (_, all) => all[0]?.answer.headers.get("X-Request-Id") ?? ""),
    ],
    [
      "subscription",
      "that of the one before",
      header("X-Request-Id", (_, all) => all[1]?.answer.headers.get("X-Request-Id") ?? ""),
    ],
  ),
  ...planted(
    "an answer is about what was named",
    ["endpoint read", "another endpoint", body("id", as("endpoint for all", "id"))],
    ["endpoint changed", "another endpoint", body("id", otherId)],
    ["endpoint off", "another endpoint", body("id", otherId)],
    ["secret", "another endpoint", body("id", otherId)],
    ["payment cancelled", "another payment", body("id", as("payment of half an hour", "id"))],
    ["schedule paused", "another schedule", body("id", as("schedule from then", "id"))],
    ["subscription", "another subscription", body("id", otherId)],
    ["currency", "another currency", body("currency", as("first currencies", "currencies 0"))],
  ),
];

/** What a server may send that lies, or is broken: the form is always right. */
export const plantedValues: readonly PlantedValue[] = [
  ...headers,
  ...pages,
  ...payments,
  ...answers,
  ...plantedPayouts,
  ...plantedResources,
  ...plantedErrors,
];
