// The tables of adapters/database/migrations/0007_withdrawals.sql as the query builder sees them.

import type { Generated } from "kysely";
import type { Environment } from "../../owner.ts";
import type { DestinationType, HoldReason, OwnAccountRole, WithdrawalStatus } from "../words.ts";

/** numeric(78, 0): the driver gives it as text */
type RawText = string;

export interface WithdrawAddressesTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly chain_id: string;
  readonly chain_family: "evm" | "solana" | "bitcoin" | "tron";
  readonly address: string;
  readonly destination_type: DestinationType;
  readonly label: string | null;
  readonly created_at: Date;
  readonly activates_at: Date;
  readonly announced_at: Date | null;
  readonly disabled_at: Date | null;
  readonly idempotency_key: string;
  readonly reverted_count: Generated<number>;
  /** coin has arrived there, or it is from before this was known */
  readonly is_proven: Generated<boolean>;
  readonly waits_until: Generated<Date | null>;
}

export interface OwnAccountsTable {
  readonly account: string;
  readonly role: OwnAccountRole;
  readonly since: Date;
}

export interface WithdrawalFeesTable {
  readonly deployment_id: string;
  readonly version: bigint;
  readonly fee_raw: RawText;
  readonly since: Date;
}

export interface WithdrawalLimitsTable {
  readonly deployment_id: string;
  readonly single_max_raw: RawText | null;
  readonly daily_max_raw: RawText | null;
  readonly updated_at: Date;
}

export interface WithdrawalDaysTable {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly deployment_id: string;
  readonly day: Date;
  readonly total_raw: RawText;
}

export interface WithdrawalStopsTable {
  readonly chain_id: string;
  readonly reason: string;
  readonly since: Date;
}

export interface WithdrawalsTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly deployment_id: string;
  readonly currency_id: string;
  readonly chain_id: string;
  readonly withdraw_address_id: string;
  readonly address: string;
  readonly contract_address: string | null;
  readonly send_amount_raw: RawText;
  readonly fee_raw: RawText;
  readonly fee_version: bigint | null;
  readonly status: Generated<WithdrawalStatus>;
  readonly held_because: HoldReason | null;
  readonly approved_at: Date | null;
  readonly tx_hash: string | null;
  readonly reason: string | null;
  readonly decided_as: Generated<"confirmed" | "failed" | null>;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly idempotency_key: string | null;
  /** null: it is older than the column */
  readonly counted_day: Date | null;
}

export interface SenderAccountsTable {
  readonly chain_id: string;
  readonly account: string;
  readonly lease_token: string | null;
  readonly lease_expires_at: Date | null;
  readonly foreign_count: bigint | null;
}

export interface SenderNoncesTable {
  readonly chain_id: string;
  readonly account: string;
  readonly nonce: bigint;
  readonly outgoing_id: string;
  readonly created_at: Date;
}

export interface WithdrawalTables {
  readonly withdraw_addresses: WithdrawAddressesTable;
  readonly withdrawal_fees: WithdrawalFeesTable;
  readonly withdrawal_limits: WithdrawalLimitsTable;
  readonly own_accounts: OwnAccountsTable;
  readonly withdrawal_days: WithdrawalDaysTable;
  readonly withdrawal_stops: WithdrawalStopsTable;
  readonly withdrawals: WithdrawalsTable;
  readonly sender_accounts: SenderAccountsTable;
  readonly sender_nonces: SenderNoncesTable;
}
