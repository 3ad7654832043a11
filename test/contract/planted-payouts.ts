// Wrong values of what leaves: withdrawals, addresses and schedules.

import { type Json, textOf } from "../support/contract-document.ts";
import { as, body, later, otherId, planted, type PlantedValue, plus } from "./planting-values.ts";

const hour = 3_600_000;
const day = 24 * hour;
const lower = (is: Json): string => textOf(is).toLowerCase();
const otherAddress = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

const withdrawals: readonly PlantedValue[] = [
  ...planted(
    "a withdrawal begins pending",
    ["withdrawal", "confirmed at once", body("status", "confirmed")],
    ["withdrawal", "rejected", body("status", "rejected")],
  ),
  ...planted(
    "a debit is what is sent and the fee",
    ["withdrawal", "one more", body("total_debit_raw", plus(1n))],
    ["withdrawal", "a fee that is not charged", body("withdrawal_fee_raw", plus(1_000_000n))],
  ),
  ...planted(
    "a withdrawal is of what was asked for",
    ["withdrawal", "another currency", body("currency_id", "cur_dai")],
    ["withdrawal", "another chain", body("target_chain_id", "eip155:1")],
  ),
  ...planted(
    "a withdrawal sends what was asked for",
    [
      "withdrawal",
      "less the fee",
      body("send_amount_raw", plus(-1n)),
      body("total_debit_raw", plus(-1n)),
    ],
    [
      "withdrawal",
      "twice as much",
      body("send_amount_raw", plus(100_000_000n)),
      body("total_debit_raw", plus(100_000_000n)),
    ],
  ),
];

const addresses: readonly PlantedValue[] = [
  ...planted(
    "an address is the one that was given",
    ["address", "another address", body("address", otherAddress)],
    ["address", "another chain", body("chain_id", "eip155:1")],
    ["address", "without its label", body("label", null)],
    ["address", "with another label", body("label", "hot")],
    ["address", "of another kind", body("destination_type", "self_hosted")],
  ),
  ...planted("an address is written with its checksum", [
    "address",
    "in lower case",
    body("address", otherAddress),
    body("address", lower),
  ]),
  ...planted(
    "a new address waits",
    ["address", "active at once", body("status", "active")],
    ["address", "waits for the past", body("activates_at", later(-2 * day))],
    ["address", "disabled", body("status", "disabled")],
  ),
  ...planted(
    "an address is registered now",
    ["address", "a day ago", body("created_at", later(-day)), body("activates_at", later(-day))],
    ["address", "tomorrow", body("created_at", later(day)), body("activates_at", later(day))],
  ),
  ...planted(
    "an address waits a day, a minute on test networks",
    ["address", "half a day", body("activates_at", later(-12 * hour))],
    ["address", "a minute less", body("activates_at", later(-60_000))],
  ),
];

const schedules: readonly PlantedValue[] = [
  ...planted("a new schedule is active", [
    "schedule",
    "paused",
    body("status", "paused"),
    body("enabled", false),
  ]),
  ...planted(
    "a schedule that was paused does not run",
    ["schedule paused", "still active", body("status", "active")],
    ["schedule paused", "retired without a time", body("status", "retired")],
    [
      "schedule paused",
      "retired and paused",
      body("retired_at", as("schedule paused", "updated_at")),
    ],
    ["schedule retired", "retired, and nobody knows when", body("retired_at", null)],
  ),
  ...planted(
    "a schedule was retired in its life",
    ["schedule retired", "before it was made", body("retired_at", later(-day))],
    ["schedule retired", "tomorrow", body("retired_at", later(day))],
  ),
  ...planted(
    "a schedule agrees with itself",
    ["schedule paused", "it runs though it is paused", body("enabled", true)],
    ["schedule", "changed before it was made", body("updated_at", later(-hour))],
    ["schedule", "run before it was made", body("next_run_at", later(-30 * day))],
    ["schedule", "a least amount of another size", body("min_send_raw", plus(1n))],
    ["schedules", "a least amount of another size", body("schedules 0 min_send_amount", "51")],
  ),
  ...planted(
    "a schedule was made and changed in the past",
    ["schedule paused", "paused tomorrow", body("updated_at", later(day))],
    [
      "schedules",
      "made tomorrow",
      body("schedules 0 created_at", later(day)),
      body("schedules 0 updated_at", later(day)),
    ],
  ),
  ...planted(
    "a schedule is made now",
    ["schedule", "an hour ago", body("created_at", later(-hour)), body("updated_at", later(-hour))],
    ["schedule", "changed since", body("updated_at", later(1))],
  ),
  ...planted(
    "a schedule is the one that was asked for",
    ["schedule", "another currency", body("currency_id", "cur_dai")],
    ["schedule", "another chain", body("target_chain_id", "eip155:1")],
    ["schedule", "another address", body("withdraw_address_id", otherId)],
    ["schedule", "every hour", body("interval_secs", 3600)],
    [
      "schedule",
      "from another amount on",
      body("min_send_amount", "5"),
      body("min_send_raw", "5000000"),
    ],
    ["schedule", "which only tells", body("mode", "notify_only")],
  ),
  ...planted(
    "a first run is when it was asked for, or an interval ahead",
    ["schedule", "at once", body("next_run_at", later(-day))],
    ["schedule", "a day late", body("next_run_at", later(day))],
    ["schedule from then", "an interval ahead", body("next_run_at", later(day - 2 * hour))],
  ),
  ...planted(
    "a schedule keeps what was asked for",
    ["schedule paused", "another interval", body("interval_secs", 172_800)],
    ["schedule paused", "another mode", body("mode", "notify_only")],
    ["schedule paused", "made at another time", body("created_at", later(-hour))],
    ["schedule paused", "to another address", body("withdraw_address_id", otherId)],
    ["schedules", "another mode", body("schedules 1 mode", "notify_only")],
    ["first schedules", "another address", body("schedules 0 withdraw_address_id", otherId)],
  ),
  ...planted("a schedule keeps its grid of time", [
    "schedule paused",
    "an hour off",
    body("next_run_at", later(hour)),
  ]),
];

export const plantedPayouts: readonly PlantedValue[] = [...withdrawals, ...addresses, ...schedules];
