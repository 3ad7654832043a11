// Wrong values of endpoints, the catalog, subscriptions and x402.

import { textOf } from "../support/contract-document.ts";
import {
  as,
  body,
  firstTwice,
  later,
  lessOne,
  otherId,
  planted,
  type Planting,
  type PlantedValue,
  plus,
  turned,
  type Wanted,
  without,
} from "./planting-values.ts";

const day = 86_400_000;
const token = "currency deployments 0";
const otherAddress = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const webhooks: readonly PlantedValue[] = [
  ...planted(
    "an endpoint gets the events that were asked for",
    ["endpoint", "all of them", body("event_types", ["*"])],
    ["endpoint", "one less", body("event_types", lessOne)],
    ["endpoint for all", "one of them", body("event_types", ["payment.paid"])],
  ),
  ...planted(
    "an endpoint is changed into what was asked for",
    ["endpoint changed", "the old address", body("url", "https://shop.example/hooks")],
    ["endpoint changed", "all events", body("event_types", ["*"])],
  ),
  ...planted("an endpoint is switched as was asked for", [
    "endpoint off",
    "still on",
    body("active", true),
  ]),
  ...planted(
    "an endpoint was made in the past",
    ["endpoint read", "tomorrow", body("created_at", later(day))],
    ["endpoint off", "tomorrow", body("created_at", later(day))],
  ),
  ...planted(
    "an endpoint keeps the time it was made",
    ["endpoint changed", "now", body("created_at", later(-1))],
    ["endpoint off", "a day ago", body("created_at", later(-day))],
  ),
  ...planted(
    "a secret is new",
    ["secret", "the old one", body("secret", as("endpoint", "secret"))],
    ["endpoint for all", "that of another", body("secret", as("endpoint", "secret"))],
  ),
  ...planted(
    "deliveries are those of the last 30 days",
    ["deliveries", "tomorrow", body("deliveries 0 created_at", later(day))],
    [
      "deliveries",
      "31 days ago",
      body("deliveries", (is) => (Array.isArray(is) ? is.slice(0, 1) : is)),
      body("deliveries 0 created_at", later(-31 * day)),
    ],
  ),
  ...planted(
    "what was attempted goes with how it ended",
    [
      "deliveries",
      "delivered without an attempt",
      body("deliveries 0 status", "delivered"),
      body("deliveries 0 attempts", 0),
    ],
    [
      "deliveries",
      "failed at first",
      body("deliveries 0 status", "failed"),
      body("deliveries 0 attempts", 1),
    ],
    [
      "deliveries",
      "pending after all attempts",
      body("deliveries 0 status", "pending"),
      body("deliveries 0 attempts", 10),
    ],
  ),
];

