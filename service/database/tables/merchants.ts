// Merchants, the keys they ask with, and the nonces of their requests.

import type { Generated } from "kysely";
import type { Environment } from "../../owner.ts";

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
  readonly revoked_for_cause: Generated<boolean>;
  readonly rotated_from: string | null;
}

export interface NoncesTable {
  readonly key_id: string;
  readonly nonce: string;
  readonly expires_at: Date;
}

export interface SplitConsentsTable {
  readonly partner_id: string;
  readonly creator_id: string;
  readonly granted_at: Date;
}

export interface MerchantTables {
  readonly merchants: MerchantsTable;
  readonly api_keys: ApiKeysTable;
  readonly nonces: NoncesTable;
  readonly split_consents: SplitConsentsTable;
}
