// Where events are sent, and what became of that.

import type { Generated, GeneratedAlways } from "kysely";
import type { Environment } from "../../owner.ts";

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

export interface WebhookTables {
  readonly webhook_endpoints: WebhookEndpointsTable;
  readonly webhook_deliveries: WebhookDeliveriesTable;
}
