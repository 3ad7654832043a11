// What leaves: withdrawals, the addresses they go to, and schedules.

import { getAddress, isAddress } from "viem";
import { type JsonObject, textOf } from "../../../generator/suite/json.ts";
import { canonical, isScaled } from "./amounts.ts";
import { checksumClaims, isTestNetwork } from "./assets.ts";
import {
  type Claim,
  holds,
  ofSuccess,
  ofWish,
  type Relation,
  same,
  type Seen,
  timeOf,
} from "./relation.ts";
import { itemsOf } from "./pages.ts";

/** What is said as it was asked for. */
function echoes(seen: Seen, names: readonly string[]): readonly Claim[] {
  return names.map((name) => same(`body /${name}`, seen.body[name], seen.wish[name]));
}

/** What is made now has the time of now. */
export function nowClaims(seen: Seen, name: string): readonly Claim[] {
  const { time, body } = seen;
  const at = timeOf(body[name]);
  if (time === undefined || at === undefined || seen.isReplay) return [];
  const isNow = at >= time.from && at <= time.to;
  return [holds(`body /${name}`, isNow, `is ${textOf(body[name])}, and not now`)];
}

/** What was made is not ahead. */
export function pastClaims(
  seen: Seen,
  at: string,
  value: JsonObject[string] | undefined,
): readonly Claim[] {
  const [then, { time }] = [timeOf(value), seen];
  if (time === undefined || then === undefined) return [];
  return [holds(at, then <= time.to, `is ${textOf(value)}, which is yet to come`)];
}

export function debitClaims(withdrawal: JsonObject): readonly Claim[] {
  const { send_amount_raw: sent, withdrawal_fee_raw: fee, total_debit_raw: total } = withdrawal;
  const sum = String(BigInt(textOf(sent)) + BigInt(textOf(fee)));
  return [same("body /total_debit_raw", total, sum)];
}

const withdrawals: readonly Relation[] = [
  ofSuccess("requestWithdrawal", "a withdrawal begins pending", ({ body }) => [
    same("body /status", body["status"], "pending"),
  ]),
  ofSuccess("requestWithdrawal", "a debit is what is sent and the fee", ({ body }) =>
    debitClaims(body),
  ),
  ofWish("requestWithdrawal", "a withdrawal is of what was asked for", (seen) =>
    echoes(seen, ["currency_id", "target_chain_id"]),
  ),
  ofWish("requestWithdrawal", "a withdrawal sends what was asked for", ({ body, wish }) => {
    const [sent, amount] = [textOf(body["send_amount_raw"]), textOf(wish["amount"])];
    return [
      holds(
        "body /send_amount_raw",
        isScaled(sent, amount),
        `is ${sent}, and ${amount} was asked for`,
      ),
    ];
  }),
];

const addresses: readonly Relation[] = [
  ofWish("registerWithdrawAddress", "an address is the one that was given", (seen) => {
    const { address } = seen.wish;
    const given = textOf(address);
    const isEvm = isAddress(given, { strict: false });
    const { destination_type: type = "self_hosted", label = null } = seen.wish;
    return [
      ...echoes(seen, ["chain_id"]),
      same("body /address", seen.body["address"], isEvm ? getAddress(given) : given),
      same("body /destination_type", seen.body["destination_type"], type),
      same("body /label", seen.body["label"], label),
    ];
  }),
  ofSuccess("registerWithdrawAddress", "an address is written with its checksum", ({ body }) =>
    checksumClaims("body /address", textOf(body["chain_id"]), body["address"] ?? null),
  ),
  ofSuccess("registerWithdrawAddress", "a new address waits", ({ body }) => {
    const [made, usable] = [textOf(body["created_at"]), textOf(body["activates_at"])];
    // The operator may let it be used at once.
    return [
      same("body /status", body["status"], usable > made ? "pending_activation" : "active"),
      holds("body /activates_at", usable >= made, "is before created_at"),
    ];
  }),
  ofSuccess("registerWithdrawAddress", "an address is registered now", (seen) =>
    nowClaims(seen, "created_at"),
  ),
];

