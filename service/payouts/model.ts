// A recurring payout: what is sent where, how often, and how it is shown.

import { amountOf } from "../amounts.ts";
import type { EventTypeAbout } from "../events/types.ts";
import { dataAbout } from "../events/events.ts";
import type { EventDraft, EventSubjects, NothingBeside } from "../events/events.ts";
import type { Owner } from "../owner.ts";
import type { PayoutMode, PayoutScheduleStatus } from "../database/words.ts";
import { withdrawAddressStatus } from "../withdrawals/address-model.ts";

export interface PayoutSchedule {
  readonly id: string;
  readonly owner: Owner;
  readonly currencyId: string;
  readonly deploymentId: string;
  /** CAIP-2 */
  readonly chainId: string;
  readonly decimals: number;
  readonly withdrawAddressId: string;
  readonly intervalSeconds: number;
  readonly minSendRaw: bigint;
  readonly mode: PayoutMode;
  /** the API key that made it; null: it is from before that was kept, and nobody knows */
  readonly keyId: string | null;
  /** That key may be used from some addresses only. */
  readonly isKeyBound: boolean;
  readonly status: PayoutScheduleStatus;
  /** whatever the status: the currency can be withdrawn, the address and the key may be used */
  readonly isPossible: boolean;
  readonly version: bigint;
  readonly nextRunAt: Date;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly retiredAt: Date | null;
}

/** What a schedule depends on. */
export interface PayoutConditions {
  readonly withdrawal_enabled: boolean;
  readonly currency_status: "active" | "deprecated" | "disabled";
  readonly listing_status: string;
  readonly is_test_network: boolean;
  readonly activates_at: Date;
  readonly disabled_at: Date | null;
  /** The address is ours by now, or that of a token. */
  readonly is_not_payable: boolean;
  readonly is_key_bound: boolean;
  /** for cause: it may have been in other hands */
  readonly is_key_revoked: boolean;
}

export function isPayoutPossible(conditions: PayoutConditions, now: Date): boolean {
  const { activates_at: activatesAt, disabled_at: disabledAt } = conditions;
  const isWithdrawable = conditions.withdrawal_enabled && conditions.currency_status !== "disabled";
  const isActive = withdrawAddressStatus({ activatesAt, disabledAt }, now) === "active";
  return isWithdrawable && isActive && reasonToRetire(conditions) === undefined;
}

/** For good; what is only switched off for a while lets the runs be skipped. */
export function reasonToRetire(conditions: PayoutConditions): string | undefined {
  if (conditions.is_key_revoked) return "api_key_revoked";
  if (!conditions.is_test_network && !conditions.is_key_bound) return "api_key_not_bound";
  if (conditions.disabled_at !== null) return "withdraw_address_disabled";
  if (conditions.is_not_payable) return "withdraw_address_not_allowed";
  if (conditions.listing_status === "delisted") return "deployment_delisted";
  return undefined;
}

/** What cannot be an id of ours need not be asked for (and the database keeps no U+0000). */
export function isPayoutScheduleId(text: string): boolean {
  return /^pos_[0-9A-Za-z]{1,64}$/.test(text);
}

/** In wire names: the service needs them too, for the data of events. */
export interface PublishedPayoutSchedule {
  readonly id: string;
  readonly currency_id: string;
  readonly currency_chain_id: string;
  readonly target_chain_id: string;
  readonly withdraw_address_id: string;
  readonly interval_secs: number;
  readonly min_send_amount: string;
  readonly min_send_raw: string;
  readonly mode: PayoutMode;
  readonly status: PayoutScheduleStatus;
  readonly enabled: boolean;
  readonly next_run_at: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export function publishedPayoutSchedule(schedule: PayoutSchedule): PublishedPayoutSchedule {
  return {
    id: schedule.id,
    currency_id: schedule.currencyId,
    currency_chain_id: schedule.deploymentId,
    target_chain_id: schedule.chainId,
    withdraw_address_id: schedule.withdrawAddressId,
    interval_secs: schedule.intervalSeconds,
    min_send_amount: amountOf(schedule.minSendRaw, schedule.decimals),
    min_send_raw: schedule.minSendRaw.toString(),
    mode: schedule.mode,
    status: schedule.status,
    enabled: schedule.status === "active" && schedule.isPossible,
    next_run_at: schedule.nextRunAt.toISOString(),
    created_at: schedule.createdAt.toISOString(),
    updated_at: schedule.updatedAt.toISOString(),
  };
}

/** What an event says beside the schedule, in wire names. */
export interface PayoutScheduleFacts {
  readonly reason?: string;
  readonly replaced_by?: string;
  readonly slot?: string;
  readonly missed_runs?: number;
  readonly withdrawal_id?: string;
  readonly send_amount_raw?: string;
  readonly withdrawal_fee_raw?: string;
}

declare module "../events/events.ts" {
  interface EventSubjects {
    readonly payout_schedule: PublishedPayoutSchedule &
      PayoutScheduleFacts & { readonly retired_at?: string };
  }
}

/** `schedule` as it is after what the event says. */
export function payoutScheduleEvent<Facts extends PayoutScheduleFacts>(
  type: EventTypeAbout<"payout_schedule">,
  schedule: PayoutSchedule,
  facts?: Facts & NothingBeside<PayoutScheduleFacts, Facts>,
): EventDraft {
  const { id, owner, retiredAt } = schedule;
  const retired: Pick<EventSubjects["payout_schedule"], "retired_at"> =
    retiredAt === null ? {} : { retired_at: retiredAt.toISOString() };
  return {
    ...owner,
    type,
    resource: { type: "payout_schedule", id },
    data: dataAbout("payout_schedule", {
      ...publishedPayoutSchedule(schedule),
      ...retired,
      ...facts,
    }),
  };
}
