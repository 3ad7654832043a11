// The tables of adapters/database/migrations/0010_x402.sql, of 0020_settlement_arrivals.sql and of
// 0035_charged_bearer.sql as the query builder sees them.

import type { Json } from "./json.ts";
import type { RefundBearer } from "../words.ts";
import type { Environment } from "../../owner.ts";

/** numeric(78, 0): the driver gives it as text */
type RawText = string;

export const settlementStatuses = [
  "waiting",
  "queued",
  "settled",
  "final",
  "refused",
  "unused",
  "failed",
] as const;

export type SettlementStatus = (typeof settlementStatuses)[number];

export interface X402SettlementsTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly payment_id: string;
  readonly deployment_id: string;
  readonly chain_id: string;
  readonly scheme: "exact" | "upto";
  readonly method: "eip3009" | "permit2";
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
  readonly pay_to: string;
  readonly authorized_raw: RawText;
  readonly valid_after: bigint;
  readonly valid_before: bigint;
  readonly spender: string | null;
  readonly facilitator: string | null;
  readonly domain_name: string | null;
  readonly domain_version: string | null;
  readonly evidence_version: bigint;
  readonly signature: string;
  readonly amount_raw: RawText | null;
  readonly status: SettlementStatus;
  readonly reason: string | null;
  readonly tx_hash: string | null;
  readonly transfer_log: number | null;
  readonly from_block: bigint;
  readonly submitted_at: Date | null;
  readonly settled_at: Date | null;
  readonly closed_at: Date | null;
  readonly charged_reference: string | null;
  readonly charged_bearer: RefundBearer | null;
  readonly refund_raw: RawText | null;
  readonly released_at: Date | null;
  readonly checked_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface X402UsagesTable {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly deployment_id: string;
  readonly usage_id: string;
  readonly max_raw: RawText;
  readonly actual_raw: RawText;
  readonly evidence: Json<object>;
  readonly evidence_hash: Uint8Array;
  readonly reported_at: Date;
}

export interface X402NoncesTable {
  readonly nonce: string;
  /** empty: whoever it is */
  readonly payer: string;
  readonly payment_id: string;
  readonly deployment_id: string;
  readonly due_raw: RawText;
  readonly created_at: Date;
  readonly expires_at: Date;
}

export interface X402Tables {
  readonly x402_nonces: X402NoncesTable;
  readonly x402_settlements: X402SettlementsTable;
  readonly x402_usages: X402UsagesTable;
}
