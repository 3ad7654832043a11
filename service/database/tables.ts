// The tables as the query builder sees them; adapters/database/migrations/ is where they are made.
// Types are those of values as they come back from both engines: timestamptz as Date, bigint as
// bigint, bytea as Uint8Array, jsonb parsed. Columns with a default may be left out of an insert.

import type { Generated, GeneratedAlways } from "kysely";
import type { Environment } from "../owner.ts";
import type { ChainOperationTables } from "./tables/chain-operations.ts";
import type { LedgerTables } from "./tables/ledger.ts";
import type { OutgoingTables } from "./tables/outgoing.ts";
import type { PaymentTables } from "./tables/payments.ts";
import type { ScheduleTables } from "./tables/schedules.ts";
import type { Json } from "./tables/json.ts";
import type { SweepTables } from "./tables/sweeps.ts";
import type { WithdrawalTables } from "./tables/withdrawals.ts";
import type { X402Tables } from "./tables/x402.ts";

export interface MerchantsTable {
  readonly id: string;
  readonly name: string;
  readonly status: Generated<"active" | "suspended">;
  readonly created_at: Date;
  readonly fee_bps: Generated<number>;
}

export interface ApiKeysTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly secret_sealed: Uint8Array;
  readonly scopes: readonly string[];
  readonly cidrs: Generated<readonly string[]>;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
  readonly rotated_from: string | null;
}

export interface NoncesTable {
  readonly key_id: string;
  readonly nonce: string;
  readonly expires_at: Date;
}

export interface IdempotencyKeysTable {
  readonly merchant_id: string;
  readonly key: string;
  readonly operation_id: string;
  readonly fingerprint: Uint8Array;
  readonly status: number;
  readonly headers: Json<Readonly<Record<string, string>> | null>;
  readonly body: string | null;
  readonly body_sealed: Uint8Array | null;
  readonly created_at: Date;
  readonly body_expires_at: Date | null;
  readonly expires_at: Date;
}

export interface CatalogTable {
  readonly only_row: Generated<boolean>;
  readonly version: bigint;
  readonly applied_at: Date;
}

export interface CurrenciesTable {
  readonly id: string;
  readonly code: string;
  readonly symbol: string;
  readonly name: string;
  readonly asset_class: "coin" | "stablecoin" | "token";
  readonly is_usd_stablecoin: boolean;
  readonly accounting_decimals: number;
  readonly status: "active" | "deprecated" | "disabled";
}

export interface DeploymentsTable {
  readonly id: string;
  readonly currency_id: string;
  readonly deployment_version: bigint;
  readonly chain_id: string;
  readonly chain_family: "evm" | "solana" | "bitcoin" | "tron";
  readonly is_test_network: boolean;
  readonly asset_kind: "native" | "token";
  readonly asset_locator: string;
  readonly token_standard: "native" | "erc20" | "spl" | "spl2022" | "trc20";
  readonly contract_address: string | null;
  readonly decimals: number;
  readonly listing_status: "preview" | "listed" | "delisting" | "delisted";
  readonly delisting_since: Date | null;
  readonly deposit_enabled: boolean;
  readonly withdrawal_enabled: boolean;
}

export interface CapabilitiesTable {
  readonly deployment_id: string;
  readonly scope: "deposit" | "withdrawal" | "x402" | "subscription";
  readonly key: string;
  readonly status: "supported" | "degraded" | "unsupported" | "unverified";
  readonly parameters: Json<Readonly<Record<string, unknown>>>;
  readonly evidence_version: bigint;
  readonly delivery: Json<Readonly<Record<string, unknown>> | null>;
}

export interface CurrencyAcceptancesTable {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly revision: bigint;
  readonly catalog_version: bigint;
  readonly updated_at: Date;
}

export interface AcceptedChainsTable {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly revision: bigint;
  readonly currency_id: string;
  readonly chain_id: string;
}

/** A view: the rows of the newest revision. */
export interface CurrencyAcceptanceView {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly currency_id: string;
  readonly chain_ids: readonly string[];
}

export interface EventSequencesTable {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly last: bigint;
}

export interface EventsTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly type: string;
  readonly occurred_at: Date;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly sequence: bigint;
  readonly data: string;
}

export interface WebhookEndpointsTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly slot: number;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly active: boolean;
  readonly inactive_reason: "merchant" | "gone" | "failing" | null;
  readonly inactive_since: Date | null;
  readonly failing_since: Date | null;
  readonly generation: Generated<number>;
  readonly cancelled_generation: Generated<number>;
  readonly secret_sealed: Uint8Array;
  readonly previous_secret_sealed: Uint8Array | null;
  readonly previous_secret_expires_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly idempotency_key: string;
}

export interface WebhookDeliveriesTable {
  readonly id: string;
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly resource_type: string;
  readonly resource_id: string;
  readonly resource_key: GeneratedAlways<bigint>;
  readonly sequence: bigint;
  readonly generation: Generated<number>;
  readonly status: "pending" | "delivered" | "failed" | "skipped" | "cancelled";
  readonly attempts: Generated<number>;
  readonly next_attempt_at: Date | null;
  readonly claim_token: string | null;
  readonly claim_expires_at: Date | null;
  readonly claim_slot: number | null;
  readonly last_status: number | null;
  readonly last_error: string | null;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

export interface JobsTable {
  readonly name: string;
  readonly last_started_at: Date;
  readonly last_succeeded_at: Date | null;
  readonly last_failed_at: Date | null;
  readonly last_error: string | null;
  readonly runs: Generated<bigint>;
  readonly failures: Generated<bigint>;
  readonly done: Generated<bigint>;
  readonly lag_ms: bigint | null;
}

/** The database makes sequence and hashes, whatever an insert says of them. */
export interface AuditEntriesTable {
  readonly sequence: GeneratedAlways<bigint>;
  readonly occurred_at: Date;
  readonly actor: string;
  readonly action: string;
  readonly merchant_id: string | null;
  readonly environment: Environment | null;
  readonly subject_type: string;
  readonly subject_id: string;
  readonly details: string;
  readonly previous_hash: GeneratedAlways<Uint8Array>;
  readonly hash: GeneratedAlways<Uint8Array>;
}

export interface AuditHeadTable {
  readonly only_row: Generated<boolean>;
  readonly sequence: bigint;
  readonly hash: Uint8Array;
}

export interface Tables
  extends
    LedgerTables,
    PaymentTables,
    WithdrawalTables,
    ScheduleTables,
    OutgoingTables,
    SweepTables,
    ChainOperationTables,
    X402Tables {
  readonly merchants: MerchantsTable;
  readonly api_keys: ApiKeysTable;
  readonly nonces: NoncesTable;
  readonly idempotency_keys: IdempotencyKeysTable;
  readonly catalog: CatalogTable;
  readonly currencies: CurrenciesTable;
  readonly deployments: DeploymentsTable;
  readonly capabilities: CapabilitiesTable;
  readonly currency_acceptances: CurrencyAcceptancesTable;
  readonly accepted_chains: AcceptedChainsTable;
  readonly currency_acceptance: CurrencyAcceptanceView;
  readonly event_sequences: EventSequencesTable;
  readonly events: EventsTable;
  readonly webhook_endpoints: WebhookEndpointsTable;
  readonly webhook_deliveries: WebhookDeliveriesTable;
  readonly jobs: JobsTable;
  readonly audit_entries: AuditEntriesTable;
  readonly audit_head: AuditHeadTable;
}
