// Errors that speak of another request.

import { as, body, later, planted, type PlantedValue, without } from "./planting-values.ts";
import { closedChain } from "./value-answers.ts";

const violation = "details violations 0";

const parts: readonly PlantedValue[] = [
  ...planted(
    "a violation is where it is said to be",
    ["parameter unknown", "another parameter", body(`${violation} pointer`, "/shape")],
    ["header missing", "a header that was sent", body(`${violation} pointer`, "/X-Timestamp")],
    ["order of a number", "a member that was not sent", body(`${violation} pointer`, "/memo")],
    ["order of a number", "what is missing was sent", body(`${violation} rule`, "required")],
    ["order of a number", "the whole body", body(`${violation} pointer`, "")],
    ["header missing", "no header of the operation", body(`${violation} pointer`, "/X-Color")],
  ),
  ...planted("a violation names a rule", [
    "order of a number",
    "which is none",
    body(`${violation} rule`, "Type"),
  ]),
  ...planted("no violation is listed twice", [
    "order of a number",
    "the first twice",
    body("details violations", (is) => (Array.isArray(is) ? [...is, ...is] : is)),
  ]),
  ...planted(
    "a code goes with its violations",
    ["header missing", "invalid in place of missing", body("code", "unknown_parameter")],
    ["limit too high", "a cursor", body("code", "invalid_cursor")],
    ["order of a number", "no JSON", body("code", "invalid_json")],
  ),
  ...planted(
    "a pointer leads to something that was sent",
    ["price too precise", "another currency", body("details pointer", "/quotes/cur_dai/amount")],
    ["balance too low", "another member", body("details pointer", "/address")],
    ["balance too low", "all of it", body("details pointer", "")],
  ),
  ...planted("the scope that lacks is the operation's", [
    "scope missing",
    "another scope",
    body("details required_scope", "payments:write"),
  ]),
  ...planted(
    "a time out of range is more than 300 s off",
    [
      "old signature",
      "the time that was sent",
      body("details server_time", (is) => Number(is) - 400),
    ],
    ["old signature", "300 s from it", body("details server_time", (is) => Number(is) - 101)],
  ),
  ...planted("only a large body is too large", [
    "price too precise",
    "a small one",
    (one) => ({ ...one, answer: { ...one.answer, status: 413 } }),
    body("code", "body_too_large"),
    body("details", without("pointer")),
    body("details", without("decimals")),
  ]),
  ...planted("another media type, or a coding, is not supported", [
    "text",
    "JSON",
    (one) => ({
      ...one,
      asked: {
        ...one.asked,
        headers: { ...one.asked.headers, "content-type": "application/json" },
      },
    }),
  ]),
  ...planted("a limit that is refused is out of range", [
    "limit too high",
    "a limit in range",
    (one) => ({ ...one, asked: { ...one.asked, target: "/v1/payout-schedules?limit=100" } }),
  ]),
  ...planted("a cursor that is refused was sent", [
    "cursor of nobody",
    "there was none",
    (one) => ({ ...one, asked: { ...one.asked, target: "/v1/payout-schedules" } }),
  ]),
];

const rules: readonly PlantedValue[] = [
  ...planted(
    "an amount that is too precise has more digits",
    ["price too precise", "as many decimals", body("details decimals", 7)],
    ["price too precise", "more decimals", body("details decimals", 18)],
  ),
  ...planted(
    "what is out of range is outside of the range that is said",
    ["too long", "a longer range", body("details maximum", 604_801)],
    ["too long", "a shorter range", body("details maximum", 3600)],
    ["interval too short", "a longer range", body("details minimum", 60)],
    [
      "interval too short",
      "turned round",
      body("details minimum", as("interval too short", "details maximum")),
      body("details maximum", 3600),
    ],
  ),
  ...planted(
    "a first run in the past is before the server's time",
    [
      "run in the past",
      "a server before it",
      body("details server_time", "2019-12-31T23:59:59.000Z"),
    ],
    ["run in the past", "a server an hour behind", body("details server_time", later(-3_600_000))],
  ),
  ...planted(
    "a balance that is too low is less than what it takes",
    [
      "balance too low",
      "enough",
      body("details available_raw", as("balance too low", "details required_raw")),
    ],
    ["balance too low", "nothing is needed", body("details required_raw", "0")],
  ),
  ...planted(
    "a currency that is unknown was asked for",
    ["currency unknown", "another one", body("details currency_id", "cur_usdc")],
    ["currency unknown", "itself as near", body("details near_currency_ids", ["cur_usdt1"])],
  ),
  ...planted(
    "a currency that is not accepted was asked for",
    ["currency not accepted", "another one", body("details currency_id", "cur_usdc")],
    [
      "currency not accepted",
      "accepted after all",
      body("details accepted_currency_ids", ["cur_usdt"]),
    ],
  ),
  ...planted(
    "a chain that is not accepted was asked for",
    ["chain not accepted", "another one", body("details chain_id", "eip155:1")],
    ["chain not accepted", "accepted after all", body("details accepted_chain_ids", ["eip155:10"])],
    ["chain not accepted", "of another currency", body("details currency_id", "cur_dai")],
  ),
  ...planted(
    "deposits are off where one was asked for",
    ["deposits off", "on another chain", body("details chain_id", "eip155:1")],
    ["deposits off", "of another currency", body("details currency_id", "cur_eth")],
    [
      "deposits off",
      "open after all",
      body("details chain_id", closedChain),
      body("details open_chain_ids", [closedChain]),
    ],
  ),
  ...planted("withdrawals are off where one was asked for", [
    "withdrawals off",
    "on another chain",
    body("details chain_id", "eip155:1"),
  ]),
  ...planted("a merchant who gets no share was named there", [
    "share for oneself",
    "another merchant",
    body("details merchant_id", "mer_01KDVDNA00B9Y73MY63FCH26W1"),
  ]),
  ...planted("shares that are too much are the sum", [
    "shares too much",
    "one more",
    body("details total_bps", 12_001),
  ]),
  ...planted("a field that differs is one of the requirements", [
    "terms that differ",
    "one that is none",
    body("details field", "color"),
  ]),
];

const statuses: readonly PlantedValue[] = [
  ...planted(
    "a status that is refused does not allow it",
    ["payment that is over", "pending", body("details status", "pending")],
    ["payment that is over", "cancelled", body("details status", "cancelled")],
    ["withdrawal on its way", "pending", body("details status", "pending")],
  ),
  ...planted("a payment that takes no money does not wait for it", [
    "payment that takes nothing",
    "pending",
    body("details status", "pending"),
  ]),
  ...planted(
    "an address that cannot be used waits, or is off",
    ["address that waits", "active", body("details status", "active")],
    ["address that waits", "since yesterday", body("details activates_at", later(-2 * 86_400_000))],
  ),
];

export const plantedErrors: readonly PlantedValue[] = [...parts, ...rules, ...statuses];
