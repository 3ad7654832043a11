// The tables of adapters/database/migrations/0005_ledger.sql, 0024_account_differences.sql,
// 0029_debts_borne.sql, 0032_address_rounds.sql and 0036_addresses_left_out.sql as the query builder sees
// them.

import type { ColumnType, GeneratedAlways } from "kysely";
import type { AccountKind } from "../words.ts";
import type { Environment } from "../../owner.ts";

/** numeric(78, 0): written from a bigint, read as the text of one. */
type Raw = ColumnType<string, bigint, bigint>;

export interface LedgerAccountsTable {
  readonly key: GeneratedAlways<string>;
  readonly kind: AccountKind;
  readonly deployment_id: string;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
  /** in the direction in which the account grows */
  readonly balance: ColumnType<string, never, never>;
  /** how many transactions it has been part of */
  readonly version: ColumnType<bigint, never, never>;
}

export interface LedgerTransactionsTable {
  readonly id: string;
  readonly kind: string;
  readonly reference: string;
  readonly occurred_at: Date;
  readonly posted_at: Date;
}

export interface LedgerPostingsTable {
  readonly transaction_id: string;
  readonly position: number;
  readonly account_kind: AccountKind;
  readonly deployment_id: string;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
  /** debit above zero, credit below */
  readonly amount: Raw;
}

export interface DeploymentFreezesTable {
  readonly deployment_id: string;
  readonly reason: string;
  readonly since: Date;
}

export interface AccountDifferencesTable {
  readonly deployment_id: string;
  readonly account: string;
  readonly held_raw: string;
  readonly booked_raw: string;
  readonly block_number: bigint;
  readonly since: Date;
  readonly checked_at: Date;
  readonly told_raw: string | null;
}

export interface AddressRoundsTable {
  readonly deployment_id: string;
  readonly after_address: string;
  readonly started_at: Date | null;
  readonly runs: number;
  readonly addresses: bigint;
  readonly last_started_at: Date | null;
  readonly last_ended_at: Date | null;
  readonly last_runs: number | null;
  readonly last_addresses: bigint | null;
}

export interface AddressDifferencesTable {
  readonly deployment_id: string;
  readonly address: string;
  readonly held_raw: string;
  readonly booked_raw: string;
  readonly block_number: bigint;
  readonly since: Date;
  readonly missing_before_raw: string;
  readonly checked_at: Date;
}

export interface AddressesLeftOutTable {
  readonly deployment_id: string;
  readonly address: string;
  readonly since: Date;
  readonly checked_at: Date;
}

export interface DebtsBorneTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly deployment_id: string;
  readonly borne_raw: string;
  readonly paid_back_raw: string;
  readonly told_raw: string;
  readonly borne_at: Date;
}

export interface LedgerTables {
  readonly ledger_accounts: LedgerAccountsTable;
  readonly ledger_transactions: LedgerTransactionsTable;
  readonly ledger_postings: LedgerPostingsTable;
  readonly deployment_freezes: DeploymentFreezesTable;
  readonly account_differences: AccountDifferencesTable;
  readonly address_rounds: AddressRoundsTable;
  readonly address_differences: AddressDifferencesTable;
  readonly addresses_left_out: AddressesLeftOutTable;
  readonly debts_borne: DebtsBorneTable;
}
