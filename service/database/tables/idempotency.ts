// What was answered to a request with a key.

import type { Environment } from "../../owner.ts";
import type { Json } from "./json.ts";

export interface IdempotencyKeysTable {
  readonly merchant_id: string;
  readonly environment: Environment;
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

export interface IdempotencyTables {
  readonly idempotency_keys: IdempotencyKeysTable;
}
