// The tables of adapters/database/migrations/0012_chain_operations.sql as the query builder sees them.

export interface DeploymentFloatsTable {
  readonly deployment_id: string;
  /** numeric(78, 0), like the next one: the driver gives it as text */
  readonly max_raw: string;
  readonly updated_at: Date;
}

export interface GasBudgetsTable {
  readonly chain_id: string;
  readonly per_day_raw: string | null;
  readonly per_merchant_raw: string | null;
  readonly updated_at: Date;
}

export interface PaymentTroublesTable {
  readonly payment_id: string;
  readonly error: string;
  readonly since: Date;
  readonly tries: number;
  readonly next_try_at: Date;
}

export interface ChainOperationTables {
  readonly deployment_floats: DeploymentFloatsTable;
  readonly gas_budgets: GasBudgetsTable;
  readonly payment_troubles: PaymentTroublesTable;
}
