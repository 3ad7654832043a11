// The tables of adapters/database/migrations/0009_outgoing.sql and what 0033_measured_again.sql,
// 0037_measured_moves.sql and 0046_decided_outgoing.sql have added, as the query builder sees them.

import type { Generated } from "kysely";
import type { OutgoingPurpose, OutgoingStatus } from "../words.ts";
import type { ChainAction } from "../../ports/signer.ts";

/** numeric(78, 0): the driver gives it as text */
type RawText = string;

export interface OutgoingTransactionsTable {
  readonly id: string;
  readonly chain_id: string;
  readonly account: string;
  readonly account_role: "hot" | "settlement" | "deposit";
  readonly account_index: bigint | null;
  readonly purpose: OutgoingPurpose;
  readonly subject_id: string;
  readonly deployment_id: string;
  readonly amount_raw: RawText;
  readonly action: StoredAction;
  readonly status: Generated<OutgoingStatus>;
  readonly not_before: Date;
  readonly last_problem: string | null;
  readonly reserved_nonce: bigint | null;
  readonly sends_nothing: Generated<boolean>;
  readonly gas_units_max: bigint | null;
  readonly gas_max_raw: RawText | null;
  readonly gas_raw: RawText | null;
  readonly tx_hash: string | null;
  readonly lost_since_block: bigint | null;
  readonly unclear_at: Date | null;
  readonly decided_at: Date | null;
  readonly unmeasured_at: Date | null;
  readonly unmeasured_told_at: Date | null;
  readonly measured_tx_hash: string | null;
  readonly measured_block_hash: string | null;
  readonly left_raw: RawText | null;
  readonly arrived_raw: RawText | null;
  readonly looked_at: Date | null;
  readonly checked_at: Date | null;
  readonly created_at: Date;
  readonly signed_at: Date | null;
  readonly updated_at: Date;
}

export interface OutgoingAttemptsTable {
  readonly outgoing_id: string;
  readonly attempt: number;
  readonly tx_hash: string;
  readonly raw: Uint8Array;
  readonly max_fee_per_gas: RawText;
  readonly max_priority_fee_per_gas: RawText;
  readonly signed_at_block: bigint;
  readonly signed_at: Date;
  readonly sent_at: Date | null;
}

export interface OutgoingTables {
  readonly outgoing_transactions: OutgoingTransactionsTable;
  readonly outgoing_attempts: OutgoingAttemptsTable;
}

/** JSON has no bigint: they are kept as text. */
export type AsStored<Value> = Value extends bigint
  ? string
  : Value extends object
    ? { readonly [Key in keyof Value]: AsStored<Value[Key]> }
    : Value;

export type StoredAction = AsStored<ChainAction>;
