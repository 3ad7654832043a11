// The tables of adapters/database/migrations/0008_schedules.sql as the query builder sees them.

import type { Generated } from "kysely";
import type { Environment } from "../../owner.ts";
import type {
  MissedPeriodRule,
  PayoutMode,
  PayoutScheduleStatus,
  SubscriptionStatus,
} from "../words.ts";

export interface PayoutSchedulesTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly currency_id: string;
  readonly deployment_id: string;
  readonly chain_id: string;
  readonly withdraw_address_id: string;
  readonly interval_seconds: bigint;
  readonly min_send_raw: bigint;
  readonly mode: PayoutMode;
  readonly status: Generated<PayoutScheduleStatus>;
  readonly version: Generated<bigint>;
  readonly next_run_at: Date;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly retired_at: Date | null;
  readonly idempotency_key: string;
  readonly api_key_id: string | null;
  readonly is_key_bound: Generated<boolean>;
}

export interface PayoutRunsTable {
  readonly schedule_id: string;
  readonly slot: Date;
  readonly ran_at: Date;
  readonly missed: number;
  readonly outcome: "requested" | "skipped" | "due";
  readonly reason: string | null;
  readonly withdrawal_id: string | null;
}

export interface SubscriptionsTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly status: Generated<SubscriptionStatus>;
  readonly version: Generated<bigint>;
  readonly currency_id: string;
  readonly deployment_id: string;
  readonly chain_id: string;
  readonly amount_raw: bigint;
  readonly interval_seconds: bigint;
  readonly user_id: string | null;
  readonly next_bill_at: Date | null;
  readonly missed_periods: Generated<MissedPeriodRule>;
  readonly open_period: Generated<Date | null>;
  readonly open_try: Generated<number | null>;
  readonly past_due_since: Generated<Date | null>;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface SubscriptionBillsTable {
  readonly subscription_id: string;
  readonly period_start: Date;
  readonly try: number;
  readonly payment_id: string | null;
  readonly refused: string | null;
  readonly created_at: Date;
  readonly ends_at: Date;
  readonly missed: Generated<number>;
  readonly amount_raw: bigint | null;
}

export interface ScheduleTables {
  readonly payout_schedules: PayoutSchedulesTable;
  readonly payout_runs: PayoutRunsTable;
  readonly subscriptions: SubscriptionsTable;
  readonly subscription_bills: SubscriptionBillsTable;
}