/** Of a schedule wherever it is shown. */
export function scheduleClaims(at: string, schedule: JsonObject): readonly Claim[] {
  const { status, enabled, created_at, updated_at, next_run_at } = schedule;
  const { min_send_raw: raw, min_send_amount: amount } = schedule;
  return [
    holds(
      `${at}/enabled`,
      enabled !== true || status === "active",
      `is true, and it is ${textOf(status)}`,
    ),
    holds(`${at}/updated_at`, textOf(updated_at) >= textOf(created_at), "is before created_at"),
    holds(`${at}/next_run_at`, textOf(next_run_at) >= textOf(created_at), "is before created_at"),
    holds(
      `${at}/min_send_raw`,
      isScaled(textOf(raw), textOf(amount)),
      `is ${textOf(raw)}, and min_send_amount ${textOf(amount)}`,
    ),
  ];
}

const schedules: readonly Relation[] = [
  ofSuccess("createPayoutSchedule", "a new schedule is active", ({ body }) => [
    same("body /status", body["status"], "active"),
  ]),
  ofSuccess("pausePayoutSchedule", "a schedule that was paused does not run", ({ body }) => [
    holds(
      "body /status",
      ["paused", "retired"].includes(textOf(body["status"])),
      `is ${textOf(body["status"])}`,
    ),
    holds(
      "body /retired_at",
      (body["retired_at"] !== null) === (body["status"] === "retired"),
      `is ${textOf(body["retired_at"])}, and the status ${textOf(body["status"])}`,
    ),
  ]),
  ofSuccess("pausePayoutSchedule", "a schedule was retired in its life", (seen) => {
    const { retired_at, created_at } = seen.body;
    if (retired_at === null) return [];
    const isAfter = textOf(retired_at) >= textOf(created_at);
    return [
      holds("body /retired_at", isAfter, "is before created_at"),
      ...pastClaims(seen, "body /retired_at", retired_at),
    ];
  }),
  ofSuccess(
    ["createPayoutSchedule", "pausePayoutSchedule", "listPayoutSchedules"],
    "a schedule agrees with itself",
    (seen) => {
      if (seen.operationId !== "listPayoutSchedules") return scheduleClaims("body ", seen.body);
      return itemsOf(seen).flatMap((item, place) =>
        scheduleClaims(`body /schedules/${place}`, item),
      );
    },
  ),
  ofSuccess(
    ["pausePayoutSchedule", "listPayoutSchedules"],
    "a schedule was made and changed in the past",
    (seen) => {
      const all = seen.operationId === "listPayoutSchedules" ? itemsOf(seen) : [seen.body];
      return all.flatMap((one) => [
        ...pastClaims(seen, "body /created_at", one["created_at"]),
        ...pastClaims(seen, "body /updated_at", one["updated_at"]),
      ]);
    },
  ),
  ofSuccess("createPayoutSchedule", "a schedule is made now", (seen) => [
    ...nowClaims(seen, "created_at"),
    same("body /updated_at", seen.body["updated_at"], seen.body["created_at"]),
  ]),
  ofWish("createPayoutSchedule", "a schedule is the one that was asked for", (seen) => [
    ...echoes(seen, [
      "currency_id",
      "target_chain_id",
      "withdraw_address_id",
      "interval_secs",
      "mode",
    ]),
    same(
      "body /min_send_amount",
      seen.body["min_send_amount"],
      canonical(textOf(seen.wish["min_send_amount"])),
    ),
  ]),
  ofWish(
    "createPayoutSchedule",
    "a first run is when it was asked for, or an interval ahead",
    (seen) => {
      const { body, wish } = seen;
      const made = timeOf(body["created_at"]) ?? 0;
      const wanted = timeOf(wish["first_run_at"]) ?? made + Number(wish["interval_secs"]) * 1000;
      return [same("body /next_run_at", timeOf(body["next_run_at"]), Math.floor(wanted))];
    },
  ),
];

export const payoutRelations: readonly Relation[] = [...withdrawals, ...addresses, ...schedules];

const cooling = { mainMilliseconds: 86_400_000, testMilliseconds: 60_000 };

/** Where the operator has set nothing. */
export const standardSpans: readonly Relation[] = [
  ofSuccess(
    "registerWithdrawAddress",
    "an address waits a day, a minute on test networks",
    ({ body }) => {
      const { mainMilliseconds, testMilliseconds } = cooling;
      const wanted = isTestNetwork(body["chain_id"]) ? testMilliseconds : mainMilliseconds;
      const span = (timeOf(body["activates_at"]) ?? 0) - (timeOf(body["created_at"]) ?? 0);
      return [same("body /activates_at", span, wanted)];
    },
  ),
];
