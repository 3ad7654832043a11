// Who changed what, as a chain of hashes.

import type { Generated, GeneratedAlways } from "kysely";
import type { Environment } from "../../owner.ts";

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

export interface AuditTables {
  readonly audit_entries: AuditEntriesTable;
  readonly audit_head: AuditHeadTable;
}
