// The tables of adapters/database/migrations/0006_payments.sql and 0030_measured_transfers.sql as the
// query builder sees them.

import type { Generated } from "kysely";
import type { Environment } from "../../owner.ts";
import type { Json } from "./json.ts";
import type { AssetKind, ChainFamily, PaymentStatus, TokenStandard } from "../words.ts";

export interface PaymentsTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly merchant_order_no: string;
  readonly status: PaymentStatus;
  readonly version: Generated<bigint>;
  readonly divisions: Generated<number>;
  /** amounts as decimal text: JSON knows no bigint */
  readonly quotes: Json<readonly QuotedCurrency[]>;
  readonly chain_ids: readonly string[];
  readonly overpay_policy: "pro_rata" | "to_primary";
  readonly fee_bps: number;
  readonly user_id: string | null;
  readonly memo: string | null;
  readonly redirect_url: string | null;
  readonly checkout_token: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly updated_at: Date;
  readonly idempotency_key: string | null;
}

export interface PaymentSplitsTable {
  readonly payment_id: string;
  readonly position: number;
  readonly merchant_id: string;
  readonly bps: number;
}

export interface DepositAddressesTable {
  readonly chain_family: "evm" | "solana" | "bitcoin" | "tron";
  readonly derivation_index: bigint;
  readonly address: string;
  readonly payment_id: string;
  readonly created_at: Date;
}

export interface FirstDepositAddressesTable {
  readonly chain_family: DepositAddressesTable["chain_family"];
  readonly chain_id: string;
  readonly since: Date;
}

export interface ChainCursorsTable {
  readonly chain_id: string;
  readonly block_number: bigint;
  readonly block_hash: string;
  readonly block_time: Date;
  readonly checked_number: bigint;
  readonly head_number: bigint;
  readonly looked_at: Date;
  readonly updated_at: Date;
}

export interface ChainBlocksTable {
  readonly chain_id: string;
  readonly block_number: bigint;
  readonly block_hash: string;
  readonly parent_hash: string;
  readonly block_time: Date;
}

export interface DepositsTable {
  readonly chain_id: string;
  readonly tx_hash: string;
  readonly log_index: number;
  readonly deployment_id: string;
  /** null: it came to a settlement account, and nobody knows whose it is */
  readonly payment_id: string | null;
  readonly address: string;
  readonly sender: string | null;
  readonly amount_raw: bigint;
  readonly block_number: bigint;
  readonly block_hash: string;
  readonly block_time: Date;
  readonly status: "seen" | "final" | "orphaned";
  readonly bookings: Generated<number>;
  readonly reversals: Generated<number>;
  readonly regular_raw: bigint | null;
  readonly surplus_raw: bigint | null;
  readonly unmatched_raw: bigint | null;
  readonly booked_at: Date | null;
  /** x402: by an authorization that was handed in; settlement: seen at our settlement account */
  readonly source: Generated<"address" | "x402" | "settlement">;
  readonly settlement_id: string | null;
  /** which takes care of it; null: none does */
  readonly sweep_id: string | null;
  /** when the chain was asked which authorization brought it */
  readonly looked_at: Date | null;
  readonly tried_at: Date | null;
  /** by which it was taken out of suspense, while it is booked */
  readonly suspense_exit_id: string | null;
  /** when an operator said that it belongs to its payment, whatever the rules say */
  readonly accepted_at: Date | null;
}

export interface MeasuredTransfersTable {
  readonly chain_id: string;
  readonly tx_hash: string;
  readonly log_index: number;
  readonly block_hash: string;
  readonly block_number: bigint;
  readonly deployment_id: string;
  readonly address: string;
  readonly logged_raw: string;
  /** null: the chain has not said it yet */
  readonly arrived_raw: string | null;
  readonly found_at: Date;
  readonly asked_at: Date;
  readonly told_at: Date | null;
  readonly told_little_at: Date | null;
}

export interface PaymentTables {
  readonly payments: PaymentsTable;
  readonly payment_splits: PaymentSplitsTable;
  readonly deposit_addresses: DepositAddressesTable;
  readonly first_deposit_addresses: FirstDepositAddressesTable;
  readonly chain_cursors: ChainCursorsTable;
  readonly chain_blocks: ChainBlocksTable;
  readonly deposits: DepositsTable;
  readonly measured_transfers: MeasuredTransfersTable;
}

/** In one currency; a payment keeps it as it was when it was created. */
export interface QuotedCurrency {
  readonly currencyId: string;
  /** canonical decimal text */
  readonly amount: string;
  readonly code: string;
  readonly symbol: string;
  readonly name: string;
  /** how exactly people write it; what is less than that is not asked for */
  readonly accountingDecimals: number;
  readonly deployments: readonly QuotedDeployment[];
}

export interface QuotedDeployment {
  readonly deploymentId: string;
  /** CAIP-2 */
  readonly chainId: string;
  readonly chainFamily: ChainFamily;
  readonly decimals: number;
  /** smallest units, as decimal text: it is kept as JSON */
  readonly rawAmount: string;
  readonly assetKind: AssetKind;
  readonly tokenStandard: TokenStandard;
  readonly contractAddress: string | null;
}
