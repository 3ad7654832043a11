// The tables of adapters/database/migrations/0011_sweeps.sql as the query builder sees them.

export interface SweepsTable {
  readonly id: string;
  readonly kind: "sweep" | "consolidation";
  readonly chain_id: string;
  readonly deployment_id: string;
  readonly address: string;
  readonly derivation_index: bigint | null;
  readonly method: "collect" | "transfer" | "topped_up";
  readonly target: "hot" | "treasury";
  readonly target_address: string;
  /** numeric(78, 0), like the next ones: the driver gives it as text */
  readonly amount_raw: string;
  readonly covered_raw: string;
  readonly status: "gas" | "moving" | "moved" | "failed";
  readonly left_raw: string | null;
  readonly arrived_raw: string | null;
  readonly problem: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface SweepOrdersTable {
  readonly chain_id: string;
  readonly ordered_at: Date;
}

export interface SweepTables {
  readonly sweeps: SweepsTable;
  readonly sweep_orders: SweepOrdersTable;
}
