// The table of adapters/database/migrations/0027_suspense.sql as the query builder sees it.

import type { SuspenseStatus, SuspenseWay } from "../words.ts";

export interface SuspenseExitsTable {
  readonly id: string;
  readonly chain_id: string;
  readonly tx_hash: string | null;
  readonly log_index: number | null;
  readonly booking: number | null;
  readonly settlement_id: string | null;
  readonly deployment_id: string;
  /** numeric(78, 0): the driver gives it as text */
  readonly amount_raw: string;
  readonly way: SuspenseWay;
  readonly status: SuspenseStatus;
  readonly address: string | null;
  readonly signs_as: "hot" | "settlement" | null;
  readonly decided_as: "sent" | "failed" | null;
  readonly reason: string | null;
  readonly evidence: string;
  readonly told_gone_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface SuspenseTables {
  readonly suspense_exits: SuspenseExitsTable;
}