const catalog: readonly PlantedValue[] = [
  ...planted("only a stablecoin is worth a dollar", [
    "currency",
    "a coin",
    body("currency asset_class", "coin"),
  ]),
  ...planted(
    "a currency is in one place once",
    ["currency", "a deployment twice", body("currency deployments", firstTwice)],
    [
      "currency",
      "an asset twice",
      body("currency deployments", firstTwice),
      body("currency deployments 0 id", "dep_other"),
    ],
  ),
  ...planted(
    "an asset is on the chain of its deployment",
    ["currency", "another chain", body(`${token} chain_id`, "eip155:10")],
    ["currency", "another family", body(`${token} chain_family`, "solana")],
  ),
  ...planted(
    "the locator of an asset says its standard",
    [
      "currency",
      "a coin",
      body(`${token} asset_kind`, "native"),
      body(`${token} token_standard`, "native"),
    ],
    ["currency", "another standard", body(`${token} token_standard`, "trc20")],
    ["currency", "in lower case", body(`${token} asset_locator`, (is) => textOf(is).toLowerCase())],
  ),
  ...planted(
    "what is no longer listed is switched off",
    ["currency", "delisted, and taking deposits", body(`${token} listing_status`, "delisted")],
    ["currency", "delisting, and taking deposits", body(`${token} listing_status`, "delisting")],
  ),
  ...planted("a deployment has each capability once", [
    "currency",
    "the first twice",
    body(`${token} capabilities`, firstTwice),
  ]),
  ...planted(
    "a domain's separator is made of the domain",
    ["currency", "of another domain", domain("domain_separator", otherId)],
    ["currency", "of another version", domain("domain_version", "1")],
    [
      "currency",
      "of another contract",
      body(
        `${token} asset_locator`,
        (is) => `${textOf(is).split(":").slice(0, 2).join(":")}:${otherAddress}`,
      ),
    ],
  ),
  ...planted("a contract takes part where one is named", [
    "currency",
    "by a contract that nobody names",
    capability("eip3009", "delivery mode", "contract"),
  ]),
  ...planted("a live key sees no test network", [
    "live catalog",
    "what a test key sees",
    body("currencies", as("catalog", "currencies")),
  ]),
  ...planted(
    "one version of the catalog says one thing",
    ["currency", "off", body("currency status", "disabled")],
    ["currency", "another name", body("currency name", "Coin")],
    ["currency", "one deployment less", body("currency deployments", lessOne)],
    ["first currencies", "other decimals", body("currencies 0 accounting_decimals", 7)],
    ["currency", "no deposits", body(`${token} deposit_enabled`, false)],
    ["currency", "no withdrawals", body(`${token} withdrawal_enabled`, false)],
    ["currency", "another version of a deployment", body(`${token} deployment_version`, 7)],
    ["currency", "other blocks to wait", capability("finality", "parameters confirmations", 1)],
    [
      "currency",
      "no limit for high values",
      capability("finality", "parameters high_value_raw", plus(1n)),
    ],
  ),
  ...planted(
    "accepted is what was asked for",
    ["acceptance", "one currency less", body("currencies", without("cur_eth"))],
    ["acceptance", "one chain less", body("currencies cur_usdc chain_ids", lessOne)],
    [
      "acceptance",
      "one chain more",
      body("currencies cur_usdc chain_ids", (is) =>
        Array.isArray(is) ? [...is, "solana:mainnet"] : is,
      ),
    ],
  ),
  ...planted("accepted chains are sorted", [
    "acceptance",
    "the last first",
    body("currencies cur_usdc chain_ids", turned),
  ]),
  ...planted(
    "a currency has one deployment on a chain",
    [
      "payment",
      "another deployment",
      body("quotes cur_usdc deployments 0 currency_chain_id", "dep_other"),
    ],
    ["withdrawal", "another deployment", body("currency_chain_id", "dep_usdc_ethereum")],
    ["schedule", "another deployment", body("currency_chain_id", "dep_usdc_ethereum")],
    ["subscription", "another deployment", body("currency_chain_id", "dep_usdc_ethereum")],
  ),
  ...planted(
    "a deployment is that of one currency and chain",
    [
      "payment",
      "that of another chain",
      body("quotes cur_usdc deployments 0 currency_chain_id", "dep_usdc_polygon"),
    ],
    ["subscription", "another currency", body("currency_id", "cur_dai")],
  ),
  ...planted(
    "a deployment has one number of decimals",
    [
      "payment",
      "all with other decimals",
      body("quotes cur_eth deployments 0 decimals", 6),
      body("quotes cur_eth deployments 0 raw_amount", "40000"),
    ],
    [
      "withdrawal",
      "ten times as much",
      body("send_amount_raw", plus(900_000_000n)),
      body("total_debit_raw", plus(900_000_000n)),
    ],
    ["schedule", "ten times as much", body("min_send_raw", plus(450_000_000n))],
  ),
];

/** Of a capability of the currency's first deployment that has it. */
function capability(key: string, path: string, change: Wanted): Planting {
  return (one, all) => {
    const list = as(one.name, `${token} capabilities`)(null, all);
    const place = Array.isArray(list)
      ? list.findIndex((each) => JSON.stringify(each).includes(`"key":"${key}"`))
      : -1;
    if (place === -1) throw new Error(`there is no ${key}`);
    return body(`${token} capabilities ${place} ${path}`, change)(one, all);
  };
}

function domain(name: string, change: Wanted): Planting {
  return capability("eip3009", `parameters ${name}`, change);
}

const others: readonly PlantedValue[] = [
  ...planted(
    "a subscription that was cancelled bills no more",
    ["subscription", "still active", body("status", "active")],
    ["subscription", "past due", body("status", "past_due")],
    ["subscription", "one more bill", body("next_bill_at", "2030-01-01T00:00:00.000Z")],
  ),
  ...planted(
    "a subscription keeps its price",
    ["subscription again", "another price", body("amount", "1")],
    ["subscription again", "another interval", body("interval_secs", 86_400)],
  ),
  ...planted("a settlement is of the payment that was named", [
    "settlement",
    "another payment",
    body("payment_id", as("payment", "id")),
  ]),
  ...planted("a payment is settled by one transaction", [
    "settlement again",
    "by another",
    body("tx_hash", otherId),
  ]),
  ...planted(
    "a usage is the one that was reported",
    ["usage", "of another payment", body("payment_id", as("payment", "id"))],
    ["usage", "of another name", body("usage_id", "usage-2")],
    ["usage", "one more", body("actual_raw", plus(1n))],
    ["usage", "all of it", body("actual_raw", as("usage", "max_raw"))],
  ),
  ...planted("no more is charged than was authorized", [
    "usage",
    "the most is less",
    body("max_raw", "1"),
  ]),
  ...planted(
    "a usage is reported once",
    ["usage again", "another most", body("max_raw", plus(1n))],
    ["usage again", "another amount", body("actual_raw", (is) => `${textOf(is)}0`)],
  ),
];

export const plantedResources: readonly PlantedValue[] = [...webhooks, ...catalog, ...others];
